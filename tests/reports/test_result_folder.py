"""Rows of a result folder by a cell, and what became of the sentences of an edit."""

import json
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from exports import Page, Revision, body, export, history, result_of, rows, wikibias
from tagged_sentences import labelled
from wikibias.errors import UsageError
from wikibias.kits.schemas import DIFFS_TABLE
from wikibias.reports import result_folder
from wikibias.reports.inspection import inspect, recognised


def test_rows_by_revision_and_their_verdicts(demo: Path) -> None:
    result = result_folder.ResultTables(demo)
    (change,) = result.find(result_folder.CHANGES, "after_rev_id", [50])
    (edit,) = result.find(DIFFS_TABLE, "after_rev_id", [50])
    assert change.provenance == edit.provenance
    assert result.verdicts("after_rev_id", [50]) == {
        result_folder.key_of(edit.provenance): "spelling"
    }
    assert list(result.find(result_folder.CHANGES, "after_rev_id", [999_999])) == []


def test_rows_by_page_and_sentences_by_their_form(demo: Path) -> None:
    result = result_folder.ResultTables(demo)
    kinds = [row.provenance.kind for row in result.find(result_folder.CHANGES, "page_id", [11])]
    assert kinds == ["added", "removed", "added", "removed"]
    (sentence,) = [
        row
        for row in result.find(result_folder.SENTENCES, "after_rev_id", [7])
        if row.sentence_id == "demoenwiki-7-removed-0"
    ]
    assert sentence.split == "train"
    assert list(result.find(result_folder.SENTENCES, "norm", [sentence.norm])) == [sentence]


