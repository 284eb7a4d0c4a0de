"""Shards: jobs of any scheduler do parts of one result, and one last command does the rest."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exports import Outcome, export, files, history, start, wikibias
from wikibias.errors import UsageError
from wikibias.kits.files import atomic_file
from wikibias.kits.folders import busy, locked, shard_locked
from wikibias.pipeline.dispatch import Shard


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


def extract(out: Path, dumps: Path, *options: object) -> Outcome:
    return wikibias("extract", "-q", "--workers", 1, "--lang", "en", "-o", out, *options, dumps)


def test_a_repair_by_a_shard_makes_the_corpus_again(dumps: Path, tmp_path: Path) -> None:
    out, fresh = tmp_path / "out", tmp_path / "fresh"
    intact = (dumps / "part1.xml").read_bytes()
    (dumps / "part1.xml").write_bytes(intact[: len(intact) // 2])
    assert extract(out, dumps).code == 1
    (dumps / "part1.xml").write_bytes(intact)
    assert extract(out, dumps, "--shard", "2/5").code == 0
    assert "Corpus: not built yet." in wikibias("status", out).out
    assert extract(out, dumps).code == 0
    assert extract(fresh, dumps).code == 0
    assert files(out) == files(fresh)


def test_shards_go_on_with_the_settings_of_the_first(dumps: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert extract(out, dumps, "--shard", "1/2", "--per", "any").code == 0
    for shard in (["--shard", "2/2"], []):
        refused = extract(out, dumps, *shard)
        assert refused.code == 2
        assert "detect.per: any -> tag" in refused.errors[-1]
    assert extract(out, dumps, "--shard", "2/2", "--per", "any").code == 0
    assert extract(out, dumps, "--per", "any").code == 0


def test_a_later_stage_in_shards_keeps_its_settings(dumps: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    common = ["-q", "--lang", "en", "-o", out, dumps]
    assert wikibias("detect", "--workers", 1, *common).code == 0
    assert wikibias("diff", "-q", "--workers", 1, out).code == 0
    for shard in ("1/2", "2/2"):
        options = ("--reverts", "keep", "--shard", shard, "--workers", 1)
        assert wikibias("filter", "-q", *options, out).code == 0
    assert "Next: wikibias build" in wikibias("status", out).out
    assert wikibias("build", "-q", out).code == 0
    assert (
        json.loads((out / "manifest.json").read_text())["settings"]["filter"]["reverts"] == "keep"
    )


@pytest.mark.parametrize(
    ("held", "said"), [((1, 2), "another run does shard"), ((1, 3), "another number")]
)
def test_the_same_parts_are_done_once_at_a_time(
    held: tuple[int, int], said: str, dumps: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    with locked(out, shared=True), shard_locked(out, *held):
        refused = extract(out, dumps, "--shard", "1/2")
        assert "a run is at work" not in refused.err
        assert busy(out)
    assert refused.code == 2
    assert said in refused.errors[-1]
    assert not busy(out)
    assert extract(out, dumps, "--shard", "1/2").code == 0


def test_more_shards_than_parts(dumps: Path, tmp_path: Path) -> None:
    done = wikibias("extract", "--lang", "en", "-o", tmp_path / "o", "--shard", "9/16", dumps)
    assert (done.code, done.out) == (0, "Shard 9/16 has no part: there are only 5 parts.\n")


def test_what_another_shard_writes_just_now_stays(dumps: Path, tmp_path: Path) -> None:
    """All begin with the manifest, at the same moment; the run without a shard cleans up."""
    out = tmp_path / "out"
    typed = ["extract", "-q", "--workers", "1", "--lang", "en", "-o", str(out), str(dumps)]
    with atomic_file(out / "manifest.json") as half_written:
        half_written.touch()
        assert wikibias(*typed, "--shard", "1/2").code == 0
        assert half_written.exists()
        assert wikibias(*typed).code == 0
        assert not half_written.exists()
        half_written.write_bytes((out / "manifest.json").read_bytes())
