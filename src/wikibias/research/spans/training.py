"""Training of a tagger, its folder and card, and scores of spans by four definitions of a match.

exact: both have the same first and the same last word.
right_boundary: both end with the same word. The field calls this one "partial" (Zhong et al. 2021,
  table 7).
overlap: both share a word; each span matches one other at most, taken from left to right.
token: words inside of spans are compared, and spans play no part.

Precision is the share of what is predicted that matches, recall the share of the gold, F1 their
harmonic mean. The published script gives each score one spurious match more; we do not.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from wikibias.errors import UsageError, WikibiasError, counted
from wikibias.kits import RESAMPLES
from wikibias.kits.document import Document, Table, number
from wikibias.kits.evaluation import UNDEFINED, Values, Weights, bootstrap
from wikibias.models import model_folder
from wikibias.models.examples import Warn
from wikibias.research.lexicons import Lexicon
from wikibias.research.spans import labels
from wikibias.research.spans.labels import Examples, Source, Span, Tagged
from wikibias.research.spans.taggers import TAGGERS, Marker, Tagger, Words, decode, top_word

MATCHES: Mapping[str, str] = {
    "exact": "exact",
    "right_boundary": "right boundary",
    "overlap": "overlap",
    "token": "token",
}
"""Key in the JSON -> what a table calls a definition of a match."""
RATES = ("precision", "recall", "f1")
_AT_ONCE = 500
_STEPS = 40


class SpanCounts:
    """Counts of a set of sentences, each by itself, so that they can be resampled."""

    def __init__(self) -> None:
        self.words = 0
        # Of each match in the order of `MATCHES`: true positives, gold and predicted.
        self._rows: list[list[tuple[int, int, int]]] = []

    def add(self, gold: Sequence[str], predicted: Sequence[str]) -> None:
        """Count a sentence by the labels of its words."""
        self.words += len(gold)
        first, second = labels.spans(gold), labels.spans(predicted)
        matched = (
            len({*first} & {*second}),
            len({end for _, end in first} & {end for _, end in second}),
            _overlapping(first, second),
        )
        inside, marked = ([label[0] != "O" for label in side] for side in (gold, predicted))
        both = sum(a and b for a, b in zip(inside, marked, strict=True))
        of_spans = [(found, len(first), len(second)) for found in matched]
        self._rows.append([*of_spans, (both, sum(inside), sum(marked))])

    def scores(self, *, resamples: int = RESAMPLES, seed: int = 0) -> dict[str, Any]:
        """Return all scores, as plain values for JSON, with 95 % bootstrap intervals.

        A rate is a fraction, or None where it is not defined: recall without a gold span.
        """
        table = np.array(self._rows, dtype=np.float64).reshape(-1, 3 * len(MATCHES))

        def rates(weights: Weights) -> dict[tuple[str, str], Values]:
            sums, found = (weights @ table).reshape(-1, len(MATCHES), 3), {}
            for place, match in enumerate(MATCHES):
                tp, gold, predicted = sums[:, place].T
                with np.errstate(divide="ignore", invalid="ignore"):
                    found[match, "precision"] = np.where(predicted > 0, tp / predicted, 0.0)
                    found[match, "recall"] = tp / gold
                    found[match, "f1"] = 2 * tp / (gold + predicted)
            return found

        found = bootstrap(rates, len(table), resamples=resamples, seed=seed)
        sums = table.sum(axis=0).astype(int).reshape(-1, 3).tolist()
        totals = dict(zip(MATCHES, sums, strict=True))
        _, gold, predicted = totals["exact"]
        result: dict[str, Any] = {"gold": gold, "predicted": predicted}
        for match, (tp, *_) in totals.items():
            result[match] = {"tp": tp, **{rate: found[match, rate]["value"] for rate in RATES}}
        _, gold, predicted = totals["token"]
        result["token"] |= {"gold": gold, "predicted": predicted}
        ends = {
            match: {rate: [found[match, rate][end] for end in ("low", "high")] for rate in RATES}
            for match in MATCHES
        }
        intervals = ends if len(table) > 1 else {}
        return {**result, "sentences": len(table), "tokens": self.words, "intervals": intervals}


def _overlapping(gold: Sequence[Span], predicted: Sequence[Span]) -> int:
    """Return how many pairs share a word, each span in one at most: as many as there can be."""
    found = at = other = 0
    while at < len(gold) and other < len(predicted):
        (start, end), (begin, stop) = gold[at], predicted[other]
        shares = start < stop and begin < end
        found += shares
        at += shares or end <= stop
        other += shares or stop < end
    return found


def quality(scores: Mapping[str, Any]) -> float:
    """Return the mean of the F1 of all matches, which varies less than that of one of them."""
    return sum(scores[name]["f1"] or 0.0 for name in MATCHES) / len(MATCHES)


def best_threshold(dev: Sequence[Tagged], found: Sequence[Words]) -> tuple[float, dict[str, Any]]:
    """Return the threshold with the best `quality` on dev, and the scores with it.

    Of several that are equal the highest is taken. Those tried are quantiles of what dev has.
    """
    sums = np.concatenate([words.sum(axis=1) for words in found]) if found else np.zeros(0)
    positive = sums[sums > 0]
    # Marked words are few: what matters is the upper end.
    shares = 1 - np.geomspace(0.002, 1, _STEPS)
    tried = (
        sorted({float(np.quantile(positive, share)) for share in shares}) if len(positive) else []
    )
    best = (-1.0, 1.0, dict[str, Any]())
    for threshold in tried or [1.0]:
        counts = SpanCounts()
        for sentence, words in zip(dev, found, strict=True):
            counts.add(sentence.labels, decode(words, threshold))
        scores = counts.scores(resamples=1)
        value = quality(scores)
        if value >= best[0]:
            best = (value, threshold, scores)
    return best[1], best[2]


def evaluate(
    tagger: Tagger,
    threshold: float,
    sentences: Iterable[Tagged],
    *,
    clean_up: bool = False,
    seed: int = 0,
) -> dict[str, Any]:
    """Return the scores of `SpanCounts.scores`, and `detection`.

    Detection accuracy (Pryzant et al. 2020, table 8): of the sentences that have a gold span or
    that an editor changed, the share where the word that the tagger finds most likely is in a gold
    span. `interval` is of 95 %.
    """
    counts = SpanCounts()
    hits: list[bool] = []
    rows = iter(sentences)
    while some := list(islice(rows, _AT_ONCE)):
        found = tagger.probabilities([sentence.words for sentence in some])
        for sentence, words in zip(some, found, strict=True):
            gold, predicted = [*sentence.labels], decode(words, threshold)
            if (sentence.biased or sentence.edited) and (top := top_word(words)) is not None:
                hits.append(gold[top] != labels.OUTSIDE)
            if clean_up:
                gold = labels.cleaned(sentence.words, gold, labels.GOLD_ENDS)
                predicted = labels.cleaned(sentence.words, predicted, labels.PREDICTED_ENDS)
            counts.add(gold, predicted)
    return {**counts.scores(seed=seed), "detection": _detection(hits, seed)}


def score_tagger(folder: Path, source: Source, *, clean_up: bool, warn: Warn) -> dict[str, Any]:
    """Return the scores of a tagger on the sentences of a file; see `evaluate`.

    Raises:
        UsageError: see `taggers.Marker` and `sentences_to_score`.
        WikibiasError: likewise.
    """
    marker, sentences = Marker(folder), labels.sentences_to_score(source, warn)
    found = evaluate(marker.tagger, marker.threshold, sentences, clean_up=clean_up)
    return _with_settings(found, clean_up)


def _detection(hits: list[bool], seed: int) -> dict[str, Any]:
    n, right = len(hits), sum(hits)
    found = UNDEFINED
    if n:
        found = bootstrap(
            lambda weights: {"": weights[:, 0] / n}, np.array([right, n - right]), seed=seed
        )[""]
    interval = [found["low"], found["high"]]
    return {"sentences": n, "hits": right, "accuracy": found["value"], "interval": interval}


def score_file(
    path: Path, columns: Sequence[str] | None, *, clean_up: bool, warn: Warn
) -> dict[str, Any]:
    """Return the scores of a file with gold and predicted labels; see `SpanCounts.scores`.

    Raises:
        UsageError: it lacks a column that is needed: gold and prediction, and with `clean_up` the
            word; or see `read_labelled`.
        WikibiasError: see `read_labelled`.
    """
    counts = SpanCounts()
    for sentence in labels.read_labelled(path, columns, warn):
        gold, predicted = sentence.gold, sentence.predicted
        if gold is None or predicted is None:
            missing = "gold" if gold is None else "prediction"
            raise UsageError(
                f"{path}: no column {missing}; name the columns with --fields, or with --model "
                "let a tagger predict"
            )
        if clean_up:
            if sentence.words is None:
                raise UsageError(f"{path}: --clean-up needs a column word; leave it out")
            gold = labels.cleaned(sentence.words, gold, labels.GOLD_ENDS)
            predicted = labels.cleaned(sentence.words, predicted, labels.PREDICTED_ENDS)
        counts.add(gold, predicted)
    return _with_settings(counts.scores(), clean_up)


def _with_settings(scores: dict[str, Any], clean_up: bool) -> dict[str, Any]:
    """Return scores, and how they came about."""
    return {**scores, "clean_up": clean_up, "resamples": RESAMPLES, "seed": 0}


def card(described: Mapping[str, Any]) -> Document:
    """Return the card of a tagger, by its description."""
    rows = [
        [split, f"{of['sentences']:,}", f"{of['biased']:,}", of["source"], of["sha256"][:16]]
        for split, of in described["data"].items()
    ]
    dev = [
        [title, *(number(described["dev"][name][rate]) for rate in RATES)]
        for name, title in MATCHES.items()
    ]
    left_out = [
        f"Left out because {each['source']} holds them: {each['same']:,} sentences, and "
        f"{each['near']:,} that are nearly the same."
        for each in described["left_out"]
    ]
    header = ["split", "sentences", "with a span", "source", "SHA-256 of words and labels"]
    chosen = (
        f"{described['threshold']:.4f}, from which on a word is marked; it and the parameters are "
        f"the best of {len(described['tried'])} tried, by the mean F1 of the four matches on "
        f"{described['chosen_on']}"
    )
    return model_folder.card(
        described,
        f"Tagger of biased words: {described['tagger']}",
        "Marks words that an editor is likely to change for neutrality. Trained by `wikibias spans "
        "train`; use it with `wikibias spans predict`.",
        data=[Table(header, rows), *left_out],
        settings=[("threshold", chosen)],
        scores=[
            "These are of dev. Take scores for a report from other sentences: where dev has a "
            "span, it chose the settings.",
            Table(["match", *RATES[:2], "F1"], dev),
        ],
        limits="Labels come from edits, not from annotators: what an editor changed need not be "
        "biased, and what nobody changed need not be neutral. Use it to find words to look at. Do "
        "not use it to judge a sentence, and never its author.",
    )


ENOUGH = 50
"""Sentences with a span, under which a tagger says little, as `classify` says of each class."""
_PACKAGES = ("python-crfsuite", "torch", "transformers")


@dataclass(frozen=True, slots=True)
class Task:
    """What is to be trained, on what, and where to.

    Attributes:
        tagger: its name.
        sources: what to learn from.
        out: the folder of the tagger.
        excluded: files whose sentences must not be learnt from: those it is scored on.
        neutral: sentences without a span for each with one.
        lexicons: lists of words that the tagger may use.
        parameters: of the tagger, which are then not tried.
        seed: of dev, of what is chosen at random, and of the tagger.
        overwrite: whether a tagger in the folder may be replaced.
    """

    tagger: str
    sources: Sequence[Source]
    out: Path
    excluded: Sequence[Source] = ()
    neutral: float = 1.0
    lexicons: Sequence[Lexicon] = ()
    parameters: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 0
    overwrite: bool = False


def train(task: Task, warn: Warn) -> dict[str, Any]:
    """Train a tagger and write it; return its description.

    Raises:
        UsageError: no such tagger or file, or the folder holds something else.
        WikibiasError: the data cannot be read, or nothing is left to learn from.
        DiskError: the folder cannot be written.
    """
    settings: Sequence[Mapping[str, Any]] = TAGGERS.installed(task.tagger).settings
    TAGGERS.folder.refuse(task.out, overwrite=task.overwrite)
    name = labels.names_of_sources(task.sources)
    parts = labels.read_examples(task.sources, neutral=task.neutral, seed=task.seed, warn=warn)
    left_out = _leave_out(parts, task.excluded, warn)
    biased = {split: sum(each.biased for each in part) for split, part in parts.items()}
    if not biased["train"]:
        raise WikibiasError(f"{name}: no biased span is left to learn from")
    if biased["train"] < ENOUGH:
        warn(
            f"{name}: learns from {counted(biased['train'], 'sentence')} with a span; under "
            f"{ENOUGH} a tagger says little"
        )
    chosen_on = "dev" if biased["dev"] else "train"
    if chosen_on == "train":
        warn(f"{name}: too few sentences for dev; the threshold is chosen on train")
        settings = [{}]
    if task.parameters:
        settings = [task.parameters]
    tagger, threshold, tried = _best(task, settings, parts, chosen_on)
    facts = {
        "threshold": threshold,
        "chosen_on": chosen_on,
        "data": {split: _data(part, name) for split, part in parts.items()},
        "left_out": left_out,
        "neutral": task.neutral,
        "tried": tried,
        "dev": evaluate(tagger, threshold, parts["dev"], seed=task.seed),
        "versions": model_folder.versions(_PACKAGES),
    }
    return TAGGERS.save(tagger, task.out, facts, card)


def _leave_out(parts: Examples, excluded: Sequence[Source], warn: Warn) -> list[dict[str, Any]]:
    """Take what the excluded files hold out of train and dev; return how many there were."""
    found = []
    for source in excluded:
        held, same, near = list(labels.texts(source, warn)), 0, 0
        for split, part in parts.items():
            parts[split], as_same, as_near = labels.without_near_duplicates(part, held)
            same, near = same + as_same, near + as_near
        found.append({"source": str(source.path), "same": same, "near": near})
        warn(
            f"{source.path}: left out {counted(same + near, 'sentence')} to learn from that "
            f"it holds, {near:,} of them nearly the same"
        )
    return found


def _best(
    task: Task, settings: Sequence[Mapping[str, Any]], parts: Examples, chosen_on: str
) -> tuple[Tagger, float, list[dict[str, Any]]]:
    """Return the tagger with the best `quality` of all settings, its threshold, and all tried."""
    judged = parts[chosen_on]
    found: list[tuple[float, Tagger, float]] = []
    for setting in settings:
        tagger = TAGGERS.create(task.tagger, seed=task.seed, lexicons=task.lexicons, **setting)
        tagger.fit(parts["train"], parts["dev"])
        likely = tagger.probabilities([sentence.words for sentence in judged])
        threshold, scores = best_threshold(judged, likely)
        found.append((quality(scores), tagger, threshold))
    if not found:
        raise WikibiasError(f"the tagger {task.tagger!r} names no settings to try")
    _, best, threshold = max(found, key=lambda each: each[0])
    tried = [{**tagger.parameters, "mean_f1": f1, "threshold": t} for f1, tagger, t in found]
    return best, threshold, tried


def _data(sentences: Sequence[Tagged], source: str) -> dict[str, Any]:
    lines = "\n".join(" ".join((*each.words, *each.labels)) for each in sentences)
    return {
        "source": source,
        "sentences": len(sentences),
        "biased": sum(each.biased for each in sentences),
        "sha256": sha256(lines.encode()).hexdigest(),
    }
