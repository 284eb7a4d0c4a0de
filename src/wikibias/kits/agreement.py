"""Coefficients of agreement, as statistics whose intervals come from one bootstrap over the items.

Items with the same answers are interchangeable. So what is drawn is how often each pattern of
answers occurs. Nearly every statistic follows from sums over the items: then all of them, for all
resamples, are one product of matrices. Each is undefined where chance alone would agree as much.

Krippendorff's alpha is for any number of annotators, with gaps. For nominal and interval data each
unit adds how far its answers differ; for ordinal data, where that depends on all answers, its
coincidences. Where values are too many for these, ranks take their place: the differences within a
unit follow from the sum and the sum of squares of its ranks. The library of that name is under the
GPL, which this project cannot be shipped with.
"""

import math
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from functools import partial
from typing import Literal, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from wikibias.kits import RESAMPLES
from wikibias.kits.evaluation import Interval, Values, Weights, bootstrap

Codes = NDArray[np.int64]
GAP = -1
"""The code of no answer."""
Table = NDArray[np.float64]
Level = Literal["nominal", "ordinal", "interval"]
MOST_COINCIDENCES = 20
"""So many values at most have all their pairs counted; see `alphas`."""
K = TypeVar("K", bound=Hashable)
_CELLS_AT_ONCE = 2_000_000


class Statistic(NamedTuple):
    """What is computed of each resample; not a number where it is undefined.

    Attributes:
        summands: returns what it needs the sums of, of shape (patterns, sums); None where it needs
            the weights themselves.
        of: its values from these sums (resamples, sums), or from the weights.
        size: how many sums.
    """

    summands: Callable[[], Table] | None
    of: Callable[[Table], Values]
    size: int = 0


def less(one: Statistic, other: Statistic) -> Statistic:
    """Return by how much a statistic is above another of the same kind."""
    first, second = one.summands, other.summands
    if first is None or second is None:
        return Statistic(None, lambda weights: one.of(weights) - other.of(weights))
    return Statistic(
        lambda: np.concatenate([first(), second()], axis=1),
        lambda sums: one.of(sums[:, : one.size]) - other.of(sums[:, one.size :]),
        one.size + other.size,
    )


