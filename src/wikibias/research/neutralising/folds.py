"""Deals pairs into folds by a hash: the same each time, and what belongs together in one."""

from __future__ import annotations

from hashlib import sha256

from wikibias.research.neutralising.rewriters import Pair


def in_fold(pair: Pair, seed: int, folds: int) -> int:
    """Return the fold of a pair, from 0: that of its page or revision, else of its source."""
    name = f"{seed}\t{pair.group if pair.group is not None else pair.source}"
    digest = sha256(name.encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:8], "big") % folds
