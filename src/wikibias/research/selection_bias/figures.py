"""B1 and B2 of topics and keywords, with intervals, random lists and correlations.

Ousidhoum, Song and Yeung (2020), section 3.3. B1 (equations 1 and 2) is the mean over topics of the
mean similarity of a topic's words to the keywords. B2 has two readings: `max` is equation 3 as
printed, one maximum for each topic; `mean_max` is the mean over a topic's words of their best
keyword, as the authors' program has it. Both are the mean over topics. With a floor at 0 no maximum
counts for less than 0, as in that program. Where similarities are defined and at least 0,
B1 <= B2 mean_max <= B2 max.
"""

import warnings
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray
from scipy.stats import t as student

from wikibias.kits.evaluation import UNDEFINED, Interval, spearman
from wikibias.research.selection_bias.keywords import RandomLists
from wikibias.research.selection_bias.similarity import Matrix, SimilarityTable
from wikibias.research.selection_bias.topics import Topics

Missing = Literal["zero", "skip"]
"""A pair without a similarity counts as 0, or is left out; under "skip" a word without any defined
pair is left out of `mean_max`, and a topic without any of all figures."""
MISSING: tuple[Missing, ...] = get_args(Missing)
FIGURES = ("b1", "mean_max", "max", "mean_max_floor0", "max_floor0")
SHOWN = FIGURES[:3]
"""The figures without a floor, which are compared with others."""
FEWEST_CORPORA = 4
"""Fewer are not correlated with."""
_LIMIT = 1.0  # no similarity is above it, nor below -1
_AT_ONCE = 2_000_000  # similarities
_EQUAL = 1e-12  # what sums in another order may differ by
_DIGITS = 9  # beyond which figures that are the same may differ, by the order of additions


def by_topic(similarities: Sequence[Matrix], missing: Missing) -> Matrix:
    """Return the figures of each topic, topics by `FIGURES`; not a number where none is defined.

    Args:
        similarities: of each topic its words by all keywords; not a number where not defined.
        missing: what such a pair counts for.
    """
    return np.array([_of_topic(each, missing) for each in similarities]).reshape(-1, len(FIGURES))


def _of_topic(found: Matrix, missing: Missing) -> list[float]:
    if missing == "zero":
        found = np.where(np.isnan(found), 0.0, found)
    elif found.size == 0 or np.isnan(found).all():
        return [float("nan")] * len(FIGURES)
    best = np.where(np.isnan(found), -np.inf, found).max(axis=1)
    best = best[~np.isneginf(best)]
    floored = np.maximum(best, 0.0)
    each = (np.nanmean(found), best.mean(), best.max(), floored.mean(), floored.max())
    return [float(figure) for figure in each]


