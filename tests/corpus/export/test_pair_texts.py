"""Sentence pairs in the files of WNC and WIKIBIAS, as their readers read them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from made_edits import PROVENANCE
from wikibias.corpus.export.pair_texts import labels, words, write_bio, write_wikibias, write_wnc
from wikibias.edits.edited_spans import edited_spans
from wikibias.records import Label, SentencePair

TEXTS = st.text(min_size=1, max_size=40)


def pair(
    source: str, target: str, *, split: str = "train", label: Label = "biased"
) -> SentencePair:
    """Return a pair with its edits."""
    return SentencePair(
        pair_id="enwiki-7-a",
        source=source,
        target=target,
        label=label,
        single_word=len(words(source)) == len(words(target)) + 1,
        relation=None,
        similarity=90.0,
        edits=edited_spans(source, target),
        split=split,
        tier=None,
        tier_reasons=(),
        provenance=PROVENANCE,
    )


PAIRS = (
    pair("The grand mill burnt.", "The mill burnt."),
    pair('"L\'été" fut très beau.', "L'été fut chaud.", split="test"),
    pair("The inn stands.", "The inn stands.", label="neutral"),
)


def test_each_word_of_the_source_has_a_label() -> None:
    made = pair("The sadly forgotten mill, alas, burnt.", "The mill burnt.")
    assert words(made.source) == [
        "The",
        "sadly",
        "forgotten",
        "mill",
        ",",
        "alas",
        ",",
        "burnt",
        ".",
    ]
    assert labels(made) == ["O", "B-bias", "I-bias", "O", "O", "B-bias", "O", "O", "O"]


def test_wnc_has_seven_columns_and_a_tag_for_each_word(tmp_path: Path) -> None:
    write_wnc(tmp_path, PAIRS)
    lines = {path.name: path.read_text(encoding="utf-8") for path in tmp_path.iterdir()}
    assert {name: text.count("\n") for name, text in lines.items()} == {
        "biased.full": 2,
        "biased.word.train": 1,
        "biased.word.dev": 0,
        "biased.word.test": 0,
        "neutral": 1,
    }
    # As shared/data.py of the authors takes a line apart.
    revision, before, after, raw, raw_after, speech, relations = (
        lines["biased.word.train"].strip().split("\t")
    )
    assert revision == str(PROVENANCE.after_rev_id)
    assert (before, after) == ("the grand mill burnt .", "the mill burnt .")
    assert (raw, raw_after) == ("The grand mill burnt.", "The mill burnt.")
    assert len(before.split()) == len(speech.split()) == len(relations.split())


def test_wikibias_has_classes_and_labels(tmp_path: Path) -> None:
    write_wikibias(tmp_path, PAIRS)
    classes = (tmp_path / "class_binary" / "train.tsv").read_text(encoding="utf-8")
    assert classes == "The grand mill burnt .\t\t1\nThe mill burnt .\t\t0\n"
    conll = (tmp_path / "tag_binary" / "train_conll.txt").read_text(encoding="utf-8")
    assert conll == "The O\ngrand B-bias\nmill O\nburnt O\n. O\n\n"
    block = (tmp_path / "tag_binary" / "tag_train.tsv").read_text(encoding="utf-8").split("\n")
    sentence, _, _, tags, empty = block[:5]
    assert sentence == "The grand mill burnt . ||| 1"
    assert tags == "O B-bias O O O ||| Original"
    assert not empty
    other = (tmp_path / "tag_binary" / "tag_test_neg.tsv").read_text(encoding="utf-8")
    assert "O O O O ||| Neutral" in other.splitlines()


def test_a_sentence_that_begins_with_a_quotation_mark_is_read_back(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    write_wikibias(tmp_path, PAIRS)
    # As Classification/dataset.py of the authors reads it.
    table = pandas.read_csv(
        tmp_path / "class_binary" / "test.tsv", sep="\t\t", engine="python", header=None
    )
    assert table.values.tolist() == [['" L\'été " fut très beau .', 1], ["L'été fut chaud .", 0]]


def test_words_with_labels_have_neutral_sentences_too(tmp_path: Path) -> None:
    write_bio(tmp_path, PAIRS)
    blocks = (tmp_path / "train.bio").read_text(encoding="utf-8").split("\n\n")
    assert blocks == [
        "The O\ngrand B-bias\nmill O\nburnt O\n. O",
        "The O\ninn O\nstands O\n. O",
        "",
    ]


@pytest.mark.parametrize("write", [write_wnc, write_wikibias, write_bio])
@given(source=TEXTS, target=TEXTS)
def test_no_text_breaks_the_lines(
    tmp_path_factory: pytest.TempPathFactory,
    write: Callable[[Path, Iterable[SentencePair]], None],
    source: str,
    target: str,
) -> None:
    folder = tmp_path_factory.mktemp("out")
    write(folder, [pair(source, target)])
    for path in (path for path in folder.rglob("*") if path.is_file()):
        lines = path.read_bytes().decode("utf-8").split("\n")
        if path.name.startswith("biased"):
            assert {line.count("\t") for line in lines[:-1]} <= {6}
        elif path.name.endswith((".bio", "_conll.txt")):
            assert {line.count(" ") for line in lines if line} <= {1}
