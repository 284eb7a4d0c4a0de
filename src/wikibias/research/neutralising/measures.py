"""Scores of rewrites beside their sources and editors' own, and their agreement with people.

Those by n-grams are BLEU of a corpus and chrF, by sacrebleu, and SARI.
"""

import logging
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wikibias.errors import UsageError, WikibiasError
from wikibias.kits import RESAMPLES, evaluation
from wikibias.kits.plugins import how_to_install
from wikibias.kits.tables import Columns, leave_out, read_frame
from wikibias.research.neutralising.words import detokenise
from wikibias.text.similarity import changes

try:
    from sacrebleu.metrics.bleu import BLEU
    from sacrebleu.metrics.chrf import CHRF
except ImportError as error:
    raise UsageError(f"BLEU needs sacrebleu; run: {how_to_install('pairs')}") from error

# It warns of sentence scores, of which only the counts are used, and of texts that look tokenised.
logging.getLogger("sacrebleu").setLevel(logging.ERROR)
LONGEST = 4
"""Tokens in a row."""
_CHRF = CHRF()


class CorpusBleu:
    """BLEU without smoothing, 0 to 100, of counts that may be added up.

    Args:
        tokens: what a text is split by: "none" for its spaces, as the authors of the Wiki
            Neutrality Corpus do, or another tokeniser of sacrebleu.
    """

    def __init__(self, tokens: str) -> None:
        self._metric = BLEU(tokenize=tokens, smooth_method="none")

    def counts(self, output: str, target: str) -> list[int]:
        """Return the counts of one sentence; those of sentences may be added up."""
        found = self._metric.sentence_score(output, [target])
        return [*found.counts, *found.totals, found.sys_len, found.ref_len]

    def scores(self, sums: Iterable[NDArray[np.float64]]) -> NDArray[np.float64]:
        """Return BLEU for each row of summed counts."""
        found = []
        for row in sums:
            whole = [round(value) for value in row.tolist()]
            matches, totals, lengths = whole[:LONGEST], whole[LONGEST:-2], whole[-2:]
            score = BLEU.compute_bleu(matches, totals, lengths[0], lengths[1], "none")
            found.append(score.score)
        return np.array(found, dtype=np.float64)


GIVEN = CorpusBleu("none")
"""Over the tokens given, which stand between spaces."""
TEXT = CorpusBleu("13a")
"""Over sacrebleu's own tokens of a text."""


def chrf(output: str, reference: str) -> float:
    """Return chrF of one sentence (Popović 2015; six characters, beta 2), 0 to 100."""
    return float(_CHRF.sentence_score(output, [reference]).score)


def sari(source: Sequence[str], output: Sequence[str], target: Sequence[str]) -> float:
    """Return SARI of one sentence with one reference, 0 to 100.

    The mean over n-grams of one to four tokens of three scores: F1 of what is kept, F1 of what is
    added, precision of what is deleted. Where there is nothing to keep, add or delete, and nothing
    is, the score is 1, so that the editor's own text gets 100.
    """
    kept = deleted = added = 0.0
    for length in range(1, LONGEST + 1):
        before, after, wanted = (_ngrams(tokens, length) for tokens in (source, output, target))
        keep, keep_wanted = before & after, before & wanted
        right = keep & wanted
        kept += _f1(
            _share(sum(right[gram] / keep[gram] for gram in right), len(keep)),
            _share(sum(right[gram] / keep_wanted[gram] for gram in right), len(keep_wanted)),
        )
        gone = before - after
        right = gone - wanted
        deleted += _share(sum(right[gram] / gone[gram] for gram in right), len(gone))
        new, new_wanted = after.keys() - before.keys(), wanted.keys() - before.keys()
        both = len(new & new_wanted)
        added += _f1(_share(both, len(new)), _share(both, len(new_wanted)))
    return 100 * (kept + deleted + added) / (3 * LONGEST)


def _ngrams(tokens: Sequence[str], length: int) -> Counter[tuple[str, ...]]:
    return Counter(zip(*(tokens[at:] for at in range(length)), strict=False))


def _share(part: float, whole: int) -> float:
    return part / whole if whole else 1.0


