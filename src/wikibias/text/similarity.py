"""How alike two texts are, by their letters. The only module that knows rapidfuzz."""

from __future__ import annotations


def edit_distance(left: str, right: str, most: int) -> int:
    """Return the Levenshtein distance of two texts in characters; above `most`, `most` + 1."""
    from rapidfuzz.distance import Levenshtein  # noqa: PLC0415 (20 ms, which few commands need)

    return Levenshtein.distance(left, right, score_cutoff=most)


def similarity(left: str, right: str, least: float = 0.0) -> float:
    """Return how alike two texts are, 0 to 1, a swap of neighbours being one slip; 0 below `least`.

    It is 1 less the Damerau-Levenshtein distance divided by the longer length.
    """
    from rapidfuzz.distance import DamerauLevenshtein  # noqa: PLC0415 (as above)

    return DamerauLevenshtein.normalized_similarity(left, right, score_cutoff=least)
