"""BLEU of two sentences."""

from __future__ import annotations

import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st

from wikibias.edits.word_diff import bleu_of, ngrams, smoothed_bleu

SENTENCE = st.lists(st.sampled_from("abcd"), min_size=4, max_size=12)


@given(SENTENCE, SENTENCE)
def test_it_is_that_of_sacrebleu_without_smoothing(one: list[str], other: list[str]) -> None:
    expected = sacrebleu.sentence_bleu(
        " ".join(one), [" ".join(other)], smooth_method="none", tokenize="none"
    ).score
    assert bleu_of(ngrams(one), ngrams(other)) == pytest.approx(expected)


def test_the_same_sentence_has_all_points_and_one_of_three_words_too_when_smoothed() -> None:
    long, short = "the bridge crosses the river".split(), "stone bridge here".split()
    assert bleu_of(ngrams(long), ngrams(long)) == pytest.approx(100)
    assert bleu_of(ngrams(short), ngrams(short)) == 0
    assert smoothed_bleu(short, short) == pytest.approx(100)


@pytest.mark.parametrize("sides", [([], ["a"]), (["a"], []), ([], [])])
def test_nothing_is_like_nothing(sides: tuple[list[str], list[str]]) -> None:
    assert smoothed_bleu(*sides) == 0
    assert bleu_of(*map(ngrams, sides)) == 0
