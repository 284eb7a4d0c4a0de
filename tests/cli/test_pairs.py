"""`wikibias pairs` as people type it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from exports import Page, Revision, body, export, packed, wikibias
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
        ("a b\tc d\n", [], "--source"),
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


def test_a_file_is_not_written_over(tmp_path: Path) -> None:
    (tmp_path / "pairs.tsv").write_text(PUBLISHED, "utf-8")
    done = wikibias("pairs", tmp_path / "pairs.tsv", "--overwrite", "--out", tmp_path)
    assert done.code == 2
    assert (tmp_path / "pairs.tsv").read_text("utf-8") == PUBLISHED


def test_our_own_rules_keep_accents(tmp_path: Path) -> None:
    source = "L'église, édifiée à grands frais, est la plus élégante de la côte méditerranéenne."
    target = "L'église, édifiée à grands frais, est située près de la côte méditerranéenne."
    text = f"{body(1)}\n{source}\n"
    revisions = [
        Revision(f"{{{{Désaccord de neutralité}}}}\n{text}"),
        Revision(text.replace(source, target)),
    ]
    dump = tmp_path / "frwiki.xml.bz2"
    dump.write_bytes(packed(export([Page("Église", revisions)], lang="fr"), "bz2"))
    assert wikibias("detect", "--lang", "fr", "-o", tmp_path / "fr", dump).code == 0
    for out in ("one", "other"):
        done = wikibias("pairs", tmp_path / "fr", "--rules", "own", "--out", tmp_path / out)
        assert done.code == 0, done.err
    lines = (tmp_path / "one" / "pairs.tsv").read_text(encoding="utf-8").splitlines()
    assert lines[1].split("\t")[3:] == [source, target]
    found = [(tmp_path / out / "pairs.parquet").read_bytes() for out in ("one", "other")]
    assert found[0] == found[1]
