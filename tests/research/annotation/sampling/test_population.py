"""Tests of the sentences that a sample is drawn from."""

from __future__ import annotations

from pathlib import Path

import pytest

from sample_corpora import corpus
from wikibias.api.corpora import load_corpus, load_table
from wikibias.errors import UsageError
from wikibias.research.annotation.population import open_corpus, removed_sentences


class TestRemovedSentences:
    def test_gives_the_biased_sentences_of_a_corpus(self) -> None:
        folder = corpus()
        found = [one.row["sentence_id"] for one in removed_sentences([open_corpus(folder)])]
        rows = load_corpus(folder)
        assert found == list(rows[rows["role"] == "removed"]["sentence_id"])

    def test_knows_how_many_sentences_each_edit_removed(self) -> None:
        folder = corpus()
        edits = load_table(folder, "edits").to_pylist()
        sizes = {row["after_rev_id"]: len(row["removed"]) for row in edits}
        for one in removed_sentences([open_corpus(folder)]):
            assert one.removed == sizes[one.row["after_rev_id"]]

    def test_numbers_the_corpora(self) -> None:
        found = removed_sentences([open_corpus(corpus()), open_corpus(corpus("fr"))])
        assert {(one.corpus, one.value("language")) for one in found} == {(0, "en"), (1, "fr")}


class TestOpenCorpus:
    def test_takes_the_inner_folder_too(self) -> None:
        assert open_corpus(corpus() / "corpus").name == "en"

    def test_says_what_to_type_where_none_is_built(self, tmp_path: Path) -> None:
        with pytest.raises(UsageError):
            open_corpus(tmp_path)


def test_tells_tags_and_signal_apart() -> None:
    for one in removed_sentences([open_corpus(corpus())]):
        assert one.tag == "|".join(one.row["tags"])
        assert one.value("tag") == one.tag
        assert one.value("tier") in ("high", "medium", "low")
