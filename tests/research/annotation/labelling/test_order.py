"""The order of an annotator: his own, the same each time, repeats apart, assigned items only."""

from __future__ import annotations

import pytest

from wikibias.research.annotation.labelling.rounds import ordered
from wikibias.research.annotation.tasks import Task

TASKS = [Task(item=f"s{number}", text="x") for number in range(40)]


def items(tasks: list[Task], annotator: str, seed: int = 0) -> list[str]:
    return [task.item for task in ordered(tasks, annotator, seed)]


def test_it_is_the_same_each_time_and_another_for_each() -> None:
    mila = items(TASKS, "mila")
    assert mila == items(list(reversed(TASKS)), "mila")
    assert sorted(mila) == sorted(task.item for task in TASKS)
    assert mila != items(TASKS, "ivan")
    assert mila != items(TASKS, "mila", seed=1)


def test_more_items_change_the_order_of_no_others() -> None:
    known = set(items(TASKS[:20], "mila"))
    assert [item for item in items(TASKS, "mila") if item in known] == items(TASKS[:20], "mila")


@pytest.mark.parametrize("annotator", ["mila", "ivan", "ada"])
def test_a_repeat_stands_far_from_what_it_repeats(annotator: str) -> None:
    repeats = [
        Task(item=f"r{number}", text="x", kind="repeat", repeat_of=f"s{number}")
        for number in range(8)
    ]
    found = items([*TASKS, *repeats], annotator)
    gaps = [abs(found.index(f"r{number}") - found.index(f"s{number}")) for number in range(8)]
    assert min(gaps) >= 8  # of 48, a sixth


def test_practice_comes_first_as_it_stands() -> None:
    practice = [Task(item=name, text="x", kind="practice") for name in ("z", "a")]
    assert items([*TASKS[:3], *practice], "mila")[:2] == ["z", "a"]


def test_who_is_not_named_does_not_see_what_is_assigned() -> None:
    tasks = [
        Task(item="his", text="x", annotators=("ivan",)),
        Task(item="both", text="x", annotators=("ivan", "mila")),
        Task(item="all", text="x"),
    ]
    assert sorted(items(tasks, "ivan")) == ["all", "both", "his"]
    assert sorted(items(tasks, "mila")) == ["all", "both"]


def test_a_repeat_of_nothing_is_an_item_like_others() -> None:
    assert items([Task(item="r", text="x", kind="repeat", repeat_of="gone")], "mila") == ["r"]
