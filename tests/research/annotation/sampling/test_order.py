"""Tests of the order of tasks, their names, and who is given which."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikibias.errors import UsageError
from wikibias.research.annotation.samples import Shared, dealt, item_name, read_shared, shuffled
from wikibias.research.annotation.tasks import Task


def tasks(number: int, repeats: int, strata: int = 1) -> list[Task]:
    """Return so many drawn tasks, the first of which are repeated."""
    drawn = [Task(f"t{n}", "x", stratum=f"bin={n % strata}") for n in range(number)]
    again = [Task(f"r{n}", "x", kind="repeat", repeat_of=f"t{n}") for n in range(repeats)]
    return drawn + again


class TestShuffled:
    @given(st.integers(2, 60), st.integers(0, 30), st.integers(0, 9))
    def test_repeats_are_far_from_their_originals(self, number: int, of: int, seed: int) -> None:
        repeats = min(of, (number + 1) // 2)
        given_ = tasks(number, repeats)
        found = shuffled(given_, str(seed))
        assert sorted(task.item for task in found) == sorted(task.item for task in given_)
        places = {task.item: place for place, task in enumerate(found)}
        for name in range(repeats):
            assert places[f"r{name}"] - places[f"t{name}"] > number // 2 - 1

    def test_follows_from_the_seed(self) -> None:
        assert shuffled(tasks(20, 4), "1") == shuffled(tasks(20, 4), "1")
        assert shuffled(tasks(20, 4), "1") != shuffled(tasks(20, 4), "2")

    def test_a_repeat_without_its_original_stands_anywhere(self) -> None:
        assert len(shuffled([Task("r", "x", kind="repeat", repeat_of="gone")], "1")) == 1


def test_names_of_items_are_letters_alone() -> None:
    names = {item_name(0, "w", str(number)) for number in range(5000)}
    assert len(names) == 5000
    assert all(len(name) == 10 and name.isalpha() for name in names)


class TestDealt:
    def test_gives_the_design_of_the_paper(self) -> None:
        found = dealt(tasks(520, 0, strata=4), ["a", "b"], Shared(number=72))
        shared = [task for task in found if len(task.annotators) == 2]
        assert len(shared) == 72
        assert Counter(task.stratum for task in shared) == dict.fromkeys(
            ("bin=0", "bin=1", "bin=2", "bin=3"), 18
        )
        assert [sum(name in task.annotators for task in found) for name in "ab"] == [296, 296]

    def test_a_share_is_of_what_each_annotator_has(self) -> None:
        found = dealt(tasks(744, 0, strata=4), ["a", "b", "c"], read_shared("24.33%"))
        loads = [sum(name in task.annotators for task in found) for name in "abc"]
        assert sum(len(task.annotators) == 3 for task in found) == 72
        assert loads == [296, 296, 296]

    def test_a_repeat_goes_where_its_original_goes(self) -> None:
        found = {task.item: task for task in dealt(tasks(30, 6), ["a", "b"], Shared(0.2))}
        for name in range(6):
            assert found[f"r{name}"].annotators == found[f"t{name}"].annotators

    def test_refuses_to_share_more_than_there_is(self) -> None:
        with pytest.raises(UsageError, match="--shared 40 is more than the 30 sentences"):
            dealt(tasks(30, 0), ["a", "b"], Shared(number=40))


class TestReadShared:
    def test_knows_shares_and_numbers(self) -> None:
        assert read_shared("24%").share == read_shared("0.24").share == 0.24
        assert read_shared(" 72 ").number == 72
        assert dealt(tasks(9, 0), ["a", "b"], read_shared("100%"))[0].annotators == ("a", "b")

    @pytest.mark.parametrize("text", ["", "many", "-1", "120%", "1.5"])
    def test_refuses_others(self, text: str) -> None:
        with pytest.raises(UsageError, match="--shared"):
            read_shared(text)
