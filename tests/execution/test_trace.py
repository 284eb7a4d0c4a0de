"""What a worker is at, and what ended workers before it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from wikibias.errors import WikibiasError
from wikibias.execution.trace import Trace, places, trace_path


def attempts(path: Path, ended: Sequence[str]) -> None:
    """Leave the trace of attempts that ended at these places."""
    path.write_bytes(b"".join(place.ljust(64).encode() for place in ended))


def test_each_attempt_leaves_where_it_ended(tmp_path: Path) -> None:
    path = trace_path(tmp_path, "a.xml")
    for number in (3, 4):
        trace = Trace(path)
        trace.enter("detect")
        assert trace.at("page 1")
        assert trace.at(f"item {number}")
        del trace
    assert places(path) == ["detect item 3", "detect item 4"]
    with Trace(path) as trace:
        trace.enter("diff")
        assert places(path)[2] == "diff"
    assert places(path) == []
    assert list(tmp_path.iterdir()) == []


def test_what_ended_two_attempts_is_passed_over_in_its_stage(tmp_path: Path) -> None:
    path = trace_path(tmp_path, "a.xml")
    attempts(path, ["detect item 3", "detect page 1", "detect item 3", "detect item 4"])
    with Trace(path) as trace:
        trace.enter("detect")
        assert [trace.at(f"item {n}") for n in (2, 3, 4)] == [True, False, True]
        trace.enter("diff")
        assert trace.at("item 3")


@pytest.mark.parametrize(
    "ended",
    [["detect page 1"] * 3, ["filter"] * 2, [""] * 2, [f"detect item {n}" for n in range(24)]],
    ids=["passed over in vain", "no item", "before the work", "too many"],
)
def test_it_gives_up_where_nothing_helps(ended: list[str], tmp_path: Path) -> None:
    path = trace_path(tmp_path, "a.xml")
    attempts(path, ended)
    with pytest.raises(WikibiasError, match=f"ended {len(ended)} times"):
        Trace(path)
    assert not path.exists()


def test_without_a_path_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with Trace(None) as trace:
        trace.enter("detect")
        assert trace.at("item 1")
    assert list(tmp_path.iterdir()) == []


def test_where_it_cannot_write_the_work_goes_on(tmp_path: Path) -> None:
    with Trace(tmp_path / "gone" / "x") as trace:
        assert trace.at("item 1")
