"""`--dry-run` says what a command would do, as it would, and leaves everything as it is."""

from pathlib import Path

import pytest

from exports import Outcome, export, files, history, wikibias
from server import serving


@pytest.fixture
def parts(tmp_path: Path) -> list[Path]:
    """Two parts of a dump."""
    paths = [tmp_path / f"part{number}.xml" for number in (1, 2)]
    for number, path in enumerate(paths):
        page = history(f"Mill {number}", 4, topic=number)
        path.write_bytes(export([page], first_id=1 + 100 * number))
    return paths


def everything(folder: Path) -> dict[Path, tuple[int, int]]:
    """Return each file below a folder with its time and size."""
    found = (path for path in folder.rglob("*") if path.is_file())
    return {path: (path.stat().st_mtime_ns, path.stat().st_size) for path in found}


def dry(*command: object) -> Outcome:
    return wikibias(*command, "--dry-run")


def test_a_new_result(parts: list[Path], tmp_path: Path) -> None:
    out = tmp_path / "o"
    ended = dry("extract", "--lang", "en", "-o", out, *parts)
    assert (ended.code, ended.err) == (0, "")
    lines = ended.out.splitlines()
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
    command = ("extract", "--lang", "en", "--workers", 1, "-o", out)
    assert wikibias(*command, "-q", parts[0]).code == 0
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
    detect = ("detect", "--lang", "en", "--workers", 1, "-q", "-o", out, *parts)
    assert wikibias(*detect).code == 0
    ended = dry("extract", *detect[1:])
    assert f"  {parts[0]}: diff, filter" in ended.out
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
    command = ("extract", "--lang", "en", "--workers", 1, "-o", tmp_path / "o")
    assert wikibias(*command, "-q", *parts).code == 0
    dry(*command, *options, *parts).refused(said)


def test_a_shard_standard_input_and_a_file_that_is_not_there(
    parts: list[Path], tmp_path: Path
) -> None:
    command = ("extract", "--lang", "en", "-o", tmp_path / "o")
    ended = dry(*command, "--shard", "2/2", *parts)
    assert "1 part: 0 done already, 1 to do" in ended.out
    assert "corpus" not in ended.out
    assert "  standard input: detect, diff, filter" in dry(*command, "-").out
    ended = dry(*command, "gone.xml")
    assert (ended.code, ended.err) == (2, "Error: gone.xml: no such file\n")
    assert not (tmp_path / "o").exists()


def test_a_large_dump_is_estimated(tmp_path: Path) -> None:
    path = tmp_path / "enwiki-20260101-pages-meta-history1.xml.7z"
    with path.open("wb") as file:
        file.truncate(2_000_000_000)
    ended = dry("extract", "--lang", "en", "--workers", 4, "-o", tmp_path / "o", path)
    assert "(2.0 GB)" in ended.out
    last = ended.out.splitlines()[-1]
    assert last.startswith("About ")
    assert "with 4 workers" in last


def test_from_a_run_file(parts: list[Path], tmp_path: Path) -> None:
    text = '[run]\nlang = "en"\ndumps = ["part1.xml", "part2.xml"]\nout = "o"\n'
    (tmp_path / "run.toml").write_text(text, encoding="utf-8")
    assert (
        "2 parts: 0 done already, 2 to do" in dry("extract", "--config", tmp_path / "run.toml").out
    )


def test_fetch(tmp_path: Path) -> None:
    with serving() as server:
        name = "bgwiki-20260101-pages-meta-history1.xml.7z"
        server.add_history("bgwiki", "20260101", {name: b"x" * 50_000})
        out = tmp_path / "o"
        ended = dry("fetch", "--lang", "bg", "--base-url", server.url, "-o", out)
        assert (ended.code, ended.err) == (0, "")
        assert f"  {server.url}/bgwiki/20260101/{name} (0.05 MB)" in ended.out
        assert f"Writes 1 file into {out}/." in ended.out
        assert server.gets(name) == []
    assert not out.exists()
