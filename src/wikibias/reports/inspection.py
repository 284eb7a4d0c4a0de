"""Reports on what a result folder knows of a sentence, a revision or a page.

Nothing found is a mistake of the user, and the message says what is near.
"""

import heapq
import re
import shlex
from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from wikibias.config.signals import names_of_intents
from wikibias.corpus.evidence import edit_id
from wikibias.curation.tagged_intervals import TaggedInterval, tagged_intervals
from wikibias.errors import UsageError
from wikibias.kits.parquet import read_table
from wikibias.kits.schemas import DIFFS_TABLE
from wikibias.mediawiki.titles import clean_title
from wikibias.messages import counted
from wikibias.pipeline.manifest import lacks_texts
from wikibias.records import Edit, History, Provenance, TagContext
from wikibias.reports.filter_answers import Answer, answers, verdict_of
from wikibias.reports.result_folder import CHANGES, ResultTables, TagChange, key_of
from wikibias.reports.sentence_outcomes import SentenceOutcome, in_labelled, sentence_outcomes
from wikibias.text.similarity import ratio

_LEFT_ALONE = ("unchanged", "featured")


@dataclass(frozen=True, slots=True)
class TagReport:
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
class EditReport:
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
    tags: tuple[TagReport, ...]
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


def edit_reports_at(
    result: ResultTables, revision: int, *, column: str = "after_rev_id", wiki: str | None = None
) -> Iterator[EditReport]:
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
    spells = list(tagged_intervals(result.folder, pages))
    for change in changes:
        key = key_of(change.provenance)
        edit, verdict = compared.get(key), verdicts.get(key)
        is_unknown = edit is not None and edit.texts_missing
        if is_unknown:
            edit = None
        earlier, later = _neighbours(change, around[_page_of(change)])
        yield EditReport(
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


def _page_of(change: TagChange) -> tuple[str, int]:
    return change.provenance.wiki, change.provenance.page_id


def _by_page(changes: Iterable[TagChange]) -> dict[tuple[str, int], list[TagChange]]:
    found: dict[tuple[str, int], list[TagChange]] = {}
    for change in changes:
        found.setdefault(_page_of(change), []).append(change)
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


def _tags(change: TagChange, spells: Collection[TaggedInterval]) -> Iterator[TagReport]:
    made, context = change.provenance, change.context
    for number, tag in enumerate(made.tags):
        yield TagReport(
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


def _why_not_compared(result: ResultTables, made: Provenance, *, texts_missing: bool) -> str:
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
class PageReport:
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
    def observed_until(self) -> datetime:
        """Up to when the dump tells."""
        return max(spell.observed_until for spell in self.spells)


def _line(rows: Sequence[PageChange]) -> PageLine:
    made = [row.change.provenance for row in rows]
    names = names_of_intents(each.signal for each in made)
    verdicts = dict.fromkeys(row.verdict for row in rows if row.verdict)
    return PageLine(made[0], ", ".join(names or made[0].tags), ", ".join(verdicts))


def pages_titled(result: ResultTables, title: str) -> list[PageReport]:
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
    return list(_page_reports(result, keys))


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


def _page_reports(result: ResultTables, keys: Collection[tuple[str, int]]) -> Iterator[PageReport]:
    ids = {page_id for _, page_id in keys}
    changes: dict[tuple[str, int], list[TagChange]] = {key: [] for key in keys}
    for row in result.find(CHANGES, "page_id", ids):
        made = row.provenance
        if (made.wiki, made.page_id) in changes:
            changes[made.wiki, made.page_id].append(row)
    verdicts = result.verdicts("page_id", ids)
    spells: dict[tuple[str, int], list[TaggedInterval]] = {key: [] for key in keys}
    for spell in tagged_intervals(result.folder, ids):
        if (spell.wiki, spell.page_id) in spells:
            spells[spell.wiki, spell.page_id].append(spell)
    for key in (key for key in keys if changes[key]):
        of_page = sorted(
            changes[key], key=lambda c: (c.provenance.after_timestamp, c.provenance.after_rev_id)
        )
        yield PageReport(
            wiki=key[0],
            page_id=key[1],
            title=of_page[-1].provenance.page_title,
            spells=tuple(sorted(spells[key], key=lambda s: (s.put_in, s.put_in_rev, s.tag))),
            changes=tuple(PageChange(c, verdicts.get(key_of(c.provenance))) for c in of_page),
        )


# The forms that `corpus.rows` gives; a wiki's name may hold hyphens, and so may no other word.
_SENTENCE = re.compile(
    r"(?P<wiki>.+?)-(?:(?P<pairing>removal-edit|addition-edit|tagged-span"
    r"|summary-edit|intent-edit-[a-z0-9-]{1,100}|featured-span)-(?:\d+|None)-)?"
    r"(?P<revision>\d{1,18})-(?P<role>removed|added|unchanged|featured|tagged)-(?P<place>\d{1,9})"
)
# A pair_id, as `corpus.sentence_pairs` gives it: a wiki, a revision, and a hash or a number.
_PAIR = re.compile(r"[a-z][a-z0-9_-]*-(?P<revision>\d{1,18})-(?:[0-9a-f]{8,32}|\d{1,6})")
_REVISION = re.compile(r"[0-9]{1,18}")
_DONE = {
    "tag": "changed a tag",
    "summary": "named neutrality in its summary",
    "featured": "stood while its article was featured",
}
_LEAST_ALIKE = 60.0
_MOST_NEAR = 3


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked for: one of the three, or a revision of a page."""

    sentence: str | None = None
    page: str | None = None
    revision: int | None = None


@dataclass(frozen=True, slots=True)
class Inspection:
    """What a folder knows of it.

    Attributes:
        folder: the name of the folder.
        asked: the question in words.
        note: what the reader must know first; mostly "".
        sentence_id: the sentence that was asked for; "" where none was.
    """

    folder: str
    asked: str
    note: str = ""
    sentence_id: str = ""
    edits: tuple[EditReport, ...] = ()
    pages: tuple[PageReport, ...] = ()


def recognised(words: str) -> Question:
    """Return the question that some words are: a revision or an id, else a title.

    Of a sentence pair its edit is asked for.
    """
    if pair := _PAIR.fullmatch(words):
        return Question(revision=int(pair["revision"]))
    if _REVISION.fullmatch(words):
        return Question(revision=int(words))
    return Question(sentence=words) if _SENTENCE.fullmatch(words) else Question(page=words)


def inspect(folder: Path, question: Question) -> Inspection:
    """Return what a result folder knows of a sentence, a revision or a page.

    Raises:
        UsageError: the folder holds no result or none of this version, or nothing is found.
        WikibiasError: a table is damaged.
    """
    result = ResultTables(folder)
    if not result.has("detect"):
        raise UsageError(f"{folder} holds no transitions yet; see `wikibias status {folder}`")
    if question.sentence is not None:
        return _sentence(result, question.sentence)
    if question.page is None:
        return _revision(result, question.revision or 0)
    pages = pages_titled(result, question.page)
    if not pages:
        raise UsageError(
            f"{folder}: no edit of a page {question.page!r} {_did(result)}{_near(result, question)}"
        )
    if question.revision is None:
        return Inspection(result.name, f"page {question.page}", pages=tuple(pages))
    return _revision_of_page(result, question.revision, tuple(pages))


def _sentence(result: ResultTables, sentence_id: str) -> Inspection:
    form = _SENTENCE.fullmatch(sentence_id)
    if form is None:
        raise UsageError(
            f"{sentence_id!r} is no sentence id; one is like enwiki-7-removed-0 (the column "
            "sentence_id of the corpus)"
        )
    revision, wiki = int(form["revision"]), form["wiki"]
    everything = tuple(edit_reports_at(result, revision, wiki=wiki))
    if not everything:
        raise UsageError(
            f"{result.folder}: no edit of {wiki} {_did(result)} at revision {revision}; is the "
            "sentence of another corpus?"
        )
    named = sentence_id[: form.end("revision")]
    edits = tuple(each for each in everything if edit_id(each.provenance) == named and each.edit)
    asked = f"sentence {sentence_id}"
    if not edits:
        why = everything[0].why_not_compared or "its edit was compared in other pairs"
        return Inspection(
            result.folder.resolve().name, asked, f"Not in the corpus: {why}.", edits=everything
        )
    of_edits = [sentence for each in edits for sentence in each.sentences]
    here = next((each for each in of_edits if sentence_id in _names(each)), None)
    if here is None:
        role = form["role"]
        number = counted(sum(each.role == role for each in of_edits), f"{role} sentence")
        note = f"No such sentence: the edit has {number}; the id is of an older build."
        return Inspection(result.name, asked, note, edits=edits)
    said = f"In the split {here.split}." if here.split else ""
    if here.labelled is not None:
        said = f"{said} {in_labelled(here)}.".strip()
    note = f"{said[:1].upper()}{said[1:]}" or f"Not in the corpus: {here.why_not}."
    return Inspection(result.name, asked, note, here.sentence_id, edits=edits)


def _names(sentence: SentenceOutcome) -> list[str]:
    """Return what a sentence is called: in a corpus of labels by tags it has another name."""
    row = sentence.labelled
    return [sentence.sentence_id, *([] if row is None else [row.sentence_id])]


def _revision(result: ResultTables, revision: int) -> Inspection:
    edits, note = _edits_at(result, revision)
    if edits:
        return Inspection(result.name, f"revision {revision}", note, edits=edits)
    for column, what in (("restores_rev_id", "restored"), ("parent_rev_id", "had as parent")):
        for row in result.find(CHANGES, column, [revision]):
            later = row.provenance.after_rev_id
            raise UsageError(
                f"{result.folder}: revision {revision} {_did_not(result)}; it is what revision "
                f"{later} {what}: `wikibias inspect {result.folder} {later}`"
            )
    raise UsageError(
        f"{result.folder}: no edit {_did(result)} at revision {revision}; with --page TITLE "
        f"--revision {revision} it says between which edits it lies, and --page {revision} looks "
        "for a title"
    )


def _edits_at(result: ResultTables, revision: int) -> tuple[tuple[EditReport, ...], str]:
    """Return the edits that changed tags at a revision, else those after it and a note."""
    if edits := tuple(edit_reports_at(result, revision)):
        return edits, ""
    edits = tuple(edit_reports_at(result, revision, column="before_rev_id"))
    after = " and ".join(dict.fromkeys(f"{e.provenance.after_rev_id}" for e in edits))
    return edits, f"Revision {revision} {_did_not(result)}; it is the one before revision {after}."


def _revision_of_page(
    result: ResultTables, revision: int, pages: tuple[PageReport, ...]
) -> Inspection:
    asked = f"revision {revision} of {pages[0].title}"
    keys = {(page.wiki, page.page_id) for page in pages}
    edits, note = _edits_at(result, revision)
    of_page = tuple(e for e in edits if (e.provenance.wiki, e.provenance.page_id) in keys)
    if of_page:
        return Inspection(result.name, asked, note, edits=of_page)
    # Ids grow with time but for imported revisions, so this is what they say, not what was.
    known = sorted({c.change.provenance.after_rev_id for page in pages for c in page.changes})
    before = [number for number in known if number < revision]
    after = [number for number in known if number > revision]
    places = [f"after revision {number}" for number in before[-1:]]
    places += [f"before revision {number}" for number in after[:1]]
    place = " and ".join(places)
    note = f"Revision {revision} {_did_not(result)}. By its number it lies {place}."
    return Inspection(result.name, asked, note, pages=pages)


def _did(result: ResultTables) -> str:
    """Return what the edits of a folder did, by what they were found by."""
    asked = sorted(result.settings.detect.signal)[::-1]
    done = [_DONE[signal] for signal in asked if signal in _DONE]
    intents = names_of_intents(sorted(asked))
    return " or ".join([*done, *([f"has the intent {' or '.join(intents)}"] if intents else [])])


def _did_not(result: ResultTables) -> str:
    """Return what an edit that was not found failed to do."""
    did = _did(result)
    return "changed no tag" if did == _DONE["tag"] else f"is no edit that {did}"


def _near(result: ResultTables, question: Question) -> str:
    """Return the titles that are most alike, as the end of a message."""
    sought = clean_title(question.page or "").casefold()
    best: list[tuple[float, str]] = []
    for path in result.paths(CHANGES):
        last = None
        for row in read_table(path, ["page_title"]):
            title = row["page_title"]
            if title != last and isinstance(title, str):
                last, alike = title, _likeness(title.casefold(), sought)
                if alike >= _LEAST_ALIKE and (alike, title) not in best:
                    best = heapq.nlargest(_MOST_NEAR, [*best, (alike, title)])
    if not best:
        return (
            "; titles are as the wiki writes them, and a sentence is asked for by its sentence_id, "
            "of which the story of its edit tells"
        )
    return f"; did you mean {' or '.join(repr(title) for _, title in best)}?"


def _likeness(title: str, sought: str) -> float:
    """Return how alike a title is to what was typed, which may be the beginning of it."""
    return max(ratio(title, sought), ratio(title[: len(sought)], sought) - 10)
