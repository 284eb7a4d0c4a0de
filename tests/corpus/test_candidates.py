"""Which sentences of an edit, and of featured articles, may go into a corpus, and its splits."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from made_edits import CHOICE, GONE, candidates_of, edit, rng, whole, word
from wikibias.corpus.candidates import (
    DIMENSIONS,
    EXCLUSIONS,
    NONE,
    Choice,
    Ints,
    Sentences,
    Topics,
    edited,
    in_turn,
    negatives,
)
from wikibias.corpus.evidence import ADDED, REMOVED
from wikibias.corpus.splits import LEFT_OUT, main_split, split_of
from wikibias.records import Edit, History, Relation

MILL = "The old mill stands at the river."


def exclusions(found: Edit, choice: Choice = CHOICE) -> list[str]:
    return [EXCLUSIONS[number] for number in candidates_of([found], choice).exclusion]


def test_most_sentences_may_be_chosen() -> None:
    assert exclusions(edit(removed=[MILL], added=[MILL], unchanged=[MILL])) == ["", "", ""]


@pytest.mark.parametrize("relation", ["moved", "number_only"])
def test_where_nothing_was_said_otherwise_nothing_was_edited(relation: Relation) -> None:
    link = GONE._replace(relation=relation)
    found = edit(removed=[MILL], added=[MILL], links=(link,), added_links=(link,))
    assert exclusions(found) == [relation, relation]
    candidates = candidates_of([found])
    assert not edited(candidates, REMOVED).any()
    assert not edited(candidates, ADDED).any()


def test_lengths_are_in_words() -> None:
    seven = replace(CHOICE, lengths=range(7, 8))
    assert exclusions(edit(removed=[MILL, "The mill.", MILL + " It is old."]), seven) == [
        "",
        "too_short",
        "too_long",
    ]
    assert edited(candidates_of([edit(removed=["The mill."])], seven), REMOVED).all()


def test_lines_that_are_no_running_text_are_left_out_unless_asked_for() -> None:
    found = edit(removed=[whole(MILL)._replace(block="list")])
    assert exclusions(found) == ["list"]
    assert exclusions(found, replace(CHOICE, blocks=("list",))) == [""]


@pytest.mark.parametrize(
    "history",
    [History(tags_left=("POV",)), History(tags_swapped_in=("Advert",)), History(tag_back_days=3.0)],
)
def test_no_sentence_is_neutral_since_it_was_left_on_a_page_that_is_still_tagged(
    history: History,
) -> None:
    found = edit(removed=[MILL], added=[MILL], unchanged=[MILL], history=history)
    assert exclusions(found) == ["", "", "tag_stands"]


def test_a_tag_that_came_back_long_after_says_nothing() -> None:
    history = History(tag_back_days=3000.0)
    assert exclusions(edit(added=[MILL], history=history)) == [""]


def test_pages_and_edits_are_numbered_as_they_come() -> None:
    made = [edit(9, [MILL]), edit(4, [MILL], [MILL]), edit(9, [], [], [MILL])]
    candidates = candidates_of(made)
    assert candidates.page.tolist() == [0, 1, 1, 0]
    assert candidates.edit.tolist() == [0, 1, 1, 2]
    assert candidates.role.tolist() == [0, 0, 1, 2]
    assert len(set(candidates.form.tolist())) == 1


def lengths(mean: float, number: int, seed: int) -> Ints:
    """Return word counts as sentences have them, with this mean of their logarithms."""
    return np.clip(rng(seed).lognormal(mean, 0.5, number), 6, 299).astype(np.int64)


def auc(above: Ints, below: Ints) -> float:
    """Return how often a number of the first is above one of the second."""
    order = np.sort(below)
    left, right = (np.searchsorted(order, above, side) for side in ("left", "right"))
    return float((left + right).mean() / 2 / len(below))


def unit(*places: int) -> NDArray[np.float32]:
    """Return the topic of pages of which each is about one thing."""
    rows = np.zeros((len(places), DIMENSIONS), np.float32)
    rows[np.arange(len(places)), places] = 1
    return rows


def test_length_alone_does_not_tell_the_classes_apart() -> None:
    """Featured articles have longer sentences: without matching, length alone would."""
    own, theirs = lengths(2.8, 3000, 1), lengths(3.3, 40_000, 2)
    assert auc(theirs, own) > 0.7
    pages = unit(*[0] * 201)
    positives = Sentences(own, np.zeros(len(own), np.int64))
    candidates = Sentences(theirs, rng(3).integers(1, 201, len(theirs)))
    found = negatives(positives, candidates, pages, rng())
    assert (found != NONE).mean() > 0.99
    matched = found != NONE
    assert auc(theirs[found[matched]], own[matched]) == pytest.approx(0.5, abs=0.01)


def test_a_negative_is_of_the_article_that_is_most_like_the_page() -> None:
    """Of six pages on two subjects, so that the subject tells nothing."""
    topics = unit(0, 1, 0, 1, 0, 1)
    own = Sentences(np.full(40, 20), np.arange(40) % 2)
    theirs = Sentences(np.full(400, 20), 2 + np.arange(400) % 4)
    found = negatives(own, theirs, topics, rng())
    assert np.array_equal(theirs.page[found] % 2, own.page)


def test_articles_give_equal_shares_and_sections_take_turns() -> None:
    topics = unit(0, 0, 0, 0, 0)
    own = Sentences(np.full(40, 20), np.zeros(40, np.int64))
    section = np.where(np.arange(4000) < 3600, 0, 1)
    theirs = Sentences(np.full(4000, 20), 1 + np.arange(4000) % 4, section)
    found = negatives(own, theirs, topics, rng())
    assert np.bincount(theirs.page[found]).max() <= 20
    assert abs(int(section[found].sum()) - 20) <= 2


def test_no_candidate_is_taken_twice_and_some_positives_stay_alone() -> None:
    own = Sentences(np.array([10, 10, 10, 100]), np.zeros(4, np.int64))
    theirs = Sentences(np.array([10, 12]), np.ones(2, np.int64))
    found = negatives(own, theirs, unit(0, 0), rng())
    assert sorted(found.tolist()) == [NONE, NONE, 0, 1]
    assert found[3] == NONE
    nothing = Sentences(np.zeros(0, np.int64), np.zeros(0, np.int64))
    assert negatives(own, nothing, unit(0, 0), rng()).tolist() == [NONE] * 4


def test_the_same_seed_gives_the_same_sentences_and_another_others() -> None:
    own = Sentences(lengths(2.8, 200, 1), np.zeros(200, np.int64))
    theirs = Sentences(lengths(3.0, 4000, 2), rng(3).integers(1, 20, 4000))
    first, again, other = (negatives(own, theirs, unit(*[0] * 20), rng(s)) for s in (0, 0, 1))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


@pytest.mark.parametrize(
    ("there", "shares"),
    [
        ([90, 90, 90], [30, 30, 30]),
        ([10, 90, 90], [10, 40, 40]),
        ([10, 5], [10, 5]),
        ([0, 200], [0, 90]),
    ],
)
def test_kinds_give_equal_shares(there: list[int], shares: list[int]) -> None:
    kinds = [np.full(number, kind) for kind, number in enumerate(there)]
    assert np.bincount(in_turn(kinds)[:90], minlength=len(there)).tolist() == shares
    assert not len(in_turn([]))


RIVERS = ["the river flows through the valley", "its tributary joins the river at the weir"]
SAINTS = ["the abbot founded the monastery", "the monks left the monastery with the abbot"]


def test_pages_of_one_subject_are_alike() -> None:
    topics = Topics()
    pages = [RIVERS[:1], SAINTS[:1], RIVERS[1:], SAINTS[1:]]
    for number, page in enumerate(pages):
        for sentence in page:
            topics.add(number, sentence)
    rows = topics.vectors(4)
    assert rows.shape == (4, DIMENSIONS)
    likeness = rows @ rows.T
    assert likeness[0].argsort()[-2] == 2
    assert likeness[1].argsort()[-2] == 3


def test_a_script_without_spaces_counts_in_pairs_of_letters() -> None:
    topics = Topics()
    for number, text in enumerate(["河流流经山谷", "河流汇入山谷", "修道院由院长创立"]):
        topics.add(number, text)
    rows = topics.vectors(3)
    assert rows[0] @ rows[1] > rows[0] @ rows[2]


def test_a_page_of_which_nothing_is_known_is_like_none() -> None:
    topics = Topics()
    topics.add(2, "the river")
    topics.add(0, "the abbot")
    rows = topics.vectors(4)
    assert not rows[[1, 3]].any()
    assert np.allclose(np.linalg.norm(rows[[0, 2]], axis=1), 1)
    assert not Topics().vectors(1).any()


def test_by_page_what_is_not_chosen_goes_with_its_page() -> None:
    candidates = candidates_of([edit(page, [f"A {word(page)}.", "B."]) for page in range(20)])
    chosen = np.arange(0, 20, 2)
    split, _, _ = split_of(candidates, chosen, CHOICE, rng())
    assert (split[0::2] == split[1::2]).all()
    assert (split[:20] != LEFT_OUT).all()
    assert (split[20:] == LEFT_OUT).all()


def test_by_sentence_only_what_is_chosen_has_a_split() -> None:
    candidates = candidates_of([edit(1, [f"A {word(n)}." for n in range(100)])])
    split, _, _ = split_of(candidates, np.arange(50), replace(CHOICE, split_by="sentence"), rng())
    assert np.bincount(split[:50]).tolist() == [40, 5, 5]
    assert (split[50:] == LEFT_OUT).all()


def test_a_group_belongs_where_most_of_it_stands() -> None:
    split = np.array([2, 0, 2, 1, LEFT_OUT, 1, 0])
    group = np.array([0, 0, 0, 3, 3, 5, 5])
    assert main_split(split, group).tolist() == [2, 2, 2, 1, 1, 0, 0]


def test_without_sentences() -> None:
    candidates = candidates_of([])
    nothing = np.zeros(0, np.int64)
    assert len(split_of(candidates, nothing, CHOICE, rng())[0]) == 0
    assert len(main_split(nothing, nothing)) == 0
