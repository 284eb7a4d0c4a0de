"""String distances, and the common ends of two strings."""

from collections.abc import Hashable, Sequence
from typing import AnyStr


def changed(old: AnyStr, new: AnyStr) -> tuple[int, int]:
    """Return where two texts begin to differ, and where, in the new one, they cease to.

    From there on the old one, too, has as much left as the new one. By halving, as comparing is
    a hundred times as fast as looking at each letter.
    """
    start, most = 0, min(len(old), len(new))
    while start < most:
        middle = (start + most + 1) // 2
        if old.startswith(new[start:middle], start):
            start = middle
        else:
            most = middle - 1
    least, tail = 0, min(len(old), len(new)) - start
    while least < tail:
        middle = (least + tail + 1) // 2
        if old.endswith(new[len(new) - middle : len(new) - least], 0, len(old) - least):
            least = middle
        else:
            tail = middle - 1
    return start, len(new) - least


def changed_lines(old: AnyStr, new: AnyStr, line_end: AnyStr) -> tuple[int, int, int]:
    """Return where the lines that differ begin in both texts, and where they end in each."""
    start, end = changed(old, new)
    start = new.rfind(line_end, 0, start) + 1
    end = new.find(line_end, end)
    if end < 0:
        end = len(new)
    return start, len(old) - len(new) + end, end


# Letters of one text times letters of the other up to which they are compared in order: a few
# milliseconds at most.
_MOST_COMPARED = 100_000_000


def edit_distance(left: str, right: str, most: int) -> int:
    """Return the Levenshtein distance of two texts in characters; above `most`, `most` + 1."""
    import Levenshtein  # noqa: PLC0415 (30 ms, which few commands need)

    return Levenshtein.distance(left, right, score_cutoff=most)


def similarity(left: str, right: str, least: float = 0.0) -> float:
    """Return how alike two texts are, 0 to 1, a swap of neighbours being one slip; 0 below `least`.

    It is 1 less the Damerau-Levenshtein distance divided by the longer length.
    """
    from rapidfuzz.distance import DamerauLevenshtein  # noqa: PLC0415 (as above)

    return DamerauLevenshtein.normalized_similarity(left, right, score_cutoff=least)


def ratio(left: str, right: str) -> float:
    """Return the share of characters in common and in order, 0 to 100: 100 x `Levenshtein.ratio`.

    Of texts of tens of thousands of characters only as many are looked at, from the beginning.
    """
    import Levenshtein  # noqa: PLC0415 (as above)

    if len(left) * len(right) > _MOST_COMPARED:
        most = int(_MOST_COMPARED**0.5)
        left, right = left[:most], right[:most]
    return 100.0 * Levenshtein.ratio(left, right)


def common_ends(left: Sequence[object], right: Sequence[object]) -> tuple[int, int]:
    """Return how many items two sequences have in common at the start, and how many behind."""
    start, most = 0, min(len(left), len(right))
    while start < most and left[start] == right[start]:
        start += 1
    behind = 0
    while behind < most - start and left[-1 - behind] == right[-1 - behind]:
        behind += 1
    return start, behind


def changes(left: Sequence[Hashable], right: Sequence[Hashable]) -> list[tuple[int, int, int, int]]:
    """Return what differs between two sequences, by their longest common subsequence.

    Each entry is (start, end) in `left` and (start, end) in `right`, in order, one of them perhaps
    empty. Of very long sequences all between the first and the last difference is one entry.
    """
    from rapidfuzz.distance import Indel  # noqa: PLC0415 (as above)

    first, behind = common_ends(left, right)
    ends = len(left) - behind, len(right) - behind
    if (ends[0] - first) * (ends[1] - first) > _MOST_COMPARED // 10:
        return [(first, ends[0], first, ends[1])]
    # The library compares other items by their hashes, which may be those of others too.
    numbers: dict[Hashable, int] = {}
    old = [numbers.setdefault(item, len(numbers)) for item in left[first : ends[0]]]
    new = [numbers.setdefault(item, len(numbers)) for item in right[first : ends[1]]]
    found: list[tuple[int, int, int, int]] = []
    for step in Indel.opcodes(old, new):
        if step.tag == "equal":
            continue
        at = step.src_start + first, step.dest_start + first
        if found and (found[-1][1], found[-1][3]) == at:
            at = found[-1][0], found.pop()[2]
        found.append((at[0], step.src_end + first, at[1], step.dest_end + first))
    return found
