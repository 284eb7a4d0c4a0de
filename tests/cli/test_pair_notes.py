"""What `wikibias pairs` says beside its counts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from exports import Page, Revision, body, export, packed, wikibias
from paths import SAMPLES
from sample_corpora import corpus


def test_a_part_that_failed_is_named(tmp_path: Path) -> None:
    whole = next(SAMPLES.glob("demofrwiki-*.bz2")).read_bytes()
    cut = tmp_path / "cut.xml.bz2"
    cut.write_bytes(whole[: len(whole) // 2])
    assert wikibias("detect", "--lang", "fr", "-o", tmp_path / "fr", cut).code == 1
    done = wikibias("pairs", tmp_path / "fr", "--out", tmp_path / "out")
    assert done.code == 0
    assert "1 of 1 part failed" in done.err
    assert "cut.xml.bz2 is cut off" in done.err


@pytest.mark.parametrize(
    ("found_by", "rules", "lang", "said"),
    [
        ("own", "own", "fr", ()),
        ("wnc", "wnc", "en", ()),
        ("own", "wnc", "en", ("belongs with --summary-rule wnc",)),
        ("wnc", "own", "fr", ("belongs with --summary-rule own", "knows English summaries alone")),
    ],
)
def test_rules_that_do_not_belong_together(
    found_by: str, rules: str, lang: str, said: tuple[str, ...], tmp_path: Path
) -> None:
    praise = "The grand old mill was the pride of us all."
    text = f"{body(1)}\n{praise}\n"
    revisions = [
        Revision(text),
        Revision(text.replace("grand ", ""), comment="rm POV, NPOV"),
    ]
    dump, out = tmp_path / f"{lang}wiki.xml.bz2", tmp_path / lang
    dump.write_bytes(packed(export([Page("Mill", revisions)], lang=lang), "bz2"))
    found = ("--signal", "summary", "--summary-rule", found_by)
    assert wikibias("detect", "--lang", lang, *found, "-o", out, dump).code == 0
    done = wikibias("pairs", out, "--rules", rules, "--out", tmp_path / "out")
    assert done.code == 0, done.err
    lines = [line for line in done.err.splitlines() if "--summary-rule" in line]
    assert len(lines) == len(said), done.err
    assert all(words in line for words, line in zip(said, lines, strict=True))
    assert json.loads((tmp_path / "out/export.json").read_text("utf-8"))["summary_rule"] == found_by
    assert "Note: dev and test empty: too few pages to split by page." in done.out


def test_pairs_of_tags_alone_are_told_of(tmp_path: Path) -> None:
    done = wikibias("pairs", corpus(), "--out", tmp_path / "out")
    assert "Note: the pairs are of edits that changed tags;" in done.out
