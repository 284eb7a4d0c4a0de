"""Judged sentences against the rules of the tiers."""

import json
from pathlib import Path
from typing import Any

import pytest

import tier_rules
from made_edits import edit
from wikibias.config.thresholds import Tiers
from wikibias.kits.parquet import writing
from wikibias.kits.schemas import DIFFS_TABLE
from wikibias.records import Link

MADE = edit(
    removed=["The mill is grand.", "The inn is gone."],
    links=(Link("0", "The mill is old.", "rewritten", 80.0, "12:17"),) * 2,
)


def judgement(norm: str, biased: int = 1) -> dict[str, Any]:
    names = ("wiki", "before_rev_id", "after_rev_id", "pairing")
    return {
        **dict(zip(names, tier_rules.edit_key(MADE), strict=True)),
        "article": "Mill",
        "form": tier_rules.form(norm),
        "biased": [biased, 0],
        "well_formed": [1, 1],
    }


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "diffs").mkdir()
    with writing(tmp_path / "diffs" / "a.parquet", DIFFS_TABLE, dict) as writer:
        writer.write(MADE)
    return tmp_path


def test_sentences_are_found_by_edit_and_form(folder: Path) -> None:
    lines = [judgement("the mill is grand"), judgement("what is not there")]
    (found,) = tier_rules.judged_sentences([folder], lines, Tiers())
    assert (found.article, found.tier, found.biased) == ("Mill", "high", 1)


def test_the_intervals_of_shares() -> None:
    low, high = tier_rules.interval(19, 25)
    assert (round(low, 3), round(high, 3)) == (0.566, 0.885)
    assert tier_rules.interval(0, 0) == (0.0, 1.0)


def test_it_prints_a_line_for_each_rule_and_article(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = folder / "judgements.jsonl"
    judged = (judgement("the mill is grand", 1), judgement("the inn is gone", 0))
    lines.write_text("\n".join(map(json.dumps, judged)))
    arguments = ["tier_rules.py", str(folder), "--judgements", str(lines)]
    monkeypatch.setattr("sys.argv", arguments)
    tier_rules.main()
    shown = capsys.readouterr().out
    assert "2 of 2 judged sentences found." in shown
    assert "| **tier high** | 2 | 1 | 1 | 50% (9% to 91%) | 100% |" in shown
    assert "| Mill, tier high | 2 | 1 |" in shown


def test_the_judgements_hold_no_text_of_a_wiki() -> None:
    lines = tier_rules.JUDGEMENTS.read_text("utf-8").splitlines()
    for line in map(json.loads, lines):
        texts = {name: value for name, value in line.items() if isinstance(value, str)}
        assert texts.keys() == {"article", "wiki", "pairing", "tag", "form"}
        assert len(line["form"]) == 16
