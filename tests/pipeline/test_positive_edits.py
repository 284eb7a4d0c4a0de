"""Edits with an intent through the commands: compared, judged and shown."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from exports import Page, Revision, body, export, files, mended, rows, tagged, wikibias

ASKED = ("--signal", "tag", "--signal", "citation", "--signal", "clarification")
OLD = "The mill stands at the weir. It was sold to a banker in 1901. Nobody lives there now."
CITED = OLD.replace("1901.", "1901.<ref>{{cite book|title=Mills}}</ref>")
CLEARER = CITED.replace("a banker", "a banker of Velding")
NEW = CLEARER + " A weir lies below it."
POND = "\n\nThe pond is shallow."
OLDER = "\n\nThe old pond is shallow."
MILL = Page(
    "Mill",
    [
        Revision(OLD + POND),
        Revision(CITED + POND),
        Revision(CLEARER + OLDER),
        Revision(NEW + OLDER),
        Revision(NEW.replace("sold", "given away") + OLDER, comment="rv to an older one"),
        Revision(NEW.replace("sold", "given away") + OLDER.replace("shallow", "shalow")),
    ],
)
TAGGED = Page("Pond", [Revision(tagged(1, 1)), Revision(mended(1, 1)), Revision(body(1))])


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("intents")
    (folder / "dump.xml").write_bytes(export([MILL, TAGGED]))
    command = ("extract", "--lang", "en", "--workers", 1, *ASKED, "-o", folder / "o")
    ended = wikibias(*command, folder / "dump.xml")
    assert ended.code == 0, ended.err
    return folder / "o"


def told(found: list[dict[str, Any]], *names: str) -> list[tuple[object, ...]]:
    of_intents = [row for row in found if row["signal"] not in ("tag", "summary")]
    return [tuple(row[name] for name in ("after_rev_id", "signal", *names)) for row in of_intents]


def test_positive_sentences_of_edits(out: Path) -> None:
    found = told(rows(out, "diffs"), "removed", "relation", "readable", "texts_missing")
    sold = "It was sold to a banker in 1901."
    assert found[:2] == [
        (2, "citation", [sold], ["same_text"], True, False),
        (3, "clarification", [sold, "The pond is shallow."], ["rewritten"] * 2, True, False),
    ]
    context = next(row for row in rows(out, "diffs") if row["after_rev_id"] == 3)
    assert context["context_has_reference"] == [True, False]
    assert context["context_previous"] == ["The mill stands at the weir.", ""]


def test_each_has_a_verdict_of_its_own_filters(out: Path) -> None:
    kept, rejected = rows(out, "edits"), rows(out, "rejects")
    of_mill = [row for row in kept if row["page_title"] == "Mill"]
    assert told(of_mill, "verdict") == [(2, "citation", "kept"), (3, "clarification", "kept")]
    verdicts = dict.fromkeys(row[2] for row in told(rejected, "verdict"))
    assert list(verdicts) == ["new_sentences", "summary_reverts", "slip"]
    counts = json.loads((out / "manifest.json").read_text())["verdicts"]
    assert counts["summary_reverts"] == 1
    assert counts["markup_only"] == 0


def test_a_stage_alone_writes_the_same(out: Path, tmp_path: Path) -> None:
    command = ("detect", "--lang", "en", "--workers", 1, *ASKED, "-o", tmp_path / "o")
    assert wikibias(*command, out.parent / "dump.xml").code == 0
    assert wikibias("diff", "--workers", 2, tmp_path / "o").code == 0
    assert wikibias("filter", "--workers", 1, tmp_path / "o").code == 0
    for table in ("transitions", "diffs", "edits", "rejects"):
        assert files(tmp_path / "o", table) == files(out, table)


def test_the_corpus_of_biased_sentences_passes_over_them(out: Path, tmp_path: Path) -> None:
    command = ("extract", "--lang", "en", "--workers", 1, "-o", tmp_path / "o")
    assert wikibias(*command, out.parent / "dump.xml").code == 0
    built, alone = rows(out, "corpus"), rows(tmp_path / "o", "corpus")
    assert [row["text"] for row in built] == [row["text"] for row in alone]
    assert {row["signal"] for row in built} <= {"tag"}


def test_inspect_tells_of_an_edit_with_an_intent(out: Path) -> None:
    shown = wikibias("inspect", out, 3)
    assert shown.code == 0, shown.err
    assert "has the intent clarification" in shown.out
    assert "Verdict: kept" in shown.out
    assert "It was sold to a banker in 1901." in shown.out
    assert "wikibias build --labels intents" in " ".join(shown.out.split())
    named = "wiki-intent-edit-clarification-2-3-removed-1"
    sentence = next(word for word in shown.out.split() if word.endswith(named.partition("-")[2]))
    assert "<- asked for" in wikibias("inspect", out, sentence).out
    dropped = wikibias("inspect", out, 6)
    assert "dropped: slip (only a slip corrected)" in dropped.out
    assert wikibias("inspect", out, "Mill").code == 0
    page = out.parent / "story.html"
    assert wikibias("inspect", out, 2, "--html", page).code == 0
    assert "has the intent citation" in page.read_text(encoding="utf-8")


def test_a_filter_can_be_left_out(out: Path, tmp_path: Path) -> None:
    command = ("extract", "--lang", "en", "--workers", 1, *ASKED, "-o", tmp_path / "o")
    assert wikibias(*command, "--filters", "-slip", out.parent / "dump.xml").code == 0
    assert (6, "clarification", "kept") in told(rows(tmp_path / "o", "edits"), "verdict")
