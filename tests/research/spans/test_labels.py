"""Labels of words, and the spans that they mark."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikibias.errors import UsageError, WikibiasError
from wikibias.research.spans.labels import (
    GOLD_ENDS,
    LONGEST,
    PREDICTED_ENDS,
    cleaned,
    first_orphan,
    is_label,
    labelled,
    of_neutral,
    of_pair,
    parse_columns,
    read,
    spans,
    split_words,
)

LABELS = st.lists(st.sampled_from(["O", "B-bias", "I-bias"]), max_size=12)


@pytest.mark.parametrize(
    ("labels", "found"),
    [
        ("", []),
        ("O O", []),
        ("B I O B", [(0, 2), (3, 4)]),
        ("B B I", [(0, 1), (1, 3)]),
        ("I I O I", [(0, 2), (3, 4)]),
        ("B-framing I-demographic", [(0, 2)]),
    ],
)
def test_spans_begin_with_b_or_with_an_i_after_o(labels: str, found: list[object]) -> None:
    assert spans(labels.split()) == found


@given(LABELS)
def test_labels_of_the_spans_are_the_labels_without_orphans(labels: list[str]) -> None:
    made = labelled(len(labels), spans(labels))
    assert spans(made) == spans(labels)
    assert first_orphan(made) is None
    assert (made == labels) == (first_orphan(labels) is None)


@pytest.mark.parametrize("text", ["O", "B", "I", "B-bias", "I-framing"])
def test_labels(text: str) -> None:
    assert is_label(text)


@pytest.mark.parametrize("text", ["", "o", "X", "B-", "O-bias", "bias", "BI", f"B-{'x' * 99}"])
def test_what_is_no_label(text: str) -> None:
    assert not is_label(text)


@pytest.mark.parametrize(
    ("source", "target", "labels"),
    [
        ("A truly old mill.", "An old mill.", "B-bias I-bias O O O"),
        ("The famous old mill stood.", "The mill stood.", "O B-bias I-bias O O O"),
        ("The mill stood.", "The mill stood there.", "O O O O"),
        ("He was a hero and a saint.", "He was a man and a bishop.", "O O O B-bias O O B-bias O"),
        ("水车极好", "水车好", "O O B-bias O"),
    ],
)
def test_what_the_edit_changed_is_marked(source: str, target: str, labels: str) -> None:
    found = of_pair(source, target)
    assert list(found.labels) == labels.split()
    assert found.edited
    assert found.biased == ("B-bias" in labels)


def test_a_neutral_sentence_has_no_span() -> None:
    found = of_neutral("The mill stood.", "7")
    assert (found.words, found.biased, found.group) == (("The", "mill", "stood", "."), False, "7")


def test_words_know_where_they_stand() -> None:
    text = "“Quite fine”, he said."
    words, places = split_words(text)
    assert [text[start:end] for start, end in places] == list(words)


CASES = [
    # words, labels, of a gold sentence, of a predicted one where it differs
    ("the famous mill burned .", "B I O O O", "O B O O O", None),
    ("The , famous mill .", "B I I O O", "O O B O O", None),
    ("a mill , and famous", "O B I I O", "O B I O O", "O B I I O"),
    ("a mill , famous it", "O B I O O", "O B O O O", None),
    ("mill amd famous it", "B I O O", "B I O O", "B O O O"),
    ("a mill of the", "O O B I", "O O B O", None),
    ("a mill of and", "O O B I", "O O B I", None),
    ("famous mills stood", "I I O", "B I O", None),
    ("a mill famous it", "O I I O", "O B I O", None),
]


@pytest.mark.parametrize(("words", "labels", "gold", "predicted"), CASES)
def test_spans_give_up_articles_and_commas_at_their_edges(
    words: str, labels: str, gold: str, predicted: str | None
) -> None:
    assert cleaned(words.split(), labels.split(), GOLD_ENDS) == gold.split()
    wanted = (predicted or gold).split()
    assert cleaned(words.split(), labels.split(), PREDICTED_ENDS) == wanted


def test_kinds_stay() -> None:
    assert cleaned(["the", "mad", "."], ["B-framing", "I-framing", "O"], GOLD_ENDS) == [
        "O",
        "B-framing",
        "O",
    ]


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
