"""The table of what hostile wikitext costs."""

import sys

import pytest

import text_costs


def test_it_prints_a_line_for_each_kind(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = ["--sizes", "1000", "2000", "--kinds", "argument: n"]
    monkeypatch.setattr(sys, "argv", ["text_costs.py", *arguments])
    assert text_costs.main() == 0
    head, _, *lines, _, total = capsys.readouterr().out.splitlines()
    assert head == "| kind | 1 KB | 2 KB | growth | plain | what came out |"
    assert [line.split(" | ")[0] for line in lines] == [
        "| argument: named",
        "| argument: nested",
        "| argument: nested in names",
    ]
    assert total == "6 texts of 3 kinds; 0 too long."


def test_what_falls_or_takes_too_long_is_no_success() -> None:
    assert text_costs.Measured("a", 100_000, 1.9, 0.1, "12 bytes").held
    assert not text_costs.Measured("a", 100_000, 2.1, 0.1, "12 bytes").held
    assert text_costs.Measured("a", 2_000_000, 8.0, 0.1, "12 bytes").held
    assert not text_costs.Measured("a", 100_000, 0.1, 0.0, "fell").held
