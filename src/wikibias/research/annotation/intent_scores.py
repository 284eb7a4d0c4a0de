"""Scores of the rules of intents against what people say of the same edits (Asthana 2021, 4.5)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from wikibias.config.signals import names_of_intents
from wikibias.errors import UsageError, WikibiasError
from wikibias.kits import RESAMPLES
from wikibias.kits.evaluation import Values, Weights, alpha, bootstrap
from wikibias.messages import counted, nearest

if TYPE_CHECKING:
    import pandas as pd

_FEW = 50
_EDIT = ["wiki", "rev_id"]
Truth = NDArray[np.bool_]
Warn = Callable[[str], None]


def score_intents(
    results: Sequence[Path],
    file: Path,
    *,
    warn: Warn,
    resamples: int = RESAMPLES,
) -> dict[str, dict[str, Any]]:
    """Return precision and recall of each intent's rules, and agreement, by language.

    Args:
        results: folders that `wikibias detect` made with intents as signals.
        file: who said what: columns rev_id, annotator, labels; of several wikis also wiki.
        warn: gets what is odd about the labels.
        resamples: of the bootstrap over edits.

    Returns:
        For each intent `edits`, `annotators`, `by_rule` and `krippendorff`; and under `any` (an
        edit has the intent if one annotator says so, as in the paper) and `majority` (more than
        half of its annotators say so) `positive`, `precision` and `recall`.

    Raises:
        UsageError: a folder holds no intents, or the file lacks a column.
    """
    found: dict[str, dict[str, set[tuple[str, int]]]] = {}
    languages: dict[str, str] = {}
    for folder in results:
        _read_edits(folder, found, languages)
    answers = _read_answers(file, sorted(languages), warn)
    _warn_of_names(answers, {name for of in found.values() for name in of}, file, warn)
    edits = set(answers[_EDIT].itertuples(index=False, name=None))
    if len(edits) < _FEW:
        warn(
            f"{file}: only {counted(len(edits), 'labelled edit')}: under {_FEW} the intervals are "
            "too narrow, and precision and recall say little"
        )
    again = answers.duplicated([*_EDIT, "annotator"])
    if again.any():
        first = answers[again].iloc[0]
        warn(
            f"{file}: {counted(int(again.sum()), 'edit')} labelled twice by one annotator, such as "
            f"{first['rev_id']} by {first['annotator']!r}: the first row counts"
        )
    if not any(edits & of for by_name in found.values() for of in by_name.values()):
        warn(f"{file}: the rules found none of its {counted(len(edits), 'edit')}; is it this dump?")
    once, lang_of = answers[~again], answers[~again]["wiki"].map(languages)
    return {
        lang: {
            name: _scored(name, once[lang_of == lang], of, resamples)
            for name, of in by_name.items()
        }
        for lang, by_name in sorted(found.items())
    }


def _scored(
    name: str, said: pd.DataFrame, edits: Collection[tuple[str, int]], resamples: int
) -> dict[str, Any]:
    named = said.assign(yes=[name in of for of in said["labels"]]).groupby(_EDIT)["yes"]
    yes, answers = named.sum().to_numpy(float), named.size().to_numpy(float)
    fired = np.array([edit in edits for edit in named.size().index], dtype=bool)
    counts = np.column_stack([yes, answers - yes])
    alphas = bootstrap(
        lambda weights: {"alpha": alpha(weights, counts)},
        len(counts),
        resamples=resamples,
    )
    return {
        "edits": len(yes),
        "annotators": said["annotator"].nunique(),
        "by_rule": int(fired.sum()),
        "any": _against(fired, yes > 0, resamples),
        "majority": _against(fired, yes * 2 > answers, resamples),
        "krippendorff": alphas["alpha"],
    }


def _against(fired: Truth, truth: Truth, resamples: int) -> dict[str, Any]:
    both = (fired & truth).astype(float)

    def shares(weights: Weights) -> dict[str, Values]:
        with np.errstate(invalid="ignore"):  # nobody may be in a resample
            hits = weights @ both
            return {"precision": hits / (weights @ fired), "recall": hits / (weights @ truth)}

    intervals = bootstrap(shares, len(truth), resamples=resamples)
    return {"positive": int(truth.sum()), **intervals}


def _read_edits(
    folder: Path,
    found: dict[str, dict[str, set[tuple[str, int]]]],
    languages: dict[str, str],
) -> None:
    from wikibias.kits.parquet import read_table
    from wikibias.pipeline import manifest

    settings = manifest.settings_of(folder, manifest.load_recorded(folder)).detect
    intents = names_of_intents(settings.signal)
    if not intents:
        raise UsageError(
            f"{folder}: no intent was looked for; run `wikibias detect --signal citation ...`"
        )
    of = found.setdefault(settings.lang, {})
    for name in intents:
        of.setdefault(name, set())
    for path in sorted((folder / "transitions").glob("*.parquet")):
        for row in read_table(path, ["wiki", "signal", "after_rev_id"], at_once=1000):
            languages[row["wiki"]] = settings.lang
            if row["signal"] in of:
                of[row["signal"]].add((row["wiki"], row["after_rev_id"]))
    if not languages:
        raise UsageError(f"{folder}: holds no edit of any intent")


def _read_answers(file: Path, wikis: list[str], warn: Warn) -> pd.DataFrame:
    """Return who said what: the columns wiki, rev_id, annotator, labels, the last a set."""
    from wikibias.kits.tables import Columns, leave_out, read_frame

    names = ["rev_id", "annotator", "labels", *(["wiki"] if len(wikis) > 1 else [])]
    frame = read_frame(file, Columns(needed=names, **{name: name for name in names}))
    if frame.empty:
        raise WikibiasError(f"{file}: no row in it")
    blank = {f"without {name}": frame[name].isin(["", None]) for name in ("rev_id", "annotator")}
    rows = leave_out(frame, blank, warn).fillna("").astype(str)
    if "wiki" not in rows.columns:
        rows["wiki"] = wikis[0]
    for wiki, revision in zip(rows["wiki"], rows["rev_id"], strict=True):
        if not (revision.isascii() and revision.isdigit() and len(revision) < 19):
            raise UsageError(f"{file}: {revision[:40]!r} is no number of a revision")
        if wiki not in wikis:
            raise UsageError(f"{file}: wiki {wiki[:40]!r} is none of {', '.join(wikis)}")
    return rows.assign(rev_id=rows["rev_id"].astype(int), labels=rows["labels"].map(_names_in))


def _names_in(cell: str) -> frozenset[str]:
    """Return the intents that a cell names, parted by commas or semicolons; "none" is none."""
    names = (part.strip().lower() for part in cell.replace(";", ",").split(","))
    return frozenset(name for name in names if name and name != "none")


def _warn_of_names(answers: pd.DataFrame, known: Collection[str], file: Path, warn: Warn) -> None:
    """Warn of names that annotators used and that are no intents that were looked for."""
    from wikibias.config.intents import intents

    for name in sorted(frozenset().union(*answers["labels"]) - set(known)):
        there = f"; the folder has {', '.join(sorted(known))}"
        hint = there if name in intents() else nearest(name, sorted(known))
        warn(f"{file}: {name!r} is no intent that was looked for{hint}")
