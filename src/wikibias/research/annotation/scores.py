"""Scores against gold labels: of annotators, each two and panels of them, and rules of intents."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import chi2

from wikibias.config.choices import names_of_intents
from wikibias.errors import UsageError, WikibiasError, counted, nearest
from wikibias.kits import RESAMPLES
from wikibias.kits.document import number
from wikibias.kits.evaluation import Codes, Values, Weights, alpha, bootstrap, holm, mcnemar
from wikibias.research.annotation.answers import BIASED, NEUTRAL, NOT_GIVEN, NOT_READ, Truth

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]
METRICS = ("mcc", "precision", "recall", "f1", "accuracy")
_ANSWERS = (NEUTRAL, BIASED, NOT_READ)


def rates(tp: Floats, fp: Floats, fn: Floats, tn: Floats) -> dict[str, Floats]:
    """Return every metric of the biased class from counts; not a number where it is not defined."""
    with np.errstate(divide="ignore", invalid="ignore"):
        spread = np.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))
        return {
            "mcc": (tp * tn - fp * fn) / spread,
            "precision": tp / (tp + fp),
            "recall": tp / (tp + fn),
            "f1": 2 * tp / (2 * tp + fp + fn),
            "accuracy": (tp + tn) / (tp + fp + fn + tn),
        }


def score(gold: Truth, said: Codes, *, resamples: int = RESAMPLES) -> dict[str, Any]:
    """Return the scores of one annotator.

    "?" and what was not answered are left out of the scores, as in Horych et al. (2025), Table 1;
    in `mcc_unparsed_as_wrong` a "?" is a wrong answer.

    Args:
        gold: whether each sentence is biased.
        said: what the annotator said; see `answers.judgements`.
        resamples: of the bootstrap.
    """
    cells = [(gold == truth) & (said == code) for truth in (0, 1) for code in _ANSWERS]
    counts = np.array([np.count_nonzero(cell) for cell in cells])
    unparsed = int(counts[2] + counts[5])
    answered = int(counts.sum()) - unparsed
    notes: list[str] = []
    found = bootstrap(_metrics_from_cells, counts, resamples=resamples, notes=notes)
    tn, fp, _, fn, tp, _ = (int(count) for count in counts)
    notes = _why_not(tn, fp, fn, tp) + notes
    return {
        **{metric: found[metric] for metric in METRICS},
        "mcc_unparsed_as_wrong": found["mcc_unparsed_as_wrong"],
        "coverage": answered / len(gold) if len(gold) else None,
        "answered": answered,
        "unparsed": unparsed,
        "not_answered": int(np.count_nonzero(said == NOT_GIVEN)),
        "true_positive": tp,
        "false_positive": fp,
        "false_negative": fn,
        "true_negative": tn,
        "notes": notes,
    }


def _metrics_from_cells(cells: Floats) -> dict[str, Floats]:
    tn, fp, wrong_neutral, fn, tp, wrong_biased = cells.T
    strict = rates(tp, fp + wrong_neutral, fn + wrong_biased, tn)["mcc"]
    return {**rates(tp, fp, fn, tn), "mcc_unparsed_as_wrong": strict}


def _why_not(tn: int, fp: int, fn: int, tp: int) -> list[str]:
    """Return in sentences why a score is not defined."""
    if not tn + fp + fn + tp:
        return ["no sentence has an answer that can be read; nothing is defined"]
    reasons = {
        "never says biased; precision and MCC are not defined": not tp + fp,
        "never says neutral; MCC is not defined": not tn + fn,
        "no sentence it answers is biased; recall and MCC are not defined": not tp + fn,
        "no sentence it answers is neutral; MCC is not defined": not tn + fp,
    }
    return [reason for reason, holds in reasons.items() if holds]


def ranked(columns: Mapping[str, Mapping[str, Any]]) -> Sequence[str]:
    """Return the names of columns by MCC, the best first, those without one last."""
    values = {name: entry["mcc"]["value"] for name, entry in columns.items()}
    order = {name: -2.0 if mcc is None else mcc for name, mcc in values.items()}
    return sorted(order, key=order.__getitem__, reverse=True)


SURE = 0.05
"""From which corrected p-value on a difference may be chance."""


def compare_all(
    gold: Truth,
    said: Mapping[str, Codes],
    *,
    against: str | None = None,
    resamples: int = RESAMPLES,
) -> list[dict[str, Any]]:
    """Return a comparison of each two annotators, or of each with one, corrected for their number.

    Args:
        gold: whether each sentence is biased.
        said: what each annotator said of them; see `answers.judgements`.
        against: an annotator with whom all others are compared.
        resamples: of the bootstrap.
    """
    if against is None:
        pairs = list(combinations(said, 2))
    else:
        pairs = [(name, against) for name in said if name != against]
    found = [
        compare(gold, names, (said[names[0]], said[names[1]]), resamples=resamples)
        for names in pairs
    ]
    tested = [entry for entry in found if entry["p_exact"] is not None]
    corrected = holm([entry["p_exact"] for entry in tested])
    for entry, p in zip(tested, corrected, strict=True):
        entry["p_holm"] = p
    for entry in found:
        entry |= {"direction": _direction(entry), "warning": _warning(entry)}
    return found


def compare(
    gold: Truth, names: tuple[str, str], said: tuple[Codes, Codes], *, resamples: int = RESAMPLES
) -> dict[str, Any]:
    """Compare two annotators on the sentences that both answered; p is not yet corrected.

    Returns:
        `b` counts the sentences on which only the first is right, `c` those of the second alone;
        `chi2_corrected` is McNemar's statistic with a continuity correction, at least 0; `odds` is
        b / c. Differences are the first less the second. What is not defined is None.
    """
    both = (said[0] >= NEUTRAL) & (said[1] >= NEUTRAL)
    truth, first, second = gold[both], said[0][both] == 1, said[1][both] == 1
    cells = np.bincount(truth * 4 + first * 2 + second, minlength=8).astype(np.int64)
    test = mcnemar(truth, first, second)
    b, c = test["only_first"], test["only_second"]
    statistic = max(abs(b - c) - 1, 0) ** 2 / (b + c) if b + c else None
    notes: list[str] = []
    found = bootstrap(_differences, cells, resamples=resamples, notes=notes)
    mcc = found["mcc_difference"]["value"]
    if not len(truth):
        notes.append("no sentence was answered by both")
    elif mcc is None:
        notes.append("one of them always says the same, or gold does; MCC is not defined")
    if len(truth) and not c:
        notes.append("c is 0; the odds are not defined")
    return {
        "first": names[0],
        "second": names[1],
        "rows": len(truth),
        "both_right": int(cells[0] + cells[7]),
        "b": b,
        "c": c,
        "both_wrong": int(cells[3] + cells[4]),
        "p_exact": test["p"] if len(truth) else None,
        "p_holm": None,
        "chi2_corrected": statistic,
        "p_chi2": None if statistic is None else float(chi2.sf(statistic, 1)),
        "right_more_often": None if b == c else names[b < c],
        "direction": "",
        "odds": b / c if c else None,
        **found,
        "higher_mcc": names[mcc < 0] if mcc else None,
        "warning": None,
        "notes": notes,
    }


def _differences(cells: Floats) -> dict[str, NDArray[np.float64]]:
    # The number of a cell: 4 if gold is biased + 2 if the first says so + 1 if the second does.
    n = cells.T
    first = rates(n[6] + n[7], n[2] + n[3], n[4] + n[5], n[0] + n[1])
    second = rates(n[5] + n[7], n[1] + n[3], n[4] + n[6], n[0] + n[2])
    return {f"{name}_difference": first[name] - second[name] for name in ("accuracy", "mcc")}


def _direction(entry: Mapping[str, Any]) -> str:
    more, fewer = sorted((entry["b"], entry["c"]), reverse=True)
    if more == fewer:
        return f"neither is right more often: each alone on {counted(more, 'sentence')}"
    found = (
        f"{entry['right_more_often']} is right more often: alone on {counted(more, 'sentence')}, "
        f"the other on {fewer:,}"
    )
    return found if _is_sure(entry) else f"{found}, which may be chance"


def _warning(entry: Mapping[str, Any]) -> str | None:
    mcc, difference = entry["mcc_difference"]["value"], entry["b"] - entry["c"]
    if mcc is None or mcc * difference >= 0:
        return None
    right = entry["right_more_often"]
    fewer, more = sorted((entry["b"], entry["c"]))
    verdict = (
        f"McNemar's test speaks for {right}, and says nothing for the higher MCC"
        if _is_sure(entry)
        else "McNemar's test tells neither from the other"
    )
    return (
        f"{entry['higher_mcc']} has the higher MCC (+{number(abs(mcc))}), but {right} is right on "
        f"more sentences ({more:,} against {fewer:,}): {verdict}"
    )


def _is_sure(entry: Mapping[str, Any]) -> bool:
    return entry["p_holm"] is not None and entry["p_holm"] < SURE


Panel = tuple[int, ...]
SETTING = "@"
FOLDS = 5
"""A panel is chosen without one of so many parts, and judged on it."""
_AT_ONCE = 512


@dataclass(frozen=True, slots=True)
class Bench:
    """Annotators to choose from.

    Attributes:
        names: what they are called; `MODEL@SETTING` where one model was asked in several ways.
        gold: whether each sentence is biased.
        votes: 1 (biased), -1 (neutral) or 0 (no answer) of each sentence (first) and annotator.
    """

    names: Sequence[str]
    gold: Truth
    votes: NDArray[np.int8]


def bench(gold: Truth, said: Mapping[str, Codes]) -> Bench:
    """Return annotators to choose from; `said` as `answers.WithGold` has it."""
    codes = np.stack(list(said.values()), axis=1)
    votes = np.where(codes == BIASED, 1, np.where(codes == NEUTRAL, -1, 0)).astype(np.int8)
    return Bench(list(said), gold, votes)


def decisions(totals: NDArray[Any]) -> Floats:
    """Return 1 where a sum of votes says biased, 0 where neutral, and a half at a tie."""
    decided: Floats = (np.sign(totals) + 1) / 2
    return decided


def panel_mcc(gold: Truth, decided: Floats) -> Floats:
    """Return the MCC of decisions (sentences, panels); -1 where it is not defined."""
    biased, neutral = gold.astype(float), (~gold).astype(float)
    tp, fp = biased @ decided, neutral @ decided
    found = rates(tp, fp, biased.sum() - tp, neutral.sum() - fp)["mcc"]
    return np.where(np.isnan(found), -1.0, found)


def greedy(among: Bench, size: int) -> Panel:
    """Return a panel: the best annotator, then the two that make its vote best, and so on.

    Two at a time, because a panel of an even number ties, and one annotator changes no vote of
    another. Where panels are equally good, the first.
    """
    panel: Panel = ()
    while len(panel) < size:
        free = [place for place in range(len(among.names)) if place not in panel]
        more = combinations(free, 1 if not panel else min(2, size - len(panel)))
        panel = _best_of(among, [(*panel, *some) for some in more])
    return panel


def _best_of(among: Bench, panels: Sequence[Panel]) -> Panel:
    best: tuple[float, Panel] = (2.0, ())
    for start in range(0, len(panels), _AT_ONCE):
        some = panels[start : start + _AT_ONCE]
        totals = np.zeros((len(among.gold), len(some)), np.int8)
        for places in zip(*some, strict=True):
            totals += among.votes[:, places]
        for mcc, panel in zip(panel_mcc(among.gold, decisions(totals)), some, strict=True):
            best = min(best, (-float(mcc), panel))
    return best[1]


def by_setting(among: Bench, size: int) -> Panel:
    """Return the best models of the setting with the highest mean MCC, as the paper chose them."""
    found = panel_mcc(among.gold, decisions(among.votes)).tolist()
    table: dict[str, dict[int, float]] = {}
    for place, name in enumerate(among.names):
        table.setdefault(_setting(name), {})[place] = found[place]
    best = max(table.values(), key=lambda mccs: sum(mccs.values()) / len(mccs))
    return tuple(sorted(best, key=lambda place: -best[place])[:size])


def _setting(name: str) -> str:
    return name.partition(SETTING)[2]


def methods(among: Bench) -> dict[str, Callable[[Bench, int], Panel]]:
    """Return the ways to choose that make sense for these annotators, by name."""
    settings = {_setting(name) for name in among.names}
    by_settings = {"by_setting": by_setting} if len(settings) > 1 and "" not in settings else {}
    return {"greedy": greedy, **by_settings, "best_single": lambda bench_, _: greedy(bench_, 1)}


def choose(among: Bench, size: int, *, resamples: int = RESAMPLES) -> dict[str, Any]:
    """Choose panels in several ways, and judge each way on sentences that it did not see.

    A panel is the k annotators whose majority vote has the best MCC. Horych et al. (2025, section
    4.2) take the best three models of the setting with the highest mean. Two good annotators that
    err alike are worth little more than one, so the panel is chosen by its vote, greedily. Where a
    panel ties or nobody of it answered, its vote is taken to be right half the time, so that no
    panel gains by not deciding.

    The sentences are parted into folds at random, with both labels in each. For each fold, a panel
    is chosen on the others and votes on this one; `mcc` is that of all these votes together. The
    panel itself is chosen on all sentences, on which its `mcc_where_chosen` flatters it.
    """
    fold = _folds(among.gold)
    found = {}
    for name, method in methods(among).items():
        panel = method(among, size)
        decided, times = np.zeros(len(fold)), np.zeros(len(among.names), np.int64)
        for part in range(FOLDS):
            here = fold == part
            chosen = method(Bench(among.names, among.gold[~here], among.votes[~here]), size)
            decided[here] = decisions(among.votes[here][:, chosen].sum(axis=1))
            times[list(chosen)] += 1
        known = decisions(among.votes[:, list(panel)].sum(axis=1))
        cells = np.bincount(among.gold * 3 + (decided * 2).astype(np.int64), minlength=6)
        found[name] = {
            "panel": [among.names[place] for place in panel],
            **bootstrap(_mcc_from_cells, cells.astype(np.int64), resamples=resamples),
            "mcc_where_chosen": float(panel_mcc(among.gold, known[:, None])[0]),
            "undecided": float(np.mean(known == 0.5)),
            "chosen_in_folds": {
                among.names[place]: int(times[place])
                for place in np.argsort(-times, kind="stable")
                if times[place]
            },
        }
    return found


def _folds(gold: Truth) -> NDArray[np.int64]:
    rng = np.random.default_rng(0)
    fold = np.empty(len(gold), np.int64)
    for truth in (False, True):
        rows = rng.permutation(np.flatnonzero(gold == truth))
        fold[rows] = np.arange(len(rows)) % FOLDS
    return fold


def _mcc_from_cells(cells: Floats) -> Mapping[str, Floats]:
    tn, tied_neutral, fp, fn, tied_biased, tp = cells.T
    half_neutral, half_biased = tied_neutral / 2, tied_biased / 2
    found = rates(tp + half_biased, fp + half_neutral, fn + half_biased, tn + half_neutral)
    return {"mcc": found["mcc"]}


_FEW = 50
_EDIT = ["wiki", "rev_id"]

Warn = Callable[[str], None]


def score_intents(
    results: Sequence[Path], file: Path, *, warn: Warn, resamples: int = RESAMPLES
) -> dict[str, dict[str, Any]]:
    """Return precision and recall of each intent's rules, and agreement, by language.

    The rules are held against what people say of the same edits (Asthana 2021, section 4.5).

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
        lambda weights: {"alpha": alpha(weights, counts)}, len(counts), resamples=resamples
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
    folder: Path, found: dict[str, dict[str, set[tuple[str, int]]]], languages: dict[str, str]
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
