"""Which of two groups belong together, one to one: the assignment of the highest sum."""

from __future__ import annotations

from collections.abc import Mapping

Pair = tuple[int, int]
# Rows times columns times the smaller of them, up to which the best assignment is looked for:
# some hundredths of a second.
_MOST_STEPS = 64_000


def assign(gains: Mapping[Pair, int]) -> list[Pair]:
    """Return pairs (left, right), each side at most once, so that the sum of gains is highest.

    Left and right that no chain of pairs joins are assigned apart. Where a group so joined is
    larger than some forty a side, the pairs are taken greedily, the highest gain first: that is
    never less than half of the best sum, and mostly within a twentieth of it.

    Args:
        gains: of the pairs that may be; above 0.
    """
    return sorted(pair for group in _groups(gains) for pair in _of_group(group, gains))


def _of_group(pairs: list[Pair], gains: Mapping[Pair, int]) -> list[Pair]:
    if len(pairs) == 1:
        return pairs
    rows, columns = ({pair[side]: None for pair in pairs} for side in (0, 1))
    if len(rows) * len(columns) * min(len(rows), len(columns)) > _MOST_STEPS:
        return greedy({pair: gains[pair] for pair in pairs})
    return best({pair: gains[pair] for pair in pairs})


def greedy(gains: Mapping[Pair, int]) -> list[Pair]:
    """Return pairs, the highest gain first, each side at most once."""
    left: set[int] = set()
    right: set[int] = set()
    chosen = []
    for pair in sorted(gains, key=lambda pair: (-gains[pair], pair)):
        if pair[0] not in left and pair[1] not in right:
            left.add(pair[0])
            right.add(pair[1])
            chosen.append(pair)
    return chosen


def best(gains: Mapping[Pair, int]) -> list[Pair]:
    """Return the pairs of the highest sum, by the Hungarian method with potentials."""
    rows, columns = (sorted({pair[side] for pair in gains}) for side in (0, 1))
    if len(rows) > len(columns):
        return [(a, b) for b, a in best({(b, a): gain for (a, b), gain in gains.items()})]
    cost = [[-gains.get((row, column), 0) for column in columns] for row in rows]
    return [
        (rows[row], columns[column])
        for column, row in enumerate(_matching(cost))
        if row is not None and cost[row][column] < 0
    ]


def _matching(cost: list[list[int]]) -> list[int | None]:
    """Return, for each column, its row in the assignment of the lowest sum of costs.

    There are no more rows than columns. Each row in turn is added along the cheapest chain of
    changes. `of_row` and `of_column` are the potentials: no cost less those of its row and column
    is below 0.
    """
    columns = len(cost[0])
    of_row, of_column = [0] * len(cost), [0] * columns
    taken: list[int | None] = [None] * columns
    for first in range(len(cost)):
        lowest: list[int | None] = [None] * columns
        before: list[int | None] = [None] * columns
        in_tree = [False] * columns
        row, at = first, None
        while True:
            step, nearest = None, 0
            for column in range(columns):
                if in_tree[column]:
                    continue
                reduced = cost[row][column] - of_row[row] - of_column[column]
                known = lowest[column]
                if known is None or reduced < known:
                    lowest[column], before[column], known = reduced, at, reduced
                if step is None or known < step:
                    step, nearest = known, column
            change = step or 0
            of_row[first] += change
            for column in range(columns):
                if in_tree[column]:
                    holder = taken[column]
                    of_row[holder if holder is not None else first] += change
                    of_column[column] -= change
                elif (known := lowest[column]) is not None:
                    lowest[column] = known - change
            at = nearest
            in_tree[at] = True
            holder = taken[at]
            if holder is None:
                break
            row = holder
        while at is not None:
            came_from = before[at]
            taken[at] = first if came_from is None else taken[came_from]
            at = came_from
    return taken


def _groups(gains: Mapping[Pair, int]) -> list[list[Pair]]:
    """Return the pairs in groups that share no left and no right."""
    leader: dict[tuple[int, int], tuple[int, int]] = {}

    def found(node: tuple[int, int]) -> tuple[int, int]:
        while (above := leader.setdefault(node, node)) != node:
            leader[node] = leader[above]
            node = above
        return node

    for left, right in gains:
        leader[found((0, left))] = found((1, right))
    groups: dict[tuple[int, int], list[Pair]] = {}
    for pair in gains:
        groups.setdefault(found((0, pair[0])), []).append(pair)
    return list(groups.values())
