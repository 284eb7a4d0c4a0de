"""Kits: one mechanism each for what every command needs, and the limits that they share.

Nothing heavy is imported here, so that `--help` is quick.
"""

from collections.abc import Sequence

RESAMPLES = 1000
"""Bootstrap resamples for a confidence interval."""
MOST_SEED = 2**32 - 1
"""The largest seed that numpy and scikit-learn take."""


def even_shares(sizes: Sequence[int], wanted: int) -> list[int]:
    """Return how many to take of each size, as evenly as they allow; the first get what is left."""
    shares = [0] * len(sizes)
    left = min(wanted, sum(sizes))
    while left:
        room = [place for place, size in enumerate(sizes) if shares[place] < size]
        each = max(1, left // len(room))
        for place in room[:left]:
            more = min(each, sizes[place] - shares[place])
            shares[place] += more
            left -= more
    return shares
