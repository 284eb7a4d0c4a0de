from __future__ import annotations

from collections import Counter
from typing import Any

from wikibias.corpus.log_odds import Contrast
from wikibias.rendering.html import Table
from wikibias.reports import corpus_sections
from wikibias.reports.corpus_statistics import Edits, Sentences, Transitions
from wikibias.reports.sections import Section
from wikibias.reports.tag_lives import ALL, TagLives

CORPUS: dict[str, Any] = {
    "removed": 67, "added": 63, "unchanged": 4, "pages": 12, "edits": 13,
    "splits": {"train": 112, "dev": 10, "test": 12},
    "left_out": {"too_short": {"removed": 1, "added": 0, "unchanged": 2}},
}  # fmt: skip


def cells(section: Section, number: int = 0) -> list[list[str]]:
    table: Table = section.tables[number]
    return [[str(cell) for cell in row] for row in table.rows]


def test_filters_say_what_each_left() -> None:
    section = corpus_sections.filters({"spelling": 2, "kept": 3, "of_a_plugin": 1})
    assert cells(section) == [
        ["all pairs of revisions", "", "6"],
        ["spelling", "2", "4"],
        ["of_a_plugin", "1", "3"],
    ]


def test_a_corpus_is_told_by_role_and_split() -> None:
    section = corpus_sections.composition(CORPUS, None)
    assert cells(section)[-1] == ["total", "", "134"]
    assert cells(section, 1)[0] == ["train", "112"]
    assert section.folded["What was left out, and why"].rows[0] == ["too short", "1", "0", "2"]
    # An earlier version knew no tiers.
    assert section.figures == []


def test_tiers_come_from_the_sentences() -> None:
    found = Sentences(tiers={"low": Counter(biased=3), "high": Counter(neutral=2)})
    assert cells(corpus_sections.composition(CORPUS, found), 2) == [
        ["high", "0", "2"],
        ["low", "3", "0"],
    ]


def test_tags_stand_in_the_order_of_their_removals() -> None:
    found = Transitions(
        Counter({2006: 4}), Counter({2007: 3}), Counter(A=3, B=1), Counter(B=2, C=1)
    )
    section = corpus_sections.over_the_years(found)
    assert cells(section) == [["B", "1", "2"], ["C", "0", "1"], ["A", "3", "0"]]
    assert section.folded["Numbers by year"].rows == [["2006", "4", "0"], ["2007", "0", "3"]]


def test_lives_of_each_tag_and_of_all() -> None:
    pov = TagLives(standing=1)
    for days in (10, 20, 400):
        pov.lives.add(days, has_ended=days < 400)
    section = corpus_sections.durations({ALL: pov, "POV": pov})
    assert cells(section) == [
        ["all tags", "3", "1", "20 days", "10 to ?", "33%"],
        ["POV", "3", "1", "20 days", "10 to ?", "33%"],
    ]


def test_a_year_that_nobody_watched_is_not_told() -> None:
    short = TagLives(standing=1)
    short.lives.add(10, has_ended=False)
    assert cells(corpus_sections.durations({ALL: short}))[0][-2:] == ["–", "–"]


def test_words_stand_at_the_class_that_has_more_of_them() -> None:
    contrasts = [Contrast("finest", 9, 1, 1.2, 2.5), Contrast("largest", 1, 9, -1.2, -2.5)]
    found = Sentences(contrasts=contrasts, sizes=(100, 90))
    section = corpus_sections.words(found)
    assert cells(section, 0) == [["finest", "+2.50", "9", "1"]]
    assert cells(section, 1) == [["largest", "-2.50", "1", "9"]]
    assert "2 of 2 words are beyond" in section.says[0]


def test_what_is_not_there_is_said_and_not_drawn() -> None:
    sections = [
        corpus_sections.filters({}),
        corpus_sections.filters({"kept": 0}),
        corpus_sections.composition({}, None),
        corpus_sections.composition({"removed": 0}, None),
        corpus_sections.over_the_years(None),
        corpus_sections.over_the_years(Transitions()),
        corpus_sections.durations(None),
        corpus_sections.durations({ALL: TagLives()}),
        corpus_sections.sizes(None, None),
        corpus_sections.sizes(Edits(), None),
        corpus_sections.words(None),
        corpus_sections.words(Sentences()),
    ]
    for section in sections:
        assert len(section.says) == 1
        assert section.figures == []
        assert section.tables == []
