"""Where the sentences of an edit have gone: the reasons are those that `build` counts."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from exports import Page, Revision, export, rows, wikibias
from wikibias.kits.schemas import DIFFS_TABLE
from wikibias.reports.result_folder import ResultFolder
from wikibias.reports.sentence_fates import SentenceFate, fates


def all_fates(folder: Path) -> list[SentenceFate]:
    """Return the fates of all sentences of the kept edits."""
    result = ResultFolder(folder)
    kept = [row["after_rev_id"] for row in rows(folder, "edits")]
    edits = result.find(DIFFS_TABLE, "after_rev_id", kept)
    return [fate for edit in edits for fate in fates(result, edit, "kept")]


def counts(found: list[SentenceFate], words: str) -> dict[str, int]:
    """Return how many sentences of each role are left out for a reason with these words."""
    roles = Counter(each.role for each in found if words in each.why_not)
    return {role: roles[role] for role in ("removed", "added", "unchanged")}


def composition(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "manifest.json").read_text())["corpus"]
    return found


def test_every_sentence_is_in_the_corpus_or_has_a_reason(demo: Path) -> None:
    found = all_fates(demo)
    known = composition(demo)
    assert Counter(each.split for each in found if each.split) == known["splits"]
    assert all(bool(each.split) != bool(each.why_not) for each in found)
    of_corpus = {row["sentence_id"]: row for row in rows(demo, "corpus")}
    for each in found:
        if row := of_corpus.get(each.sentence_id):
            assert (row["split"], row["tier"]) == (each.split, each.tier)
            assert tuple(row["tier_reasons"]) == each.tier_reasons


def test_the_reasons_are_counted_as_the_manifest_counts_them(demo: Path) -> None:
    found, known = all_fates(demo), composition(demo)
    left_out = known["left_out"]
    assert counts(found, "kind list") == left_out["list"]
    assert counts(found, "too short") == left_out["too_short"]
    assert counts(found, "still tagged") == left_out["tag_stands"]
    assert sum(counts(found, "duplicate of demoenwiki-37").values()) == known["duplicates"]
    assert counts(found, "not drawn")["unchanged"] == 68


def test_what_only_some_corpora_leave_out(demo: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(demo, tmp_path / "few")
    options = ("--max-per-edit", 2, "--min-tier", "medium", "--restart", "-q")
    assert wikibias("build", *options, folder).code == 0
    found, known = all_fates(folder), composition(folder)
    assert counts(found, "--max-per-edit") == known["left_out"]["max_per_edit"]
    assert counts(found, "--min-tier") == known["left_out"]["below_min_tier"]
    assert Counter(each.split for each in found if each.split) == {
        name: number for name, number in known["splits"].items() if number
    }


def test_what_another_edit_did_counts_too(tmp_path: Path) -> None:
    """One page takes a sentence out that the other one puts in, and that a third leaves alone."""
    ground = "\n\n".join(
        f"The {name} of the small town stands beside the old mill pond since many years."
        for name in ("church", "school", "library", "station", "bakery", "market", "chapel")
    )
    contested = "It is widely held to be the pleasantest of all small towns."
    pages = [
        (
            f"{{{{POV}}}}\n{ground}\n\n{contested}",
            f"{ground}\n\nIt has nine hundred inhabitants now.",
        ),
        (
            f"{{{{POV}}}}\n{ground}\n\nNobody would ever dare deny its beauty.",
            f"{ground}\n\n{contested}",
        ),
        (
            f"{{{{POV}}}}\n{ground}\n\n{contested}\n\nIts mayor was always a true genius.",
            f"{ground}\n\n{contested}\n\nIts mayor served three terms of office.",
        ),
    ]
    written = [
        Page(f"Town {number}", [Revision(ground), Revision(before), Revision(after)])
        for number, (before, after) in enumerate(pages)
    ]
    (tmp_path / "a.xml").write_bytes(export(written))
    ended = wikibias(
        "extract", "-q", "--lang", "en", "--workers", 1, "-o", tmp_path / "o", tmp_path / "a.xml"
    )
    assert ended.code == 0
    why = {
        (each.sentence_id.split("-")[1], each.role): each.why_not
        for each in all_fates(tmp_path / "o")
        if each.sentence.text == contested
    }
    assert "in both classes" in why["3", "removed"]
    assert "in both classes" in why["6", "added"]
    assert "in both classes" in why["9", "unchanged"]


@pytest.mark.parametrize(
    ("verdict", "words"), [("outlier", "the edit was dropped: outlier"), (None, "no verdict yet")]
)
def test_of_an_edit_that_gave_nothing(demo: Path, verdict: str | None, words: str) -> None:
    result = ResultFolder(demo)
    (edit,) = result.find(DIFFS_TABLE, "after_rev_id", [50])
    found = fates(result, edit, verdict)
    assert all(each.is_of_edit and words in each.why_not for each in found)


def test_a_corpus_that_is_not_built_is_said_to_be_none(demo: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(demo, tmp_path / "cut")
    (folder / "corpus" / "train.parquet").unlink()
    assert {each.why_not for each in all_fates(folder)} == {"no corpus is built"}
