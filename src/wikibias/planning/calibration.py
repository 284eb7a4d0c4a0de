"""How fast this machine is: a fixed piece of work in memory, of the kind that reading a dump is.

It unpacks LZMA and bzip2, hashes, searches by a regular expression and runs plain Python. It reads
no file, and its work is the same in every version, so the seconds that it took where the costs were
fitted, divided by those here, tell how fast this core is.
"""

from __future__ import annotations

import bz2
import hashlib
import lzma
import random
import re
import time

_ROUNDS = 3
_WORDS, _LINES = 400, 2_500
_CALL = re.compile(rb"\{\{[ _]*(?:[Pp]ov|[Nn]eutrality|[Aa]dvert)[ _]*[|}]")


def measured_seconds() -> float:
    """Return the CPU seconds that the work takes here: the least of three times.

    What else runs on the machine can only make it longer.
    """
    text = _text()
    packed = lzma.compress(text, preset=0), bz2.compress(text, 1)
    return min(_once(text, *packed) for _ in range(_ROUNDS))


def _text() -> bytes:
    """Return the same 200 KB each time, as repetitive as a history."""
    rng = random.Random(0)  # noqa: S311 (no secret)
    words = ["".join(rng.choices("abcdefghinorstu", k=rng.randint(2, 9))) for _ in range(_WORDS)]
    lines = [" ".join(rng.choices(words, k=12)) for _ in range(_LINES // 8)]
    return "\n".join(rng.choice(lines) + " {{cite|" for _ in range(_LINES)).encode()


def _once(text: bytes, by_lzma: bytes, by_bzip2: bytes) -> float:
    began = time.process_time()
    for _ in range(30):
        lzma.decompress(by_lzma)
    for _ in range(5):
        bz2.decompress(by_bzip2)
    for _ in range(100):
        hashlib.sha256(by_lzma).digest()
        _CALL.search(text)
    found = 0
    for line in text.splitlines() * 20:
        head, _, rest = line.partition(b" ")
        found += len(head) if rest.startswith(b"a") else len(rest)
    return time.process_time() - began
