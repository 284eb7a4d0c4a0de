"""Opens the files of a part as one dump, and identifies them by size, time and checksum."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from functools import partial
from io import BufferedIOBase
from pathlib import Path
from typing import Any

from wikibias.dumps.compression.streams import STDIN, Source, open_part, sha256_file
from wikibias.dumps.parts import Part, file_name, first_revision
from wikibias.dumps.split_pages import File, merge_files
from wikibias.dumps.web.remote import is_url
from wikibias.dumps.xml.mwxml_reader import Dump
from wikibias.errors import FetchError
from wikibias.records import Page


class Sources:
    """Counts and hashes the bytes of a part's files as they are read."""

    def __init__(self) -> None:
        self._open: dict[str, Source] = {}
        self._sizes: dict[str, int] = {}
        self._sums: dict[str, str] = {}
        # Whether each file that was opened holds a checksum of what is packed in it.
        self.are_checked = True

    @property
    def read_bytes(self) -> int:
        """The number of bytes read so far, of all files together."""
        now = [source.read_bytes for source in self._open.values()]
        return sum(now) + sum(size for path, size in self._sizes.items() if path not in self._open)

    @contextmanager
    def following(self, path: str, source: Source) -> Iterator[None]:
        """Count the bytes of a file while it is open; a file opened twice is counted once."""
        self._open[path] = source
        self.are_checked &= source.is_checked
        try:
            yield
        finally:
            self._sizes[path] = source.read_bytes
            del self._open[path]

    def sha256(self, path: str) -> tuple[str, int] | None:
        """Return checksum and size of a file, or None if it was closed before its end.

        Raises:
            FetchError: the server does not deliver the rest of the file.
        """
        if path in self._open:
            source = self._open[path]
            self._sums[path] = source.sha256()
            self._sizes[path] = source.read_bytes
        return self.known(path)

    def known(self, path: str) -> tuple[str, int] | None:
        """Return checksum and size of a file that has been read to its end, else None."""
        return (self._sums[path], self._sizes[path]) if path in self._sums else None


@contextmanager
def open_dump(
    part: Part, read: Callable[[BufferedIOBase], Dump], threads: int = 1
) -> Iterator[tuple[Dump, Sources]]:
    """Open the files of a part, read their XML with `read`, and yield them as one dump.

    Up to `threads` threads decompress a file.

    Raises:
        DumpError: see `streams.open_part`, `fast_reader.read` and `split_pages.merge_files`.
    """
    sources = Sources()
    openers = {path: partial(_opened, path, read, sources, threads) for path in part.files}
    with ExitStack() as stack:
        if len(openers) == 1:
            dump = stack.enter_context(openers[part.files[0]]())
        else:
            files = [File(path, first_revision(path), open_) for path, open_ in openers.items()]
            dump = stack.enter_context(merge_files(files))
        yield dump, sources


@contextmanager
def _opened(
    path: str, read: Callable[[BufferedIOBase], Dump], sources: Sources, threads: int
) -> Iterator[Dump]:
    with open_part(path, threads) as (stream, source), sources.following(path, source):
        dump = read(stream)
        yield replace(dump, pages=_to_the_end(dump.pages, path, sources))


def _to_the_end(pages: Iterator[Page], path: str, sources: Sources) -> Iterator[Page]:
    """Yield the pages, then compute the checksum, since the file may be closed before the part."""
    yield from pages
    with suppress(OSError, FetchError):
        sources.sha256(path)


def identity(part: Part, sources: Sources | None, *, whole: bool) -> dict[str, Any]:
    """Return size, modification time and checksum of a part's input, as far as known.

    If there are several files, `files` holds those of each. Only a `whole` input gets checksums,
    because a run with `--limit` must not read the rest of a file just for its checksum.
    """
    known = [_identity(path, sources, whole=whole) for path in part.files]
    if len(known) == 1:
        return known[0]
    sizes = [file["size"] for file in known]
    return {
        "size": None if None in sizes else sum(sizes),
        "mtime_ns": None,
        "sha256": None,
        "files": [
            {"name": file_name(path), **file} for path, file in zip(part.files, known, strict=True)
        ],
    }


def _identity(path: str, sources: Sources | None, *, whole: bool) -> dict[str, Any]:
    found: dict[str, Any] = {"size": None, "mtime_ns": None, "sha256": None}
    is_local = path != STDIN and not is_url(path)
    if is_local:
        with suppress(OSError):
            stat = Path(path).stat()
            found |= {"size": stat.st_size, "mtime_ns": stat.st_mtime_ns}
    if not whole:
        return found
    if is_local and Path(path).is_file():
        with suppress(OSError):
            read = sources.sha256(path) if sources else None
            found["sha256"] = read[0] if read else sha256_file(Path(path))
    # A device, a pipe or a server may have no end, so of these no more is read for a checksum.
    elif sources and (known := sources.known(path)):
        found["sha256"], found["size"] = known
    return found
