"""The rows of a corpus."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from made_edits import CONTEXT, GONE, PROVENANCE, chosen_of, edit
from wikibias import records
from wikibias.corpus.rows import write_corpus, write_pairs


def rows(made: records.Edit) -> list[records.CorpusSentence]:
    return list(chosen_of([made]).rows())


def test_columns_of_a_link() -> None:
    link = records.Link("3", "It was.", "rewritten", 77.0, "0:3")
    found, other = rows(edit(removed=["It is.", "Gone."], links=(link, GONE)))
    assert found.pair_id == "enwiki-2-3"
    assert (found.counterpart, found.relation, found.similarity) == ("It was.", "rewritten", 77.0)
    assert found.changed_spans == "0:3"
    assert (other.pair_id, other.counterpart, other.relation) == (None, None, "deleted")
    assert other.similarity is None
    assert (found.tier, found.tier_reasons) == ("high", ("few_removed", "rewritten"))


def test_a_row_is_named_after_its_edit_its_role_and_its_place_there() -> None:
    made = edit(removed=["One.", "Two."], added=["Three."], unchanged=["Four."])
    names = [row.sentence_id for row in rows(made)]
    assert names == [
        "enwiki-2-removed-0",
        "enwiki-2-removed-1",
        "enwiki-2-added-0",
        "enwiki-2-unchanged-0",
    ]
    span = replace(made, provenance=replace(PROVENANCE, pairing="tagged-span"))
    assert rows(span)[0].sentence_id == "enwiki-tagged-span-1-2-removed-0"


def test_what_is_known_of_the_edit_stands_in_each_row() -> None:
    history = records.History(survived_days=90.0)
    made = edit(removed=["One."], added=["Two."], history=history, share_of_page=0.2)
    for row in rows(made):
        assert (row.history, row.share_of_page, row.block) == (history, 0.2, "paragraph")


REWRITTEN = records.Link("0", "The mill is old.", "rewritten", 80.0, "12:16")


def made() -> records.Edit:
    facts: dict[str, Any] = {
        "removed": ["The mill is grand.", "It is gone.", "One half here.", "Other half here."],
        "added": ["The mill is old.", "One half, other half here."],
        "links": (
            REWRITTEN,
            GONE,
            records.Link("1", "One half, other half here.", "merged", 70.0, "9:14"),
            records.Link("1", "One half, other half here.", "merged", 70.0, "0:5 11:16"),
        ),
        "added_links": (
            records.Link("0", "The mill is grand.", "rewritten", 80.0, "12:15"),
            records.Link("1", "One half here. Other half here.", "merged", 70.0, "8:10"),
        ),
    }
    return edit(**facts)


def pairs(found: records.Edit, **choices: Any) -> list[records.AlignedPair]:
    return list(chosen_of([found], **choices).pairs())


def test_a_pair_holds_both_texts_and_what_changed_in_each() -> None:
    first, second = pairs(made())
    assert (first.pair_id, first.relation, first.similarity) == ("enwiki-2-0", "rewritten", 80.0)
    assert (first.removed, first.added) == ("The mill is grand.", "The mill is old.")
    assert (first.removed_spans, first.added_spans) == ("12:16", "12:15")
    assert first.sentence_ids == ("enwiki-2-removed-0",)
    assert (second.removed, second.added) == (
        "One half here. Other half here.",
        "One half, other half here.",
    )
    # Spans of the second half move on by the first one and a space.
    assert second.removed_spans == "9:14 15:20 26:31"
    assert second.sentence_ids == ("enwiki-2-removed-2", "enwiki-2-removed-3")


def test_tier_and_split_are_those_of_its_sentences() -> None:
    found = made()
    corpus = chosen_of([found])
    sentences = {s.sentence_id: s for s in corpus.rows()}
    for pair in corpus.pairs():
        assert {sentences[each].split for each in pair.sentence_ids} == {pair.split}
        assert {sentences[each].tier for each in pair.sentence_ids} == {pair.tier}
        assert {sentences[each].pair_id for each in pair.sentence_ids} == {pair.pair_id}


def test_only_pairs_of_sentences_in_the_corpus() -> None:
    assert len(pairs(made(), max_per_edit=1)) == 1
    both = edit(2, ["The mill is grand."], links=(REWRITTEN,))
    assert pairs(both) == []  # nothing on the other side is recorded
    assert pairs(edit(removed=["The mill is grand."], added=["It is old."])) == []


def sentence(number: int, split: str, label: records.Label) -> records.CorpusSentence:
    role: records.Role = "removed" if label == "biased" else "added"
    return records.CorpusSentence(
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
    pair, _ = pairs(made())
    pair = replace(pair, removed="=HYPERLINK(1)", added="One\n\x9b31m line.")
    write_pairs(tmp_path, [replace(pair, tier="low", split="train")], with_editors=False)
    row = (tmp_path / "pairs.tsv").read_text().splitlines()[1].split("\t")
    assert row == ["train", "low", "rewritten", "'=HYPERLINK(1)", "One \\x9b31m line."]
    assert pq.read_table(tmp_path / "pairs.parquet")["removed"].to_pylist() == ["=HYPERLINK(1)"]
