"""The scripts of hostile input: they see what falls. Rooms have tests of most kinds themselves."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import faults
import text_costs
from fault_checks.checks import Check, Place, Try, rows, table
from fault_checks.commands import Ended

FINE = Ended(0, "", "", 1.0, 100.0)


def asked(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    """Run the script, and return its exit code."""
    monkeypatch.setattr("sys.argv", ["faults.py", *words])
    return faults.main()


def test_nothing_falls_of_a_topic(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """The quick form of a topic: real commands, and a line of the table for each check."""
    assert asked(monkeypatch, "--only", "8", "--quick") == 0
    said = capfd.readouterr()
    head, _, *lines, blank, end = said.out.splitlines()
    assert head == "| topic | check | tried | held | what came out | seconds |"
    starts = [line.rpartition(" | ")[0] for line in lines]
    assert starts == [
        "| 8 messages | values of settings | 2 | 2 | one line (2)",
        "| 8 messages | names and options | 2 | 2 | did no harm (2)",
    ]
    assert (blank, end, "fell" in said.err) == ("", "Nothing fell.", False)


def test_all_kinds_of_hostile_wikitext_in_one_dump(tmp_path: Path) -> None:
    (check,) = (c for c in faults.CHECKS if c.name == "all kinds of hostile wikitext in one dump")
    (row,) = rows([check], Place(tmp_path, quick=True))
    assert [f"{each.what}: {each.came}" for each in row.fallen] == []


def test_every_topic_has_a_quick_check_but_that_of_many_parts() -> None:
    quick = {check.topic for check in faults.CHECKS if check.quick}
    assert {check.topic for check in faults.CHECKS} - quick == {"9 parts"}
    names = [(check.topic, check.name) for check in faults.CHECKS]
    assert len(names) == len(set(names)) > 30


def fallen(run: Iterator[Try], folder: Path) -> list[str]:
    (row,) = rows([Check("0", "it", lambda place: run)], Place(folder, quick=True))
    return [each.came for each in row.fallen]


def test_a_check_that_breaks_or_tries_nothing_has_fallen(tmp_path: Path) -> None:
    def broken() -> Iterator[Try]:
        yield Try("one", "fine", held=True)
        raise OSError("no room")

    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    assert fallen(broken(), tmp_path / "a") == ["OSError: no room"]
    assert fallen(iter(()), tmp_path / "b") == ["nothing was tried"]


def test_the_table_names_first_what_fell(tmp_path: Path) -> None:
    tries = [Try("one", "fine", held=True), Try("two", "a | \x1b", held=False)] * 2
    (row,) = rows([Check("0", "it", lambda place: tries)], Place(tmp_path, quick=True))
    line = list(table([row]))[-1]
    assert line.startswith(r"| 0 | it | 4 | 2 | **fell**: a \| \x1b (two, two); fine (2) |")


@pytest.mark.parametrize(
    ("ended", "problem"),
    [
        (FINE, None),
        (Ended(1, "", "Error: x\n", 1, 1), None),
        (Ended(2, "", "Error: x\n", 1, 1), "exit code 2: Error: x"),
        (Ended(None, "", "", 9, 1), "did not end (9 s of CPU)"),
        (Ended(-11, "", "", 1, 1), "died of SIGSEGV"),
        (Ended(1, "", "Error: unexpected KeyError: 1\n", 1, 1), "said: Error: unexpected KeyE"),
        (Ended(1, "", "Traceback (most recent call last):\n x", 1, 1), "said:  x"),
    ],
)
def test_what_is_wrong_with_an_end(ended: Ended, problem: str | None) -> None:
    assert (ended.problem() or "")[:28] == (problem or "")[:28]


def test_what_is_drawn() -> None:
    assert Ended(0, "a\tb\n", "é", 1, 1).drawn() is None
    assert Ended(0, "", "\x1b[2J", 1, 1).drawn()
    assert Ended(0, "\u202e", "", 1, 1).drawn()


def test_the_exit_code_tells_whether_anything_fell(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    check = Check("x", "y", lambda place: [Try("one", "it", held=False)])
    monkeypatch.setattr(faults, "CHECKS", [check])
    assert asked(monkeypatch, "--only", "x") == 1
    assert capsys.readouterr().out.endswith("\n1 fell.\n")
    with pytest.raises(SystemExit) as ended:
        asked(monkeypatch, "--only", "z")
    assert ended.value.code == 2


def test_it_prints_a_line_for_each_kind(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = ["--sizes", "1000", "2000", "--kinds", "argument: named"]
    monkeypatch.setattr(sys, "argv", ["text_costs.py", *arguments])
    assert text_costs.main() == 0
    head, _, line, _, total = capsys.readouterr().out.splitlines()
    assert head == "| kind | 1 KB | 2 KB | growth | plain | what came out |"
    assert line.startswith("| argument: named | ")
    assert total == "2 texts of 1 kinds; 0 too long."


def test_what_falls_or_takes_too_long_is_no_success() -> None:
    assert text_costs.Measured("a", 100_000, 1.9, 0.1, "12 bytes").held
    assert not text_costs.Measured("a", 100_000, 2.1, 0.1, "12 bytes").held
    assert text_costs.Measured("a", 2_000_000, 8.0, 0.1, "12 bytes").held
    assert not text_costs.Measured("a", 100_000, 0.1, 0.0, "fell").held
