"""The whole story of an edit: its tags, what each filter answered, where its sentences went."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from wikibias.curation.tagged_intervals import TaggedInterval, intervals_of_pages
from wikibias.kits.schemas import DIFFS_TABLE
from wikibias.pipeline.manifest import lacks_texts
from wikibias.records import Edit, History, Provenance, TagContext
from wikibias.reports.filter_answers import Answer, answers, verdict_of
from wikibias.reports.result_folder import CHANGES, ResultFolder, TagChange, key_of
from wikibias.reports.sentence_outcomes import SentenceOutcome, sentence_outcomes

_LEFT_ALONE = ("unchanged", "featured")


@dataclass(frozen=True, slots=True)
class TagStory:
    """A tag that an edit put in or took out: where it stood, and from when to when.

    `spell` is None where the table of transitions does not tell.
    """

    tag: str
    alias: str
    scope: str
    section: str
    pointed_at: str
    spell: TaggedInterval | None


@dataclass(frozen=True, slots=True)
class EditStory:
    """What is known of one edit that changed tags.

    Attributes:
        tags: those that it put in or took out.
        edit: its sentences; None where it was not compared, for `why_not_compared`.
        verdict: as the folder records it; None where it records none.
        answers: of each filter of the run, asked again now.
        sentences: where each has gone, in order: removed, added, unchanged.
        earlier: the change of tags on the page before this one.
        later: the one after it.
    """

    provenance: Provenance
    context: TagContext
    history: History
    tags: tuple[TagStory, ...]
    edit: Edit | None
    verdict: str | None
    answers: tuple[Answer, ...]
    sentences: tuple[SentenceOutcome, ...]
    earlier: TagChange | None
    later: TagChange | None
    why_not_compared: str = ""

    @property
    def verdict_now(self) -> str | None:
        """The verdict that the filters give now; None where they were not asked."""
        return verdict_of(list(self.answers)) if self.edit is not None else None

    @property
    def pairs(self) -> list[tuple[list[SentenceOutcome], list[SentenceOutcome]]]:
        """The removed sentences, each with what it became; then what is only added."""
        found: dict[str, tuple[list[SentenceOutcome], list[SentenceOutcome]]] = {}
        for sentence in self.sentences:
            if sentence.role not in _LEFT_ALONE:
                number = sentence.link.pair_id if sentence.link else ""
                sides = found.setdefault(number or sentence.sentence_id, ([], []))
                sides[sentence.role == "added"].append(sentence)
        return list(found.values())

    @property
    def unchanged(self) -> list[SentenceOutcome]:
        """The sentences that it left alone, or all of a featured article."""
        return [each for each in self.sentences if each.role in _LEFT_ALONE]


def stories_at(
    result: ResultFolder, revision: int, *, column: str = "after_rev_id", wiki: str | None = None
) -> Iterator[EditStory]:
    """Yield the stories of all edits that changed tags at a revision.

    Args:
        result: the folder to look in.
        revision: the number of the newer revision, or with `column` "before_rev_id" of the older.
        column: which of the two.
        wiki: only edits of this wiki.

    Raises:
        WikibiasError: a table is damaged.
    """
    changes = [
        row
        for row in result.find(CHANGES, column, [revision])
        if wiki is None or row.provenance.wiki == wiki
    ]
    compared = {key_of(e.provenance): e for e in result.find(DIFFS_TABLE, column, [revision])}
    verdicts = result.verdicts(column, [revision])
    pages = {change.provenance.page_id for change in changes}
    around = _by_page(result.find(CHANGES, "page_id", pages))
    spells = list(intervals_of_pages(result.folder, pages))
    for change in changes:
        key = key_of(change.provenance)
        edit, verdict = compared.get(key), verdicts.get(key)
        is_unknown = edit is not None and edit.texts_missing
        if is_unknown:
            edit = None
        earlier, later = _neighbours(change, around[_page(change)])
        yield EditStory(
            provenance=change.provenance,
            context=change.context,
            history=change.history,
            tags=tuple(_tags(change, spells)),
            edit=edit,
            verdict=verdict,
            answers=tuple(answers(edit, result.settings)) if edit else (),
            sentences=tuple(sentence_outcomes(result, edit, verdict)) if edit else (),
            earlier=earlier,
            later=later,
            why_not_compared=""
            if edit
            else _why_not_compared(result, change.provenance, texts_missing=is_unknown),
        )


def _page(change: TagChange) -> tuple[str, int]:
    return change.provenance.wiki, change.provenance.page_id


def _by_page(changes: Iterable[TagChange]) -> dict[tuple[str, int], list[TagChange]]:
    found: dict[tuple[str, int], list[TagChange]] = {}
    for change in changes:
        found.setdefault(_page(change), []).append(change)
    # Several parts may hold changes of one page.
    return {page: sorted(of_page, key=_place) for page, of_page in found.items()}


def _place(change: TagChange) -> tuple[datetime, int]:
    return change.provenance.after_timestamp, change.provenance.after_rev_id


def _neighbours(
    change: TagChange, of_page: Sequence[TagChange]
) -> tuple[TagChange | None, TagChange | None]:
    """Return the changes of tags on the page before and after one, by other revisions."""
    made, earlier, later = change.provenance, None, None
    for other in of_page:
        found = other.provenance
        of_no_tag = found.pairing == "tagged-span" or found.signal != "tag"
        if of_no_tag or found.after_rev_id == made.after_rev_id:
            continue
        if _place(other) < _place(change):
            earlier = other
        elif later is None:
            later = other
    return earlier, later


def _tags(change: TagChange, spells: Collection[TaggedInterval]) -> Iterator[TagStory]:
    made, context = change.provenance, change.context
    for number, tag in enumerate(made.tags):
        yield TagStory(
            tag=tag,
            alias=_at(made.aliases, number),
            scope=_at(context.scope, number),
            section=_at(context.section, number),
            pointed_at=_at(context.pointed_at, number),
            spell=_spell(made, tag, spells),
        )


def _at(values: Sequence[str], number: int) -> str:
    return values[number] if number < len(values) else ""


def _spell(made: Provenance, tag: str, spells: Collection[TaggedInterval]) -> TaggedInterval | None:
    for spell in spells:
        revision = spell.taken_out_rev if made.kind == "removed" else spell.put_in_rev
        if (spell.wiki, spell.tag, revision) == (made.wiki, tag, made.after_rev_id):
            return spell
    return None


def _why_not_compared(result: ResultFolder, made: Provenance, *, texts_missing: bool) -> str:
    if texts_missing:
        asks = f"wikibias fetch --revisions {shlex.quote(str(result.folder))}"
        return f"the text of a revision is not known; `{asks}` asks the wiki for it"
    wanted, where = result.settings.detect.pairing, shlex.quote(str(result.folder))
    if made.signal == "tag" and made.pairing not in wanted:
        return f"the run compares {' and '.join(wanted)} only (--pairing)"
    if made.signal == "summary" and lacks_texts(result.manifest):
        return f"a stub dump has no texts; run `wikibias fetch --revisions {where}`"
    if not result.has("diff"):
        return (
            f"nothing is compared yet; run `wikibias diff {where}`, then `wikibias filter {where}`"
        )
    return "it is not in `diffs`: the run has not come so far, or wikibias could not work it out"
