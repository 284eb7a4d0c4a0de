"""B1 and B2 of topics and lists of keywords, with intervals, random lists and correlations.

Ousidhoum, Song and Yeung (2020), section 3.3. B1 (equations 1 and 2) is the mean over topics of the
mean similarity of a topic's words to the keywords. B2 has two readings: `max` is equation 3 as
printed, one maximum for each topic; `mean_max` is the mean over a topic's words of their best
keyword, as the authors' program has it. Both are the mean over topics. With a floor at 0 no maximum
counts for less than 0, as in that program. Where similarities are defined and at least 0,
B1 <= B2 mean_max <= B2 max.
"""

import warnings
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, get_args

import numpy as np
from scipy.stats import t as student

from wikibias.kits.evaluation import UNDEFINED, Interval, spearman
from wikibias.research.selection_bias.keywords import Lists
from wikibias.research.selection_bias.similarity import Matrix, SimilarityTable
from wikibias.research.selection_bias.topics import Topics

Missing = Literal["zero", "skip"]
"""A pair without a similarity counts as 0, or is left out; under "skip" a word without any defined
pair is left out of `mean_max`, and a topic without any of all figures."""
MISSING: tuple[Missing, ...] = get_args(Missing)
FIGURES = ("b1", "mean_max", "max", "mean_max_floor0", "max_floor0")
COMPARED = FIGURES[:3]
"""The figures without a floor, which are compared with others."""
FEWEST_CORPORA = 4
"""Fewer are not correlated with."""
ByNumber = dict[tuple[int, Missing], Matrix]
"""Figures by the number of words of a topic, and by what a missing pair counts for."""
_LIMIT = 1.0  # no similarity is above it, nor below -1
_AT_ONCE = 2_000_000  # similarities
_EQUAL = 1e-12  # what sums in another order may differ by
_DIGITS = 9  # beyond which figures that are the same may differ, by the order of additions


