"""Shards: jobs of any scheduler do parts of one result, and one last command does the rest."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exports import export, files, history, start, wikibias
from wikibias.errors import UsageError
from wikibias.pipeline.shard import Shard


@pytest.fixture
def dumps(tmp_path: Path) -> Path:
    folder = tmp_path / "dumps"
    folder.mkdir()
    for number in range(5):
        page = history(f"Village {number}", 2, topic=number)
        (folder / f"part{number}.xml").write_bytes(export([page], first_id=1 + 100 * number))
    return folder


@given(st.lists(st.integers()), st.integers(1, 9))
def test_each_part_is_in_one_shard(parts: list[int], of: int) -> None:
    shards = [list(Shard(number, of).of_parts(parts)) for number in range(1, of + 1)]
    assert sorted(part for shard in shards for part in shard) == sorted(parts)


@pytest.mark.parametrize("text", ["", "3", "0/4", "5/4", "a/b", "1/0", "-1/4", "1/4/2", "²/4"])
def test_no_shard(text: str) -> None:
    with pytest.raises(UsageError, match="not a shard"):
        Shard.parse(text)


def test_at_the_same_time_and_the_same_bytes(dumps: Path, tmp_path: Path) -> None:
    whole, out = tmp_path / "whole", tmp_path / "out"
    typed = ["extract", "-q", "--workers", "1", "--lang", "en"]
    assert wikibias(*typed, "-o", whole, dumps).code == 0
    running = [start(*typed, "--shard", f"{n}/3", "-o", out, dumps) for n in (1, 2, 3)]
    assert [process.wait() for process in running] == [0, 0, 0]
    assert not (out / "corpus").exists()
    assert len(list((out / "edits").iterdir())) == 5
    before = {path: path.stat().st_mtime_ns for path in (out / "edits").iterdir()}
    assert wikibias(*typed, "-o", out, dumps).code == 0
    assert {path: path.stat().st_mtime_ns for path in (out / "edits").iterdir()} == before
    assert files(out) == files(whole)


def test_one_does_its_parts_and_status_says_what_is_left(dumps: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    typed = ["extract", "--workers", "1", "--lang", "en", "--shard=2/3", "-o", str(out), str(dumps)]
    done = wikibias(*typed)
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("2 parts, 2 pages")
    assert sorted(path.name for path in (out / "edits").iterdir()) == [
        "part1.xml.parquet",
        "part4.xml.parquet",
    ]
    shown = wikibias("status", out).out
    assert "5 parts: 2 whole, 0 failed, 3 missing." in shown
    assert "--shard" not in shown.splitlines()[-1]


def test_starting_over_needs_all_parts(dumps: Path, tmp_path: Path) -> None:
    typed = ["--lang", "en", "-o", tmp_path / "out", dumps]
    assert wikibias("detect", "-q", *typed).code == 0
    refused = wikibias("extract", "--shard", "1/2", "--restart", *typed)
    assert refused.code == 2
    assert refused.errors[-1].endswith("run it without --shard")
    assert len(list((tmp_path / "out/transitions").iterdir())) == 5
