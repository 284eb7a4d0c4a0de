"""Topics of a corpus, of its groups and of samples of it."""

from __future__ import annotations

from collections import Counter

import numpy as np

from made_documents import SUBJECTS, corpus, labelled
from wikibias.corpus.topic_counts import counted
from wikibias.research.selection_bias.documents import Documents
from wikibias.research.selection_bias.fits import drawn, fits
from wikibias.research.selection_bias.groups import Group, groups_of
from wikibias.research.selection_bias.settings import Settings

SETTINGS = Settings(topics=(2, 4), words=(4, 8), seeds=(7, 8))


def test_everything_is_fitted_once_for_each_seed() -> None:
    made = labelled({"sea": 1.0}, {"farm": 1.0}, 440)
    groups, _ = groups_of(made, None)
    said: list[str] = []
    found = fits(made, counted(made.texts, ()), groups, SETTINGS, said.append)
    assert [*found.grid] == [2, 4]
    assert [*found.sizes] == [55, 110, 220, 440]
    assert [str(group) for group in found.groups] == ["label biased", "label neutral"]
    for of in (found.grid, found.groups, found.sizes):
        for several in of.values():
            assert [each.seed for each in several] == [7, 8]
    assert found.sizes[440] is found.grid[2]
    assert len(said) == len(set(said)) == 2 * (2 + 2 + 3)
    assert said[0] == "made: 2 topics of all documents, seed 7 (1 of 14)"
    assert said[-1].endswith("(14 of 14)")
    assert {*found.words()} >= {*SUBJECTS["sea"], *SUBJECTS["farm"]}


def test_a_group_has_the_topics_of_its_own_documents() -> None:
    made = labelled({"sea": 1.0}, {"farm": 1.0}, 400)
    groups, _ = groups_of(made, None)
    found = fits(made, counted(made.texts, ()), groups, SETTINGS, lambda line: None)
    biased, neutral = found.groups.values()
    words = [
        {word for fit in of for topic in fit.words for word in topic} for of in (biased, neutral)
    ]
    assert words[0].isdisjoint(SUBJECTS["farm"])
    assert words[1].isdisjoint(SUBJECTS["sea"])


def test_what_is_drawn_is_of_whole_pages() -> None:
    made = corpus("made", {"sea": 0.5, "farm": 0.5}, 100, 0)
    assert made.pages is not None
    rows = drawn(range(100), made.pages, 50, np.random.default_rng(0))
    assert rows == sorted(set(rows))
    assert set(Counter(made.pages[row] for row in rows).values()) == {5}
    alone = drawn(range(100), None, 50, np.random.default_rng(0))
    assert len(set(alone)) == 50
    one_page = drawn(range(20, 100), ["only"] * 100, 30, np.random.default_rng(0))
    assert len(one_page) == 30
    assert min(one_page) >= 20
    assert one_page != list(range(20, 50))


def test_samples_of_no_counted_word_are_left_out_and_no_corpus_is_compared_unasked() -> None:
    made = corpus("made", {"sea": 0.5, "farm": 0.5}, 400, 0)
    settings = Settings(topics=(2,), words=(4,), seeds=(7,))
    empty = Documents("made", ["x"] * 400 + [*made.texts[:8]], {}, None, "en", 408)
    group = Group("year", "2000", 100, range(400))
    counts = counted(empty.texts, (), least=1)
    found = fits(empty, counts, [group], settings, lambda line: None, compared=200)
    assert found.groups == {}
    assert found.sizes.keys() >= {408}
    assert fits(made, counted(made.texts, ()), [], settings, lambda line: None).compared == ()
