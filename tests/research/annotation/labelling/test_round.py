"""A round of labelling: places, practice, undo, two annotators, coming back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from wikibias.config.guidelines import load_guidelines
from wikibias.errors import UsageError, WikibiasError
from wikibias.research.annotation.answer_store import AnswerStore, answer_store
from wikibias.research.annotation.labelling.rounds import Round
from wikibias.research.annotation.tasks import Task

BIAS = load_guidelines("bias")
TASKS = [Task(item=f"s{number}", text=f"Mill {number} is fine.") for number in range(4)]
BIASED: dict[str, Any] = {"answers": {"bias": "biased"}}
PRACTICE = len(BIAS.practice)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[AnswerStore]:
    with answer_store(tmp_path / "a.db") as found:
        yield found


def test_practice_comes_first_with_what_the_guidelines_say_and_does_not_count(
    store: AnswerStore,
) -> None:
    work = Round(TASKS, BIAS, store)
    state = work.state("mila")
    for number in range(1, PRACTICE + 1):
        assert state["practice"] == {"number": number, "of": PRACTICE}
        state = work.answer("mila", state["place"], BIASED)
        assert state["feedback"]["why"] == BIAS.practice[number - 1].why
    assert state["practice"] is None
    assert (state["done"], state["of"]) == (0, 4)
    assert store.rows() == []


def to_the_end(work: Round, name: str) -> None:
    state = work.state(name)
    while state["place"] is not None:
        state = work.answer(name, state["place"], BIASED)


def test_all_items_are_answered_once_by_each(store: AnswerStore) -> None:
    work = Round(TASKS, BIAS, store)
    to_the_end(work, "mila")
    to_the_end(work, "ivan")
    found = sorted((row["annotator"], row["item"]) for row in store.rows())
    assert found == [(name, task.item) for name in ("ivan", "mila") for task in TASKS]
    assert work.state("mila")["done"] == 4


def test_who_comes_back_goes_on_where_he_stopped(store: AnswerStore) -> None:
    work = Round(TASKS, BIAS, store)
    for place in range(PRACTICE + 1):
        state = work.answer("mila", place, BIASED)
    assert Round(TASKS, BIAS, store).state("mila") == {
        key: value for key, value in state.items() if key not in ("taken", "feedback")
    }


def test_undo_shows_the_answer_that_was_taken_back(store: AnswerStore) -> None:
    work = Round(TASKS, BIAS, store)
    to_the_end(work, "mila")
    state = work.undo("mila", None)
    assert state["draft"] == {"bias": "biased", "comment": ""}
    assert state["place"] == PRACTICE + 3
    state = work.answer("mila", state["place"], {"answers": {"bias": "neutral"}})
    assert state["place"] is None
    assert not work.answer("mila", None, BIASED)["taken"]
    assert [row["bias"] for row in store.rows()] == ["biased"] * 3 + ["neutral"]


def test_an_answer_from_another_window_is_not_taken_for_the_next_item(store: AnswerStore) -> None:
    work = Round(TASKS, BIAS, store)
    assert work.answer("mila", 0, BIASED)["taken"]
    again = work.answer("mila", 0, BIASED)
    assert not again["taken"]
    assert again["place"] == 1
    assert not work.undo("mila", 0)["taken"]
    assert work.state("mila")["place"] == 1


def test_only_those_who_are_named_may_answer(store: AnswerStore) -> None:
    work = Round(TASKS, BIAS, store, names=("mila", "ivan"))
    assert work.check_annotator(" mila ") == "mila"
    with pytest.raises(UsageError, match="the annotators are mila, ivan"):
        work.check_annotator("ada")


def test_the_tasks_may_name_them(store: AnswerStore) -> None:
    tasks = [Task(item="s", text="x", annotators=("ivan", "ada"))]
    assert Round(tasks, BIAS, store).names == ("ivan", "ada")
    with pytest.raises(UsageError, match="no sentence is for 'mila'; the tasks are dealt to ivan"):
        Round(tasks, BIAS, store, names=("mila",))


@pytest.mark.parametrize("name", ["", "  ", "a\nb", "x" * 61, "a\u202eb", "\ud800", "a|b"])
def test_a_name_can_be_read(store: AnswerStore, name: str) -> None:
    with pytest.raises(UsageError, match="1 to 60 characters"):
        Round(TASKS, BIAS, store).check_annotator(name)


def test_the_edit_is_shown_where_it_is_asked_for(store: AnswerStore) -> None:
    tasks = [Task(item="s", text="A fine mill.", counterpart="A mill.", role="removed")]
    place = PRACTICE
    for with_edit in (False, True):
        work = Round(tasks, BIAS, store, with_edit=with_edit)
        for number in range(place):
            work.answer("mila", number, BIASED)
        assert bool(work.state("mila")["item"]["edit"]) is with_edit


@pytest.mark.parametrize(
    ("task", "said"),
    [
        (Task(item="practice 1", text="x"), "called as a practice item"),
        (Task(item="\ud800", text="x"), "half of a character"),
        (Task(item="p", text="x", kind="practice"), "nothing to label"),
    ],
)
def test_what_cannot_be_labelled_is_refused(store: AnswerStore, task: Task, said: str) -> None:
    with pytest.raises(WikibiasError, match=said):
        Round([task], BIAS, store)


def test_the_answers_stay_with_their_questions(store: AnswerStore) -> None:
    to_the_end(Round(TASKS, BIAS, store), "mila")
    with pytest.raises(UsageError, match="other questions"):
        Round(TASKS, load_guidelines("bias-types"), store)


def test_answers_to_other_tasks_alone_are_refused(store: AnswerStore) -> None:
    to_the_end(Round(TASKS, BIAS, store), "mila")
    others = [Task(item="other", text="A bridge.")]
    with pytest.raises(UsageError, match=r"a\.db holds 4 answers, none of them to one of these"):
        Round(others, BIAS, store)
    both = Round([*others, TASKS[0]], BIAS, store)
    assert (both.given, both.foreign) == ({"mila": 1}, 3)


def test_who_has_only_practised_has_given_no_answer(store: AnswerStore) -> None:
    Round(TASKS, BIAS, store).answer("mila", 0, BIASED)
    others = [Task(item="other", text="A bridge.")]
    assert Round(others, BIAS, store).given == {}


def test_edits_are_not_asked_for_where_the_tasks_hold_none(store: AnswerStore) -> None:
    with pytest.raises(UsageError, match="the tasks hold no edits"):
        Round(TASKS, load_guidelines("intents"), store)
    with pytest.raises(UsageError, match="the tasks hold no edits"):
        Round(TASKS, BIAS, store, with_edit=True)
