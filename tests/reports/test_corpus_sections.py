from collections import Counter
from typing import Any

from blocks import cells, figures, folded, says, tables
from wikibias.corpus.log_odds import Contrast
from wikibias.reports import corpus_sections
from wikibias.reports.corpus_statistics import Edits, Sentences

CORPUS: dict[str, Any] = {
    "removed": 67, "added": 63, "unchanged": 4, "pages": 12, "edits": 13,
    "splits": {"train": 112, "dev": 10, "test": 12},
    "left_out": {"too_short": {"removed": 1, "added": 0, "unchanged": 2}},
}  # fmt: skip


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
    assert folded(section, "What was left out, and why").rows[0] == ["too short", "1", "0", "2"]
    # An earlier version knew no tiers.
    assert figures(section) == []


def test_tiers_come_from_the_sentences() -> None:
    found = Sentences(tiers={"low": Counter(biased=3), "high": Counter(neutral=2)})
    assert cells(corpus_sections.composition(CORPUS, found), 2) == [
        ["high", "0", "2"],
        ["low", "3", "0"],
    ]


def test_words_stand_at_the_class_that_has_more_of_them() -> None:
    contrasts = [Contrast("finest", 9, 1, 1.2, 2.5), Contrast("largest", 1, 9, -1.2, -2.5)]
    found = Sentences(contrasts=contrasts, sizes=(100, 90))
    section = corpus_sections.words(found)
    assert cells(section, 0) == [["finest", "+2.50", "9", "1"]]
    assert cells(section, 1) == [["largest", "-2.50", "1", "9"]]
    assert "2 of 2 words are beyond" in says(section)[0]


def test_what_is_not_there_is_said_and_not_drawn() -> None:
    sections = [
        corpus_sections.filters({}),
        corpus_sections.filters({"kept": 0}),
        corpus_sections.composition({}, None),
        corpus_sections.composition({"removed": 0}, None),
        corpus_sections.sizes(None, None),
        corpus_sections.sizes(Edits(), None),
        corpus_sections.words(None),
        corpus_sections.words(Sentences()),
    ]
    for section in sections:
        assert len(says(section)) == 1
        assert figures(section) == []
        assert tables(section) == []
