"""Makes a stub dump of a dump: all that it holds, but for the texts.

Usage: python scripts/make_stub_dump.py DUMP STUB.xml.gz [--sha1]

Writes what Wikimedia's `stub-meta-history` holds in place of a text: in schema 0.11
`<text bytes="33" sha1="..." location="tt:9" id="9" />`, before it `<text id="9" bytes="33" />`.
With `--sha1`, texts of a dump without checksums get them, as they have in the stubs of today.
"""

import gzip
import re
import sys
from collections.abc import Iterator
from html import unescape
from typing import Protocol

from wikibias.dumps.compression.streams import open_part
from wikibias.mediawiki import base36_sha1

_TEXT = re.compile(rb"<text(?=[ />])([^>]*?)(/?)>")
_BYTES = re.compile(rb' bytes="(\d*)"')
_SHA1 = re.compile(rb' sha1="[^"]*"')
_CLOSE = b"</text>"
_PIECE = 1 << 20


class _Stream(Protocol):
    def read(self, size: int, /) -> bytes: ...


def stub_pieces(stream: _Stream, *, with_sha1: bool = False) -> Iterator[bytes]:
    """Yield the XML of the stub dump of the export in `stream`, a piece at a time."""
    held, number = b"", 0
    while more := stream.read(_PIECE):
        held += more
        at = 0
        while found := _TEXT.search(held, at):
            end = found.end() if found[2] else held.find(_CLOSE, found.end())
            if end < 0:
                break
            number += 1
            yield held[at : found.start()]
            text = b"" if found[2] else held[found.end() : end]
            yield _stub_of(found[1], text, number, with_sha1=with_sha1)
            at = end if found[2] else end + len(_CLOSE)
        # An element may begin in what is held last.
        kept = found.start() if found else max(at, held.rfind(b"<"))
        yield held[at:kept]
        held = held[kept:]
    yield held


def _stub_of(attributes: bytes, text: bytes, number: int, *, with_sha1: bool) -> bytes:
    if b'deleted="deleted"' in attributes:
        return b"<text%b/>" % attributes
    given, found = _BYTES.search(attributes), _SHA1.search(attributes)
    content = unescape(text.decode())
    size = given[1] if given else b"%d" % len(content.encode())
    sha1 = found[0] if found else b""
    if with_sha1 and not sha1 and text:
        sha1 = b' sha1="%b"' % base36_sha1(content).encode()
    if not sha1:
        # A text that an old dump has lost is empty, and nobody knows how long it was.
        return b'<text id="%d"%b />' % (number, b' bytes="%b"' % size if given or text else b"")
    return b'<text bytes="%b"%b location="tt:%d" id="%d" />' % (size, sha1, number, number)


if __name__ == "__main__":
    source, target, *options = sys.argv[1:]
    with open_part(source) as (dump, _), gzip.open(target, "wb", 6) as out:
        for piece in stub_pieces(dump, with_sha1="--sha1" in options):
            out.write(piece)
