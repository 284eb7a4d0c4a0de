"""Searches long chunks for names with `re`, which looks at each byte in turn, by numpy.

Where google-re2 is not installed: numpy finds the braces, and most calls differ from all names in
their first two letters. Only the other calls are matched.
"""

from __future__ import annotations

import re

import numpy as np

_OPENING, _ESCAPE = ord("{"), ord("&")
# Two braces, and at least two bytes of what is called.
_SHORTEST = 4
# After a hit the next one is often near: in so many bytes `re` is as fast.
NEAR = 1 << 15
# Bytes to look at together, which stay in the processor's cache.
_SLICE = 1 << 17
_PLAIN = [code for code in range(128) if chr(code).isalnum()]


class Sieve:
    """Searches for a pattern of `prefilter.names_pattern`.

    `beginnings` matches the first two letters of all names, see `prefilter.beginnings_pattern`.
    """

    def __init__(self, names: re.Pattern[bytes], beginnings: bytes) -> None:
        self._names = names
        begins = re.compile(beginnings)
        # Whether two bytes may begin a name; any may that are not both letters or digits of ASCII.
        may_begin = np.ones((256, 256), bool)
        for first in _PLAIN:
            for second in _PLAIN:
                may_begin[second, first] = begins.match(bytes((first, second))) is not None
        self._may_begin = may_begin.reshape(-1)

    def first(self, chunk: bytes, start: int, end: int) -> int:
        """Return the position of the first match in `chunk[start:end]`, or -1."""
        near = min(start + NEAR, end)
        found = self._names.search(chunk, start, near)
        if found is not None:
            return found.start()
        if near == end:
            return -1
        # A match that goes on begins at the last brace or at the one before it: it has no others.
        for begin in range(max(start, chunk.rfind(b"{", start, near) - 1), end, _SLICE):
            stop = min(begin + _SLICE, end)
            for at in self._possible(chunk, begin, min(stop, len(chunk) - _SHORTEST + 1)):
                if self._names.match(chunk, at, end):
                    return at
        return -1

    def _possible(self, chunk: bytes, start: int, stop: int) -> list[int]:
        """Return where the pattern may match, from `start` to `stop`."""
        if stop <= start:
            return []
        codes = np.frombuffer(chunk, np.uint8)
        at = np.flatnonzero(codes[start:stop] == _OPENING) + start
        after = codes[at + 1]
        pairs = np.ndarray((len(chunk) - 1,), "<u2", chunk, strides=(1,))
        named = (after == _OPENING) & self._may_begin[pairs[at + 2]]
        found: list[int] = at[named | (after == _ESCAPE)].tolist()
        return found
