"""What a result folder knows of a sentence, a revision or a page, and what each filter answers.

Nothing found is a mistake of the user, and the message says what is near.
"""

import heapq
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from pathlib import Path
from typing import Literal, TypeAlias

from wikibias.config.choices import names_of_intents
from wikibias.config.thresholds import Filter as Limits
from wikibias.corpus.evidence import edit_id
from wikibias.curation.tagged_intervals import TaggedInterval, tagged_intervals
from wikibias.edits.filters import FILTERS, UNREADABLE, filter_named
from wikibias.errors import UsageError, cause_of, counted, quoted
from wikibias.kits.parquet import read_table
from wikibias.kits.schemas import DIFFS_TABLE
from wikibias.mediawiki import clean_title
from wikibias.pipeline.manifest import lacks_texts
from wikibias.pipeline.settings import Settings, filter_lists
from wikibias.records import KEPT, Edit, Provenance, Sentence
from wikibias.reports import result_folder
from wikibias.reports.result_folder import CHANGES, ResultTables, SentenceOutcome, TagChange, key_of
from wikibias.text.segmentation import normalise
from wikibias.text.similarity import ratio


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer of one filter.

    Attributes:
        name: of the filter.
        reason: why it drops the edit; None where it does not.
        looked_at: the figures that it decides by; "" for a filter of another package.
        is_off: it is counted but drops nothing, because of `--reverts keep`.
        is_verdict: it is the first that drops the edit.
    """

    name: str
    reason: str | None
    looked_at: str
    is_off: bool = False
    is_verdict: bool = False


def answers(edit: Edit, settings: Settings) -> list[Answer]:
    """Ask all filters of a run, also those behind the first that drops the edit.

    Raises:
        UsageError: the run had a filter that is not installed here.
    """
    lists, limits = filter_lists(settings), settings.filter.limits
    facts = figures(edit, limits)
    found: list[Answer] = []
    decided = False
    for name in lists.of_signal(edit.provenance.signal):
        asked = filter_named(name)
        if asked is None:
            raise UsageError(f"the filter {name!r} is not installed")
        looked_at = facts.get(name, "")
        try:
            reason = asked.reason(edit, limits)
        except Exception as error:  # of whoever wrote the filter; the run says the same
            reason, looked_at = UNREADABLE, f"failed: {cause_of(error)}"
        is_off = name in lists.off
        is_first = reason is not None and not is_off and not decided
        found.append(Answer(name, reason, looked_at, is_off, is_first))
        decided = decided or is_first
    return found


def verdict_of(found: list[Answer]) -> str:
    """Return the verdict that follows from the answers."""
    return next((each.reason for each in found if each.is_verdict and each.reason), KEPT)


def figures(edit: Edit, limits: Limits) -> dict[str, str]:
    """Return by filter the figures of an edit that it looks at, and its limits."""
    history, removed, added = edit.history, len(edit.removed), len(edit.added)
    parent, back = history.parent_rev_id, history.tag_back_days
    lost = counted(history.revisions_between, "revision") + " without text between"
    of_parent = f"parent is {f'revision {parent}' if parent else 'none'}"
    of_parent += f", {lost}" if history.revisions_between else ""
    is_span = edit.provenance.pairing == "tagged-span"
    share = "unknown" if edit.share_of_page is None else f"{edit.share_of_page:.1%}"
    same_norms = sorted(s.norm for s in edit.removed) == sorted(s.norm for s in edit.added)
    norms = f"the normal forms {'are the same' if same_norms else 'differ'}"
    same_text = "same text" if edit.same_text else "text differs"
    restored = "none" if history.restores_rev_id is None else f"revision {history.restores_rev_id}"
    same, near = ("none", restored) if history.restores_nearly else (restored, "none")
    distance = "more than" if FILTERS["spelling"].reason(edit, limits) is None else "at most"
    inserted = sum(link.relation == "inserted" for link in edit.added_links)
    return {
        "not_parent": "a tagged span has edits inside"
        if is_span
        else "the dump names no parent"
        if parent is None
        else of_parent,
        "restores_earlier": f"restores {same}",
        "nearly_restores": f"nearly restores {near}",
        "tag_swapped": f"put in: {', '.join(history.tags_swapped_in) or 'none'}",
        "tags_left": f"left: {', '.join(history.tags_left) or 'none'}",
        "tag_back_soon": f"{'not seen again' if back is None else f'back after {days(back)}'}; "
        f"limit {days(limits.tag_back_days)}",
        "reverted": "undone" if edit.provenance.reverted else "not undone",
        "redirect_or_blank": f"{counted(edit.after_chars, 'character')}"
        f"{', a redirect' if edit.after_redirect else ''}; limit {limits.min_wikitext:,}",
        "unreadable": "both cleaned" if edit.readable else "not cleaned",
        "page_replaced": f"{share} in {counted(removed, 'sentence')}; limit "
        f"{limits.max_share_of_page:.1%} in more than {limits.few_sentences}",
        "tag_only": same_text,
        "number_only": norms,
        "punctuation_case": norms,
        "outlier": f"{removed:,} removed, {added:,} added; limit {limits.max_edited_sentences:,}",
        "deletions_only": f"{added:,} added",
        "insertions_only": f"{removed:,} removed",
        "spelling": f"edit distance {distance} {limits.spelling_distance}",
        "summary_reverts": f"the summary {'says' if edit.summary_reverts else 'does not say'} so",
        "by_bot": f"editor: {edit.provenance.editor_kind}",
        "names_vandalism": "the summary",
        "markup_only": same_text,
        "new_sentences": f"{inserted:,} new",
        "no_positive": counted(removed, "positive sentence"),
        "no_sentence": counted(len(edit.unchanged), "sentence"),
    }


def days(number: float) -> str:
    """Return a length of time in days, with so many decimals as tell something."""
    if number < 10:
        return f"{number:.2f}".rstrip("0").rstrip(".") + (" day" if number == 1 else " days")
    return f"{number:,.0f} days"


# The forms that `corpus.rows` gives; a wiki's name may hold hyphens, and so may no other word.
_SENTENCE = re.compile(
    r"(?P<wiki>.+?)-(?:(?P<pairing>removal-edit|addition-edit|tagged-span"
    r"|summary-edit|intent-edit-[a-z0-9-]{1,100}|featured-span)-(?:\d+|None)-)?"
    r"(?P<revision>\d{1,18})-(?P<unit>paragraph-)?(?P<role>removed|added|unchanged|featured|tagged)-(?P<place>\d{1,9})"
)
# A pair_id, as `corpus.sentence_pairs` gives it: wiki, revision, hash or number; the address of a
# diff, or of a revision; a revision.
_REVISION = re.compile(
    r"[a-z][a-z0-9_-]*-(?P<of_pair>[0-9]{1,18})-(?:[0-9a-f]{8,32}|[0-9]{1,6})"
    r"|https?://(?:\S*[?&]diff=|\S*[?&]oldid=)(?P<of_address>[0-9]{1,18})(?:[&#]\S*)?"
    r"|(?:rev:)?(?P<plain>[0-9]{1,18})"
)
_DONE = {
    "tag": "changed a tag",
    "summary": "named neutrality in its summary",
    "featured": "stood while its article was featured",
}
_LEAST_ALIKE, _MOST_NEAR = 60.0, 3
Page = tuple[str, int]


@dataclass(frozen=True, slots=True)
class EditReport:
    """What is known of one edit that changed tags.

    Attributes:
        change: its row of `transitions`.
        intervals: the times that tags stood on its page.
        edit: its sentences; None where it was not compared, for `why_not_compared`.
        verdict: as the folder records it; None where it records none.
        answers: of each filter of the run, asked again now.
        sentences: where each has gone, in order: removed, added, unchanged.
        earlier: the change of tags on the page before this one.
        later: the one after it.
    """

    change: TagChange
    intervals: tuple[TaggedInterval, ...]
    edit: Edit | None
    verdict: str | None
    answers: tuple[Answer, ...]
    sentences: tuple[SentenceOutcome, ...]
    earlier: TagChange | None
    later: TagChange | None
    why_not_compared: str = ""

    @property
    def provenance(self) -> Provenance:
        """By which revisions of which page it was made."""
        return self.change.provenance

    @property
    def verdict_now(self) -> str | None:
        """The verdict that the filters give now; None where they were not asked."""
        return verdict_of(list(self.answers)) if self.edit is not None else None


@dataclass(frozen=True, slots=True)
class PageReport:
    """What is known of the tags of a page.

    Attributes:
        intervals: the time that each tag stood, by its beginning.
        changes: all edits that put tags in or took them out, oldest first, each with its verdict;
            None where it was not judged.
    """

    wiki: str
    page_id: int
    intervals: tuple[TaggedInterval, ...]
    changes: tuple[tuple[TagChange, str | None], ...]

    @property
    def title(self) -> str:
        """The title that it had last."""
        return self.changes[-1][0].provenance.page_title


Question: TypeAlias = tuple[Literal["sentence", "page", "revision"], str]
"""What is asked for: an id, a title or a number."""


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
    """Return the question that some words are: a revision or an id, else a title or a text.

    Of a sentence pair or an address its edit is asked for.
    """
    if found := _REVISION.fullmatch(words):
        return "revision", found[found.lastgroup or 0]
    return "sentence" if _SENTENCE.fullmatch(words) else "page", words


def inspect(folder: Path, question: Question) -> Inspection:
    """Return what a result folder knows of a sentence, a revision or a page.

    What is no title of a page is looked for as the text of a sentence.

    Raises:
        UsageError: the folder holds no result or none of this version, or nothing is found.
        WikibiasError: a table is damaged.
    """
    result = ResultTables(folder)
    if not result.has("detect"):
        raise UsageError(f"{folder} holds no transitions yet; see `wikibias status {folder}`")
    kind, words = question
    if kind == "sentence":
        return _sentence(result, words)
    if kind == "revision":
        return _revision(result, int(words))
    pages = pages_titled(result, words)
    if not pages:
        if sentence_id := _sentence_reading(result, words):
            return _sentence(result, sentence_id)
        near = _near(result, words)
        raise UsageError(f"{folder}: no edit of a page {words!r} {_did(result)}{near}")
    return Inspection(result.name, f"page {words}", pages=tuple(pages))


def edit_reports_at(
    result: ResultTables, revision: int, *, column: str = "after_rev_id", wiki: str | None = None
) -> Iterator[EditReport]:
    """Yield the reports on all edits that changed tags at a revision.

    Args:
        result: the folder to look in.
        revision: the number of the newer revision, or with `column` "before_rev_id" of the older.
        column: which of the two.
        wiki: only edits of this wiki.

    Raises:
        WikibiasError: a table is damaged.
    """
    found = result.find(CHANGES, column, [revision])
    changes = [row for row in found if wiki is None or row.provenance.wiki == wiki]
    compared = {key_of(e.provenance): e for e in result.find(DIFFS_TABLE, column, [revision])}
    verdicts = result.verdicts(column, [revision])
    ids = {change.provenance.page_id for change in changes}
    of_pages = _by_page(result.find(CHANGES, "page_id", ids))
    intervals = list(tagged_intervals(result.folder, ids))
    for change in changes:
        made = change.provenance
        edit, verdict = compared.get(key_of(made)), verdicts.get(key_of(made))
        why_not = _why_not_compared(result, made, edit)
        edit = None if why_not else edit
        # By other revisions.
        tags = [each for each in of_pages[_page_of(change)] if _is_of_tags(each, made)]
        yield EditReport(
            change=change,
            intervals=tuple(each for each in intervals if each.wiki == made.wiki),
            edit=edit,
            verdict=verdict,
            answers=tuple(answers(edit, result.settings)) if edit else (),
            sentences=tuple(result_folder.sentence_outcomes(result, edit, verdict)) if edit else (),
            earlier=next((each for each in reversed(tags) if _place(each) < _place(change)), None),
            later=next((each for each in tags if _place(each) > _place(change)), None),
            why_not_compared=why_not,
        )


def _page_of(change: TagChange) -> Page:
    return change.provenance.wiki, change.provenance.page_id


def _place(change: TagChange) -> tuple[datetime, int]:
    return change.provenance.after_timestamp, change.provenance.after_rev_id


def _is_of_tags(change: TagChange, but: Provenance) -> bool:
    made = change.provenance
    of_tags = made.signal == "tag" and made.pairing != "tagged-span"
    return of_tags and made.after_rev_id != but.after_rev_id


def _by_page(changes: Iterable[TagChange]) -> dict[Page, list[TagChange]]:
    found: dict[Page, list[TagChange]] = {}
    for change in changes:
        found.setdefault(_page_of(change), []).append(change)
    # Several parts may hold changes of one page.
    return {page: sorted(of_page, key=_place) for page, of_page in found.items()}


def _why_not_compared(result: ResultTables, made: Provenance, edit: Edit | None) -> str:
    where, pairings = quoted(str(result.folder)), result.settings.detect.pairing
    if edit is not None:
        if not edit.texts_missing:
            return ""
        asks = f"wikibias fetch --revisions {where}"
        return f"the text of a revision is not known; `{asks}` asks the wiki for it"
    if made.signal == "tag" and made.pairing not in pairings:
        return f"the run compares {' and '.join(pairings)} only (--pairing)"
    if made.signal == "summary" and lacks_texts(result.manifest):
        return f"a stub dump has no texts; run `wikibias fetch --revisions {where}`"
    if not result.has("diff"):
        return (
            f"nothing is compared yet; run `wikibias diff {where}`, then `wikibias filter {where}`"
        )
    return "it is not in `diffs`: the run has not come so far, or wikibias could not work it out"


def pages_titled(result: ResultTables, title: str) -> list[PageReport]:
    """Return the reports on the pages of a title, in any of the ways to write it.

    A page that was renamed between two dumps is found by its earlier title, too.

    Raises:
        WikibiasError: a table is damaged.
    """
    names = spellings(title)
    pages = dict.fromkeys(map(_page_of, result.find(CHANGES, "page_title", names)))
    for page in result.manifest.get("renamed_pages", ()):
        if page["was"] in names:
            pages[f"{page['wiki']}", page["page_id"]] = None
    ids = {page_id for _, page_id in pages}
    changes = _by_page(result.find(CHANGES, "page_id", ids))
    verdicts = result.verdicts("page_id", ids)
    intervals: dict[Page, list[TaggedInterval]] = {}
    for each in tagged_intervals(result.folder, ids):
        intervals.setdefault((each.wiki, each.page_id), []).append(each)
    return [
        PageReport(
            *page,
            tuple(sorted(intervals.get(page, ()), key=lambda s: (s.put_in, s.put_in_rev, s.tag))),
            tuple((each, verdicts.get(key_of(each.provenance))) for each in changes[page]),
        )
        for page in pages
        if page in changes
    ]


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


def _sentence(result: ResultTables, sentence_id: str) -> Inspection:
    form = _SENTENCE.fullmatch(sentence_id)
    assert form is not None  # so it was recognised
    revision, wiki, asked = int(form["revision"]), form["wiki"], f"sentence {sentence_id}"
    everything = tuple(edit_reports_at(result, revision, wiki=wiki))
    if not everything:
        raise UsageError(
            f"{result.folder}: no edit of {wiki} {_did(result)} at revision {revision}; is the "
            "sentence of another corpus?"
        )
    named = sentence_id[: form.end("revision")]
    edits = tuple(each for each in everything if edit_id(each.provenance) == named and each.edit)
    if not edits:
        why = everything[0].why_not_compared or "its edit was compared in other revision pairs"
        return Inspection(result.name, asked, f"Not in the corpus: {why}.", edits=everything)
    of_edits = [sentence for each in edits for sentence in each.sentences]
    here = next((each for each in of_edits if sentence_id in _names(each)), None)
    if here is None and form["unit"]:
        row = next(iter(result.find(result_folder.SENTENCES, "sentence_id", {sentence_id})), None)
        note = "A paragraph of this edit that is not in the corpus."
        if row is not None:
            note = f"A paragraph of this edit, in the split {row.split}; its tier is {row.tier}."
        return Inspection(result.name, asked, note, edits=edits)
    if here is None:
        number = sum(each.role == form["role"] for each in of_edits)
        what = counted(number, f"{form['role']} sentence")
        note = f"No such sentence: the edit has {what}; is its id misspelt, or of an older build?"
        return Inspection(result.name, asked, note, edits=edits)
    said = [f"In the split {here.split}."] if here.split else []
    said += [f"{_capital(result_folder.in_labelled(here))}."] if here.labelled else []
    note = " ".join(said) or f"Not in the corpus: {here.why_not}."
    return Inspection(result.name, asked, note, here.sentence_id, edits=edits)


def _sentence_reading(result: ResultTables, text: str) -> str:
    """Return the id of a sentence with this text, else with its normal form; "" for none.

    That of a corpus comes before one that was left out.
    """
    norms = {normalise(text, keep_apostrophes=keep) for keep in (False, True)} - {""}
    for column, values in (("text", {text}), ("norm", norms)):
        of_corpus = (
            row.sentence_id for row in result.find(result_folder.SENTENCES, column, values)
        )
        of_labels = (row.sentence_id for row in result.find(result_folder.LABELLED, column, values))
        for name in chain(of_corpus, of_labels):
            if _SENTENCE.fullmatch(name):  # whoever may write in the folder wrote it
                return name
    for role in ("removed", "added", "unchanged"):
        for edit in result.find(DIFFS_TABLE, f"{role}_norm", norms):
            sentences: tuple[Sentence, ...] = getattr(edit, role)
            place = next(n for n, each in enumerate(sentences) if each.norm in norms)
            found = f"{edit_id(edit.provenance)}-{role}-{place}"
            if _SENTENCE.fullmatch(found):
                return found
    return ""


def _names(sentence: SentenceOutcome) -> list[str]:
    """Return what a sentence is called: in a corpus of labels by tags it has another name."""
    row = sentence.labelled
    return [sentence.sentence_id, *([] if row is None else [row.sentence_id])]


def _revision(result: ResultTables, revision: int) -> Inspection:
    """Return the edits that changed tags at a revision, else those after it, and says so."""
    asked, nothing = f"revision {revision}", f"revision {revision} {_did_not(result)}"
    if edits := tuple(edit_reports_at(result, revision)):
        return Inspection(result.name, asked, edits=edits)
    if edits := tuple(edit_reports_at(result, revision, column="before_rev_id")):
        after = " and ".join(dict.fromkeys(f"{e.provenance.after_rev_id}" for e in edits))
        note = f"{_capital(nothing)}; it is the one before revision {after}."
        return Inspection(result.name, asked, note, edits=edits)
    for column, what in (("restores_rev_id", "restored"), ("parent_rev_id", "had as parent")):
        for row in result.find(CHANGES, column, [revision]):
            later = row.provenance.after_rev_id
            raise UsageError(
                f"{result.folder}: {nothing}; it is what revision {later} {what}: `wikibias "
                f"inspect {result.folder} {later}`"
            )
    raise UsageError(
        f"{result.folder}: no edit {_did(result)} at revision {revision}; --page {revision} looks "
        "for a title"
    )


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


def _near(result: ResultTables, page: str) -> str:
    """Return the titles that are most alike, as the end of a message."""
    name = clean_title(page).casefold()
    rows = (row for path in result.paths(CHANGES) for row in read_table(path, ["page_title"]))
    titles = {row["page_title"] for row in rows}
    alike = ((_likeness(f"{title}".casefold(), name), f"{title}") for title in titles)
    best = heapq.nlargest(_MOST_NEAR, (each for each in alike if each[0] >= _LEAST_ALIKE))
    if not best:
        return (
            ", and no sentence of an edit that reads so; titles are as the wiki writes them, and a "
            "sentence stands whole, in quotes"
        )
    return f"; did you mean {' or '.join(repr(title) for _, title in best)}?"


def _likeness(title: str, name: str) -> float:
    """Return how alike a title is to what was typed, which may be the beginning of it."""
    return max(ratio(title, name), ratio(title[: len(name)], name) - 10)
