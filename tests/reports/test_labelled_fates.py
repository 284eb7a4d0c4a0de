"""Where sentences of edits stand in a corpus of labels, as `inspect` tells."""

from __future__ import annotations

import shutil
from pathlib import Path

from exports import rows, wikibias
from tagged_sentences import write_dump
from wikibias.kits.schemas import DIFFS_TABLE
from wikibias.reports.inspection import inspect, recognised
from wikibias.reports.result_folder import ResultFolder
from wikibias.reports.sentence_fates import SentenceFate, fates

NAME = "qualityenwiki-intent-edit-{}-10-16-{}"


def all_fates(folder: Path) -> dict[str, SentenceFate]:
    """Return the fates of all sentences of the kept edits, by name."""
    result = ResultFolder(folder)
    kept = {row["after_rev_id"] for row in rows(folder, "edits")}
    edits = result.find(DIFFS_TABLE, "after_rev_id", kept)
    found = [
        fate for edit in edits for fate in fates(result, edit, "kept") if edit.removed or fate.split
    ]
    return {fate.sentence_id: fate for fate in found}


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
    found = all_fates(intents)
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


def test_a_folder_of_intents_that_is_not_built_says_how_to_build(
    intents: Path, tmp_path: Path
) -> None:
    shutil.copytree(intents, tmp_path / "o", ignore=shutil.ignore_patterns("labelled"))
    said = note(tmp_path / "o", NAME.format("clarification", "removed-0"))
    assert said.endswith("build --labels intents.")


def test_a_sentence_at_which_a_tag_points_has_its_own_name(tmp_path: Path) -> None:
    dump, out = write_dump(tmp_path / "dump.xml"), tmp_path / "out"
    words = ("--lang", "en", "--tagset", "inline-cleanup", "--workers", 1, "-q")
    assert wikibias("extract", *words, "--labels", "tags", "-o", out, dump).code == 0
    positive = next(row for row in rows(out, "labelled") if row["labels"] == ["weasel"])
    found = inspect(out, recognised(positive["sentence_id"]))
    assert f"label weasel, split {positive['split']}" in found.note
    assert found.sentence_id
