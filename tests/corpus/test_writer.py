"""A corpus on disk: the same sentences in three forms."""

from __future__ import annotations

from pathlib import Path

import pyarrow.parquet as pq
import pytest

from histories import history
from wikibias.corpus.writer import write_corpus, write_pairs
from wikibias.records import AlignedPair, CorpusSentence, Label, Role, TagContext

PROVENANCE = history(["{{POV}} a", "a"])[1].provenance
CONTEXT = TagContext(("article",), ("",), ("",), edited_text=True, only_tags=False)


def sentence(number: int, split: str, label: Label) -> CorpusSentence:
    role: Role = "removed" if label == "biased" else "added"
    return CorpusSentence(
        sentence_id=f"s{number}",
        text=f"No. {number}!",
        norm=f"no numtkn {number}",
        label=label,
        role=role,
        split=split,
        provenance=PROVENANCE,
        context=CONTEXT,
    )


def test_each_split_in_three_forms(tmp_path: Path) -> None:
    sentences = [
        sentence(1, "train", "biased"),
        sentence(2, "dev", "neutral"),
        sentence(3, "train", "neutral"),
    ]
    write_corpus(tmp_path, sentences, with_editors=False)
    assert (tmp_path / "train.tsv").read_text() == "biased\tno numtkn 1\nneutral\tno numtkn 3\n"
    assert (tmp_path / "dev.txt").read_text() == "__label__neutral no numtkn 2\n"
    assert pq.read_table(tmp_path / "train.parquet")["text"].to_pylist() == ["No. 1!", "No. 3!"]
    # A split without sentences is there too, and can be read.
    assert (tmp_path / "test.tsv").read_text() == ""
    assert pq.read_table(tmp_path / "test.parquet").num_rows == 0
    assert len(list(tmp_path.iterdir())) == 9


@pytest.mark.parametrize("with_editors", [True, False])
def test_editors_only_on_request(with_editors: bool, tmp_path: Path) -> None:
    write_corpus(tmp_path, [sentence(1, "train", "biased")], with_editors=with_editors)
    assert ("editor" in pq.read_schema(tmp_path / "train.parquet").names) is with_editors


def test_an_error_leaves_no_half_corpus(tmp_path: Path) -> None:
    with pytest.raises(KeyError):
        write_corpus(tmp_path, [sentence(1, "tset", "biased")], with_editors=False)
    assert list(tmp_path.iterdir()) == []


def test_a_cell_of_the_pairs_is_one_line_and_no_formula(tmp_path: Path) -> None:
    pair = AlignedPair(
        pair_id="p1",
        removed="=HYPERLINK(1)",
        added="One\n\x9b31m line.",
        relation="rewritten",
        similarity=50.0,
        removed_spans="",
        added_spans="",
        tier="low",
        split="train",
        sentence_ids=("s1",),
        provenance=PROVENANCE,
    )
    write_pairs(tmp_path, [pair], with_editors=False)
    row = (tmp_path / "pairs.tsv").read_text().splitlines()[1].split("\t")
    assert row == ["train", "low", "rewritten", "'=HYPERLINK(1)", "One \\x9b31m line."]
    assert pq.read_table(tmp_path / "pairs.parquet")["removed"].to_pylist() == ["=HYPERLINK(1)"]
