"""What a story says, in words."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from wikibias.reports import story_words
from wikibias.reports.edit_story import EditStory, stories_at
from wikibias.reports.page_story import pages_titled
from wikibias.reports.result_folder import ResultFolder


def story(demo: Path, revision: int) -> EditStory:
    return next(stories_at(ResultFolder(demo), revision))


def told(found: EditStory) -> dict[str, str]:
    return {fact.name: fact.value for fact in story_words.facts(found)}


def test_an_edit_in_facts(demo: Path) -> None:
    found = story(demo, 50)
    assert story_words.headline(found) == "Varnholt Institute: revision 50 took out POV section"
    facts = told(found)
    assert facts["before"] == "revision 47, 2011-12-04 13:37 UTC"
    assert facts["after"] == "revision 50, 2012-05-05 16:00 UTC, editor: ip"
    assert facts["tag"] == (
        "POV section; about the section “Criticism”; put in by revision 47 on 2011-12-04, "
        "stood 153 days, 1 revision"
    )
    assert "the tag was back after 6.73 days" in facts["afterwards"]
    assert facts["change after"].startswith("revision 51, 2012-05-12")
    urls = {fact.name: fact.url for fact in story_words.facts(found)}
    assert urls["diff"] == "https://en.demo.example/w/index.php?diff=50&oldid=47"
    assert urls["before"] == "https://en.demo.example/w/index.php?oldid=47"


def test_an_addition_tells_how_it_ended(demo: Path) -> None:
    found = story(demo, 4)
    assert "taken out by revision 7 on 2007-01-09, after 283 days" in told(found)["tag"]
    assert story_words.verdict(found).startswith("none: the run compares removal-edit only")


@pytest.mark.parametrize(
    ("scope", "section", "pointed_at", "said"),
    [
        ("article", "", "", "about the whole article"),
        ("article", "Past", "", "about the whole article, stands under the heading “Past”"),
        ("inline", "", "It is fine.", "inside the text, about “It is fine.”"),
        ("wrapping", "Past", "", "around a text under the heading “Past”, about what is not known"),
        ("inline", "", "x" * 999, "about “" + "x" * 300 + "…”"),
    ],
)
def test_where_a_tag_stood(
    scope: str, section: str, pointed_at: str, said: str, demo: Path
) -> None:
    found = story(demo, 7)
    tag = replace(found.tags[0], scope=scope, section=section, pointed_at=pointed_at)
    assert said in told(replace(found, tags=(tag,)))["tag"]


def test_a_page_tagged_from_the_first_revision_on(demo: Path) -> None:
    found = story(demo, 4)
    made = replace(found.provenance, before_rev_id=None, before_timestamp=None, diff_url="")
    facts = told(replace(found, provenance=made))
    assert facts["before"].startswith("none: ")
    assert facts["diff"] == "the dump gives no address"
    assert all(
        not fact.url
        for fact in story_words.facts(replace(found, provenance=made, earlier=None, later=None))
    )


def test_verdicts(demo: Path) -> None:
    assert story_words.verdict(story(demo, 7)) == "kept"
    found = story(demo, 50)
    assert story_words.verdict(found) == "dropped: spelling"
    assert story_words.verdict_words("tag_only") == "dropped: tag_only (only the tag removed)"
    assert story_words.verdict_words("mine") == "dropped: mine"
    changed = replace(found, verdict="outlier")
    assert story_words.verdict(changed) == (
        "dropped: outlier, as recorded; the filters of this version say dropped: spelling"
    )
    assert "none recorded yet" in story_words.verdict(replace(found, verdict=None))


def test_answers_and_places(demo: Path) -> None:
    found = story(demo, 50)
    assert [story_words.answered(each) for each in found.answers].count("DROPS IT") == 1
    off = replace(found.answers[0], reason="not_parent", is_off=True)
    assert story_words.answered(off) == "counts only"
    kept = story(demo, 7)
    assert story_words.place(kept.sentences[0]) == "train, tier medium (few_removed)"
    assert story_words.relation(kept.sentences[0]) == "rewritten, similarity 52"
    assert story_words.relation(kept.unchanged[0]) == ""
    assert [number for _, number in story_words.unchanged(kept)] == [6, 3]


def test_a_page_in_a_line(demo: Path) -> None:
    (page,) = pages_titled(ResultFolder(demo), "Varnholt Institute")
    assert story_words.page_line(page) == (
        "2 tag removals, 2 additions; 1 edit kept; none standing on 2025-11-20"
    )
