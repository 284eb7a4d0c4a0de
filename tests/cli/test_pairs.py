"""`wikibias pairs` as people type it."""

from __future__ import annotations

from pathlib import Path

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


def test_the_files_of_a_result(tmp_path: Path) -> None:
    done = wikibias("pairs", corpus(), "--rules", "wnc", "--out", tmp_path / "out")
    assert done.code == 0, done.err
    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert names == ["export.json", "funnel.json", "pairs.parquet", "pairs.tsv"]


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
