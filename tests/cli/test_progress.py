"""Progress: bars or lines, which say how far it is; and what `--dry-run` tells before."""

import bz2
import logging
import time
from pathlib import Path

import click
import pytest

from exports import Outcome, export, files, history, wikibias
from results import write_parts
from wikibias.cli import progress as module
from wikibias.cli.options import PROGRESS
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


def test_many_parts_are_shown_in_a_time_that_grows_so(monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_of_a_pipe_nobody_knows_the_size_and_later_stages_change_the_word_alone() -> None:
    tally = Tally({"-": 0}, "template")
    tally.update("-", "detect", "reading", (5_000_000, 1, 1))
    assert tally.line(5) == ("reading: 0 of 1 part read, 5.0 MB, 1 page, 1 template, 1.00 MB/s")
    tally.update("-", "filter", "filtering", (9, 9, 9))
    assert tally.line(5).startswith("filtering: 0 of 1 part read, 5.0 MB, 1 page,")


@pytest.mark.parametrize(
    ("hours", "most"), [(1, 60), (24, 140), (24 * 30, 1600)], ids=["hour", "day", "month"]
)
def test_lines_never_flood(hours: int, most: int) -> None:
    now = 0.0
    pace, due = Pace(lambda: now), 0
    while now < hours * 3600:
        due += pace.due()
        now += max(5, hours / 10)
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


@pytest.fixture
def parts(tmp_path: Path) -> list[Path]:
    """Two parts of a dump."""
    return write_parts(tmp_path, 4, pages=1)[:2]


def everything(folder: Path) -> dict[Path, tuple[int, int]]:
    """Return each file below a folder with its time and size."""
    found = (path for path in folder.rglob("*") if path.is_file())
    return {path: (path.stat().st_mtime_ns, path.stat().st_size) for path in found}


def dry(*command: object) -> Outcome:
    return wikibias(*command, "--dry-run")


def test_a_new_result(parts: list[Path], tmp_path: Path) -> None:
    out = tmp_path / "o"
    lines = dry("extract", "--lang", "en", "-o", out, *parts).silent().out.splitlines()
    assert lines[:2] == ["Dry run: nothing is written.", lines[1]]
    assert lines[1].startswith("2 parts: 0 done already, 2 to do (0.0")
    assert lines[2].startswith(f"  {parts[0]} (0.0")
    assert lines[2].endswith(" MB): detect, diff, filter")
    tables = ", ".join(f"{out}/{each}/" for each in ("transitions", "diffs", "rejects", "edits"))
    assert lines[4:] == [
        f"Writes a table for each of these parts into {tables}.",
        f"Builds the corpus in {out}/corpus.",
        f"{out} is new.",
    ]
    assert not out.exists()


def test_what_is_done_is_not_done_again(parts: list[Path], tmp_path: Path) -> None:
    out = tmp_path / "o"
    command = ("extract", "--lang", "en", "-o", out)
    wikibias(*command, "-q", parts[0]).well()
    before = everything(out)
    ended = dry(*command, *parts)
    assert "2 parts: 1 done already, 1 to do" in ended.out
    assert f"  {parts[1]} (" in ended.out
    assert f"  {parts[0]} (" not in ended.out
    assert f"{out} is complete" in dry(*command, parts[0]).out
    ended = dry("filter", "--restart", "--reverts", "keep", out)
    assert f"Removes what is in {out}/rejects/, {out}/edits/, {out}/corpus/." in ended.out
    assert "  part1.xml: filter" in ended.out
    assert "Builds the corpus" in dry("build", "--restart", out).out
    assert everything(out) == before


def test_it_goes_through_stages_as_they_do(parts: list[Path], tmp_path: Path) -> None:
    out = tmp_path / "o"
    detect = ("detect", "--lang", "en", "-q", "-o", out, *parts)
    wikibias(*detect).well()
    assert f"  {parts[0]}: diff, filter" in dry("extract", *detect[1:]).out
    assert "  part2.xml: diff" in dry("diff", out).out
    dry("build", out).refused("has not been through `wikibias diff` yet")
    assert set(files(out)) == {f"transitions/{part.name}.parquet" for part in parts}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--tagset", "nowt"], "unknown tag set 'nowt'"),
        (["--scheduler", "x"], "--scheduler is for --engine dask"),
        (["--per", "any"], "was made with other settings or inputs: detect.per: tag -> any"),
        (["--restart", "--shard", "1/2"], "run it without --shard"),
    ],
)
def test_what_would_be_refused_is_refused(
    options: list[str], said: str, parts: list[Path], tmp_path: Path
) -> None:
    command = ("extract", "--lang", "en", "-o", tmp_path / "o")
    wikibias(*command, "-q", *parts).well()
    dry(*command, *options, *parts).refused(said)


def test_a_shard_standard_input_and_a_missing_file(parts: list[Path], tmp_path: Path) -> None:
    command = ("extract", "--lang", "en", "-o", tmp_path / "o")
    ended = dry(*command, "--shard", "2/2", *parts)
    assert "1 part: 0 done already, 1 to do" in ended.out
    assert "corpus" not in ended.out
    assert "  standard input: detect, diff, filter" in dry(*command, "-").out
    ended = dry(*command, "gone.xml")
    assert (ended.code, ended.err) == (2, "Error: gone.xml: no such file\n")
    assert not (tmp_path / "o").exists()


def test_a_large_dump_is_estimated(tmp_path: Path) -> None:
    path = tmp_path / "enwiki-20260101-pages-meta-history1.xml.bz2"
    with path.open("wb") as file:
        file.write(bz2.compress(export([history("Sound Hill", 2)])))
        file.truncate(2_000_000_000)
    ended = dry("extract", "--lang", "en", "--workers", 4, "-o", tmp_path / "o", path)
    assert "(2.0 GB)" in ended.out
    last = ended.out.splitlines()[-1]
    assert last.startswith("About ")
    assert "with 4 workers" in last
