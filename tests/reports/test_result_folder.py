"""Rows of a result folder by a cell."""

from pathlib import Path

import pytest

from exports import export, history, wikibias
from wikibias.errors import UsageError
from wikibias.kits.schemas import DIFFS_TABLE
from wikibias.reports.result_folder import CHANGES, SENTENCES, ResultTables, key_of


def test_rows_by_revision_and_their_verdicts(demo: Path) -> None:
    result = ResultTables(demo)
    (change,) = result.find(CHANGES, "after_rev_id", [50])
    (edit,) = result.find(DIFFS_TABLE, "after_rev_id", [50])
    assert change.provenance == edit.provenance
    assert result.verdicts("after_rev_id", [50]) == {key_of(edit.provenance): "spelling"}
    assert list(result.find(CHANGES, "after_rev_id", [999_999])) == []


def test_rows_by_page_and_sentences_by_their_form(demo: Path) -> None:
    result = ResultTables(demo)
    kinds = [row.provenance.kind for row in result.find(CHANGES, "page_id", [11])]
    assert kinds == ["added", "removed", "added", "removed"]
    (sentence,) = [
        row
        for row in result.find(SENTENCES, "after_rev_id", [7])
        if row.sentence_id == "demoenwiki-7-removed-0"
    ]
    assert sentence.split == "train"
    assert list(result.find(SENTENCES, "norm", [sentence.norm])) == [sentence]


def test_a_folder_of_the_first_stage_has_no_corpus(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_bytes(export([history("Village", 1)]))
    ended = wikibias("detect", "--lang", "en", "-o", tmp_path / "o", tmp_path / "a.xml")
    assert ended.code == 0
    result = ResultTables(tmp_path / "o")
    assert (result.has("detect"), result.has("diff")) == (True, False)
    assert result.composition is None
    assert list(result.find(SENTENCES, "after_rev_id", [2])) == []
    assert result.verdicts("after_rev_id", [2]) == {}


def test_a_folder_without_a_result(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="holds no result"):
        ResultTables(tmp_path)