def entries(
    statistics: Mapping[K, Statistic],
    times: NDArray[np.int64],
    *,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> dict[K, Interval]:
    """Return each statistic with its 95 % interval, all from the same draws; see `bootstrap`.

    Args:
        statistics: what to compute.
        times: how many items have each pattern.
        resamples: how often to draw.
        seed: of the draws.
    """
    return bootstrap(
        lambda weights: dict(_each(statistics, weights)), times, resamples=resamples, seed=seed
    )


def _each(statistics: Mapping[K, Statistic], weights: Weights) -> Iterator[tuple[K, Values]]:
    """Yield the values of each statistic; many share one product of matrices."""
    waiting: list[tuple[K, Statistic]] = []
    columns = 0
    for name, statistic in statistics.items():
        if statistic.summands is None:
            yield name, statistic.of(weights)
            continue
        waiting.append((name, statistic))
        columns += statistic.size
        if columns * weights.shape[1] > _CELLS_AT_ONCE:
            yield from _of_sums(waiting, weights)
            waiting, columns = [], 0
    yield from _of_sums(waiting, weights)


def _of_sums(
    statistics: Sequence[tuple[K, Statistic]], weights: Weights
) -> Iterator[tuple[K, Values]]:
    tables = [statistic.summands() for _, statistic in statistics if statistic.summands]
    if not tables:
        return
    sums = weights @ np.concatenate(tables, axis=1)
    start = 0
    for (name, statistic), table in zip(statistics, tables, strict=True):
        end = start + table.shape[1]
        yield name, statistic.of(sums[:, start:end])
        start = end


def alpha(
    counts: Table, level: Level = "nominal", numbers: Sequence[float] | None = None
) -> Statistic:
    """Return Krippendorff's alpha (Krippendorff 2011); see `alphas`."""
    values = counts.shape[1]
    if level == "ordinal" and values > MOST_COINCIDENCES:
        return Statistic(None, partial(alphas, counts, level=level))
    return Statistic(
        partial(_alpha_summands, counts, level, numbers),
        partial(_alpha_from_sums, level=level, numbers=numbers),
        values**2 if level == "ordinal" else values + 1,
    )


def percentage(counts: Table) -> Statistic:
    """Return the share of pairs of answers to one item that are equal, as a fraction."""

    def summands() -> Table:
        answers = counts.sum(axis=1)
        return np.column_stack(
            [(counts**2).sum(axis=1) - answers, answers * (answers - 1)],
        )

    return Statistic(summands, lambda sums: _ratio(sums[:, 0], sums[:, 1]), 2)


def cohen(one: Codes, other: Codes, *, values: int, apart: Table | None = None) -> Statistic:
    """Return Cohen's kappa of two annotators over the items that both judged (Cohen 1960).

    Args:
        one: codes of an annotator.
        other: codes of the other one.
        values: how many values there are.
        apart: how far each value is from each other one, for weighted kappa (Cohen 1968); None to
            count all alike.
    """
    far = 1 - np.eye(values) if apart is None else apart

    def summands() -> Table:
        both = (one != GAP) & (other != GAP)
        found = np.zeros((len(one), 1 + 2 * values))
        rows = np.flatnonzero(both)
        found[rows, 0] = far[one[rows], other[rows]]
        found[rows, 1 + one[rows]] = 1
        found[rows, 1 + values + other[rows]] = 1
        return found

    def kappa(sums: Table) -> Values:
        of_one, of_other = sums[:, 1 : 1 + values], sums[:, 1 + values :]
        by_chance = ((of_one @ far) * of_other).sum(axis=1)
        # Observed as a share of all items, by chance as one of all pairs of items.
        return 1 - _ratio(sums[:, 0] * of_one.sum(axis=1), by_chance)

    return Statistic(summands, kappa, 1 + 2 * values)


def distances(values: int, *, squared: bool) -> Table:
    """Return how many places apart values are that have an order, or the square of it."""
    places = np.arange(values)
    found: Table = np.abs(places[:, None] - places[None]).astype(float)
    return found**2 if squared else found


def fleiss(counts: Table, *, answers: int) -> Statistic:
    """Return Fleiss' kappa over the items with so many answers, whoever gave them (Fleiss 1971)."""

    def summands() -> Table:
        complete = (counts.sum(axis=1) == answers).astype(float)
        agreeing = ((counts**2).sum(axis=1) - answers) / (answers * (answers - 1))
        return np.column_stack([complete, complete * agreeing, complete[:, None] * counts])

    def kappa(sums: Table) -> Values:
        items = sums[:, 0]
        observed = _ratio(sums[:, 1], items)
        shares = sums[:, 2:] / np.maximum(items * answers, 1)[:, None]
        by_chance = (shares**2).sum(axis=1)
        return _ratio(observed - by_chance, 1 - by_chance)

    return Statistic(summands, kappa, 2 + counts.shape[1])


def _ratio(part: Values, whole: Values) -> Values:
    with np.errstate(divide="ignore", invalid="ignore"):
        found: Values = np.where(whole > 1e-12, part / whole, np.nan)
    return found


def alphas(
    counts: Table,
    weights: NDArray[np.float64],
    level: Level = "nominal",
    numbers: Sequence[float] | None = None,
) -> NDArray[np.float64]:
    """Return alpha for each of many weightings of the units; not a number where it is undefined.

    Args:
        counts: how many annotators gave each unit each value, of shape (units, values). A unit
            with fewer than two answers counts for nothing.
        weights: how often each unit counts, of shape (weightings, units).
        level: how far two values differ: nominal, all alike; ordinal, by how many answers lie
            between them, the columns being in order; interval, by the square of their difference.
        numbers: what the values are; for interval data.

    Raises:
        ValueError: interval data without `numbers`.
    """
    if level != "ordinal" or counts.shape[1] <= MOST_COINCIDENCES:
        return _alpha_from_sums(weights @ _alpha_summands(counts, level, numbers), level, numbers)
    usable = counts.sum(axis=1) > 1
    known, drawn = counts[usable], weights[:, usable]
    sizes = known.sum(axis=1)
    of_value = drawn @ known
    places = _ranks(of_value)
    observed = _differences(known, sizes, drawn, places)
    return _alpha_of_places(observed, (of_value * places**2).sum(axis=1), of_value, places)


def _alpha_summands(
    counts: Table, level: Level = "nominal", numbers: Sequence[float] | None = None
) -> NDArray[np.float64]:
    """Return what alpha needs the sum of, of shape (units, sums).

    Of nominal and interval data: by how much the answers to a unit differ, and how often each value
    occurs. Of ordinal data: how often each value occurs with each one, values times values.
    """
    sizes = counts.sum(axis=1)
    # Each unit as if its answers were paired once.
    once = (sizes > 1) / np.maximum(sizes - 1, 1)
    if level == "ordinal":
        pairs = counts[:, :, None] * (counts[:, None] - np.eye(counts.shape[1]))
        found: Table = (once[:, None, None] * pairs).reshape(len(counts), counts.shape[1] ** 2)
        return found
    if level == "nominal":
        squares = sizes**2 - (counts**2).sum(axis=1)
    else:
        middle = _centred(numbers)
        squares = 2 * (sizes * (counts @ middle**2) - (counts @ middle) ** 2)
    return np.column_stack([once * squares, counts * (sizes > 1)[:, None]])


def _alpha_from_sums(
    sums: NDArray[np.float64], level: Level = "nominal", numbers: Sequence[float] | None = None
) -> NDArray[np.float64]:
    """Return alpha for each row of sums of `_alpha_summands`."""
    if level == "ordinal":
        size = math.isqrt(sums.shape[1])
        pairs = sums.reshape(-1, size, size)
        of_value = pairs.sum(axis=2)
        places = _ranks(of_value)
        far = (places[:, :, None] - places[:, None]) ** 2
        observed = (pairs * far).sum(axis=(1, 2))
        return _alpha_of_places(observed, (of_value * places**2).sum(axis=1), of_value, places)
    observed, of_value = sums[:, 0], sums[:, 1:]
    if level == "nominal":
        total = of_value.sum(axis=1)
        return _alpha_of(observed, total**2 - (of_value**2).sum(axis=1), of_value)
    middle = _centred(numbers)
    return _alpha_of_places(observed, of_value @ middle**2, of_value, middle)


def _alpha_of_places(
    observed: NDArray[np.float64],
    squares: NDArray[np.float64],
    of_value: NDArray[np.float64],
    places: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return alpha of values with places on a line, whose squares are summed over all answers."""
    total = of_value.sum(axis=1)
    expected = 2 * (total * squares - (of_value * places).sum(axis=1) ** 2)
    return _alpha_of(observed, expected, of_value)


def _alpha_of(
    observed: NDArray[np.float64], expected: NDArray[np.float64], of_value: NDArray[np.float64]
) -> NDArray[np.float64]:
    defined = (expected > 0) & ((of_value > 0).sum(axis=1) > 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(defined, 1 - observed * (of_value.sum(axis=1) - 1) / expected, np.nan)


def _ranks(of_value: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the rank of each value, with half of the equal ones below, less the mean rank."""
    total = of_value.sum(axis=1)
    found: Table = of_value.cumsum(axis=1) - of_value / 2 - total[:, None] / 2
    return found


def _centred(numbers: Sequence[float] | None) -> NDArray[np.float64]:
    if numbers is None:
        raise ValueError("interval data need the numbers of the values")
    found: Table = np.asarray(numbers, dtype=float) - np.mean(numbers)
    return found


def _differences(
    known: Table, sizes: Table, drawn: NDArray[np.float64], places: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the sum of squared differences within units, of shape (weightings,)."""
    weighted = drawn / (sizes - 1)
    squares = (((weighted * sizes) @ known) * places**2).sum(axis=1)
    sums = places @ known.T
    found: NDArray[np.float64] = 2 * (squares - (weighted * sums**2).sum(axis=1))
    return found
