"""The page of sentence pairs: structure, escaping, determinism, several folders, a command."""

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from exports import wikibias
from made_pairs import PROVENANCE, pair, written_pairs
from page_checks import check, plain
from wikibias.config.thresholds import Build
from wikibias.corpus.sentence_pairs.harvest import Funnel, funnel_tables, write_pairs
from wikibias.edits.word_diff import edited_spans
from wikibias.errors import WikibiasError
from wikibias.reports import pairs_page
from wikibias.reports.pairs_page import changed_words, page, pair_counts

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
        "A sample of pairs",
        "Notes and limits",
    ]
    alts = [str(svg["aria-label"]) for svg in found.of("svg")]
    assert len(alts) == 1
    assert all(any(char.isdigit() for char in alt) for alt in alts)
    assert "<del>The splendid</del> orchard" in text
    assert "40 biased pairs" in found.text
    assert "14 neutral pairs" in found.text


def test_a_folder_gives_the_same_bytes_and_another_seed_others(folder: Path) -> None:
    assert page([folder], 0) == page([folder], 0)
    assert page([folder], 0) != page([folder], 1)


def test_several_folders_stand_side_by_side(folder: Path, tmp_path: Path) -> None:
    other = written_pairs(tmp_path / "more", 10)
    found = check(page([folder, other], 0))
    titles = [title for level, title in found.headings if level == 2]
    assert titles == ["Side by side", "pairs", "more"]
    assert "sets may share some: before and after edits made for neutrality" in found.text


def test_what_others_wrote_is_only_shown(tmp_path: Path) -> None:
    made = replace(
        PROVENANCE, comment=BOMB, page_title=BOMB, diff_url="javascript:alert(1)", lang=BOMB
    )
    folder = written_pairs(tmp_path / "p", 4, source=f"{BOMB} stands.", provenance=made)
    text = page([folder], 0)
    check(text)
    assert "<script" not in text
    assert "javascript:" not in text
    assert "\u202e" not in text


def test_an_empty_folder(tmp_path: Path) -> None:
    found = check(page([written_pairs(tmp_path / "p", 0)], 0))
    assert "The folder holds no pair" in found.text


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
    wikibias("report", folder).well()
    assert (tmp_path / "report-pairs.html").is_file()
    assert not (folder / "report.html").exists()
    monkeypatch.chdir(folder)
    (tmp_path / "report-pairs.html").unlink()
    wikibias("report", ".").well()
    assert (tmp_path / "report-pairs.html").is_file()
    monkeypatch.chdir(tmp_path)
    wikibias("report", folder).well()
    wikibias("report", folder, tmp_path).refused("holds sentence pairs and")


def section(folder: Path, title: str) -> str:
    """The text of a section of the page of a folder."""
    return plain(page([folder], 0)).split(f" {title} ")[-1]


FUNNEL: dict[str, Any] = {
    "matched": 597,
    "reverts": 75,
    "pover": 2,
    "kept": 520,
    "single_block": 173,
    "passed": 114,
    "biased": 105,
    "single_word": 18,
    "neutral": 311,
    "after_length_ratio": 97,
    "stages": {"not_one_block": 347, "restores_earlier": 59, "passed": 114},
    "verdicts": {"neutral": 311, "biased": 105},
    "length_ratio": {"mean": 1.1, "sd": 0.2},
}


def test_the_funnel_in_a_figure_and_in_tables(folder: Path) -> None:
    (folder / "funnel.json").write_text(json.dumps(FUNNEL), "utf-8")
    found = check(page([folder], 0))
    assert "Of 520, not_one_block 347, restores_earlier 59 drop out; 114 are left (22%)." in str(
        found.of("svg")[0]["aria-label"]
    )
    funnel, edits, sentences = funnel_tables(FUNNEL)
    assert funnel.rows[-1] == ["after_length_ratio", "97"]
    assert edits.rows[0] == ["not_one_block", "347"]
    assert sentences.title == "Pairs"
    signals = {"tag": {"edits": 2, "biased": 1}, "summary": {"edits": 0, "biased": 0}}
    (table,) = funnel_tables({"by_signal": signals})
    assert table.rows == [["tag", "2", "1"], ["summary", "0", "0"]]


def test_what_editors_did(tmp_path: Path) -> None:
    found = section(written_pairs(tmp_path / "p", 4), "What editors did")
    assert found.startswith("4 edited spans in 4 biased pairs, 1.00 a pair. In 0 (0%)")
    assert "substitutions 0 0.0% deletions 4 100.0% additions 0 0.0%" in found
    assert "rewritten 4 100.0%" in found


@pytest.mark.parametrize(
    ("source", "target", "said"),
    [
        ("The famous mill claimed it all.", "The mill said it all.", "was became times"),
        ("Here, now and then.", "Here; now and then.", "Nothing was done more than once."),
    ],
)
def test_frequent_changes_and_none(source: str, target: str, said: str, tmp_path: Path) -> None:
    folder = tmp_path / "p"
    pairs = [
        replace(pair(n, page=n, source=source, target=target), edits=edited_spans(source, target))
        for n in (1, 2)
    ]
    facts = {"format": "sentence pairs", "rules": "own"}
    write_pairs(folder, pairs, Funnel(), shares=Build(), seed=0, facts=facts, overwrite=True)
    assert said in section(folder, "Most frequent changes")


def test_a_change_in_words() -> None:
    assert changed_words("The Splendid, famous mill", "4:12 14:20") == "splendid … famous"
    assert changed_words("The mill", "") == ""


def test_facts_and_groups_of_the_folder(tmp_path: Path) -> None:
    made = replace(PROVENANCE, part="enwiki-20260101-p1", lang="en", wiki="enwiki")
    text = section(written_pairs(tmp_path / "p", 3, provenance=made), "What this is")
    assert "rules wnc" in text
    assert "dump of 2026-01-01" in text
    assert "By language language biased neutral en 3 1" in text


def test_a_folder_is_sampled_by_the_seed(tmp_path: Path) -> None:
    folder = written_pairs(tmp_path / "p", 60)
    found = pair_counts(folder, 0)
    assert found.labels == Counter(biased=60, neutral=20)
    assert sum(of["biased"] for of in found.groups["split"].values()) == 60
    places = found.samples["biased"].places
    assert len(places) == pairs_page.SAMPLE
    assert places == pair_counts(folder, 0).samples["biased"].places
    assert places != pair_counts(folder, 1).samples["biased"].places
