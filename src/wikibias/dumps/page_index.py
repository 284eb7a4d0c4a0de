"""An index beside a bz2 file, by which a second reading unpacks only the pages that it needs.

The first reading that gets to the end of the file notes where its blocks and pages begin, and which
templates each page calls, in whatever revision. A page that calls none with the name of a tag has
no tag in its history, so that nothing is found in it. The index stands for a file with one
checksum, which is taken of the whole file before the index is believed: what is passed over was
read, and checked, when the index was written.
"""

import io
import logging
from array import array
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from wikibias.dumps.compression import bzip2
from wikibias.dumps.compression.bzip2_blocks import PAGE, TemplateNames
from wikibias.dumps.compression.streams import STDIN, ChunkStream, is_url
from wikibias.dumps.xml import mwxml_reader
from wikibias.errors import DumpError, WikibiasError
from wikibias.kits import parquet
from wikibias.kits.files import checksum
from wikibias.kits.schemas import Table
from wikibias.records import Site

_log = logging.getLogger(__name__)
# Of another version is read by nobody.
_VERSION = 1
# Four bytes each. The history of a whole part of English Wikipedia has a million.
_MOST_CALLS = 1 << 24
# Bytes. A smaller file is read within a second.
_WORTH_IT = 1 << 20
_MAX_HEAD = 1 << 22
_END = b"</mediawiki>\n"


@dataclass(frozen=True, slots=True)
class IndexedPage:
    """A page: where it begins in the XML, and the numbers of the templates that it calls.

    0 stands for any.
    """

    begin: int
    names: tuple[int, ...]


# Returns, for a wiki, what tells whether a call may be one of a tag: braces, a name and a bar.
CallsFor = Callable[[Site], Callable[[bytes], bool]]
INDEX_TABLE = Table("index", IndexedPage)


def is_worth_it(path: str) -> bool:
    """Return whether a part is a file here, and so large that an index is worth its place."""
    if path == STDIN or is_url(path):
        return False
    file = Path(path)
    return file.is_file() and file.stat().st_size >= _WORTH_IT


def index_file(path: Path) -> Path:
    """Return where the index of a bz2 file is."""
    return path.with_name(path.name + ".index.parquet")


class PageIndexer:
    """Takes the blocks of a bz2 file, in order, and writes its index."""

    def __init__(self) -> None:
        self._names = TemplateNames()
        self._blocks: list[tuple[int, int, int]] = []
        self._size = 0
        self._begins = array("q")
        self._ends = array("q")
        self._calls = array("I")
        self._is_whole = True

    def block(self, begin: int, length: int, text: bytes) -> None:
        """Take a block: where it begins in the file and how long it is, in bits, and its text."""
        self._blocks.append((begin, length, self._size))
        self._size += len(text)
        self._take(text)
        self._is_whole &= len(self._calls) < _MOST_CALLS

    def give_up(self) -> None:
        """Write no index, because something is not as in other dumps."""
        self._is_whole = False

    def write(self, path: Path, about: Mapping[str, Any]) -> None:
        """Write the index of the file, of which all blocks have been taken, unless that cannot be.

        `about` is what a later reading is to know: `sha256` and `size` of the file, whether it has
        several `streams`, the `namespaces` that were read, and the `tally` of that.
        """
        if not self._is_whole or not self._blocks:
            return
        self._take(b"", last=True)
        self._ends.append(len(self._calls))
        meta = {
            "version": _VERSION,
            "blocks": self._blocks,
            "size": self._size,
            "names": [name.decode("latin-1") for name in self._names.all()],
            "about": about,
        }
        try:
            with parquet.writing(index_file(path), INDEX_TABLE, lambda: meta) as writer:
                for begin, (first, end) in zip(self._begins, pairwise(self._ends), strict=True):
                    writer.write(IndexedPage(begin, tuple(self._calls[first:end])))
        except (OSError, WikibiasError) as error:
            _log.info("no index is kept, so that another reading takes as long: %s", error)

    def _take(self, text: bytes, *, last: bool = False) -> None:
        for name, place in self._names.feed(text, last=last) if self._is_whole else ():
            if name == PAGE:
                self._begins.append(place)
                self._ends.append(len(self._calls))
            elif self._begins:
                self._calls.append(name)


class PageIndex:
    """An index that somebody wrote of the bz2 file at `path`."""

    def __init__(self, path: Path, meta: Mapping[str, Any]) -> None:
        self.path = path
        self._blocks: Sequence[tuple[int, int, int]] = meta["blocks"]
        self._starts = [start for _, _, start in self._blocks]
        self._size: int = meta["size"]
        self._names = [name.encode("latin-1") for name in meta["names"]]
        self.about: Mapping[str, Any] = meta["about"]
        self._begins, _ = parquet.read_numbers(index_file(path), "begin", 2 * _MOST_CALLS)
        found = parquet.read_numbers(index_file(path), "names", 2 * _MOST_CALLS)
        self._calls, self._lengths = found
        if self._calls.max(initial=0) > len(self._names) or len(self._blocks) == 0:
            raise ValueError("it names nothing")
        self._last: tuple[int, bytes] = -1, b""

    def stream(self, calls: CallsFor) -> io.BufferedIOBase:
        """Return the XML of the dump with only those pages that may have some of the calls."""
        return ChunkStream(self._chunks(calls))

    def _chunks(self, calls: CallsFor) -> Iterator[bytes]:
        ends = [*map(int, self._begins), self._size]
        head = b"".join(self._text(0, min(ends[0], _MAX_HEAD)))
        yield head
        may_be = calls(mwxml_reader.read(io.BytesIO(head + _END)).site)
        wanted = np.array(
            [True, *(bool(may_be(b"{{%b|" % name)) for name in self._names)], np.int64
        )
        found = np.concatenate(([0], np.cumsum(wanted[self._calls])))
        after = np.cumsum(self._lengths)
        pages = np.flatnonzero(found[after] - found[after - self._lengths])
        _log.info(
            "%d of %d pages are read, by %s", len(pages), len(ends) - 1, index_file(self.path)
        )
        for page in pages.tolist():
            yield from self._text(ends[page], ends[page + 1])
        if not len(pages) or pages[-1] != len(ends) - 2:
            yield _END

    def _text(self, begin: int, end: int) -> Iterator[bytes]:
        number = max(0, bisect_right(self._starts, begin) - 1)
        with self.path.open("rb") as file:
            while begin < end:
                try:
                    if self._last[0] != number:
                        self._last = number, bzip2.block_at(file, *self._blocks[number][:2])
                    start = self._starts[number]
                    piece = self._last[1][begin - start : end - start]
                except (IndexError, OSError, OverflowError, ValueError):
                    piece = b""
                if not piece:
                    raise DumpError(f"does not fit its index: remove {index_file(self.path)}")
                yield piece
                begin, number = begin + len(piece), number + 1


def find_index(path: Path, namespaces: Collection[int]) -> PageIndex | None:
    """Return the index of a bz2 file, if there is one of its content and of these namespaces."""
    try:
        meta = parquet.read_meta(index_file(path))
        if meta is None or meta["version"] != _VERSION:
            return None
        about = meta["about"]
        if about["namespaces"] != sorted(namespaces) or about["sha256"] != checksum(path):
            return None
        return PageIndex(path, meta)
    except (KeyError, OSError, TypeError, ValueError, WikibiasError) as error:
        _log.info("the index %s cannot be read: %s", index_file(path), error)
        return None
