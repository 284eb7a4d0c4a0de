"""A faster way to read a dump is told, once, where there is one and it is worth it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from exports import export, history, packed, wikibias
from wikibias.dumps.hints import faster_way
from wikibias.kits.plugins import how_to_install

NAME = "enwiki-20260101-pages-meta-history1.xml-p1p9.bz2"
XML = export([history("Village", 1)])


def dump(path: Path, form: str, size: int = 40_000_000) -> Path:
    """Write a dump; what follows an archive and is none is passed over, and makes it large."""
    path.write_bytes(packed(XML, form))
    os.truncate(path, max(size, path.stat().st_size))
    return path


def said(folder: Path, *arguments: object) -> list[str]:
    """Read a dump and return what is said beside the result."""
    ended = wikibias("detect", "--lang", "en", "-o", folder / "o", *arguments)
    assert ended.code == 0
    return ended.err.splitlines()


def test_a_hint_says_that_a_bz2_history_dump_exists_as_7z(tmp_path: Path) -> None:
    parts = [dump(tmp_path / NAME, "bz2"), dump(tmp_path / NAME.replace("1.xml", "2.xml"), "bz2")]
    (line,) = said(tmp_path, *parts)
    assert line.startswith("Tip: 7z ")
    assert line.endswith("wikibias fetch --lang en --date 20260101")
    assert said(tmp_path, *parts) == [], "nothing is left to read"
    assert len(said(tmp_path, "--restart", *parts)) == 1


@pytest.mark.parametrize("options", [["--quiet"], ["--limit", "1"]], ids=" ".join)
def test_there_is_no_hint_with_quiet_or_limit(options: list[str], tmp_path: Path) -> None:
    assert said(tmp_path, *options, dump(tmp_path / NAME, "bz2")) == []


@pytest.mark.parametrize(
    ("name", "form", "size"),
    [
        (NAME, "bz2", 0),
        ("enwiki-2026-01-01-p1p9.xml.bz2", "bz2", 40_000_000),
        ("history.xml.bz2", "bz2", 40_000_000),
    ],
    ids=["small", "content-family", "unknown"],
)
def test_there_is_no_hint_for_small_or_unknown_dumps(
    name: str, form: str, size: int, tmp_path: Path
) -> None:
    assert said(tmp_path, dump(tmp_path / name, form, size)) == []


def test_a_hint_names_the_7z_in_the_same_folder(tmp_path: Path) -> None:
    path = dump(tmp_path / NAME, "bz2")
    beside = dump(tmp_path / NAME.replace(".bz2", ".7z"), "7z", 0)
    (line,) = said(tmp_path, path)
    assert line.endswith(f"give {beside} instead")


def test_a_hint_names_the_wiki_and_the_date() -> None:
    server = "https://dumps.wikimedia.org/frwiki/20260101/frwiki-20260101-pages-meta-history"
    line = faster_way([f"{server}1.xml-p1p9.bz2"], "fr")
    assert line is not None
    assert line.endswith("wikibias fetch --lang fr --date 20260101")
    other = faster_way([f"{server}1.xml-p1p9.bz2"], "en")
    assert other is not None
    assert "fetch" not in other
    assert faster_way([f"{server}1.xml-p1p9.7z", "-", "missing.bz2"], "fr") is None


@pytest.mark.parametrize("there", [False, True], ids=["without-isal", "with-isal"])
def test_a_hint_names_the_extra_that_reads_gz_faster(there: bool, tmp_path: Path) -> None:
    if there:
        pytest.importorskip("isal", reason="the extra [fast] is not installed")
    path = dump(tmp_path / "dump.xml.gz", "gz")
    without = "import sys; sys.modules['isal'] = None; "
    ended = subprocess.run(
        [
            sys.executable,
            "-c",
            ("" if there else without) + "from wikibias.cli import main; main()",
            *("detect", "--lang", "en", "--workers", "1", "-o", str(tmp_path / "o"), str(path)),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0
    assert (how_to_install("fast") in ended.stderr) is not there
    assert len(ended.stderr.splitlines()) == (0 if there else 1)