def by_topic(
    topics: Sequence[Sequence[str]], numbers: Sequence[int], lists: Lists, table: SimilarityTable
) -> ByNumber:
    """Return the figures of each topic and each list, topics by `FIGURES` by lists.

    What is not defined is not a number.

    Args:
        topics: the words of each, the first first.
        numbers: how many words of each topic are compared, each number in turn.
        lists: of keywords.
        table: how alike they are to the words.
    """
    found: dict[tuple[int, Missing], list[Matrix]] = defaultdict(list)
    for words in topics:
        similarities = table.of(words[: max(numbers)], lists.words)
        # Some lists at a time, to spare memory.
        parts = np.array_split(lists.places, lists.places.size * len(similarities) // _AT_ONCE + 1)
        of_parts = [_topic_figures(similarities[:, places], numbers) for places in parts]
        for key in of_parts[0]:
            found[key].append(np.concatenate([each[key] for each in of_parts], axis=1))
    return {key: np.array(each) for key, each in found.items()}


def _topic_figures(similarities: Matrix, numbers: Sequence[int]) -> ByNumber:
    """Return the figures of a topic, `FIGURES` by lists, of words by lists by keywords."""
    is_known = ~np.isnan(similarities)
    known, length = is_known.sum(axis=2), similarities.shape[2]
    total = np.where(is_known, similarities, 0.0).sum(axis=2)
    best = np.where(is_known, similarities, -np.inf).max(axis=2, initial=-np.inf)
    found: ByNumber = {}
    for number in numbers:
        cut = slice(number)
        with_zeros = np.where(known[cut] < length, np.maximum(best[cut], 0.0), best[cut])
        every = np.full_like(known[cut], length)
        found[number, "zero"] = _figures(total[cut], every, with_zeros)
        found[number, "skip"] = _figures(total[cut], known[cut], best[cut])
    return found


def _figures(total: Matrix, known: Any, best: Matrix) -> Matrix:
    """Return the figures of words by lists: the sum of similarities, their number, the highest."""
    best = np.where(known > 0, best, np.nan)
    floored = np.maximum(best, 0.0)
    with warnings.catch_warnings(), np.errstate(invalid="ignore"):
        warnings.simplefilter("ignore", RuntimeWarning)  # numpy warns of what has no number
        b1 = total.sum(axis=0) / known.sum(axis=0)
        maxima = [f(of, axis=0) for of in (best, floored) for f in (np.nanmean, np.nanmax)]
    return np.array([b1, *maxima])


def mean_of_known(values: Matrix) -> Matrix:
    """Return the mean along the first axis of what is a number; not a number where nothing is."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # numpy warns of an empty mean
        found: Matrix = np.nanmean(values, axis=0)
    return found


def by_seed(
    fits: Sequence[Topics], numbers: Sequence[int], lists: Lists, table: SimilarityTable
) -> ByNumber:
    """Return the figures of each fit and list, seeds by `FIGURES` by lists; see `by_topic`.

    Args:
        fits: topics of the same number, one fit for each seed.
        numbers: how many words of each topic are compared, each number in turn.
        lists: of keywords.
        table: how alike they are to the words.
    """
    found = [by_topic(fit.words, numbers, lists, table) for fit in fits]
    return {key: np.array([mean_of_known(each[key]) for each in found]) for key in found[0]}


def interval(values: Sequence[float], *, drawn: bool = False, limit: float = _LIMIT) -> Interval:
    """Return the mean of a figure over seeds, with its 95 % interval (t).

    Over fits of the same documents it tells what the chance of the fits does. Over documents drawn
    anew, where each draw is half of them, the spread of the draws is that of a figure of all (the
    delete-half jackknife of Shao and Wu, 1989): then the interval tells what chance in the
    documents and in the fits does, and more draws do not make it narrow.

    Args:
        values: of each seed; one that is not a number is left out. Of one number alone there is no
            interval, of none no mean.
        drawn: the documents are drawn anew for each seed.
        limit: beyond which the interval does not go, above 0 or below; 2 for a difference.
    """
    known = [value for value in values if not np.isnan(value)]
    if not known:
        return dict(UNDEFINED)
    mean, size = float(np.mean(known)), len(known)
    if size == 1:
        return {**UNDEFINED, "value": mean}
    error = np.std(known, ddof=1) * (drawn + 1 / size) ** 0.5
    half = float(student.ppf(0.975, size - 1) * error)
    return {"value": mean, "low": max(mean - half, -limit), "high": min(mean + half, limit)}


def value_of(figures: Mapping[str, Any], name: str) -> float | None:
    """Return the value of one of `FIGURES`; None where it is not defined."""
    held = figures["b1"] if name == "b1" else figures["b2"][name]
    value: float | None = held["value"]
    return value


def against_random(figures: Mapping[str, Any], lists: Matrix) -> dict[str, Any]:
    """Return what figures are by chance: mean, 95 % of the lists, and p of one as high.

    p is the share of lists that are at least as high, the list itself among them.

    Args:
        figures: of a list of keywords; see `value_of`.
        lists: the same of random lists, seeds by `FIGURES` by lists.
    """
    found: dict[str, Any] = {}
    for name, drawn in zip(COMPARED, mean_of_known(lists), strict=False):
        value, known = value_of(figures, name), drawn[~np.isnan(drawn)]
        if value is None or not len(known):
            found[name] = dict.fromkeys(("mean", "low", "high", "p"))
            continue
        low, high = np.percentile(known, (2.5, 97.5))
        above = int((np.round(known, _DIGITS) >= round(value - _EQUAL, _DIGITS)).sum())
        p = (above + 1) / (len(known) + 1)
        found[name] = {"mean": float(known.mean()), "low": float(low), "high": float(high), "p": p}
    return {"lists": lists.shape[2], "figures": found}


def correlations(result: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield what the figures of a result go up or down with (Table 5), missing pairs being 0.

    Within a corpus with the numbers of topics and words, over the whole grid: these points are of
    the same documents, so that there is no p. Over corpora with what tells these apart, of the mean
    over the grid.

    Args:
        result: with its `corpora`, `keywords` and `figures`.
    """
    grids: defaultdict[tuple[str, str], list[Mapping[str, Any]]] = defaultdict(list)
    for each in result["figures"]:
        if each["group"] is None and each["missing"] == "zero":
            grids[each["corpus"], each["keywords"]].append(each)
    for (corpus, name), grid in grids.items():
        for figure in COMPARED:
            values = [value_of(each, figure) for each in grid]
            for what in ("topics", "words"):
                head = {"corpus": corpus, "keywords": name, "figure": figure, "with": what}
                if found := spearman(*map(_numbers, (values, [each[what] for each in grid]))):
                    yield {**head, **found, "p": None}
    lists = {(each["corpus"], each["name"]): each for each in result["keywords"]}
    for name in dict.fromkeys(name for _, name in grids):
        corpora = [each for each in result["corpora"] if (each["name"], name) in grids]
        if len(corpora) < FEWEST_CORPORA:
            continue
        facts = {
            fact: [each[fact] for each in corpora]
            for fact in ("documents", "vocabulary", "words_per_document")
        }
        own = [lists[each["name"], name] for each in corpora]
        facts["keywords"] = [len(each["words"]) for each in own]
        facts["keyword_similarity"] = [each["mean_similarity"] for each in own]
        for figure in COMPARED:
            means = [
                float(mean_of_known(_numbers([value_of(each, figure) for each in grid])))
                for grid in (grids[each["name"], name] for each in corpora)
            ]
            for what, numbers in facts.items():
                if found := spearman(means, _numbers(numbers)):
                    yield {
                        "corpus": None,
                        "keywords": name,
                        "figure": figure,
                        "with": what,
                        **found,
                    }


def _numbers(values: Sequence[float | None]) -> Any:
    """Return an array of values; None is not a number."""
    return np.array(values, dtype=np.float64)