def test_a_folder_of_the_first_stage_has_no_corpus(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_bytes(export([history("Village", 1)]))
    wikibias("detect", "--lang", "en", "-o", tmp_path / "o", tmp_path / "a.xml").well()
    result = result_folder.ResultTables(tmp_path / "o")
    assert (result.has("detect"), result.has("diff")) == (True, False)
    assert result.composition is None
    assert list(result.find(result_folder.SENTENCES, "after_rev_id", [2])) == []
    assert result.verdicts("after_rev_id", [2]) == {}


def test_a_folder_without_a_result(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="holds no result"):
        result_folder.ResultTables(tmp_path)


def all_fates(folder: Path) -> list[result_folder.SentenceOutcome]:
    """Return the fates of all sentences of the kept edits."""
    result = result_folder.ResultTables(folder)
    kept = [row["after_rev_id"] for row in rows(folder, "edits")]
    edits = result.find(DIFFS_TABLE, "after_rev_id", kept)
    return [
        fate for edit in edits for fate in result_folder.sentence_outcomes(result, edit, "kept")
    ]


def counts(found: list[result_folder.SentenceOutcome], words: str) -> dict[str, int]:
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
    wikibias("build", *options, folder).well()
    found, known = all_fates(folder), composition(folder)
    assert counts(found, "--max-per-edit") == known["left_out"]["max_per_edit"]
    assert counts(found, "--min-tier") == known["left_out"]["below_min_tier"]
    assert Counter(each.split for each in found if each.split) == {
        name: number for name, number in known["splits"].items() if number
    }


def test_what_another_edit_did_counts_too(tmp_path: Path) -> None:
    """One page takes a sentence out that the other one puts in, and that a third leaves alone."""
    ground = body(1)
    contested = "It is widely held to be the pleasantest of all small towns."
    ends = [
        (contested, "It has nine hundred inhabitants now."),
        ("Nobody would ever dare deny its beauty.", contested),
        (
            f"{contested}\n\nIts mayor was always a true genius.",
            f"{contested}\n\nIts mayor served three terms of office.",
        ),
    ]
    pages = []
    for number, (gone, come) in enumerate(ends):
        before, after = f"{{{{POV}}}}\n{ground}\n\n{gone}", f"{ground}\n\n{come}"
        pages.append(Page(f"Town {number}", [*map(Revision, (ground, before, after))]))
    out = result_of(tmp_path, pages, "extract")
    why = {
        (each.sentence_id.split("-")[1], each.role): each.why_not
        for each in all_fates(out)
        if each.sentence.text == contested
    }
    assert "in both classes" in why["3", "removed"]
    assert "in both classes" in why["6", "added"]
    assert "in both classes" in why["9", "unchanged"]


@pytest.mark.parametrize(
    ("verdict", "words"), [("outlier", "the edit was dropped: outlier"), (None, "no verdict yet")]
)
def test_of_an_edit_that_gave_nothing(demo: Path, verdict: str | None, words: str) -> None:
    result = result_folder.ResultTables(demo)
    (edit,) = result.find(DIFFS_TABLE, "after_rev_id", [50])
    found = result_folder.sentence_outcomes(result, edit, verdict)
    assert all(each.is_of_edit and words in each.why_not for each in found)


def test_a_corpus_that_is_not_built_is_said_to_be_none(demo: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(demo, tmp_path / "cut")
    (folder / "corpus" / "train.parquet").unlink()
    assert {each.why_not for each in all_fates(folder)} == {"no corpus is built"}


NAME = "qualityenwiki-intent-edit-{}-10-16-{}"


def labelled_outcomes_of(folder: Path) -> dict[str, result_folder.SentenceOutcome]:
    """Return the fates of all sentences of the kept edits, by name."""
    return {fate.sentence_id: fate for fate in all_fates(folder)}


def note(folder: Path, words: str) -> str:
    return inspect(folder, recognised(words)).note


def test_a_folder_without_a_corpus_of_two_classes_is_inspected(intents: Path) -> None:
    assert not (intents / "corpus").exists()
    found = inspect(intents, recognised("16"))
    assert [story.provenance.signal for story in found.edits] == ["clarification", "point-of-view"]
    of_first = [(s.role, s.labelled and s.labelled.split) for s in found.edits[0].sentences]
    assert of_first[0] == ("removed", "train")


def test_a_sentence_with_labels_says_where_it_stands(intents: Path) -> None:
    both = "labels clarification, point-of-view, split train"
    assert note(intents, NAME.format("clarification", "removed-0")) == f"Labelled, {both}."
    # One sentence with two intents is one row, under the name that came first.
    other = NAME.format("clarification", "removed-0")
    said = note(intents, NAME.format("point-of-view", "removed-0"))
    assert said == f"Labelled, {both}, as {other}."


def test_every_row_is_found_and_every_other_sentence_has_a_reason(intents: Path) -> None:
    found = labelled_outcomes_of(intents)
    for row in rows(intents, "labelled"):
        if fate := found.get(row["sentence_id"]):
            assert fate.labelled is not None
            assert list(fate.labelled.labels) == row["labels"]
            assert fate.labelled.split == row["split"]
        else:
            assert row["negative"] == "featured"
    assert all(bool(fate.labelled) != bool(fate.why_not) for fate in found.values())
    reasons = {fate.why_not.partition(":")[0] for fate in found.values()}
    assert {"too short", "the same words are a positive", "not drawn"} <= reasons


def test_a_folder_of_intents_not_built_says_how_to_build(intents: Path, tmp_path: Path) -> None:
    shutil.copytree(intents, tmp_path / "o", ignore=shutil.ignore_patterns("labelled"))
    said = note(tmp_path / "o", NAME.format("clarification", "removed-0"))
    assert said.endswith("build --labels intents.")


def test_a_sentence_at_which_a_tag_points_has_its_own_name() -> None:
    found_rows = rows(labelled(), "labelled")
    positive = next(row for row in found_rows if row["labels"] == ["weasel"])
    found = inspect(labelled(), recognised(positive["sentence_id"]))
    assert f"label weasel, split {positive['split']}" in found.note
    assert found.sentence_id
