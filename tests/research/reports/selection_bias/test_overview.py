"""The head of the page."""

from __future__ import annotations

import re

from selection_bias_results import Wanted, full, made, minimal
from wikibias.research.reports.selection_bias.overview import READING, overview
from wikibias.research.reports.selection_bias.result import Result


def test_the_head_tells_what_figures_say_and_what_not() -> None:
    beside, begin, reading, figures, measured = overview(Result(minimal())).blocks
    assert len(beside.says) == 1
    assert begin.notes == ["Tags of fewer than 100 sentences were left out."]
    assert reading.points == list(READING)
    assert [row[1] for row in figures.tables[0].rows] == ["B1", "B2 mean-max", "B2 max"]
    corpora, lists = measured.tables
    assert list(corpora.rows[0])[:4] == ["one", "en", "4,000", "52,000"]
    assert list(lists.rows[0])[:4] == ["own", "a file", "2", "1"]


def test_without_random_lists_nothing_is_said_of_them() -> None:
    result = minimal()
    for each in result["figures"]:
        each["baseline"] = None
    _, begin, _, figures, _ = overview(Result(result)).blocks
    assert "random" not in " ".join(begin.after)
    assert "a dot is the figure of 8 topics of 8 words" in begin.after[0]
    assert list(figures.tables[0].header) == ["keywords", "figure", "value [95 %]"]
    assert {len(row) for row in figures.tables[0].rows} == {3}


def test_several_corpora_are_named_in_each_row() -> None:
    result = Result(full())
    _, begin, _, figures, _ = overview(result).blocks
    assert figures.tables[0].header[0] == "corpus"
    assert len(figures.tables[0].rows) == 3 * len(result.pairs)
    assert [drawing.title for drawing in begin.figures] == ["B1", "B2 mean-max", "B2 max"]
    assert "enwiki-2019 · tag-set: " in begin.figures[0].alt
    assert "random lists" in begin.figures[0].alt


def test_several_lists_stand_in_a_table_beside_random_ones() -> None:
    beside = overview(Result(full())).blocks[0]
    assert not beside.says
    assert len(beside.tables[0].rows) == 6


def test_charts_name_a_list_once_and_a_corpus_by_its_colour() -> None:
    lists = {"subject": ["city"], "unrelated": ["vote"]}
    corpora = ("anarchism-tags-wide", "anarchism-summaries-wide")
    chart = overview(Result(made(Wanted(corpora, lists)))).blocks[1].figures[0]
    texts = re.findall(r"<text[^>]*>([^<]*)<", chart.markup)
    assert [text for text in texts if not re.fullmatch(r"[\d.]+", text)] == [*corpora, *lists]


def test_charts_show_as_many_corpora_as_there_are_colours() -> None:
    result = Result(made(Wanted([f"corpus{number}" for number in range(7)])))
    begin = overview(result).blocks[1]
    assert "The charts are of the first 5 corpora." in begin.after[0]
    assert ">corpus4<" in begin.figures[0].markup
    assert ">corpus5<" not in begin.figures[0].markup


def test_intervals_of_few_seeds_are_said_to_be_wide() -> None:
    said = "which are wide since the seeds are few"
    for seeds, is_said in ((2, True), (5, False)):
        begin = overview(Result(made(Wanted(seeds=seeds)))).blocks[1]
        assert (said in begin.after[0]) == is_said


def test_of_fasttext_the_page_says_how_many_keywords_it_has_seen() -> None:
    result = full()
    for each in result["keywords"]:
        each["seen"] = 0.25
    (*_, lists) = overview(Result(result)).blocks[-1].tables
    assert all("95% (25% seen)" in row for row in lists.rows)
