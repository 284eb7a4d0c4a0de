"""`wikibias pairs` as people type it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from exports import Page, Revision, body, export, wikibias
from sample_corpora import corpus


def test_a_folder_without_a_result(tmp_path: Path) -> None:
    done = wikibias("pairs", tmp_path, "--out", tmp_path / "out")
    assert done.code == 2
    assert "holds no result" in done.err
    assert len(done.err.splitlines()) == 1


def test_it_does_not_write_over_what_it_reads() -> None:
    for out in (corpus(), corpus() / "transitions"):
        done = wikibias("pairs", corpus(), "--overwrite", "--out", out)
        assert done.code == 2
        assert len(done.err.splitlines()) == 1
        assert "a folder of its own" in done.err


def test_a_run_that_did_not_look_for_summaries(tmp_path: Path) -> None:
    done = wikibias("pairs", corpus(), "--rules", "wnc", "--out", tmp_path / "out")
    assert done.code == 2
    assert "detect --signal summary" in done.err
    assert len(done.err.splitlines()) == 1
    assert not (tmp_path / "out").exists()


PUBLISHED = (
    "src\ttgt\n"
    "the splendid bridge crosses the river near the mill.\t"
    "the bridge crosses the river near the mill.\n"
    "the bridge of 1901 crosses the river near the mill.\t"
    "the bridge of 1902 crosses the river near the mill.\n"
)


def test_a_file_of_pairs_and_what_is_dropped_of_it(tmp_path: Path) -> None:
    (tmp_path / "published.tsv").write_text(PUBLISHED, "utf-8")
    done = wikibias(
        "pairs", tmp_path / "published.tsv", "--source", "src", "--target", "tgt",
        "--rules", "wnc", "--lang", "en", "--out", tmp_path / "out",
    )  # fmt: skip
    assert done.code == 0, done.err
    assert "few_letters" in done.out
    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert names == ["export.json", "funnel.json", "pairs.parquet", "pairs.tsv"]
    told = json.loads((tmp_path / "out/funnel.json").read_text("utf-8"))
    assert list(told)[:10] == [
        "matched", "reverts", "pover", "kept", "single_block", "passed", "biased", "single_word",
        "neutral", "after_length_ratio",
    ]  # fmt: skip
    assert (told["kept"], told["biased"], told["single_word"]) == (None, 1, 1)
    # What it wrote is a file of pairs too.
    again = wikibias("pairs", tmp_path / "out", "--rules", "own", "--out", tmp_path / "again")
    assert again.code == 0, again.err


@pytest.mark.parametrize(
    ("content", "options", "said"),
    [
        ("src\ttgt\na\tb\n", ["--source", "sorce", "--target", "tgt"], "sorce"),
        ("", [], "no pair"),
        ("src\ttgt\nonly one cell\n", ["--source", "src", "--target", "tgt"], ":2:"),
        ("src\ttgt\na\tb\n", ["--lang", "xx"], "xx"),
    ],
)
def test_a_file_that_does_not_fit(
    content: str, options: list[str], said: str, tmp_path: Path
) -> None:
    (tmp_path / "bad.tsv").write_text(content, "utf-8")
    done = wikibias("pairs", tmp_path / "bad.tsv", *options, "--out", tmp_path / "out")
    assert done.code in (1, 2)
    assert len(done.err.splitlines()) == 1
    assert said in done.err
    assert not (tmp_path / "out").exists()


def test_options_of_files_are_refused_for_a_folder(tmp_path: Path) -> None:
    done = wikibias("pairs", corpus(), "--source", "1", "--out", tmp_path / "out")
    assert done.code == 2
    assert "--source" in done.err


@pytest.mark.parametrize("rules", ["wnc", "own"])
def test_what_is_not_judged_by_reverts_is_not_asked_to(rules: str, tmp_path: Path) -> None:
    (tmp_path / "published.tsv").write_text(PUBLISHED, "utf-8")
    path = tmp_path / "published.tsv" if rules == "own" else corpus()
    done = wikibias("pairs", path, "--rules", rules, "--reverts", "keep", "-o", tmp_path / "out")
    assert done.code == 2
    assert "--reverts is for --rules own" in done.err


def test_a_file_is_not_written_over(tmp_path: Path) -> None:
    (tmp_path / "pairs.tsv").write_text(PUBLISHED, "utf-8")
    done = wikibias("pairs", tmp_path / "pairs.tsv", "--overwrite", "--out", tmp_path)
    assert done.code == 2
    assert (tmp_path / "pairs.tsv").read_text("utf-8") == PUBLISHED


def detected(tmp_path: Path, *revisions: Revision) -> Path:
    """Return a result folder with the edits of a page that were found by their summary."""
    dump, out = tmp_path / "enwiki.xml", tmp_path / "en"
    dump.write_bytes(export([Page("Elm", revisions)]))
    done = wikibias(
        "detect", "--lang", "en", "--signal", "summary", "--summary-rule", "wnc", "-o", out, dump
    )
    assert done.code == 0, done.err
    return out


def test_edits_found_by_their_summary_by_the_rules_of_wnc(tmp_path: Path) -> None:
    text = f"{body(1)}\nThe splendid bridge crosses the river near the mill. It is of stone.\n"
    folder = detected(
        tmp_path,
        Revision(text),
        Revision(text.replace("splendid ", ""), comment="rm POV"),
        Revision(text, comment="revert POV edit"),
    )
    for out in ("one", "other"):
        done = wikibias("pairs", folder, "--rules", "wnc", "--out", tmp_path / out)
        assert done.code == 0, done.err
    told = json.loads((tmp_path / "one/funnel.json").read_text("utf-8"))
    assert [told[key] for key in ("matched", "reverts", "kept", "single_block", "passed")] == [
        2, 1, 1, 1, 1,
    ]  # fmt: skip
    assert (told["biased"], told["single_word"], told["neutral"]) == (1, 1, 1)
    lines = (tmp_path / "one/pairs.tsv").read_text("utf-8").splitlines()
    assert lines[1].split("\t")[3:] == [
        "the splendid bridge crosses the river near the mill.",
        "the bridge crosses the river near the mill.",
    ]
    found = [(tmp_path / out / "pairs.parquet").read_bytes() for out in ("one", "other")]
    assert found[0] == found[1]


@pytest.mark.parametrize("rules", ["wnc", "own"])
def test_texts_that_are_lost(rules: str, tmp_path: Path) -> None:
    before, after = Revision("Elm", lost=True), Revision("Mill", lost=True, comment="rm POV")
    folder = detected(tmp_path, before, after)
    done = wikibias("pairs", folder, "--rules", rules, "--out", tmp_path / "out")
    assert done.code == 2
    assert "wikibias fetch --revisions" in done.err
    assert len(done.err.splitlines()) == 1


def test_a_wiki_in_which_no_summary_matches(tmp_path: Path) -> None:
    folder = detected(tmp_path, Revision("Elm."), Revision("Elm is a town."))
    done = wikibias("pairs", folder, "--rules", "wnc", "--out", tmp_path / "out")
    assert done.code == 0
    assert len(done.err.splitlines()) == 1
    assert json.loads((tmp_path / "out/funnel.json").read_text("utf-8"))["kept"] == 0


def test_the_sample_of_a_real_article(shared: Path, tmp_path: Path) -> None:
    dump = shared / "dumps/enwiki-anarchism-600-revisions.xml.bz2"
    done = wikibias(
        "detect", "--lang", "en", "--workers", 1, "--signal", "summary", "--summary-rule", "wnc",
        "-o", tmp_path / "en", dump,
    )  # fmt: skip
    assert done.code == 0, done.err
    assert wikibias("pairs", tmp_path / "en", "--rules", "wnc", "-o", tmp_path / "out").code == 0
    told = json.loads((tmp_path / "out/funnel.json").read_text("utf-8"))
    counts = [told[key] for key in ("kept", "single_block", "passed", "biased", "single_word")]
    assert counts == [20, 9, 6, 5, 1]
