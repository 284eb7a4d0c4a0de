"""Files of words and labels."""

from __future__ import annotations

from pathlib import Path

import pytest

from wikibias.errors import UsageError, WikibiasError
from wikibias.research.spans.conll import LONGEST, parse_columns, read


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "a.conll"
    path.write_bytes(text.encode())
    return path


def quiet(line: str) -> None:
    raise AssertionError(line)


def test_sentences_with_spaces_tabs_and_any_line_ends(tmp_path: Path) -> None:
    path = written(tmp_path, "A O O\r\nfine\tB-bias  O\r\n\r\nMill O I\nstood O O")
    said: list[str] = []
    first, second = read(path, None, said.append)
    assert (first.line, first.words, first.gold) == (1, ["A", "fine"], ["O", "B-bias"])
    assert (second.line, second.predicted, len(second)) == (4, ["I", "O"], 2)
    assert said == [f"{path}:4: 1 sentence with a span of the prediction that begins with I"]


def test_two_columns_are_words_and_gold_unless_both_are_labels(tmp_path: Path) -> None:
    (sentence,) = read(written(tmp_path, "A O\nfine B\n"), None, quiet)
    assert sentence.gold == ["O", "B"]
    assert sentence.predicted is None
    labels = written(tmp_path, "B O\nO B\n")
    with pytest.raises(UsageError, match=r"a.conll:1: 2 columns; say what they hold"):
        list(read(labels, None, quiet))
    (sentence,) = read(labels, parse_columns("prediction,gold"), quiet)
    assert (sentence.words, sentence.gold) == (None, ["O", "B"])


def test_a_column_may_be_left_out(tmp_path: Path) -> None:
    path = written(tmp_path, "1 A O X\n2 fine B Y\n")
    (sentence,) = read(path, parse_columns("-,word,gold,-"), quiet)
    assert sentence.words == ["A", "fine"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", ": no sentence in it"),
        ("\n\n  \n", ": no sentence in it"),
        ("A O O\nfine O\n", ":2: 2 columns where 3 are expected"),
        ("A O O\nfine O O O\n", ":2: 4 columns where 3 are expected"),
        ("A O O\nfine X O\n", ":2: unknown label 'X' in column gold"),
        ("A O O\nfine O b-bias\n", ":2: unknown label 'b-bias' in column prediction"),
        ("A\n", ":1: 1 column; say what they hold"),
        ("A O O\n\0 O O\n", ":2: a NUL byte"),
    ],
)
def test_bad_lines_are_named(text: str, said: str, tmp_path: Path) -> None:
    path = written(tmp_path, text)
    with pytest.raises(WikibiasError) as caught:
        list(read(path, None, lambda _: None))
    assert str(caught.value).startswith(f"{path}{said}")
    assert "\n" not in str(caught.value)


def test_odd_lines_are_counted_and_named_once(tmp_path: Path) -> None:
    long = "word O O\n" * (LONGEST + 1)
    path = written(tmp_path, f"\nA O O\n\n\n\nfine I O\n\n{long}")
    said: list[str] = []
    assert [len(sentence) for sentence in read(path, None, said.append)] == [1, 1, LONGEST + 1]
    assert said == [
        f"{path}:1: 3 empty lines behind no sentence (this is the first)",
        f"{path}:6: 1 sentence with a span of the gold that begins with I",
        f"{path}:8: 1 sentence of over 1,000 words; is an empty line missing?",
    ]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("gold,predicted", "unknown column 'predicted'; did you mean 'prediction'?"),
        ("gold,gold", "gold stands there twice"),
        ("", "unknown column ''"),
    ],
)
def test_names_of_columns(given: str, said: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_columns(given)
    assert said in str(caught.value)
    assert parse_columns(None) is None
