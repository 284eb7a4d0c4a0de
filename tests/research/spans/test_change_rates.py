"""How often editors changed a word."""

from __future__ import annotations

from pathlib import Path

import pytest

from wikibias.research.spans.change_rates import ChangeRates
from wikibias.research.spans.sentences import Tagged

ONE = Tagged(("A", "fine", "mill"), ("O", "B-bias", "O"))
TWO = Tagged(("Fine", "old", "mill"), ("B-bias", "I-bias", "O"))
THREE = Tagged(("a", "fine", "bridge"), ("O", "O", "O"))


def test_a_change_of_two_words_counts_half_for_each() -> None:
    counted = ChangeRates.of([ONE, TWO, THREE])
    assert counted.rates(["FINE", "old", "mill", "new"], 1) == pytest.approx([1.5 / 4, 0.25, 0, 0])


def test_a_sentence_does_not_count_for_itself() -> None:
    counted = ChangeRates.of([ONE, TWO, THREE])
    assert counted.rates_elsewhere(TWO, 1) == pytest.approx(
        ChangeRates.of([ONE, THREE]).rates(TWO.words, 1)
    )


def test_they_are_read_as_they_were_written(tmp_path: Path) -> None:
    counted = ChangeRates.of([ONE, TWO, THREE])
    counted.save(tmp_path)
    assert ChangeRates.load(tmp_path).rates(TWO.words, 2) == counted.rates(TWO.words, 2)
