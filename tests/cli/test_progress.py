"""Progress: bars on a terminal, elsewhere lines, which say how far it is when one is due."""

import logging
import time

import click
import pytest

from wikibias.cli import progress as module
from wikibias.cli.logs import PROGRESS
from wikibias.cli.progress import Pace, Tally, downloads, lines, progress
from wikibias.dumps.parts import Part

PARTS = [Part("a.xml", ("a.xml",))]


def test_what_is_shown_is_the_sum_of_the_last_of_each_part(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    with progress(PARTS) as update:
        update("a.xml", "detect", 10, 1, 2)
        update("b.xml", "detect", 10, 3, 4)
        update("a.xml", "detect", 20, 5, 6)
        update("b.xml", "filter", 0, 0, 0)
    assert "8 pages, 10 transitions" in capsys.readouterr().err


def test_many_parts_are_shown_in_a_time_that_grows_as_they_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")

    def spent(parts: int) -> float:
        with progress(PARTS) as update:
            began = time.process_time()
            for number in range(parts):
                update(f"{number}.xml", "detect", 10, 1, 2)
            return time.process_time() - began

    # Four times the parts take four times as long; in the square it would be sixteen.
    assert min(spent(4000) for _ in range(3)) < 8 * min(spent(1000) for _ in range(3))


@pytest.mark.parametrize("terminal", [False, True])
def test_nothing_is_shown_if_quiet_or_not_on_a_terminal(
    terminal: bool, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if terminal:
        monkeypatch.setenv("FORCE_COLOR", "1")
    with click.Context(click.Command("wikibias"), obj={"quiet": terminal}):
        with progress(PARTS) as update:
            update("a.xml", "detect", 10, 1, 2)
        with downloads([]) as update_download:
            update_download("a.xml", 10)
    assert capsys.readouterr() == ("", "")


def test_a_line_says_how_far_it_is_and_how_long_it_takes() -> None:
    tally = Tally({"a": 10_000_000, "b": 30_000_000}, "transition")
    tally.update("a", "detect", "reading", (10_000_000, 1200, 30))
    tally.update("b", "detect", "reading", (1_000_000, 100, 1))
    tally.update("b", "detect", "reading", (2_000_000, 200, 2))
    # The first part was there already, whole, so that it took no time.
    assert tally.line(10) == (
        "reading: 1 of 2 parts read, 12.0 of 40.0 MB, 1,400 pages, 32 transitions, 0.20 MB/s, "
        "about 2 min left"
    )


def test_of_a_pipe_nobody_knows_the_size() -> None:
    tally = Tally({"-": 0}, "template")
    tally.update("-", "detect", "reading", (5_000_000, 1, 1))
    assert tally.line(5) == ("reading: 0 of 1 part read, 5.0 MB, 1 page, 1 template, 1.00 MB/s")


def test_later_stages_change_the_word_alone() -> None:
    tally = Tally({"a": 0}, "transition")
    tally.update("a", "filter", "filtering", (9, 9, 9))
    assert tally.line(1).startswith("filtering: 0 of 1 part read, 0.0 MB, 0 pages,")


@pytest.mark.parametrize(
    ("hours", "most"), [(1, 60), (24, 140), (24 * 30, 1600)], ids=["hour", "day", "month"]
)
def test_lines_never_flood(hours: int, most: int) -> None:
    now = 0.0
    pace, due = Pace(lambda: now), 0
    while now < hours * 3600:
        due += pace.due()
        now += 5
    assert most / 4 < due <= most


def test_the_first_is_due_after_half_a_minute() -> None:
    now = 0.0
    pace = Pace(lambda: now)
    now = 29.0
    assert not pace.due()
    now = 30.0
    assert pace.due()
    assert not pace.due()


def test_lines_are_logged_while_work_goes_on(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_LOOKS", 0.001)
    seen = []

    class Eager(Pace):
        def due(self) -> bool:
            return not caplog.records

    with caplog.at_level(logging.INFO), lines(lambda seconds: "half of it", Eager()):
        while not caplog.records:
            seen.append(1)
    assert [(each.name, each.message) for each in caplog.records] == [(PROGRESS, "half of it")]
