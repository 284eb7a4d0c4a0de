"""Writes the story of an edit or of a page as a page for the browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from wikibias.errors import UsageError
from wikibias.kits.document import Cell, Link, Table, pieces
from wikibias.kits.files import write_text
from wikibias.kits.html import is_page, render
from wikibias.reports import story_words
from wikibias.reports.edit_story import EditStory
from wikibias.reports.inspection import Inspection
from wikibias.reports.page_story import PageStory
from wikibias.reports.sentence_fates import SentenceFate
from wikibias.reports.spell_chart import spell_chart


def write_story(found: Inspection, path: Path) -> None:
    """Write what was found as one file, which loads nothing.

    Raises:
        UsageError: there is a file of another kind in its place.
        DiskError: it cannot be written.
    """
    try:
        foreign = path.exists() and not is_page(path)
    except OSError as error:
        raise UsageError(f"{path} cannot be read ({error.strerror}); choose another --html") from (
            error
        )
    if foreign:
        raise UsageError(f"{path} is no page of wikibias; choose another --html, or remove it")
    context = {
        "title": _title(found),
        "lead": f"From the result folder {found.folder}. {found.note}",
        "pages": [_page(page) for page in found.pages],
        "edits": [_edit(story, found.sentence_id) for story in found.edits],
    }
    write_text(path, render(__package__, "story.html.j2", context))


def _title(found: Inspection) -> str:
    return found.asked[:1].upper() + found.asked[1:]


def _page(page: PageStory) -> dict[str, Any]:
    rows: list[list[Cell]] = []
    for row in page.lines:
        made = row.made
        what = {"removed": "taken out", "added": "put in"}[made.kind]
        if made.signal == "summary":
            what = "by summary"
        elif made.signal != "tag":
            what = "featured" if made.signal == "featured" else "intent"
        rows.append(
            [
                Link(f"{made.after_rev_id}", made.diff_url),
                f"{made.after_timestamp:%Y-%m-%d}",
                "tagged span" if made.pairing == "tagged-span" else what,
                row.what,
                row.verdict,
                made.comment,
            ]
        )
    tags = "tags or intents" if any(row[2] == "intent" for row in rows) else "tags"
    header = ["revision", "date", "what", tags, "verdict", "summary"]
    return {
        "title": f"{page.title} (page {page.page_id} of {page.wiki})",
        "line": story_words.page_line(page),
        "chart": spell_chart(page) if page.spells else None,
        "heading": "All changes of tags" if tags == "tags" else "All edits",
        "table": Table(header, rows, len(header), stacks=True),
    }


def _edit(story: EditStory, asked: str) -> dict[str, Any]:
    facts = [
        (fact.name, Link(fact.value, fact.url) if fact.url else fact.value)
        for fact in story_words.facts(story)
    ]
    answers = [
        {
            "name": each.name,
            "said": story_words.answered(each),
            "saw": each.looked_at,
            "is_verdict": each.is_verdict,
        }
        for each in story.answers
    ]
    pairs = [
        {
            "relation": story_words.relation((*before, *after)[0]),
            "sides": [[_sentence(each, asked) for each in side] for side in (before, after)],
        }
        for before, after in story.pairs
    ]
    return {
        "title": story_words.headline(story),
        "lang": story.provenance.lang,
        "facts": facts,
        "verdict": story_words.verdict(story),
        "answers": answers,
        "compared": story.edit is not None,
        "pairs": pairs,
        "unchanged": [_sentence(each, asked) for each in story.unchanged],
        "unchanged_places": story_words.unchanged(story),
    }


def _sentence(sentence: SentenceFate, asked: str) -> dict[str, Any]:
    return {
        "id": sentence.sentence_id,
        "pieces": pieces(
            sentence.sentence.text, sentence.link.changed_spans if sentence.link else ""
        ),
        # What holds for the whole edit is said once, above.
        "place": "" if sentence.is_of_edit else story_words.place(sentence),
        "in_corpus": story_words.is_there(sentence),
        "asked": sentence.sentence_id == asked,
    }
