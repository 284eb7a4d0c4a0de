"""The package fasttext behind our own words."""

from __future__ import annotations

import os
import sys

import pytest

from wikibias.config.extras import how_to_install
from wikibias.errors import WikibiasError
from wikibias.models.fasttext_library import errors_named, missing, one_line


def test_without_the_extra_it_says_what_to_type(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fasttext", None)
    assert missing() == f"fastText is not installed; run: {how_to_install('fasttext')}"


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
