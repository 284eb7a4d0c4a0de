"""Answers a question about a result folder: a sentence, a revision or a page of it.

Nothing found is a mistake of the user, and the message says what is near.
"""

from __future__ import annotations

import heapq
import re
from dataclasses import dataclass
from pathlib import Path

from wikibias.corpus.rows import edit_id
from wikibias.errors import UsageError
from wikibias.kits.parquet import read_table
from wikibias.mediawiki.titles import clean_title
from wikibias.messages import counted
from wikibias.pipeline.signals import names_of_intents
from wikibias.reports.edit_story import EditStory, stories_at
from wikibias.reports.page_story import PageStory, pages_titled
from wikibias.reports.result_folder import CHANGES, ResultFolder
from wikibias.reports.sentence_fates import SentenceFate
from wikibias.reports.story_words import in_labelled
from wikibias.text.similarity import ratio

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
    edits: tuple[EditStory, ...] = ()
    pages: tuple[PageStory, ...] = ()


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
    result = ResultFolder(folder)
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


def _sentence(result: ResultFolder, sentence_id: str) -> Inspection:
    form = _SENTENCE.fullmatch(sentence_id)
    if form is None:
        raise UsageError(
            f"{sentence_id!r} is no sentence id; one is like enwiki-7-removed-0 (the column "
            "sentence_id of the corpus)"
        )
    revision, wiki = int(form["revision"]), form["wiki"]
    everything = tuple(stories_at(result, revision, wiki=wiki))
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


def _names(sentence: SentenceFate) -> list[str]:
    """Return what a sentence is called: in a corpus of labels by tags it has another name."""
    row = sentence.labelled
    return [sentence.sentence_id, *([] if row is None else [row.sentence_id])]


def _revision(result: ResultFolder, revision: int) -> Inspection:
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


def _edits_at(result: ResultFolder, revision: int) -> tuple[tuple[EditStory, ...], str]:
    """Return the edits that changed tags at a revision, else those after it and a note."""
    if edits := tuple(stories_at(result, revision)):
        return edits, ""
    edits = tuple(stories_at(result, revision, column="before_rev_id"))
    after = " and ".join(dict.fromkeys(f"{e.provenance.after_rev_id}" for e in edits))
    return edits, f"Revision {revision} {_did_not(result)}; it is the one before revision {after}."


def _revision_of_page(
    result: ResultFolder, revision: int, pages: tuple[PageStory, ...]
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


def _did(result: ResultFolder) -> str:
    """Return what the edits of a folder did, by what they were found by."""
    asked = sorted(result.settings.detect.signal)[::-1]
    done = [_DONE[signal] for signal in asked if signal in _DONE]
    intents = names_of_intents(sorted(asked))
    return " or ".join([*done, *([f"has the intent {' or '.join(intents)}"] if intents else [])])


def _did_not(result: ResultFolder) -> str:
    """Return what an edit that was not found failed to do."""
    did = _did(result)
    return "changed no tag" if did == _DONE["tag"] else f"is no edit that {did}"


def _near(result: ResultFolder, question: Question) -> str:
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
