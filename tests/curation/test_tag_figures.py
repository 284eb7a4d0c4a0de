"""Figures of the statistics of tags: what they show, and what their texts say of it."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from histories import START
from made_transitions import Told, transitions_of, write_transitions
from wikibias.curation.tag_figures import figures_of_lives, figures_of_standing, figures_of_years
from wikibias.curation.tag_lives import group_lives
from wikibias.curation.tag_spells import spells
from wikibias.curation.tag_years import TagYear, tag_years

END = START + timedelta(days=800)


def year(tag: str, year: int, calls: int | None, additions: int, stock: int) -> TagYear:
    return TagYear("w", tag, "f", year, calls, additions, 0, 0, 0, 0, stock)


def folder(tmp_path: Path) -> Path:
    pages = [
        Told(1, "Mill", ["a", "{{POV}} a", "b"], [0, 24, 72]),
        Told(2, "Weir", ["a", "{{POV}} a"], [0, 24]),
        Told(3, "Lock", ["a", "{{Weasel}} a", "b"], [0, 24, 240]),
    ]
    return write_transitions(tmp_path, "p", transitions_of(pages), newest=END)


def test_years_say_where_they_begin_where_they_are_highest_and_where_they_end() -> None:
    rows = [year("POV", 2006, 2, 2, 2), year("POV", 2007, 31, 9, 7), year("POV", 2008, 1, 1, 8)]
    changes, stock, calls = figures_of_years(rows)
    assert (
        "Tags put in: 2 in 2006; most in 2007, 9; 1 in 2008. Tags taken out: none." in changes.alt
    )
    assert "in all: 2 in 2006; most in 2008, 8." in stock.alt
    assert "POV: 2 in 2006; most in 2007, 31; 1 in 2008." in calls.alt


def test_years_without_stock_and_calls_have_one_figure() -> None:
    assert len(figures_of_years([year("POV", 2006, None, 2, 0)])) == 1
    assert figures_of_years([]) == []


def test_tags_that_have_no_colour_of_their_own_are_put_together() -> None:
    rows = [year(f"Tag {number}", 2006, None, 1, 10 - number) for number in range(8)]
    _, stock = figures_of_years(rows)
    assert "Tag 3: most in 2006, 7. 4 others: most in 2006, 18." in stock.alt


def test_lives_say_their_median_and_what_stands(tmp_path: Path) -> None:
    groups, _ = group_lives(spells(folder(tmp_path)), "tag", {})
    (figure,) = figures_of_lives(groups)
    assert "all: of 3 tags, half are taken out within 9.0 days; 33% stand longer" in figure.alt
    assert "Weasel: of 1 tag, half are taken out within 9.0 days; 0% stand" in figure.alt
    stands, _ = group_lives((s for s in spells(folder(tmp_path)) if s.stands), "tag", {})
    assert "more than half still stand" in figures_of_lives(stands)[0].alt
    assert figures_of_lives([])[0].alt == ""


def test_standing_tells_which_still_stand(tmp_path: Path) -> None:
    found = list(spells(folder(tmp_path)))
    (figure,) = figures_of_standing(found)
    assert figure.title == "Days that tags stood (orange: they still do)"
    assert "POV: Weir: 799 days, and stands." in figure.alt
    assert "POV: Mill: 2 days." in figure.alt
    standing = figures_of_standing([spell for spell in found if spell.stands])
    assert standing[0].title == "Days that tags stand"
    assert figures_of_standing([])[0].alt == "None."


def test_years_of_spells_can_be_drawn(tmp_path: Path) -> None:
    rows = tag_years(spells(folder(tmp_path)), {}, {})
    assert [figure.title for figure in figures_of_years(rows)] == [
        "Tags put in and taken out, by year",
        "Tags that stand at the end of the year",
    ]
