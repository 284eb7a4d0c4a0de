"""What is left of a sentence without its topic, or without all else."""

from __future__ import annotations

import io

import pytest

import masked_sentences

_TEXT = "In 1850 the mill of Orn, it's said, was the finest."


@pytest.mark.parametrize(
    ("kind", "left"),
    [
        ("topic", "1850 mill Orn said finest"),
        ("names", "1850 Orn"),
        ("grammar", "in w the w of w , it's w , was the w ."),
    ],
)
def test_what_is_left(kind: str, left: str) -> None:
    stopwords = {"in", "the", "of", "it's", "was"}
    assert masked_sentences.masked(_TEXT, kind, stopwords) == left


def test_each_line_gives_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["", "names", "en"])
    monkeypatch.setattr("sys.stdin", io.StringIO("the\n\nMr Marl of Orn\n"))
    masked_sentences.main()
    assert capsys.readouterr().out == "w\nw\nMarl Orn\n"
