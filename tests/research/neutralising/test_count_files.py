"""Counts on the disk."""

from __future__ import annotations

from pathlib import Path

import pytest

from wikibias.errors import WikibiasError
from wikibias.research.neutralising.count_files import (
    read_evidence,
    read_ngrams,
    write_evidence,
    write_ngrams,
)
from wikibias.research.neutralising.evidence import Evidence
from wikibias.research.neutralising.ngram_model import NgramModel


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    evidence = Evidence()
    evidence.add({"word": ("awful",), "end": ("ful",)}, 1.0)
    evidence.add({"word": ("mill",)}, 0.0)
    write_evidence(evidence, tmp_path / "e.parquet")
    assert list(read_evidence(tmp_path / "e.parquet").rows()) == list(evidence.rows())

    ngrams = NgramModel()
    ngrams.add(["the", "mill"])
    write_ngrams(ngrams, tmp_path / "n.parquet")
    assert list(read_ngrams(tmp_path / "n.parquet").rows()) == list(ngrams.rows())


def test_a_damaged_file(tmp_path: Path) -> None:
    (tmp_path / "e.parquet").write_text("no table")
    with pytest.raises(WikibiasError, match="damaged"):
        read_evidence(tmp_path / "e.parquet")
