"""The package fasttext behind our own words."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from wikibias.errors import WikibiasError
from wikibias.models.estimators.fasttext import errors_named, learnt_words, library, one_line


def test_a_sentence_is_one_line_without_labels() -> None:
    assert one_line(" the __label__biased\nriver\r\n") == "the labelbiased river"


def failing() -> None:
    with errors_named("cannot learn"):
        os.write(2, b"noise")
        raise ValueError("too few")


def test_an_error_says_what_failed_and_the_terminal_stays_clean(
    capfd: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(WikibiasError, match=r"^fastText cannot learn: too few$"):
        failing()
    os.write(2, b"seen")
    assert capfd.readouterr().err == "seen"


def test_words_are_learnt_with_a_seed_that_is_not_kept(tmp_path: Path) -> None:
    text = tmp_path / "text.txt"
    text.write_text("the heron sleeps in the reed\n" * 50, encoding="utf-8")
    settings = {"dim": 4, "minCount": 1, "bucket": 100}
    defaults = library().FastText.unsupervised_default
    before = dict(defaults)
    one, same, other = (
        learnt_words(text, seed, settings).get_input_matrix().tobytes() for seed in (1, 1, 2)
    )
    assert one == same != other
    assert defaults == before


def test_a_text_to_learn_words_from_that_has_none_is_told(tmp_path: Path) -> None:
    (tmp_path / "empty.txt").touch()
    with pytest.raises(WikibiasError, match=r"^fastText cannot learn from this text: "):
        learnt_words(tmp_path / "empty.txt", 0, {"bucket": 100})
