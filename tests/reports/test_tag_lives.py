from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from histories import START
from made_transitions import Told, transitions_of, write_transitions
from wikibias.reports.tag_lives import Lives, in_days, lives, median_life, survival


def made(*days: tuple[float, bool]) -> Lives:
    found = Lives()
    for number, ended in days:
        found.add(number, ended=ended, stands=not ended)
    return found


def test_a_curve_worked_by_hand() -> None:
    """Four tags: gone after 1 and after 3 days, seen up to day 2, still there on day 5."""
    curve = survival(made((3, True), (1, True), (5, False), (2, False)))
    # After day 1 three of four are left; on day 3 one of the two that are still watched goes.
    assert curve == [(0, 1), (1, 0.75), (3, pytest.approx(0.375)), (5, pytest.approx(0.375))]
    assert median_life(curve) == 3


def test_tags_that_go_on_the_same_day_make_one_step() -> None:
    assert survival(made((2, True), (2, True), (2, False))) == [
        (0, 1),
        (2, pytest.approx(1 / 3)),
        (2, pytest.approx(1 / 3)),
    ]


def test_where_most_tags_stand_there_is_no_median() -> None:
    assert median_life(survival(made((9, False), (1, True), (9, False)))) is None
    assert median_life(survival(Lives())) is None


def test_lives_of_a_folder_are_those_of_its_tags(tmp_path: Path) -> None:
    pages = [
        Told(1, "A", ["x", "{{POV}} x", "y"], [0, 24, 72]),
        Told(2, "B", ["x", "{{Weasel}} x"], [0, 24]),
    ]
    folder = write_transitions(
        tmp_path, "p", transitions_of(pages), newest=START + timedelta(days=11)
    )
    found = lives(folder)
    assert found is not None
    assert list(found["POV"].days) == [2]
    assert list(found["POV"].ended) == [1]
    assert (list(found["Weasel"].days), found["Weasel"].standing) == ([10], 1)
    assert len(found[""].days) == 2
    assert found[""].standing == 1


def test_a_folder_without_transitions_has_none(tmp_path: Path) -> None:
    assert lives(tmp_path) is None


def test_days_are_told_in_words() -> None:
    assert [in_days(days) for days in (0.2, 1.2, 1234.0)] == [
        "less than a day",
        "1 day",
        "1,234 days",
    ]
