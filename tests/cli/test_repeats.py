"""An option that takes one value refuses two that differ, whatever the command."""

from pathlib import Path

import pytest

from exports import export, history, wikibias


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (
            "extract --tagset npov --tagset reliability x",
            "--tagset takes one value, and is given 2",
        ),
        ("extract --seed 1 --seed=2 --seed 3 x", "--seed takes one value, and is given 3"),
        ("extract -o a --out b x", "--out takes one value, and is given 2: 'a', 'b'; give it once"),
        ("build --split page --split sentence x", "--split takes one value"),
        ("tags show --lang en --lang fr", "--lang takes one value"),
        ("fetch --lang en --date 20260101 --date 20260201", "--date takes one value"),
    ],
)
def test_two_values_that_differ(line: str, said: str) -> None:
    ended = wikibias(*line.split())
    assert ended.code == 2
    assert ended.out == ""
    assert ended.err.count("\n") == 1
    assert said in ended.err


def test_how_to_have_both_is_said() -> None:
    ended = wikibias("extract", "--tagset", "npov", "--tagset", "reliability", "x")
    assert "run the command once for each, with an --out of its own" in ended.err


def test_the_same_twice_is_no_mistake_nor_what_may_be_given_again(tmp_path: Path) -> None:
    dump = tmp_path / "d.xml"
    dump.write_bytes(export([history("Mill", 2)]))
    line = "detect --lang en --lang en --workers 1 --workers=1 --namespace 0 --namespace 4 -q -q"
    ended = wikibias(*line.split(), "-o", tmp_path / "o", dump)
    assert (ended.code, ended.err) == (0, "")


def test_a_control_character_in_a_value_is_shown_escaped() -> None:
    ended = wikibias("extract", "--tagset", "a\x1b[2J", "--tagset", "b", "x")
    assert "\x1b" not in ended.err
