"""The shares of a dump: what is counted, and how near the synthetic dump is to a real one."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dump_measures import measures, stretch
from dump_shares import figures, rows
from exports import Page, Revision, export
from make_synthetic_dump import Size, Wiki
from paths import SCRIPTS

# Of the real dump to which the generator is tuned: what, its value, by which factor it may differ.
WANTED = (
    ("calls in a KB", 3.98, 1.5),
    ("links in a revision", 53, 1.5),
    ("references in a revision", 3.5, 1.5),
    ("bytes of a revision: mean", 6348, 1.5),
    ("changed bytes of a revision: mean", 1075, 1.8),
    ("revisions of a page: mean", 80, 1.8),
    ("revisions: the text of an earlier one, %", 2.8, 2),
    ("letters: Han, %", 2.1, 1.5),
)


@pytest.mark.parametrize(
    ("old", "new", "part"),
    [
        (b"", b"all", b"all"),
        (b"one two", b"one and two", b"and "),
        (b"one two three", b"one three", b""),
        (b"aaa", b"aaaa", b"a"),
        (b"same", b"same", b""),
    ],
)
def test_the_new_part_of_a_text(old: bytes, new: bytes, part: bytes) -> None:
    start, end = stretch(old, new)
    assert new[start:end] == part


@given(st.binary(max_size=12), st.binary(max_size=12))
def test_what_is_not_new_is_in_both(old: bytes, new: bytes) -> None:
    start, end = stretch(old, new)
    assert 0 <= start <= end <= len(new)
    assert old.startswith(new[:start])
    assert old.endswith(new[end:])


def test_what_is_counted(tmp_path: Path) -> None:
    texts = ["{{ill|x}} [[a]]", "{{ill|x}} [[a]]", "{{仮リンク|x}}", "{{ill|x}} [[a]]"]
    dump = tmp_path / "dump.xml"
    dump.write_bytes(export([Page("A", [Revision(text) for text in texts])]))
    found = measures(dump)
    assert found.revisions == [4]
    assert found.names == {b"ill", "仮リンク".encode()}
    assert found.changes[:2] == [len(texts[0]), 0]
    counts = found.counts
    assert (counts["calls"], counts["links"], counts["odd calls"]) == (4, 3, 1)
    assert (counts["same as before"], counts["reverts"]) == (1, 1)
    assert [row[0] for row in rows([found])] == [name for name, _ in figures(found)]


def test_the_synthetic_dump_is_near_a_real_one(tmp_path: Path) -> None:
    dump = tmp_path / "synthetic.xml"
    size = Size(30, 80, 6300, tagged=0.1, fixed=False, giant=0, seed=1, like="real")
    dump.write_bytes(b"".join(Wiki(size).export()))
    found = dict(figures(measures(dump)))
    for name, value, factor in WANTED:
        assert value / factor < found[name] < value * factor, name


def test_two_dumps_side_by_side(tmp_path: Path) -> None:
    dump = tmp_path / "x.xml"
    size = Size(2, 5, 500, tagged=0, fixed=True, giant=0, seed=1)
    dump.write_bytes(b"".join(Wiki(size).export()))
    command = [sys.executable, str(SCRIPTS / "dump_shares.py"), str(dump), str(dump)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    lines = [line.split("|")[1:-1] for line in done.stdout.splitlines()]
    assert {len(line) for line in lines} == {4}
    assert [cell.strip() for cell in lines[2]] == ["pages", "2", "2", "1.00"]
