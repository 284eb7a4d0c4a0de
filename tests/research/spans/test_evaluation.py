"""Scores of a tagger."""

from __future__ import annotations

from pathlib import Path

import pytest

from tagged_pairs import made_sentences, pairs_file, trained
from wikibias.research.spans import registry
from wikibias.research.spans.evaluation import evaluate, score_tagger
from wikibias.research.spans.sentences import of_pair
from wikibias.research.spans.training_data import Source


def test_a_hit_is_a_top_word_that_the_editor_changed() -> None:
    tagger = registry.create("frequent").fit(made_sentences(30), [])
    sentences = [
        of_pair("the truly old mill .", "the old mill ."),
        of_pair("the visionary old mill .", "the visionary mill ."),
        of_pair("the mill .", "the mill stood ."),
    ]
    found = evaluate(tagger, 0.1, sentences)
    detection = found["detection"]
    assert (detection["sentences"], detection["hits"]) == (3, 1)
    assert detection["accuracy"] == pytest.approx(1 / 3)
    assert detection["interval"][0] <= 1 / 3 <= detection["interval"][1]


def test_a_saved_tagger_on_a_file_of_pairs(tmp_path: Path) -> None:
    folder = trained(tmp_path / "t")
    other = Source(pairs_file(tmp_path, 30, seed=5))
    found = score_tagger(folder, other, clean_up=False, warn=print, resamples=10, seed=0)
    assert found["gold"] == 30
    assert found["detection"]["accuracy"] == 1
    assert found["exact"]["recall"] == 1


def test_nothing_to_score() -> None:
    tagger = registry.create("longest")
    assert evaluate(tagger, 0.5, [])["detection"]["accuracy"] is None
