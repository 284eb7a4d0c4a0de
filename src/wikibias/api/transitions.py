"""Finds transitions in dumps: revisions that add or remove a tag, or name the policy."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from io import BufferedIOBase
from numbers import Integral
from typing import TYPE_CHECKING, Any, TypeAlias, get_args

from wikibias.config import languages, thresholds
from wikibias.config.choices import BIASED, Per, SummaryRule
from wikibias.dumps.iteration import open_dump, refuse_other_wiki
from wikibias.dumps.parts import Part, find_parts
from wikibias.dumps.xml import fast_reader
from wikibias.dumps.xml.mwxml_reader import Dump
from wikibias.errors import DumpError, UsageError
from wikibias.kits import parquet, schemas
from wikibias.mediawiki import Namespaces
from wikibias.pipeline import detect, settings
from wikibias.records import (
    BiasSignal,
    History,
    Page,
    Provenance,
    Revision,
    Site,
    Transition,
    Unreadable,
)
from wikibias.tags.matcher import Matcher
from wikibias.tags.tagset import TagSet
from wikibias.transitions.detection import transitions
from wikibias.transitions.pending import Origin
from wikibias.transitions.summaries import summary_source

if TYPE_CHECKING:
    import pandas as pd

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
    blank_summaries = languages.load_language(lang).blank_summaries if lang is not None else ()
    read = partial(fast_reader.read, blank_summaries=blank_summaries)
    parts, wanted, current = parts_of(dump), _numbers(namespaces), dict[str, Page]()

    def pages() -> Iterator[Page]:
        for part in parts:
            with opened(part, read) as found:
                yield from (page for page in found.pages if page.namespace in wanted)

    def revisions(page: Page, _open: Iterator[Page]) -> Iterator[Revision]:
        # Its reader, whom else nobody may hold, stays open as long as this does.
        while current.get("page") is page:
            if (revision := next(page.revisions, None)) is None:
                return
            yield revision
        raise UsageError(f"{page.title}: read a page's revisions before you ask for the next page")

    def whole() -> Iterator[Page]:
        reader = pages()
        for page in reader:
            current["page"] = page
            yield replace(page, revisions=revisions(page, reader))
        current.clear()

    return whole()


def _numbers(namespaces: Collection[int]) -> frozenset[int]:
    found = [*namespaces] if isinstance(namespaces, Collection) else [str(namespaces)]
    if not all(isinstance(each, Integral) for each in found):
        raise UsageError(f"namespaces={namespaces!r}: take numbers, such as (0,)")
    return frozenset(found)


@dataclass(frozen=True, slots=True)
class _Row:
    """A row of a frame of transitions."""

    provenance: Provenance
    history: History


@dataclass(frozen=True, slots=True)
class _RowWithTexts:
    """The same, with the wikitext of both revisions."""

    provenance: Provenance
    before_text: str | None
    after_text: str | None
    history: History
    before_sha1: str | None
    after_sha1: str | None


def find_transitions(
    dump: DumpPath | Iterable[DumpPath],
    lang: str,
    tagset: str | TagSet = "npov",
    *,
    namespaces: Collection[int] = (0,),
    per: Per = "tag",
    signal: BiasSignal | Collection[BiasSignal] = "tag",
    summary_rule: SummaryRule = "own",
    lang_anyway: bool = False,
) -> Iterator[Transition]:
    """Yield the transitions of a dump, page by page, in the order of the revisions.

    A transition is a revision that removes a tag, or adds one (2019 paper, section 3.2), with
    the wikitext before and after; with the signal "summary" also one whose edit summary names the
    neutrality policy. They are those of `wikibias detect`, in the same order. Names
    of editors are taken out of the summaries. What cannot be worked out of a page is passed over,
    with a warning. Damage ends the reading: what came before it has
    been yielded, then DumpError is raised.

    Args:
        dump: a file, folder, pattern or URL, as `read_site` takes it, or several of them.
        lang: the code of the wiki's language, such as "fr"; see `list_languages`.
        tagset: the name of a tag set, such as "npov" (see `list_tagsets`), or one that
            `load_tagset` or `read_tagset` gave.
        namespaces: numbers of the wanted namespaces; 0 is that of articles.
        per: "tag" watches each tag of the set by itself; "any" only the first that comes and the
            last that goes.
        signal: what to find edits by: "tag", "summary", or a list of both.
        summary_rule: which summaries name the policy: those with words of the language file, or
            "wnc", the published rule of WNC.
        lang_anyway: also where the dump is of a wiki in another language.

    Raises:
        UsageError: an unknown language or tag set, a dump in another language, or a folder that
            holds no dump.
        DumpError: a file is missing, damaged or no dump.

    Examples:
        >>> dump = "samples/demoenwiki-20260101-pages-meta-history.xml.7z"
        >>> for transition in find_transitions(dump, "en"):
        ...     where = transition.provenance
        ...     print(where.page_title, where.kind, where.tags, where.after_rev_id)
        ...     break
        Halvern Dairies added ('Advert',) 4
    """
    for name, value, kind in (("per", per, Per), ("summary_rule", summary_rule, SummaryRule)):
        if value not in get_args(kind):
            raise UsageError(f"{name}={value!r}: take one of {', '.join(get_args(kind))}")
    signals = (signal,) if isinstance(signal, str) else signal
    if not signals or any(name not in BIASED for name in signals):
        raise UsageError(f"signal={signal!r}: take some of {', '.join(BIASED)}")
    by_tags, by_summaries = "tag" in signals, "summary" in signals
    language = languages.load_language(lang, tagset if by_tags and isinstance(tagset, str) else "")
    tags = settings.tagset_for(tagset, lang, signals) if isinstance(tagset, str) else tagset
    parts, wanted, reverts = parts_of(dump), _numbers(namespaces), thresholds.load_config().reverts
    if not lang_anyway:
        refuse_other_wiki(parts, lang, "give lang={!r}, or lang_anyway=True")
    read = detect.reader_of(language, tags if by_tags else None, per_place=per == "place")

    def found() -> Iterator[Transition]:
        for part in parts:
            with opened(part, read) as source:
                local_names = Namespaces.of(source.site.namespaces, language.namespaces)
                origin = Origin(
                    site=source.site,
                    lang=lang,
                    part=part.name,
                    tagset_version=tags.version,
                    namespaces=local_names,
                )
                pages = (page for page in source.pages if page.namespace in wanted)
                here = tags.on(source.site.lang)
                yield from transitions(
                    pages,
                    origin,
                    Matcher(here, local_names, per_place=per == "place") if by_tags else None,
                    per=per,
                    reverts=reverts,
                    skip=_warn,
                    summaries=summary_source(summary_rule, language, local_names)
                    if by_summaries
                    else None,
                )

    return found()


def _warn(skipped: Unreadable) -> None:
    where = f"{skipped.page} (page {skipped.page_id})"
    warnings.warn(f"passed over the rest of {where}: {skipped.cause}", stacklevel=2)


def to_pandas(transitions: Iterable[Transition], *, texts: bool = False) -> pd.DataFrame:
    """Return transitions as a pandas DataFrame, a row each.

    The columns are those of the table `transitions` of a result folder, but for
    those that need a closer look at the text: `scope`, `section`, `pointed_at`, `edited_text`
    and `only_tags`.

    Args:
        transitions: all that `find_transitions` yields, or a choice of it.
        texts: keep the wikitext of both revisions, in `before_text` and `after_text`. Of a whole
            wiki it may not fit into memory.

    Examples:
        >>> dump = "samples/demoenwiki-20260101-pages-meta-history.xml.7z"
        >>> frame = to_pandas(find_transitions(dump, "en"))
        >>> frame[["page_title", "kind", "tags"]].head(3)
                page_title     kind      tags
        0  Halvern Dairies    added  [Advert]
        1  Halvern Dairies  removed  [Advert]
        2     Edda Marlowe    added     [POV]
        >>> frame["kind"].value_counts().to_dict()
        {'removed': 28, 'added': 27}
    """
    table: schemas.Table[Any] = schemas.Table("transitions", _RowWithTexts if texts else _Row)
    # A transition has all that the columns of either ask for.
    return parquet.arrow_table(table, transitions).to_pandas()
