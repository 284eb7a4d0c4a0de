"""Tag spells: from the edit that puts a tag into a page to the one that takes it out again."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import groupby
from pathlib import Path

from wikibias.curation.page_changes import Change, LaterDumps, pages, pages_of
from wikibias.kits.schemas import Table
from wikibias.records import Int32

_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class TagSpell:
    """The time that a tag stood on a page without a break.

    Attributes:
        tag: the canonical tag; a change from one of its names to another ends nothing.
        alias: its name as it was put in.
        put_in: when it was put in, or was first seen where `begins_unseen`: the page had the tag in
            the first of its revisions that was read, or the edit could not be read.
        put_in_rev: the revision that has it first.
        reverted: an identity revert undid the edit that put it in.
        put_in_restores: the edit that put it in gave the page an earlier text again.
        taken_out: when it was taken out; None where it `stands`, or where that was not seen.
        taken_out_rev: the first revision without it.
        taken_out_reverted: an identity revert undid the edit that took it out.
        stands: the newest revision has it, and the page was not deleted since.
        days: from `put_in` to `taken_out`, or to `observed_until`.
        observed_until: when the dump ends; for a spell that ended unseen, when the tag was last
            seen.
    """

    wiki: str
    page_id: int
    page_title: str
    namespace: Int32
    tag: str
    alias: str
    put_in: datetime
    put_in_rev: int
    put_in_diff_url: str
    reverted: bool
    put_in_restores: bool
    begins_unseen: bool
    taken_out: datetime | None
    taken_out_rev: int | None
    taken_out_diff_url: str
    taken_out_reverted: bool
    stands: bool
    days: float
    observed_until: datetime


SPELLS = Table("spells", TagSpell)


def spells(folder: Path) -> Iterator[TagSpell]:
    """Yield the spells of all tags in the `transitions` of a result folder.

    Those of one page come together, in the order in which they end; the ones that stand come last.

    Raises:
        UsageError: the folder holds no transitions.
        WikibiasError: a file of it is damaged.
    """
    yield from _of_pages(folder, pages(folder))


def spells_of(folder: Path, ids: Collection[int]) -> Iterator[TagSpell]:
    """Yield the spells of the pages with these ids, as `spells` does.

    Raises:
        WikibiasError: a file of the folder is damaged.
    """
    yield from _of_pages(folder, pages_of(folder, ids))


def _of_pages(
    folder: Path, found: Iterable[tuple[Iterable[Change], datetime]]
) -> Iterator[TagSpell]:
    later = LaterDumps(folder)
    for changes, until in found:
        for spell in _of_page(changes, until):
            # A deleted page has no tag, though nobody took it out.
            gone = spell.stands and later.lack(spell.wiki, spell.page_id, spell.observed_until)
            yield replace(spell, stands=False) if gone else spell


def joined(found: Iterable[TagSpell]) -> Iterator[TagSpell]:
    """Yield spells as the editors meant them: without what reverts undid.

    A spell whose addition was undone is left out. One whose removal was undone goes on with the
    spell that brought the tag back.
    """
    for _, of_page in groupby(found, lambda spell: (spell.wiki, spell.page_id)):
        last: dict[str, TagSpell] = {}
        for spell in of_page:
            earlier = last.pop(spell.tag, None)
            if earlier is not None and earlier.taken_out_reverted and spell.put_in_restores:
                last[spell.tag] = _together(earlier, spell)
                continue
            if earlier is not None and not earlier.reverted:
                yield earlier
            last[spell.tag] = spell
        yield from (spell for spell in last.values() if not spell.reverted)


def _together(earlier: TagSpell, later: TagSpell) -> TagSpell:
    return replace(
        later,
        alias=earlier.alias,
        put_in=earlier.put_in,
        put_in_rev=earlier.put_in_rev,
        put_in_diff_url=earlier.put_in_diff_url,
        # A tag that a revert brought back was not undone, whatever became of its first edit.
        reverted=earlier.reverted and later.reverted,
        put_in_restores=earlier.put_in_restores,
        begins_unseen=earlier.begins_unseen,
        days=_days(earlier.put_in, later.taken_out or later.observed_until),
    )


def _of_page(changes: Iterable[Change], until: datetime) -> Iterator[TagSpell]:
    """Yield the spells of one page from its changes, oldest first.

    Each change says which tags the page had besides. So what the table does not tell shows: an
    edit whose text is damaged, or with `--per any` a tag that came while another stood.
    """
    standing: dict[str, TagSpell] = {}
    seen: Change | None = None
    for change in changes:
        gone = change.tags if change.kind == "removed" else ()
        for tag in (*gone, *change.tags_left):
            if tag not in standing:
                standing[tag] = _begun(change, tag, unseen=True)
        for tag in [t for t in standing if t not in change.tags and t not in change.tags_left]:
            yield _lost(standing.pop(tag), seen or change)
        for tag in gone:
            yield _ended(standing.pop(tag), change, until)
        if change.kind == "added":
            for tag in change.tags:
                if tag in standing:
                    yield _lost(standing.pop(tag), seen or change)
                standing[tag] = _begun(change, tag, unseen=_is_cut_off(change))
        seen = change
    if seen is not None:
        until = max(until, seen.after_timestamp)
        for spell in standing.values():
            yield _observed(replace(spell, page_title=seen.page_title, stands=True), until)


def _is_cut_off(change: Change) -> bool:
    """Return whether a page with tags at first had revisions before, which are not known."""
    return change.before_rev_id is None and bool(change.parent_rev_id)


def _begun(change: Change, tag: str, *, unseen: bool) -> TagSpell:
    """Return a spell that begins with a change, or that stood before it where that is `unseen`."""
    earlier = unseen and tag not in (change.tags if change.kind == "added" else ())
    aliases = dict(zip(change.tags, change.aliases, strict=False))
    at = (change.before_timestamp if earlier else None) or change.after_timestamp
    revision = (change.before_rev_id if earlier else None) or change.after_rev_id
    return TagSpell(
        wiki=change.wiki,
        page_id=change.page_id,
        page_title=change.page_title,
        namespace=change.namespace,
        tag=tag,
        alias=aliases.get(tag, tag),
        put_in=at,
        put_in_rev=revision,
        put_in_diff_url="" if earlier else change.diff_url,
        reverted=change.reverted and not earlier,
        put_in_restores=change.restores_rev_id is not None and not earlier,
        begins_unseen=unseen,
        taken_out=None,
        taken_out_rev=None,
        taken_out_diff_url="",
        taken_out_reverted=False,
        stands=False,
        days=0.0,
        observed_until=at,
    )


def _ended(spell: TagSpell, change: Change, until: datetime) -> TagSpell:
    at = change.after_timestamp
    return replace(
        spell,
        page_title=change.page_title,
        taken_out=at,
        taken_out_rev=change.after_rev_id,
        taken_out_diff_url=change.diff_url,
        taken_out_reverted=change.reverted,
        days=_days(spell.put_in, at),
        observed_until=max(at, until),
    )


def _lost(spell: TagSpell, seen: Change) -> TagSpell:
    """Return a spell that ended in what is not known, after the change that saw the tag last."""
    return _observed(replace(spell, page_title=seen.page_title), seen.after_timestamp)


def _observed(spell: TagSpell, until: datetime) -> TagSpell:
    return replace(spell, days=_days(spell.put_in, until), observed_until=until)


def _days(since: datetime, until: datetime) -> float:
    # The clock of a wiki may have gone back.
    return max(0.0, (until - since) / _DAY)
