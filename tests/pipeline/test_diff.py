"""The stage `diff`, one part at a time."""

from pathlib import Path

import pytest

from exports import export, files, history, rows, wikibias


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """The transitions of a page whose tag comes and goes twice."""
    (tmp_path / "a.xml").write_bytes(export([history("Mill", 2)]))
    command = ("detect", "--lang", "en", "--workers", 1, "-o", tmp_path / "o")
    assert wikibias(*command, tmp_path / "a.xml").code == 0
    return tmp_path / "o"


def test_each_removal_is_compared_in_order(out: Path) -> None:
    assert wikibias("diff", "--workers", 1, out).code == 0
    removed = [row for row in rows(out, "transitions") if row["kind"] == "removed"]
    compared = rows(out, "diffs")
    assert [row["after_rev_id"] for row in compared] == [row["after_rev_id"] for row in removed]
    assert all(row["removed"] and row["added"] and row["unchanged"] for row in compared)


def test_the_scope_is_an_option_of_this_stage(out: Path) -> None:
    assert wikibias("diff", "--workers", 1, "--scope", "tagged", out).code == 0
    before = files(out, "transitions")
    assert wikibias("diff", "--workers", 1, "--scope", "page", out).code == 2
    assert wikibias("diff", "--workers", 1, "--scope", "page", "--restart", out).code == 0
    assert files(out, "transitions") == before