def mean_of_known(values: Matrix, axis: int = 0) -> Matrix:
    """Return the mean along an axis of what is a number; not a number where nothing is."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # numpy warns of an empty mean
        found: Matrix = np.nanmean(values, axis=axis)
    return found


@dataclass(frozen=True, slots=True)
class KnownSimilarities:
    """Similarities of words of topics to keywords, and which words the measure knows."""

    table: SimilarityTable
    known: frozenset[str]

    def coverage(self, words: Sequence[str]) -> float:
        """Return the share of words that the measure knows, each word once."""
        distinct = set(words)
        return len(distinct & self.known) / max(len(distinct), 1)


def by_seed(
    fits: Sequence[Topics],
    words: int,
    keywords: Sequence[str],
    table: SimilarityTable,
    missing: Missing,
) -> Matrix:
    """Return the figures of each fit, seeds by `FIGURES`; not a number where not defined.

    Args:
        fits: topics of the same number, one fit for each seed.
        words: how many of each topic are compared.
        keywords: that they are compared with.
        table: how alike they are.
        missing: what a pair without a similarity counts for.
    """
    return np.array(
        [
            mean_of_known(
                by_topic([table.of(each, keywords) for each in fit.first(words)], missing)
            )
            for fit in fits
        ]
    )


def over_fits(values: Sequence[float]) -> Interval:
    """Return the mean of a figure over fits of the same documents, with its 95 % interval (t).

    It tells what the chance of the fits does, not that of the documents. It ends at -1 and 1, as
    figures do.

    Args:
        values: of each seed; one that is not a number is left out. Of one number alone there is no
            interval, of none no mean.
    """
    return _interval(values, 0, _LIMIT)


def over_draws(values: Sequence[float], *, limit: float = _LIMIT) -> Interval:
    """Return the mean of a figure over documents drawn anew, with its 95 % interval (t).

    Where each draw is half of the documents, the spread of the draws is that of a figure of all of
    them (the delete-half jackknife of Shao and Wu, 1989): so the interval tells what chance in the
    documents and in the fits does, and more draws do not make it narrow.

    Args:
        values: of each seed, as for `over_fits`.
        limit: beyond which the interval does not go, above 0 or below; 2 for a difference.
    """
    return _interval(values, 1, limit)


def _interval(values: Sequence[float], more: int, limit: float) -> Interval:
    known = [value for value in values if not np.isnan(value)]
    if not known:
        return dict(UNDEFINED)
    mean, size = float(np.mean(known)), len(known)
    if size == 1:
        return {**UNDEFINED, "value": mean}
    error = np.std(known, ddof=1) * (more + 1 / size) ** 0.5
    half = float(student.ppf(0.975, size - 1) * error)
    return {"value": mean, "low": max(mean - half, -limit), "high": min(mean + half, limit)}


def entry(
    fits: Sequence[Topics],
    words: int,
    keywords: Sequence[str],
    similarities: KnownSimilarities,
    missing: Missing,
    interval: Callable[[Sequence[float]], Interval] = over_fits,
) -> dict[str, Any]:
    """Return the figures of fits with their intervals, and the coverage beside them."""
    found = by_seed(fits, words, keywords, similarities.table, missing)
    intervals = dict(zip(FIGURES, map(interval, found.T.tolist()), strict=True))
    used = [word for fit in fits for topic in fit.first(words) for word in topic]
    return {
        "topics": len(fits[0].words),
        "words": words,
        "missing": missing,
        "b1": intervals["b1"],
        "b2": {name: intervals[name] for name in FIGURES[1:]},
        "coverage": {
            "topic_words": similarities.coverage(used),
            "keywords": similarities.coverage(keywords),
        },
        "by_seed": [
            {"seed": fit.seed, **dict(zip(SHOWN, row, strict=False))}
            for fit, row in zip(fits, found.tolist(), strict=True)
        ],
    }


def value_of(figures: Mapping[str, Any], name: str) -> float | None:
    """Return the value of one of `FIGURES`; None where it is not defined."""
    held = figures["b1"] if name == "b1" else figures["b2"][name]
    value: float | None = held["value"]
    return value


@dataclass(frozen=True, slots=True)
class _Sums:
    """What figures need of the words of a topic, words by lists.

    Attributes:
        total: of the similarities to the words of a list.
        defined: how many there are.
        best: the highest; minus infinity where there is none.
        length: of each list.
    """

    total: Matrix
    defined: NDArray[np.int64]
    best: Matrix
    length: int

    def figures(self, number: int, missing: Missing) -> Matrix:
        """Return `SHOWN` of the first words, figures by lists, as `by_topic` has them."""
        total, defined = self.total[:number].sum(axis=0), self.defined[:number]
        best = self.best[:number]
        if missing == "zero":
            best = np.where(defined < self.length, np.maximum(best, 0.0), best)
            mean = total / (len(best) * self.length)
            return np.array([mean, best.mean(axis=0), best.max(axis=0)])
        some, known = defined.sum(axis=0), (defined > 0).sum(axis=0)
        best_sum = np.where(defined > 0, best, 0.0).sum(axis=0)
        figures = [total / np.maximum(some, 1), best_sum / np.maximum(known, 1), best.max(axis=0)]
        return np.where(some > 0, figures, np.nan)


def of_random_lists(
    fits: Sequence[Topics], words: Sequence[int], lists: RandomLists, table: SimilarityTable
) -> dict[tuple[int, Missing], Matrix]:
    """Return the figures of random lists, the mean over the fits.

    Args:
        fits: topics of the same number, one fit for each seed.
        words: how many of each topic are compared, each number in turn.
        lists: that were drawn.
        table: how alike all these words are.

    Returns:
        The number of words and how a missing pair counts -> `SHOWN` by lists.
    """
    over: dict[tuple[int, Missing], list[Matrix]] = {
        (number, how): [] for number in words for how in MISSING
    }
    for fit in fits:
        topics = [
            _sums(table.of(topic, lists.words), lists.places) for topic in fit.first(max(words))
        ]
        for (number, how), found in over.items():
            of_topics = np.array([topic.figures(number, how) for topic in topics])
            found.append(mean_of_known(of_topics))
    return {key: mean_of_known(np.array(found)) for key, found in over.items()}


def _sums(similarities: Matrix, places: NDArray[np.int64]) -> _Sums:
    """Return the sums of a topic, made for some lists at a time, to spare memory."""
    step = max(1, _AT_ONCE // max(1, len(similarities) * places.shape[1]))
    parts = []
    for start in range(0, len(places), step):
        cut = similarities[:, places[start : start + step]]
        gone = np.isnan(cut)
        best = np.where(gone, -np.inf, cut).max(axis=2)
        parts.append((np.where(gone, 0.0, cut).sum(axis=2), (~gone).sum(axis=2), best))
    total, defined, best = (np.concatenate(part, axis=1) for part in zip(*parts, strict=True))
    return _Sums(total, defined, best, places.shape[1])


def against_random(figures: Mapping[str, float | None], lists: Matrix) -> dict[str, Any]:
    """Return what figures are by chance: mean, 95 % of the lists, and p of one as high.

    p is the share of lists that are at least as high, the list itself among them.

    Args:
        figures: each of `SHOWN`; None where it is not defined.
        lists: the same of random lists, as `of_random_lists` returns them.
    """
    found: dict[str, Any] = {}
    for name, drawn in zip(SHOWN, lists, strict=True):
        value, known = figures[name], drawn[~np.isnan(drawn)]
        if value is None or not len(known):
            found[name] = dict.fromkeys(("mean", "low", "high", "p"))
            continue
        low, high = np.percentile(known, (2.5, 97.5))
        above = int((np.round(known, _DIGITS) >= round(value - _EQUAL, _DIGITS)).sum())
        p = (above + 1) / (len(known) + 1)
        found[name] = {"mean": float(known.mean()), "low": float(low), "high": float(high), "p": p}
    return {"lists": lists.shape[1], "figures": found}


def correlations(result: Mapping[str, Any], missing: Missing) -> Iterator[dict[str, Any]]:
    """Yield what the figures of a result go up or down with (Table 5).

    Within a corpus with the numbers of topics and words, over the whole grid, and with the number
    of documents, over samples of several sizes: these points are of the same documents, so that
    there is no p. Over corpora with what tells these apart, of the mean over the grid.

    Args:
        result: with its `corpora`, `keywords`, `figures` and `sizes`.
        missing: what a pair without a similarity counts for.
    """
    grids: defaultdict[tuple[str, str], list[Mapping[str, Any]]] = defaultdict(list)
    for each in result["figures"]:
        if each["group"] is None and each["missing"] == missing:
            grids[each["corpus"], each["keywords"]].append(each)
    sizes: defaultdict[tuple[str, str], list[Mapping[str, Any]]] = defaultdict(list)
    for each in result["sizes"]:
        sizes[each["corpus"], each["keywords"]].append(each)
    for (corpus, name), grid in grids.items():
        drawn = sizes[corpus, name]
        for figure in SHOWN:
            values = [value_of(each, figure) for each in grid]
            for what in ("topics", "words"):
                numbers = [each[what] for each in grid]
                yield from _correlation(corpus, name, figure, what, values, numbers)
            values = [each[figure]["value"] for each in drawn]
            numbers = [each["documents"] for each in drawn]
            yield from _correlation(corpus, name, figure, "documents", values, numbers)
    lists = {(each["corpus"], each["name"]): each for each in result["keywords"]}
    for name in dict.fromkeys(name for _, name in grids):
        corpora = [each for each in result["corpora"] if (each["name"], name) in grids]
        if len(corpora) < FEWEST_CORPORA:
            continue
        own = [lists[each["name"], name] for each in corpora]
        facts = {
            fact: [each[fact] for each in corpora]
            for fact in ("documents", "vocabulary", "words_per_document")
        }
        facts["keywords"] = [len(each["words"]) for each in own]
        facts["keyword_similarity"] = [each["mean_similarity"] for each in own]
        for figure in SHOWN:
            means = [_mean(grids[each["name"], name], figure) for each in corpora]
            for what, numbers in facts.items():
                yield from _correlation(None, name, figure, what, means, numbers)


def _mean(grid: Sequence[Mapping[str, Any]], figure: str) -> float | None:
    known = [value for each in grid if (value := value_of(each, figure)) is not None]
    return sum(known) / len(known) if known else None


def _correlation(
    corpus: str | None,
    keywords: str,
    figure: str,
    what: str,
    values: Sequence[float | None],
    numbers: Sequence[float | None],
) -> Iterator[dict[str, Any]]:
    """Yield a correlation, where there is one."""
    first, second = (
        [float("nan") if each is None else float(each) for each in side]
        for side in (values, numbers)
    )
    if found := spearman(first, second):
        head = {"corpus": corpus, "keywords": keywords, "figure": figure, "with": what}
        yield {**head, **found, **({} if corpus is None else {"p": None})}
