"""The card of exported sentence pairs."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from made_edits import PROVENANCE
from wikibias.corpus.export.pair_card import PairFacts, pair_card
from wikibias.records import SentencePair

MADE = SentencePair(
    "enwiki-7-a", "A grand mill.", "A mill.", "biased", single_word=True, relation="rewritten",
    similarity=90.0, edits=(), split="train", tier="high", tier_reasons=(), provenance=PROVENANCE,
)  # fmt: skip


def test_it_counts_and_names_licence_and_time(tmp_path: Path) -> None:
    facts = PairFacts()
    facts.add(MADE)
    facts.add(replace(MADE, label="neutral", split="test", tier=None))
    early = datetime(2006, 5, 4, tzinfo=UTC)
    facts.add(replace(MADE, provenance=replace(PROVENANCE, before_timestamp=early)))
    (tmp_path / "train.parquet").write_bytes(b"")
    data, text = pair_card(facts, {"train": "train.parquet"}, tmp_path)
    assert data["language"] == ["en"]
    assert "gfdl" in [each.lower() for each in data["license"]]
    assert data["configs"][0]["data_files"] == [{"split": "train", "path": "train.parquet"}]
    assert "| train | 2 | 0 |" in text
    assert "| none | 0 | 1 |" in text
    assert "from 2006-05-04 to" in text
    assert "## Licence\n\n- " in text


def test_of_a_file_of_pairs_nothing_is_claimed(tmp_path: Path) -> None:
    data, text = pair_card(PairFacts(), {}, tmp_path)
    assert "language" not in data
    assert "a file of pairs" in text
    assert "When the revisions were saved is not recorded." in text
