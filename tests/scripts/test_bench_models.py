"""The made-up corpus, and the growth that the bench of the models computes."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from bench_models import growth
from make_synthetic_corpus import Sources, recombined, write

WORDS = ["the", "old", "mill", "of", "town", "burnt", "in", "spring"]
SOURCES: Sources = {
    ("en", label): [[*WORDS[n:], word, *WORDS[:n]] for n in range(8)]
    for label, word in (("biased", "truly"), ("neutral", "again"))
}


def test_the_same_seed_gives_the_same_corpus(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        write(tmp_path / folder, SOURCES, 50, seed=3)
    for name, count in (("train.tsv", 40), ("dev.tsv", 5), ("test.tsv", 5), ("sentences.txt", 50)):
        text = (tmp_path / "a" / name).read_text(encoding="utf-8")
        assert text.count("\n") == count
        assert text == (tmp_path / "b" / name).read_text(encoding="utf-8")


def test_sentences_are_of_phrases_of_their_label() -> None:
    made = list(islice(recombined(SOURCES, 1), 400))
    assert {label for label, _ in made} == {"biased", "neutral"}
    telling = [(label, "truly" in text.split()) for label, text in made]
    assert sum(said for label, said in telling if label == "biased") > 100
    assert not any(said for label, said in telling if label == "neutral")
    assert len({text for _, text in made}) < len(made)


@pytest.mark.parametrize(
    ("spent", "wanted"), [([1.0, 10.0], "1.00"), ([1.0, 100.0], "2.00"), ([0.0, 1.0], "–")]
)
def test_growth(spent: list[float], wanted: str) -> None:
    assert growth(spent, [1_000, 10_000]) == wanted
