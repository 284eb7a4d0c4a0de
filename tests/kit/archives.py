"""Content larger than one block of any compression, and ways to read and damage archives."""

import random
from pathlib import Path

from wikibias.dumps.compression.streams import DAMAGE, open_part

_CHANCE = random.Random(1)
WORDS = [b"word%d" % _CHANCE.randrange(2000) for _ in range(36_000)]
CONTENT = b"</page>\n".join(b" ".join(WORDS[at : at + 3000]) for at in range(0, 36_000, 3000))


def decompress(path: Path, threads: int = 1) -> tuple[bytes, type[Exception] | None]:
    """Return the content of a file up to its end or damage, and the type of the error."""
    found = list[bytes]()
    with open_part(str(path), threads) as (stream, _):
        try:
            while read := stream.read(1_000_003):
                found.append(read)
        except DAMAGE as error:
            return b"".join(found), type(error)
    return b"".join(found), None


def flipped(content: bytes, at: int) -> bytes:
    """Return content with bit `at` changed."""
    changed = bytearray(content)
    changed[at // 8] ^= 128 >> at % 8
    return bytes(changed)
