"""Which sentences of an edit may go into a corpus."""

from dataclasses import replace

import pytest

from made_edits import CHOICE, GONE, candidates_of, edit, whole
from wikibias.corpus.candidates import EXCLUSIONS, Choice, edited
from wikibias.corpus.evidence import ADDED, REMOVED
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
    [
        History(tags_left=("POV",)),
        History(tags_swapped_in=("Advert",)),
        History(tag_back_days=3.0),
    ],
)
def test_no_neutral_sentence_comes_from_a_page_that_is_still_tagged(history: History) -> None:
    found = edit(removed=[MILL], added=[MILL], unchanged=[MILL], history=history)
    assert exclusions(found) == ["", "tag_stands", "tag_stands"]


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
