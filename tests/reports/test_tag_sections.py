from collections import Counter

from blocks import cells, figures, folded, says, tables
from wikibias.reports import corpus_sections
from wikibias.reports.corpus_sections import ALL, TagLives
from wikibias.reports.corpus_statistics import Transitions


def test_tags_stand_in_the_order_of_their_removals() -> None:
    found = Transitions(
        Counter({2006: 4}), Counter({2007: 3}), Counter(A=3, B=1), Counter(B=2, C=1)
    )
    section = corpus_sections.over_the_years(found)
    assert cells(section) == [["B", "1", "2"], ["C", "0", "1"], ["A", "3", "0"]]
    assert folded(section, "Numbers by year").rows == [["2006", "4", "0"], ["2007", "0", "3"]]


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


def test_ends_of_less_than_a_day_are_not_called_none() -> None:
    short = TagLives()
    for days in (0.1, 0.2, 0.3, 0.4):
        short.lives.add(days, has_ended=True)
    section = corpus_sections.durations({ALL: short})
    assert cells(section)[0][3:5] == ["less than a day", "<1 to ?"]
    assert says(section)[0].startswith("No tag still stood")


def test_what_is_not_there_is_said_and_not_drawn() -> None:
    sections = [
        corpus_sections.over_the_years(None),
        corpus_sections.over_the_years(Transitions()),
        corpus_sections.durations(None),
        corpus_sections.durations({ALL: TagLives()}),
    ]
    for section in sections:
        assert len(says(section)) == 1
        assert figures(section) == []
        assert tables(section) == []
