"""The story of a page: when its tags stood, and all edits that put one in or took one out."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from wikibias.curation.tagged_intervals import TaggedInterval, intervals_of_pages
from wikibias.mediawiki.titles import clean_title
from wikibias.pipeline.signals import names_of_intents
from wikibias.records import Provenance
from wikibias.reports.result_folder import CHANGES, ResultFolder, TagChange, key_of


@dataclass(frozen=True, slots=True)
class PageChange:
    """An edit that changed tags, with its verdict; None where it was not judged."""

    change: TagChange
    verdict: str | None


@dataclass(frozen=True, slots=True)
class PageLine:
    """An edit as a line of a table: what it changed or was found by, and its verdict.

    An edit with several intents has a row for each of them, and is one line.
    """

    made: Provenance
    what: str
    verdict: str


@dataclass(frozen=True, slots=True)
class PageStory:
    """What is known of the tags of a page.

    Attributes:
        spells: the time that each tag stood, by its beginning.
        changes: all edits that put tags in or took them out, oldest first.
    """

    wiki: str
    page_id: int
    title: str
    spells: tuple[TaggedInterval, ...]
    changes: tuple[PageChange, ...]

    @property
    def tags(self) -> list[str]:
        """Its tags, in the order in which they came."""
        return [*dict.fromkeys(spell.tag for spell in self.spells)]

    @property
    def lines(self) -> list[PageLine]:
        """Its edits, each once, oldest first."""
        found: dict[Hashable, list[PageChange]] = {}
        for number, change in enumerate(self.changes):
            made = change.change.provenance
            of_intent = bool(names_of_intents([made.signal]))
            found.setdefault(("intent", made.after_rev_id) if of_intent else number, []).append(
                change
            )
        return [_line(rows) for rows in found.values()]

    @property
    def began(self) -> datetime:
        """When the first tag came."""
        return min(spell.put_in for spell in self.spells)

    @property
    def until(self) -> datetime:
        """When the last tag went, or up to when one is known to stand."""
        return max(spell.taken_out or spell.observed_until for spell in self.spells)

    @property
    def observed_until(self) -> datetime:
        """Up to when the dump tells."""
        return max(spell.observed_until for spell in self.spells)


def _line(rows: Sequence[PageChange]) -> PageLine:
    made = [row.change.provenance for row in rows]
    names = names_of_intents(each.signal for each in made)
    verdicts = dict.fromkeys(row.verdict for row in rows if row.verdict)
    return PageLine(made[0], ", ".join(names or made[0].tags), ", ".join(verdicts))


def pages_titled(result: ResultFolder, title: str) -> list[PageStory]:
    """Return the stories of the pages of a title, in any of the ways to write it.

    A page that was renamed between two dumps is found by its earlier title, too.

    Raises:
        WikibiasError: a table is damaged.
    """
    names = spellings(title)
    keys = dict.fromkeys(
        (row.provenance.wiki, row.provenance.page_id)
        for row in result.find(CHANGES, "page_title", names)
    )
    for page in result.manifest.get("renamed_pages", ()):
        if page["was"] in names:
            keys[f"{page['wiki']}", page["page_id"]] = None
    return list(_stories(result, keys))


def spellings(title: str) -> list[str]:
    """Return how a dump may write a title: with spaces, and its first letter in either case.

    >>> spellings("talk:mill_pond")
    ['talk:mill_pond', 'talk:mill pond', 'Talk:mill pond', 'Talk:Mill pond']
    """
    plain = clean_title(title)
    found = [title, plain, _capital(plain)]
    prefix, colon, rest = plain.partition(":")
    if colon:
        found.append(f"{_capital(prefix)}:{_capital(rest.strip())}")
    return [*dict.fromkeys(found)]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _stories(result: ResultFolder, keys: Collection[tuple[str, int]]) -> Iterator[PageStory]:
    ids = {page_id for _, page_id in keys}
    changes: dict[tuple[str, int], list[TagChange]] = {key: [] for key in keys}
    for row in result.find(CHANGES, "page_id", ids):
        made = row.provenance
        if (made.wiki, made.page_id) in changes:
            changes[made.wiki, made.page_id].append(row)
    verdicts = result.verdicts("page_id", ids)
    spells: dict[tuple[str, int], list[TaggedInterval]] = {key: [] for key in keys}
    for spell in intervals_of_pages(result.folder, ids):
        if (spell.wiki, spell.page_id) in spells:
            spells[spell.wiki, spell.page_id].append(spell)
    for key in (key for key in keys if changes[key]):
        of_page = sorted(
            changes[key], key=lambda c: (c.provenance.after_timestamp, c.provenance.after_rev_id)
        )
        yield PageStory(
            wiki=key[0],
            page_id=key[1],
            title=of_page[-1].provenance.page_title,
            spells=tuple(sorted(spells[key], key=lambda s: (s.put_in, s.put_in_rev, s.tag))),
            changes=tuple(PageChange(c, verdicts.get(key_of(c.provenance))) for c in of_page),
        )
