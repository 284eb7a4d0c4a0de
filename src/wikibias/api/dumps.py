"""Reads dumps: what they say of their wiki, their pages and revisions."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from io import BufferedIOBase
from typing import TypeAlias

from wikibias.config.languages import load_language
from wikibias.dumps.parts import Part, find_parts
from wikibias.dumps.sources import open_dump
from wikibias.dumps.xml import fast_reader
from wikibias.dumps.xml.mwxml_reader import Dump
from wikibias.errors import DumpError, UsageError
from wikibias.records import Page, Site

DumpPath: TypeAlias = str | os.PathLike[str]
"""A file, a folder, a pattern or a URL."""


def parts_of(dump: DumpPath | Iterable[DumpPath]) -> list[Part]:
    """Return the parts of a dump, given as one path or as several."""
    paths = [dump] if isinstance(dump, str | os.PathLike) else dump
    parts = find_parts(os.fspath(path) for path in paths)
    if not parts:
        raise UsageError("no dump was given; give the path of a file or of a folder")
    return parts


@contextmanager
def opened(part: Part, read: Callable[[BufferedIOBase], Dump]) -> Iterator[Dump]:
    """Open a part.

    Raises:
        DumpError: it is missing, damaged or no dump; the message begins with its name.
    """
    try:
        with open_dump(part, read) as (dump, _):
            yield dump
    except DumpError as error:
        raise DumpError(f"{part.name}: {error}") from error


def read_site(dump: DumpPath) -> Site:
    """Read what a dump says of its wiki: its name, address, language and namespaces.

    Args:
        dump: a file, plain or compressed (bz2, 7z, gz, xz, lzma, zst), a folder, a pattern such
            as `dumps/*.bz2`, or a URL. Of several parts the first is read.

    Raises:
        DumpError: the file is missing, damaged or no dump.
        UsageError: the folder holds no dump.

    Examples:
        >>> site = read_site("samples/demofrwiki-20260101-pages-meta-history.xml.bz2")
        >>> site.wiki, site.lang, site.namespaces[10]
        ('demofrwiki', 'fr', 'Modèle')
    """
    with opened(parts_of(dump)[0], fast_reader.read) as first:
        return first.site


def read_pages(
    dump: DumpPath | Iterable[DumpPath],
    lang: str | None = None,
    *,
    namespaces: Collection[int] = (0,),
) -> Iterator[Page]:
    """Yield the pages of a dump, in order, with their revisions, oldest first.

    Memory stays flat: a page's revisions are an iterator too, to be read before the next page is
    asked for. Damage ends the reading: what came before it has been yielded, then DumpError is
    raised. So read the parts one by one where a damaged part is not to keep you from the others.

    Args:
        dump: as `read_site` takes it, or several of them.
        lang: the code of the wiki's language, such as "fr". It tells how MediaWiki's summaries
            mark a page as blanked there; without it, a blanked page may have the text None
            instead of "" where the dump keeps no checksum.
        namespaces: numbers of the wanted namespaces; 0 is that of articles.

    Raises:
        UsageError: an unknown language, or a folder that holds no dump.
        DumpError: a file is missing, damaged or no dump.

    Examples:
        >>> for page in read_pages("samples/demoenwiki-20260101-pages-meta-history.xml.7z", "en"):
        ...     first = next(page.revisions)
        ...     print(page.title, first.id, first.timestamp.date(), len(first.text))
        ...     break
        Halvern Dairies 2 2006-03-04 1418
    """
    blank_summaries = load_language(lang).blank_summaries if lang is not None else ()
    read = partial(fast_reader.read, blank_summaries=blank_summaries)
    parts, wanted = parts_of(dump), frozenset(namespaces)

    def pages() -> Iterator[Page]:
        for part in parts:
            with opened(part, read) as found:
                yield from (page for page in found.pages if page.namespace in wanted)

    return pages()
