"""The stage `filter`, one part at a time."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from exports import Page, Revision, export, history, mended, rows, tagged, wikibias
from wikibias.edits.filters import FILTERS

# The removal is undone at once, and comes again.
UNDONE = Page(
    "Hill",
    [Revision(tagged(1, 1)), Revision(mended(1, 1)), Revision(tagged(1, 1)), Revision("short")],
)


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """Edits of which one is kept, one was undone, and one blanked the page."""
    (tmp_path / "a.xml").write_bytes(export([history("Mill", 1), UNDONE]))
    # In these dumps ten days lie between two revisions.
    (tmp_path / "my.toml").write_text("[reverts]\ndays = 15\n")
    config = ("--config", tmp_path / "my.toml")
    command = ("detect", "--lang", "en", *config, "--workers", 1, "-o", tmp_path / "o")
    assert wikibias(*command, tmp_path / "a.xml").code == 0
    assert wikibias("diff", "--workers", 1, tmp_path / "o").code == 0
    return tmp_path / "o"


def verdicts(out: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((out / "manifest.json").read_text())["verdicts"]
    return found


def test_each_edit_is_kept_or_rejected_with_a_reason(out: Path) -> None:
    assert wikibias("filter", "--workers", 1, out).code == 0
    compared = [row["after_rev_id"] for row in rows(out, "diffs")]
    kept, rejected = rows(out, "edits"), rows(out, "rejects")
    assert sorted(row["after_rev_id"] for row in kept + rejected) == sorted(compared)
    assert {row["verdict"] for row in kept} == {"kept"}
    assert [row["verdict"] for row in rejected] == ["reverted", "redirect_or_blank"]


def test_filters_that_dropped_nothing_are_counted_too_in_their_order(out: Path) -> None:
    assert wikibias("filter", "--workers", 1, out).code == 0
    assert list(verdicts(out)) == [*FILTERS.names(), "kept"]
    assert sum(verdicts(out).values()) == len(rows(out, "diffs")) == 3


def test_chosen_filters_alone(out: Path) -> None:
    assert wikibias("filter", "--workers", 1, "--filters", "redirect_or_blank", out).code == 0
    assert verdicts(out) == {"redirect_or_blank": 1, "kept": 2}


def test_undone_removals_can_be_kept(out: Path) -> None:
    assert wikibias("filter", "--workers", 1, "--reverts", "keep", out).code == 0
    assert (verdicts(out)["reverted"], verdicts(out)["kept"]) == (0, 2)
