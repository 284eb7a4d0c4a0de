"""The stage `detect`, one part at a time."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from exports import Outcome, export, history, rows, wikibias

PAGES = [history("Mill", 2), history("Hill", 1, topic=3)]


def detect(folder: Path, content: bytes, *options: object) -> tuple[Outcome, dict[str, Any]]:
    """Detect in one part; return what was said, and the part's entry in the manifest."""
    (folder / "a.xml").write_bytes(content)
    command = ("detect", "--workers", 1, "-o", folder / "o", *options, folder / "a.xml")
    ended = wikibias(*command)
    (entry,) = json.loads((folder / "o/manifest.json").read_text())["inputs"]
    return ended, entry


def test_rows_agree_with_what_was_counted(tmp_path: Path) -> None:
    ended, entry = detect(tmp_path, export(PAGES), "--lang", "en")
    assert (ended.code, ended.err) == (0, "")
    kinds = [row["kind"] for row in rows(tmp_path / "o", "transitions")]
    assert (kinds.count("removed"), kinds.count("added")) == (3, 3)
    assert (entry["counts"]["removed"], entry["counts"]["added"]) == (3, 3)
    assert (entry["counts"]["pages"], entry["counts"]["revisions"]) == (2, 6)
    assert entry["stages"] == ["detect"]


def test_a_limit_of_pages(tmp_path: Path) -> None:
    _, entry = detect(tmp_path, export(PAGES), "--lang", "en", "--limit", 1)
    assert entry["counts"]["pages"] == 1
    assert {row["page_title"] for row in rows(tmp_path / "o", "transitions")} == {"Mill"}
    assert entry["sha256"] is None


def test_a_tagged_span_is_no_removal(tmp_path: Path) -> None:
    options = ("--lang", "en", "--pairing", "removal-edit", "--pairing", "tagged-span")
    _, entry = detect(tmp_path, export(PAGES), *options)
    pairings = [row["pairing"] for row in rows(tmp_path / "o", "transitions")]
    assert pairings.count("tagged-span") == 3
    assert entry["counts"]["removed"] == 3


def test_damage_keeps_what_came_before(tmp_path: Path) -> None:
    content = export(PAGES)
    at = content.index(b"Hill")
    ended, entry = detect(tmp_path, content[:at], "--lang", "en")
    assert ended.code == 1
    assert entry["error"]
    assert entry["state"] == "failed"
    assert len(rows(tmp_path / "o", "transitions")) == 4


def test_a_dump_of_another_language_is_a_warning(tmp_path: Path) -> None:
    ended, entry = detect(tmp_path, export(PAGES), "--lang", "fr")
    assert ended.code == 0
    (warning,) = entry["warnings"]
    assert "says that its language is 'en'" in warning
    assert "--lang en" in warning
