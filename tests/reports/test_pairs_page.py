"""The page of sentence pairs: structure, escaping, determinism, several folders, predictions."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from exports import wikibias
from made_pairs import PROVENANCE, pair, written_pairs
from reports.test_corpus_page import check
from wikibias.errors import WikibiasError
from wikibias.reports.pairs_page import page

BOMB = '<script>alert("x")</script> =HYPERLINK(1) \u202egnihtemos'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return written_pairs(tmp_path / "pairs", 40)


def test_the_page_of_a_folder(folder: Path) -> None:
    text = page([folder], 0)
    found = check(text)
    assert [title for level, title in found.headings if level == 2] == [
        "What this is",
        "From edits to pairs",
        "What the folder holds",
        "What editors did",
        "Most frequent changes",
        "Length and similarity",
        "A sample of pairs",
        "Notes and limits",
    ]
    alts = [str(svg["aria-label"]) for svg in found.of("svg")]
    assert len(alts) == 7
    assert all(any(char.isdigit() for char in alt) for alt in alts)
    assert "<del>The splendid</del> orchard" in text
    assert "40 biased pairs" in found.text
    assert "14 neutral pairs" in found.text


def test_the_same_folder_gives_the_same_bytes_and_another_seed_other_samples(folder: Path) -> None:
    assert page([folder], 0) == page([folder], 0)
    assert page([folder], 0) != page([folder], 1)


def test_several_folders_stand_side_by_side(folder: Path, tmp_path: Path) -> None:
    other = written_pairs(tmp_path / "more", 10)
    found = check(page([folder, other], 0))
    titles = [title for level, title in found.headings if level == 2]
    assert titles == ["Side by side", "pairs", "more"]
    assert "before and after edits made for neutrality; sets may share some" in found.text
    assert "edits that gave pairs" in found.text.split("From edits to pairs")[0]


def test_what_others_wrote_is_only_shown(tmp_path: Path) -> None:
    made = replace(
        PROVENANCE, comment=BOMB, page_title=BOMB, diff_url="javascript:alert(1)", lang=BOMB
    )
    folder = written_pairs(tmp_path / "p", 4, source=f"{BOMB} stands.", provenance=made)
    predictions = tmp_path / "<b>.jsonl"
    predictions.write_text(json.dumps({"text": f"{BOMB} stands.", "rewrite": BOMB}) + "\n", "utf-8")
    text = page([folder], 0, [predictions])
    check(text)
    assert "<script" not in text
    assert "javascript:" not in text
    assert "\u202e" not in text


def test_an_empty_folder(tmp_path: Path) -> None:
    found = check(page([written_pairs(tmp_path / "p", 0)], 0))
    assert "The folder holds no pair" in found.text


def test_predictions_beside_the_editors(folder: Path, tmp_path: Path) -> None:
    marks, rewrites, none = (tmp_path / f"{name}.jsonl" for name in ("tagger", "rewriter", "none"))
    marks.write_text(json.dumps({"text": pair(101).source, "spans": [[4, 12]]}), "utf-8")
    rewrites.write_text(json.dumps({"text": pair(101).source, "rewrite": "It lies."}), "utf-8")
    none.write_text(json.dumps({"text": "Elsewhere.", "rewrite": "It lies."}), "utf-8")
    text = page([folder], 0, [marks, rewrites])
    check(text)
    assert "before, marked by tagger" in text
    assert "after, rewriter" in text
    assert "None of the sentences of the predictions" in page([folder], 0, [none])


def test_a_damaged_table_is_named(folder: Path) -> None:
    (folder / "pairs.parquet").write_bytes(b"PAR1 no")
    with pytest.raises(WikibiasError, match=r"pairs\.parquet"):
        page([folder], 0)


def test_a_folder_without_its_lists(folder: Path) -> None:
    (folder / "funnel.json").write_text("[", "utf-8")
    (folder / "export.json").unlink()
    assert "There is no funnel.json in the folder" in check(page([folder], 0)).text


def test_the_command(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert wikibias("report", folder).code == 0
    assert (tmp_path / "report-pairs.html").is_file()
    assert not (folder / "report.html").exists()
    monkeypatch.chdir(folder)
    (tmp_path / "report-pairs.html").unlink()
    assert wikibias("report", ".").code == 0
    assert (tmp_path / "report-pairs.html").is_file()
    monkeypatch.chdir(tmp_path)
    assert wikibias("report", folder).code == 0
    ended = wikibias("report", folder, tmp_path)
    assert ended.code == 2
    assert "holds sentence pairs and" in ended.err
    (tmp_path / "p.jsonl").write_text("{}\n", "utf-8")
    ended = wikibias("report", folder, "--predictions", "p.jsonl")
    assert (ended.code, "p.jsonl:1: no prediction" in ended.err) == (1, True)
    ended = wikibias("report", tmp_path, "--predictions", "p.jsonl")
    assert (ended.code, "--predictions goes with" in ended.err) == (2, True)
