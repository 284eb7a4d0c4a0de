"""Scores of the rules of intents against what people say of the same edits (Asthana 2021, 4.5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from wikibias.config.signals import names_of_intents
from wikibias.errors import UsageError, WikibiasError
from wikibias.kits import RESAMPLES
from wikibias.kits.agreement import alpha, entries
from wikibias.kits.evaluation import Values, Weights, bootstrap
from wikibias.messages import counted, nearest

if TYPE_CHECKING:
    pass

_FEW = 50
Truth = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Answer:
    """What one annotator says of one edit: the intents it has, perhaps none."""

    edit: tuple[str, int]
    annotator: str
    intents: frozenset[str]


def score_rules(
    answers: Iterable[Answer],
    found: Mapping[str, Collection[tuple[str, int]]],
    *,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> dict[str, Any]:
    """Return precision and recall of each intent's rules, and how far the annotators agree.

    Args:
        answers: of any number of annotators; one who is asked twice counts once, as first said.
        found: for each intent the edits that its rules found: wiki and revision.
        resamples: of the bootstrap over edits.
        seed: of the bootstrap.

    Returns:
        For each intent `edits`, `annotators`, `by_rule` and `krippendorff`; and under `any` (an
        edit has the intent if one annotator says so, as in the paper) and `majority` (more than
        half of its annotators say so) `positive`, `precision` and `recall`.
    """
    said: dict[tuple[str, int], dict[str, frozenset[str]]] = {}
    for answer in answers:
        said.setdefault(answer.edit, {}).setdefault(answer.annotator, answer.intents)
    return {name: _scored(name, said, edits, resamples, seed) for name, edits in found.items()}


def _scored(
    name: str,
    said: Mapping[tuple[str, int], Mapping[str, frozenset[str]]],
    edits: Collection[tuple[str, int]],
    resamples: int,
    seed: int,
) -> dict[str, Any]:
    asked = sorted(said)
    yes = np.array([sum(name in of for of in said[edit].values()) for edit in asked], dtype=float)
    all_ = np.array([len(said[edit]) for edit in asked], dtype=float)
    fired = np.array([edit in edits for edit in asked], dtype=bool)
    counts = np.column_stack([yes, all_ - yes]) if asked else np.zeros((0, 2))
    return {
        "edits": len(asked),
        "annotators": len({who for of in said.values() for who in of}),
        "by_rule": int(fired.sum()),
        "any": _against(fired, yes > 0, resamples, seed),
        "majority": _against(fired, yes * 2 > all_, resamples, seed),
        "krippendorff": entries(
            {"alpha": alpha(counts)}, np.ones(len(asked), np.int64), resamples=resamples, seed=seed
        )["alpha"],
    }


def _against(fired: Truth, truth: Truth, resamples: int, seed: int) -> dict[str, Any]:
    both = (fired & truth).astype(float)

    def shares(weights: Weights) -> dict[str, Values]:
        with np.errstate(invalid="ignore"):  # nobody may be in a resample
            hits = weights @ both
            return {"precision": hits / (weights @ fired), "recall": hits / (weights @ truth)}

    return {
        "positive": int(truth.sum()),
        **bootstrap(shares, len(truth), resamples=resamples, seed=seed),
    }


def names_in(cell: str) -> frozenset[str]:
    """Return the intents that a cell names, parted by commas or semicolons; "none" is none."""
    names = (part.strip().lower() for part in cell.replace(";", ",").split(","))
    return frozenset(name for name in names if name and name != "none")


def doubts(answers: Sequence[Answer]) -> list[str]:
    """Return why scores may say less than they seem to: few edits, or an annotator's twice."""
    found = []
    edits = {answer.edit for answer in answers}
    if len(edits) < _FEW:
        found.append(
            f"only {counted(len(edits), 'labelled edit')}: under {_FEW} the intervals are too "
            "narrow, and precision and recall say little"
        )
    asked = Counter((answer.edit, answer.annotator) for answer in answers)
    if again := [each for each, number in asked.items() if number > 1]:
        (_, revision), who = again[0]
        found.append(
            f"{counted(len(again), 'edit')} labelled twice by one annotator, such as {revision} "
            f"by {who!r}: the first row counts"
        )
    return found


