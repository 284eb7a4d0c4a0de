"""Groups of documents by what is known of each."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from made_documents import SUBJECTS, corpus, labelled
from wikibias.errors import UsageError
from wikibias.research.selection_bias import samples
from wikibias.research.selection_bias.documents import Documents


def documents(**facts: dict[str, int]) -> Documents:
    """Return documents whose facts have values, each so often."""
    values = {
        name: [value for value, number in of.items() for _ in range(number)]
        for name, of in facts.items()
    }
    number = max(map(len, values.values()), default=1)
    padded = {name: [*of, *[""] * (number - len(of))] for name, of in values.items()}
    return Documents("made", ["text"] * number, padded)


def test_groups_by_one_fact_have_half_of_the_smallest_drawn() -> None:
    found, notes = samples.groups_of(documents(label={"neutral": 500, "biased": 301}), None)
    assert [(each.value, each.drawn, len(each.rows)) for each in found] == [
        ("neutral", 150, 500),
        ("biased", 150, 301),
    ]
    assert notes == []
    assert [str(each) for each in found] == ["label neutral", "label biased"]


def test_biased_less_neutral_and_train_less_test_else_the_largest_less_each() -> None:
    made = documents(
        label={"neutral": 500, "biased": 301},
        split={"dev": 100, "test": 150, "train": 700},
        year={"2019": 200, "2020": 300, "2021": 100},
    )
    found = samples.pairs(samples.groups_of(made, None)[0])
    assert [(first.by, first.value, second.value) for first, second in found] == [
        ("label", "biased", "neutral"),
        ("split", "train", "test"),
        ("year", "2020", "2019"),
        ("year", "2020", "2021"),
    ]


def test_small_groups_are_left_out_and_it_is_said() -> None:
    found, notes = samples.groups_of(documents(year={"2019": 200, "2020": 300, "2021": 99}), None)
    assert [each.value for each in found] == ["2020", "2019"]
    assert notes == [
        "made: groups left out, 1 by year: fewer than 100 documents, less than a twentieth of the "
        "largest group, or not among the 12 largest"
    ]


def test_facts_with_one_large_group_make_none() -> None:
    made = documents(label={"biased": 400, "neutral": 20}, year={"2019": 3, "2020": 2})
    found, notes = samples.groups_of(made, None)
    assert found == []
    assert notes == ["made: no groups by label, year: at least two need 100 documents each"]
    assert samples.groups_of(made, ["label"])[1] == [
        "made: no groups by label: at least two need 100 documents each, and there are biased 400, "
        "neutral 20"
    ]
    assert samples.groups_of(documents(label={"biased": 400}), None) == ([], [])


def test_a_document_of_several_tags_is_of_each() -> None:
    found, _ = samples.groups_of(documents(tag={"pov|weasel": 120, "weasel": 100}), ["tag"])
    assert [(each.value, len(each.rows)) for each in found] == [("weasel", 220), ("pov", 120)]


def test_no_more_are_drawn_than_are_needed_and_the_largest_twelve_are_taken() -> None:
    found, notes = samples.groups_of(
        documents(year={str(year): 5000 + year for year in range(14)}), None
    )
    assert {each.drawn for each in found} == {2000}
    assert [each.value for each in found] == [str(year) for year in range(13, 1, -1)]
    assert notes[0].startswith("made: groups left out, 2 by year")


def test_what_was_asked_for_and_parts_no_corpus_is_refused() -> None:
    empty = documents(label={"biased": 400})
    both = documents(label={"biased": 400, "neutral": 200})
    with pytest.raises(UsageError, match="cannot compare groups by label: at least two need 100"):
        samples.check_asked(["label"], [empty])
    with pytest.raises(UsageError, match="by year: the corpus does not tell it; leave it out of"):
        samples.check_asked(["year"], [both])
    samples.check_asked(["label"], [empty, both])
    assert samples.groups_of(empty, ["label"])[1] == [
        "made: no groups by label: at least two need 100 documents each, and there are biased 400"
    ]


def test_corpora_have_half_of_the_smallest_drawn_of_each() -> None:
    made = [Documents(name, ["text"] * n, {}) for name, n in (("a", 500), ("b", 241), ("c", 99))]
    note = "c: not compared with other corpora, which needs 100 documents"
    groups, notes = samples.corpus_groups(made)
    assert {name: group.drawn for name, group in groups.items()} == {"a": 120, "b": 120}
    assert notes == [note]
    assert samples.corpus_groups(made[1:]) == ({}, [note])
    assert samples.corpus_groups(made[:1]) == samples.corpus_groups(made[2:]) == ({}, [])
    large = [Documents(name, ["text"] * 9000, {}) for name in ("a", "b")]
    assert {group.drawn for group in samples.corpus_groups(large)[0].values()} == {2000}


SETTINGS = samples.Settings(topics=(2, 4), words=(4, 8), seeds=(7, 8))


def test_everything_is_fitted_once_for_each_seed_and_groups_of_their_own() -> None:
    made = labelled({"sea": 1.0}, {"farm": 1.0}, 240)
    groups, _ = samples.groups_of(made, None)
    said: list[str] = []
    found = samples.fit_all(
        made, samples.count_words(made.texts, ()), groups, SETTINGS, said.append
    )
    assert [*found.grid] == [2, 4]
    assert [str(group) for group in found.groups] == ["label biased", "label neutral"]
    for of in (found.grid, found.groups):
        for several in of.values():
            assert [each.seed for each in several] == [7, 8]
    assert len(said) == len(set(said)) == 2 * (2 + 2)
    assert said[0] == "made: 2 topics of all documents, seed 7 (1 of 8)"
    assert said[-1].endswith("(8 of 8)")
    assert {*found.words()} >= {*SUBJECTS["sea"], *SUBJECTS["farm"]}
    # A group has the topics of its own documents.
    for fits, other in zip(found.groups.values(), ("farm", "sea"), strict=True):
        words = {word for fit in fits for topic in fit.words for word in topic}
        assert words.isdisjoint(SUBJECTS[other])


def test_what_is_drawn_is_of_whole_pages() -> None:
    made = corpus("made", {"sea": 0.5, "farm": 0.5}, 100, 0)
    assert made.pages is not None
    rows = samples.sample_rows(range(100), made.pages, 50, np.random.default_rng(0))
    assert rows == sorted(set(rows))
    assert set(Counter(made.pages[row] for row in rows).values()) == {5}
    alone = samples.sample_rows(range(100), None, 50, np.random.default_rng(0))
    assert len(set(alone)) == 50
    one_page = samples.sample_rows(range(20, 100), ["only"] * 100, 30, np.random.default_rng(0))
    assert len(one_page) == 30
    assert min(one_page) >= 20
    assert one_page != list(range(20, 50))


def test_a_sample_of_no_counted_word_is_left_out() -> None:
    made = corpus("made", {"sea": 0.5, "farm": 0.5}, 400, 0)
    settings = samples.Settings(topics=(2,), words=(4,), seeds=(7,))
    empty = Documents("made", ["x"] * 400 + [*made.texts[:8]], {}, None, "en", 408)
    group = samples.Group("year", "2000", 100, range(400))
    counts = samples.count_words(empty.texts, (), least=1)
    found = samples.fit_all(empty, counts, [group], settings, lambda line: None)
    assert found.groups == {}


def test_words_come_by_falling_weight_and_shares_by_document() -> None:
    texts = ["mill river mill"] * 5 + ["king queen king"] * 5
    found = samples.fit_topics(samples.count_words(texts, frozenset()), 2, 0, 2)
    assert sorted(found.words) == [["king", "queen"], ["mill", "river"]]
    assert found.shares.shape == (10, 2)
    assert np.allclose(found.shares.sum(axis=1), 1)
    assert found.seed == 0


def test_without_a_word_there_are_no_topics() -> None:
    with pytest.raises(UsageError, match="no word but stop words"):
        samples.fit_topics(samples.count_words(["", ""], frozenset(), 1), 2, 0, 3)


@settings(max_examples=20, deadline=None)
@given(st.lists(st.sampled_from(["mill river", "king queen", "river king", ""]), min_size=1))
def test_any_counts_give_topics_whatever_their_number(texts: list[str]) -> None:
    """One document, more topics than documents or words: nothing of it is an error here."""
    assume(any(texts))
    found = samples.fit_topics(samples.count_words(texts, frozenset(), 1), 4, 0, 3)
    assert len(found.words) == 4
    assert found.shares.shape == (len(texts), 4)
    assert np.isfinite(found.shares).all()
