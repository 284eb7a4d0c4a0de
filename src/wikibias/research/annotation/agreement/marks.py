"""How far annotators mark the same words: token kappa, exact and overlapping spans, for each two.

A span covers the words that it touches, so that a blank at its end makes no difference.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from wikibias.kits.evaluation import Values, bootstrap
from wikibias.messages import counted
from wikibias.research.annotation.agreement.compared import Given
from wikibias.research.spans.labels import Span, labelled, split_words
from wikibias.research.spans.labels import spans as spans_of
from wikibias.research.spans.scores import SpanCounts

ANY = "any"
"""What the figures are called that do not ask for the label of a span."""
NO_TEXTS = "spans are compared by words: give the sentences with --tasks"
_MATCHES = ("exact", "overlap")


def span_agreement(
    given: Given,
    texts: Mapping[str, str],
    items: Iterable[str],
    *,
    resamples: int,
    seed: int,
) -> dict[str, Any]:
    """Return by pair and label how far two annotators mark the same words.

    Args:
        given: what they marked.
        texts: the sentences, by item.
        items: those that count.
        resamples: of the bootstrap over the items.
        seed: of it.

    Returns:
        By pair `a|b`, by label (`any` whatever the label): `items` that both looked at, `spans` of
        each, `exact` and `overlap`, the F1 of spans that are the same or share a word, and
        `token_kappa`, Cohen's kappa of words inside and outside; each with its interval. And
        `notes`. Empty where nobody marked anything.
    """
    if not any(given.values()):
        return {}
    names = list(dict.fromkeys(who for _, who in given))
    labels = sorted({str(mark.get("label")) for marks in given.values() for mark in marks})
    result: dict[str, Any] = {"pairs": {}, "notes": {}}
    known = [item for item in items if item in texts]
    if not known:
        result["notes"]["spans"] = NO_TEXTS
        return result
    places = {item: split_words(texts[item])[1] for item in known}
    for one, other in combinations(names, 2):
        both = [item for item in known if (item, one) in given and (item, other) in given]
        result["pairs"][f"{one}|{other}"] = {
            label or ANY: _compared(
                [
                    [_labels(given[item, who], places[item], label) for who in (one, other)]
                    for item in both
                ],
                resamples,
                seed,
            )
            for label in (None, *(labels if len(labels) > 1 else ()))
        }
        if not both:
            result["notes"][f"{one}|{other}"] = "no sentence in which both looked for spans"
    if len(names) < 2:
        result["notes"]["spans"] = "one annotator marked spans; agreement needs two"
    unknown = sum(item not in texts for item in items)
    if unknown:
        result["notes"]["texts"] = f"{counted(unknown, 'sentence')} of unknown text left out"
    return result


def _labels(marks: Sequence[Mapping[str, Any]], places: Sequence[Span], label: str | None) -> Any:
    """Return the labels of words of a sentence; spans that overlap become one."""
    touched = sorted(
        found
        for mark in marks
        if label is None or str(mark.get("label")) == label
        if (found := _touched(places, mark["start"], mark["end"])) is not None
    )
    merged: list[Span] = []
    for start, end in touched:
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return labelled(len(places), merged)


def _touched(places: Sequence[Span], start: int, end: int) -> Span | None:
    inside = [number for number, (at, to) in enumerate(places) if at < end and start < to]
    return (inside[0], inside[-1] + 1) if inside else None


def _compared(sentences: Sequence[Sequence[Sequence[str]]], resamples: int, seed: int) -> Any:
    counts = SpanCounts()
    words = np.zeros((len(sentences), 4))
    for row, (one, other) in enumerate(sentences):
        counts.add(one, other)
        inside = np.array([[label != "O" for label in of] for of in (one, other)])
        words[row] = (
            (inside[0] & inside[1]).sum(),
            (inside[0] & ~inside[1]).sum(),
            (~inside[0] & inside[1]).sum(),
            (~inside[0] & ~inside[1]).sum(),
        )
    scores = counts.scores(resamples=resamples, seed=seed)
    result: dict[str, Any] = {
        "items": len(sentences),
        "spans": [sum(len(spans_of(of[side])) for of in sentences) for side in (0, 1)],
    }
    for match in _MATCHES:
        low, high = scores["intervals"].get(match, {}).get("f1", (None, None))
        result[match] = {"value": scores[match]["f1"], "low": low, "high": high}
    kappa = bootstrap(
        lambda weights: {"": _kappa(weights @ words)}, len(words), resamples=resamples, seed=seed
    )
    result["token_kappa"] = kappa[""]
    return result


def _kappa(sums: Values) -> Values:
    """Return Cohen's kappa from words that both, the first, the second and nobody marked."""
    both, first, second, nobody = sums.T
    total = both + first + second + nobody
    chance = (both + first) * (both + second) + (second + nobody) * (first + nobody)
    room = total**2 - chance
    with np.errstate(divide="ignore", invalid="ignore"):
        found: Values = np.where(room > 0, ((both + nobody) * total - chance) / room, np.nan)
    return found