def unknown_names(answers: Sequence[Answer], known: Collection[str]) -> list[str]:
    """Return the names that annotators used and that are no intents of `known`, sorted."""
    return sorted({name for answer in answers for name in answer.intents} - set(known))


_COLUMNS = {"rev_id": "rev_id", "annotator": "annotator", "labels": "labels"}


def score_intents(
    results: Sequence[Path],
    file: Path,
    *,
    warn: Callable[[str], None],
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> dict[str, dict[str, Any]]:
    """Return the scores of the rules of intents by language; see `score_rules`.

    Args:
        results: folders that `wikibias detect` made with intents as signals.
        file: who said what: columns rev_id, annotator, labels; of several wikis also wiki.
        warn: gets what is odd about the labels.
        resamples: of the bootstrap over edits.
        seed: of the bootstrap.

    Raises:
        UsageError: a folder holds no intents, or the file lacks a column.
    """
    from wikibias.config.intents import intents as known_intents

    found: dict[str, dict[str, set[tuple[str, int]]]] = {}
    languages: dict[str, str] = {}
    for folder in results:
        _read_edits(folder, found, languages)
    answers = _read_answers(file, sorted(languages), warn)
    names = sorted({name for of in found.values() for name in of})
    for name in unknown_names(answers, names):
        shipped = f"; the folder has {', '.join(names)}"
        hint = shipped if name in known_intents() else nearest(name, names)
        warn(f"{file}: {name!r} is no intent that was looked for{hint}")
    for doubt in doubts(answers):
        warn(f"{file}: {doubt}")
    asked = {answer.edit for answer in answers}
    if not any(edit in asked for of in found.values() for edits in of.values() for edit in edits):
        warn(f"{file}: the rules found none of its {counted(len(asked), 'edit')}; is it this dump?")
    return {
        lang: score_rules(
            [answer for answer in answers if languages[answer.edit[0]] == lang],
            of,
            resamples=resamples,
            seed=seed,
        )
        for lang, of in sorted(found.items())
    }


def _read_edits(
    folder: Path,
    found: dict[str, dict[str, set[tuple[str, int]]]],
    languages: dict[str, str],
) -> None:
    from wikibias.kits.parquet import read_columns
    from wikibias.pipeline import manifest

    settings = manifest.settings_of(folder, manifest.load_recorded(folder)).detect
    wanted = names_of_intents(settings.signal)
    if not wanted:
        raise UsageError(
            f"{folder}: no intent was looked for; run `wikibias detect --signal citation ...`"
        )
    of = found.setdefault(settings.lang, {})
    for name in wanted:
        of.setdefault(name, set())
    for path in sorted((folder / "transitions").glob("*.parquet")):
        rows = read_columns(path, ["wiki", "signal", "after_rev_id"])
        for wiki, signal, revision in zip(*rows.values(), strict=True):
            languages[wiki] = settings.lang
            if signal in of:
                of[signal].add((wiki, revision))
    if not languages:
        raise UsageError(f"{folder}: holds no edit of any intent")


def _read_answers(file: Path, wikis: list[str], warn: Callable[[str], None]) -> list[Answer]:
    from wikibias.kits.tables import Columns, leave_out, read_frame

    several = {"wiki": "wiki"} if len(wikis) > 1 else {}
    columns = {**_COLUMNS, **several}
    frame = read_frame(file, Columns(needed=list(columns), **columns))
    if frame.empty:
        raise WikibiasError(f"{file}: no row in it")
    blank = {f"without {name}": frame[name].isin(["", None]) for name in ("rev_id", "annotator")}
    rows = leave_out(frame, blank, warn).fillna("").astype(str).to_dict("list")
    of_wiki = rows.get("wiki", [wikis[0]] * len(rows["rev_id"]))
    answers = []
    for wiki, revision, who, labels in zip(
        of_wiki, rows["rev_id"], rows["annotator"], rows["labels"], strict=True
    ):
        if not (revision.isascii() and revision.isdigit() and len(revision) < 19):
            raise UsageError(f"{file}: {revision[:40]!r} is no number of a revision")
        if wiki not in wikis:
            raise UsageError(f"{file}: wiki {wiki[:40]!r} is none of {', '.join(wikis)}")
        answers.append(Answer((wiki, int(revision)), who, names_in(labels)))
    return answers
