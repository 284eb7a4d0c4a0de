"""Pools of examples: what is read, what is refused, and which examples a sentence gets."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from wikibias.config.prompts import load_prompt_task
from wikibias.errors import UsageError, WikibiasError
from wikibias.research.annotation.prompting.pools import (
    Example,
    at_random,
    by_encoder,
    by_letters,
    most_similar,
    read_pool,
)

LABELS = load_prompt_task("bias").labels
POOL = [Example(f"Mill {n} was built in 18{n:02}.", "neutral", "NOT BIASED", "") for n in range(20)]


def written(folder: Path, text: str) -> Path:
    """Write a pool as CSV; return its path."""
    path = folder / "pool.csv"
    path.write_text(text, encoding="utf-8")
    return path


def test_labels_of_a_pool_are_values_or_words(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        "text,label,explanation\nA,BIASED,Since.\nB,not biased,\nC,neutral,So\n",
    )
    assert read_pool(path, LABELS) == [
        Example("A", "biased", "BIASED", "Since."),
        Example("B", "neutral", "NOT BIASED", ""),
        Example("C", "neutral", "NOT BIASED", "So"),
    ]


def test_a_label_without_an_example_is_said(tmp_path: Path) -> None:
    said: list[str] = []
    read_pool(written(tmp_path, "text,label\nA,biased\nB,neutral\n"), LABELS, said.append)
    assert not said
    path = written(tmp_path, "text,label\nA,biased\nB,BIASED\n")
    read_pool(path, LABELS, said.append)
    assert said[0].startswith(f"{path}: no example is neutral; models lean")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("text,label\nA,maybe\n", "row 1: 'maybe' is no label of the task; write one of biased"),
        ("text,label\nA,biased\n,biased\n", "row 2 has no text"),
        ("sentence,label\nA,biased\n", "no column 'text'"),
        ("text,label\n", "no row in it"),
    ],
)
def test_a_pool_with_a_mistake_is_refused(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(WikibiasError, match=said):
        read_pool(written(tmp_path, text), LABELS)


def test_random_examples_follow_from_seed_and_sentence_alone() -> None:
    first = at_random(POOL, 1)("A barn burned.", 4)
    choose = at_random(POOL, 1)
    others = [choose(f"Barn {n}.", 4) for n in range(5)]
    assert choose("A barn burned.", 4) == first
    assert len(set(first)) == 4
    assert any(each != first for each in others)
    assert at_random(POOL, 2)("A barn burned.", 4) != first


def test_the_sentence_itself_is_no_example() -> None:
    target = "  mill 3 was built in  1803."
    for choose in (
        at_random(POOL, 0),
        most_similar(POOL, by_letters([example.text for example in POOL])),
    ):
        found = choose(target, 50)
        assert len(found) == 19
        assert POOL[3] not in found


def test_the_most_similar_example_comes_first_and_ties_keep_the_order_of_the_pool() -> None:
    vectors = {"t": [2.0, 0.0], "a": [0.0, 1.0], "b": [3.0, 3.0], "c": [1.0, 1.0], "d": [9.0, 1.0]}
    pool = [Example(text, "neutral", "NOT BIASED", "") for text in "abcd"]
    choose = most_similar(pool, lambda texts: np.array([vectors[text] for text in texts]))
    assert [example.text for example in choose("t", 3)] == ["d", "b", "c"]


def test_shared_letters_make_sentences_alike() -> None:
    texts = ["The harbour was deepened.", "Она сидела у окна.", "A choir sang at noon."]
    pool = [Example(text, "neutral", "NOT BIASED", "") for text in texts]
    choose = most_similar(pool, by_letters(texts))
    assert choose("Harbours were deepened.", 1)[0].text == texts[0]
    assert choose("Окно было открыто.", 1)[0].text == texts[1]
    assert [example.text for example in choose("", 3)] == texts  # nothing is shared


def test_without_the_libraries_the_message_names_what_does_without(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("wikibias.research.neural.calibration.find_spec", lambda name: None)
    with pytest.raises(UsageError, match=r"pip install .*; --retrieve tfidf does without"):
        by_encoder("package:any")


@pytest.mark.neural
def test_an_encoder_makes_sentences_alike(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    pytest.importorskip("transformers")
    import tiny_encoders  # noqa: PLC0415 (torch)

    texts = ["The harbour was deepened.", "A choir sang at noon.", "Barns burned."]
    base = tiny_encoders.encoder(tmp_path / "tiny", texts)
    pool = [Example(text, "neutral", "NOT BIASED", "") for text in texts]
    found = most_similar(pool, by_encoder(str(base)))("a choir sang at noon", 2)
    assert found[0].text == texts[1]
