"""Dumps made of another: last month's, with its revisions up to a moment, and a stub dump."""

import bz2
import io
import re
from collections.abc import Callable

import py7zr

from make_stub_dump import stub_pieces
from paths import SAMPLES

_PAGE = re.compile(rb"  <page>\n.*?  </page>\n", re.DOTALL)
_REVISION = re.compile(rb"    <revision>\n.*?    </revision>\n", re.DOTALL)
_TIME = re.compile(rb"<timestamp>([^<]*)<")


def sample(lang: str) -> bytes:
    """Return the XML of a sample dump."""
    (path,) = SAMPLES.glob(f"demo{lang}wiki-*history.xml.*")
    if path.suffix == ".bz2":
        return bz2.decompress(path.read_bytes())
    factory = py7zr.io.BytesIOFactory(1 << 30)
    with py7zr.SevenZipFile(io.BytesIO(path.read_bytes())) as archive:
        archive.extractall(factory=factory)
    (content,) = factory.products.values()
    content.seek(0)
    return bytes(content.read())


def moments(xml: bytes) -> list[str]:
    """Return the times of all revisions, in order."""
    return sorted(time.decode() for time in _TIME.findall(xml))


def until(xml: bytes, moment: str) -> bytes:
    """Return an export with its revisions up to a moment; pages without any are not there yet."""
    return kept(xml, lambda revision: _TIME.findall(revision)[0] <= moment.encode())


def kept(xml: bytes, wanted: Callable[[bytes], bool]) -> bytes:
    """Return an export with some of its revisions only, and the pages that have one."""

    def page(found: re.Match[bytes]) -> bytes:
        content = _REVISION.sub(lambda each: each[0] if wanted(each[0]) else b"", found[0])
        return content if b"<revision>" in content else b""

    return _PAGE.sub(page, xml)


def stub_of(xml: bytes) -> bytes:
    """Return an export without its texts."""
    return b"".join(stub_pieces(io.BytesIO(xml)))


def without_page(xml: bytes, title: str) -> bytes:
    """Return an export in which a page was deleted."""
    name = f"<title>{title}</title>".encode()
    return _PAGE.sub(lambda found: b"" if name in found[0] else found[0], xml)