def _f1(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


NOTE = (
    "Exact match is no success rate: an editor's own words are one good rewrite of many. Of 257 "
    "rewrites that a person judged, 206 removed the bias (80.2 %), and 73 were an exact match; of "
    "178 others 74 (41.6 %), and 4. Compare systems by it, on the same rows only."
)
MEASURES: Mapping[str, str] = {
    "bleu": "BLEU over the given tokens",
    "exact_pct": "Exact match, %",
    "sacrebleu": "BLEU by sacrebleu, on text",
    "sari": "SARI",
    "change_rate": "Tokens changed, %",
    "chrf_to_source": "Meaning kept: chrF to the source",
    "bias_left": "Bias left: mean probability",
}
"""What is measured -> what it is called, in the order of the table."""
_CORPUS_SCORES = {"bleu": GIVEN, "sacrebleu": TEXT}


@dataclass(frozen=True, slots=True)
class Measured:
    """What is known of each rewrite.

    Attributes:
        rows: measure -> a number for each row, of which the mean counts.
        counts: measure -> the counts of each row (rows, numbers), of which the sum is scored.
    """

    rows: Mapping[str, evaluation.Values]
    counts: Mapping[str, evaluation.Values]

    def __len__(self) -> int:
        return len(self.rows["sari"])

    def scores(self, weights: evaluation.Weights) -> dict[str, evaluation.Values]:
        """Return each measure for each row of weights (draws, rows)."""
        means = {
            name: np.asarray(weights @ self.rows[name] / weights.sum(axis=1))
            for name in MEASURES
            if name in self.rows
        }
        return means | {
            name: bleu.scores(weights @ self.counts[name]) for name, bleu in _CORPUS_SCORES.items()
        }


def read_rewrites(
    path: Path, warn: Callable[[str], None], **columns: str | None
) -> dict[str, list[str]]:
    """Return columns of a table, without the rows that lack a source or a target.

    Args:
        path: TSV without quotes, CSV, or JSON Lines.
        warn: takes how many rows were left out.
        columns: `source`, `target`, and others -> the name in the file, or the number from 1 on.

    Raises:
        UsageError: the file has no such column.
        WikibiasError: it cannot be read, or no row is left.
    """
    given = [name for name, column in columns.items() if column is not None]
    frame = read_frame(path, Columns(needed=given, **columns), header=None)
    if not frame.empty:
        frame[:] = frame.map(lambda cell: "" if cell is None else str(cell))
        blank = {
            f"without {side}": ~frame[side].str.contains(r"\S") for side in ("source", "target")
        }
        frame = leave_out(frame, blank, warn)
    if frame.empty:
        raise WikibiasError(f"{path}: no row of texts in it")
    return {str(name): frame[name].tolist() for name in frame}


def measure(
    sources: Sequence[str],
    targets: Sequence[str],
    outputs: Sequence[str],
    bias: Callable[[Sequence[str]], evaluation.Values] | None = None,
) -> Measured:
    """Measure each rewrite.

    Args:
        sources: the sentences.
        targets: what editors made of them.
        outputs: what a system did.
        bias: gives the probability that each text is biased, if it is known.
    """
    given = (sources, outputs, targets)
    texts = [[detokenise(text) for text in side] for side in given]
    split = [[text.split() for text in side] for side in given]
    rows = [
        {
            "exact_pct": 100.0 * (output == target),
            "unchanged": 100.0 * (source == output),
            "sari": sari(source, output, target),
            "change_rate": change_rate(source, output),
        }
        for source, output, target in zip(*split, strict=True)
    ]
    columns: dict[str, Any] = {name: [row[name] for row in rows] for name in rows[0]}
    columns["chrf_to_source"] = [chrf(text, source) for source, text, _ in zip(*texts, strict=True)]
    if bias is not None:
        columns["bias_left"] = bias(texts[1])
    pairs = {"bleu": (outputs, targets), "sacrebleu": texts[1:]}
    counts = {
        name: [bleu.counts(*row) for row in zip(*pairs[name], strict=True)]
        for name, bleu in _CORPUS_SCORES.items()
    }
    return Measured(
        {name: np.asarray(column, dtype=np.float64) for name, column in columns.items()},
        {name: np.array(rows, dtype=np.float64) for name, rows in counts.items()},
    )


def change_rate(source: Sequence[str], output: Sequence[str]) -> float:
    """Return how many of a hundred tokens of the longer side were taken out or put in."""
    found = sum(
        max(end - start, last - first) for start, end, first, last in changes(source, output)
    )
    return 100.0 * found / max(len(source), len(output), 1)


def summary(found: Measured, *, resamples: int = RESAMPLES) -> dict[str, Any]:
    """Return the scores of a system as JSON, with 95 % intervals by resampling the rows.

    `exact` and `unchanged` are numbers of rows; rows with the same tokens are equal.
    """
    drawn = evaluation.bootstrap(found.scores, len(found), resamples=resamples)

    def rounded(name: str, end: str = "value") -> float | None:
        value = drawn.get(name, evaluation.UNDEFINED)[end]
        return None if value is None else round(value, 4 if name == "bias_left" else 2)

    return {
        "n": len(found),
        "bleu": rounded("bleu"),
        "exact": int((found.rows["exact_pct"] > 0).sum()),
        "exact_pct": rounded("exact_pct"),
        "unchanged": int((found.rows["unchanged"] > 0).sum()),
        **{name: rounded(name) for name in MEASURES if name not in ("bleu", "exact_pct")},
        "intervals": {
            name: [rounded(name, "low"), rounded(name, "high")]
            for name in MEASURES
            if rounded(name, "low") is not None
        },
        "resamples": resamples,
        "seed": 0,
        "note": NOTE,
    }


JUDGED_MEASURES: Mapping[str, str] = {
    "exact": "Exact match",
    "changed": "Changed at all",
    "sentence_bleu": "BLEU of the sentence",
    "sari": "SARI",
    "change_rate": "Tokens changed",
    "chrf_to_source": "chrF to the source",
    "bias_removed": "Bias removed, by the classifier",
    "always": "Every rewrite taken for a success",
}
_YES = frozenset(("1", "yes", "true", "success"))
_NO = frozenset(("0", "no", "false", "failure"))
_YES_OR_NO = ("exact", "changed", "always")
_FOLDS = 10


def parse_verdicts(given: Sequence[str]) -> evaluation.Truth:
    """Return whether each rewrite was judged a success: 1 or 0, yes or no, true or false.

    Raises:
        WikibiasError: a verdict is none of these, or all are the same.
    """
    lowered = [cell.strip().lower() for cell in given]
    for row, cell in enumerate(lowered, 1):
        if cell not in _YES and cell not in _NO:
            raise WikibiasError(f"--verdict: row {row} has {cell[:40]!r}; give 1 or 0, yes or no")
    found = np.array([cell in _YES for cell in lowered], dtype=bool)
    if found.all() or not found.any():
        raise WikibiasError("--verdict: every rewrite has the same verdict; nothing can agree")
    return found


def agreement(
    found: Measured, success: evaluation.Truth, *, resamples: int = RESAMPLES
) -> dict[str, Any]:
    """Return accuracy, MCC and AUC of each measure against the verdicts, with intervals.

    Of a measure with many values a rewrite counts as a success on that side of a threshold which
    gives the best accuracy on the other nine tenths of the rows; so no row helps to judge itself.
    AUC needs no threshold: it is the chance that the measure is higher for a success.
    """
    answers: dict[str, Any] = {"n": len(success), "success": int(success.sum())}
    for name, values in _values_by_measure(found).items():
        decisions = values > 0 if name in _YES_OR_NO else _decided(values, success)
        table = evaluation.score_with_intervals(
            success, evaluation.Predictions(values, decisions), resamples=resamples
        )
        answers[name] = {
            metric: {key: value and round(value, 4) for key, value in table[metric].items()}
            for metric in ("accuracy", "mcc", "roc_auc")
        }
    return answers


def _values_by_measure(found: Measured) -> dict[str, evaluation.Values]:
    rows = found.rows
    known = {
        **rows,
        "exact": rows["exact_pct"],
        "changed": 100.0 - rows["unchanged"],
        "sentence_bleu": GIVEN.scores(found.counts["bleu"]),
        "always": np.ones(len(found)),
    }
    if "bias_left" in rows:
        known["bias_removed"] = 1.0 - rows["bias_left"]
    return {name: known[name] for name in JUDGED_MEASURES if name in known}


def _decided(values: evaluation.Values, success: evaluation.Truth) -> evaluation.Truth:
    """Decide each tenth of the rows by the threshold that is best on the others."""
    decisions = np.zeros(len(values), dtype=bool)
    for fold in range(min(_FOLDS, len(values))):
        here = np.arange(len(values)) % _FOLDS == fold
        threshold, above = _best(values[~here], success[~here])
        decisions[here] = (values[here] >= threshold) == above
    return decisions


def _best(values: evaluation.Values, success: evaluation.Truth) -> tuple[float, bool]:
    """Return the threshold of the best accuracy, and whether a success lies at it or above."""
    candidates = [*np.unique(values).tolist(), np.inf]
    scored = [
        (float(np.mean(((values >= threshold) == above) == success)), above, -threshold)
        for threshold in candidates
        for above in (True, False)
    ]
    _, above, threshold = max(scored)
    return -threshold, above
