"""Labels of words, and the spans that they mark."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from made_pairs import pairs_file
from wikibias.errors import UsageError, WikibiasError
from wikibias.research.spans.labels import (
    GOLD_ENDS,
    LONGEST,
    PREDICTED_ENDS,
    Source,
    cleaned,
    first_orphan,
    labelled,
    names_of_sources,
    of_neutral,
    of_pair,
    parse_columns,
    read_examples,
    read_labelled,
    spans,
    texts,
    without_near_duplicates,
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
    ("the mad .", "B-framing I-framing O", "O B-framing O", None),
]


@pytest.mark.parametrize(("words", "labels", "gold", "predicted"), CASES)
def test_spans_give_up_articles_and_commas_at_their_edges(
    words: str, labels: str, gold: str, predicted: str | None
) -> None:
    assert cleaned(words.split(), labels.split(), GOLD_ENDS) == gold.split()
    wanted = (predicted or gold).split()
    assert cleaned(words.split(), labels.split(), PREDICTED_ENDS) == wanted


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "a.conll"
    path.write_bytes(text.encode())
    return path


def test_sentences_with_spaces_tabs_and_any_line_ends(tmp_path: Path) -> None:
    path = written(tmp_path, "A O O\r\nfine\tB-bias  O\r\n\r\nMill O I\nstood O O")
    said: list[str] = []
    first, second = read_labelled(path, None, said.append)
    assert (first.words, first.gold) == (["A", "fine"], ["O", "B-bias"])
    assert second.predicted == ["I", "O"]
    assert said == [f"{path}:4: 1 sentence with a span of the prediction that begins with I"]


def test_two_columns_are_words_and_gold_unless_both_are_labels(tmp_path: Path) -> None:
    (sentence,) = read_labelled(written(tmp_path, "A O\nfine B\n"), None, pytest.fail)
    assert sentence.gold == ["O", "B"]
    assert sentence.predicted is None
    labels = written(tmp_path, "B O\nO B\n")
    with pytest.raises(UsageError, match=r"a.conll:1: 2 columns; say what they hold"):
        list(read_labelled(labels, None, pytest.fail))
    (sentence,) = read_labelled(labels, parse_columns("prediction,gold"), pytest.fail)
    assert (sentence.words, sentence.gold) == (None, ["O", "B"])
    columns = parse_columns("-,word,gold,-")
    (sentence,) = read_labelled(written(tmp_path, "1 A O X\n2 fine B Y\n"), columns, pytest.fail)
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
        ("A O B-\n", ":1: unknown label 'B-' in column prediction"),
        ("A O-bias O\n", ":1: unknown label 'O-bias' in column gold"),
        (f"A O B-{'x' * 99}\n", ":1: unknown label 'B-xx"),
        ("A\n", ":1: 1 column; say what they hold"),
        ("A O O\n\0 O O\n", ":2: a NUL byte"),
    ],
)
def test_bad_lines_are_named(text: str, said: str, tmp_path: Path) -> None:
    path = written(tmp_path, text)
    with pytest.raises(WikibiasError) as caught:
        list(read_labelled(path, None, lambda _: None))
    assert str(caught.value).startswith(f"{path}{said}")
    assert "\n" not in str(caught.value)


def test_odd_lines_are_counted_and_named_once(tmp_path: Path) -> None:
    long = "word O O\n" * (LONGEST + 1)
    path = written(tmp_path, f"\nA O O\n\n\n\nfine I O\n\n{long}")
    said: list[str] = []
    sizes = [len(sentence.gold or ()) for sentence in read_labelled(path, None, said.append)]
    assert sizes == [1, 1, LONGEST + 1]
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
    with pytest.raises(UsageError, match=re.escape(said)):
        parse_columns(given)
    assert parse_columns(None) is None


def written_pairs(tmp_path: Path, text: str, name: str = "p.tsv") -> Source:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return Source(path)


def test_pairs_give_marked_sources_and_plain_targets(tmp_path: Path) -> None:
    source = Source(pairs_file(tmp_path))
    found = read_examples([source], neutral=1.0, seed=0, warn=print)
    rows = [*found["train"], *found["dev"]]
    assert sum(each.biased for each in rows) == sum(not each.biased for each in rows) == 120
    assert 0 < len(found["dev"]) < len(found["train"])
    assert found == read_examples([source], neutral=1.0, seed=0, warn=print)
    few = read_examples([source], neutral=0.25, seed=0, warn=print)
    assert sum(not each.biased for each in [*few["train"], *few["dev"]]) == 30


def test_splits_of_the_file_hold_and_test_is_left_alone(tmp_path: Path) -> None:
    lines = [
        "split\tsource\ttarget",
        "train\tthe famous mill\tthe mill",
        "dev\tthe glorious bridge\tthe bridge",
        "test\tthe truly old school\tthe school",
        "train\tthe mill\tthe mill fell",
        "train\tthe famous mill\tthe mill",
    ]
    said: list[str] = []
    source = written_pairs(tmp_path, "\n".join(lines))
    found = read_examples([source], neutral=0, seed=0, warn=said.append)
    assert [each.words[1] for each in found["train"]] == ["famous"]
    assert [each.words[1] for each in found["dev"]] == ["glorious"]
    assert said == [
        f"{source.path}:4: left out 1 pair of the split test",
        f"{source.path}:5: left out 1 pair whose edit only added words",
    ]


def test_files_of_words(tmp_path: Path) -> None:
    text = "".join(f"a{n} O\nfine B-framing\n\nb{n} O\n\n" for n in range(40))
    source = written_pairs(tmp_path, text + "x B\n" * (LONGEST + 1), "p.conll")
    said: list[str] = []
    found = read_examples([source], neutral=0, seed=0, warn=said.append)
    rows = [*found["train"], *found["dev"]]
    assert len(rows) == 80
    assert ("O", "B-bias") in {each.labels for each in rows}
    assert len(said) == 1  # the sentence whose end is missing
    assert next(iter(texts(source, lambda _: None))) == ("a0", "fine")


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("p.tsv", "source\ttarget\na mill\ta mill fell\n", "no biased span to learn from"),
        ("p.tags", "B O\n", "no column word"),
        ("none.tsv", "", "no file"),
    ],
)
def test_nothing_to_learn_from(name: str, text: str, said: str, tmp_path: Path) -> None:
    if text:
        written_pairs(tmp_path, text, name)
    source = Source(tmp_path / name, columns=("gold", "prediction") if text == "B O\n" else None)
    with pytest.raises(WikibiasError, match=said):
        read_examples([source], neutral=1, seed=0, warn=lambda _: None)


def test_several_files_count_as_one(tmp_path: Path) -> None:
    one = written_pairs(tmp_path, "source\ttarget\nthe famous mill\tthe mill\n", "a.tsv")
    two = written_pairs(tmp_path, "source\ttarget\nthe famous inn\tthe inn\n", "b.tsv")
    found = read_examples([one, two, one], neutral=1, seed=0, warn=print)
    rows = [*found["train"], *found["dev"]]
    wanted = ["the famous inn", "the famous mill", "the inn", "the mill"]
    assert sorted(" ".join(each.words) for each in rows) == wanted
    assert names_of_sources([one, two]) == f"{one.path} + {two.path}"


def test_the_same_and_nearly_the_same_are_left_out() -> None:
    sentences = [
        of_neutral("The mill of the upper valley burned in 1874 ."),
        of_neutral("The mill of the upper valley burned down in 1874 and was rebuilt ."),
        of_neutral("A school for girls opened near the harbour ."),
    ]
    held = [("the", "mill", "of", "the", "upper-valley", "burned", "in", "1874")]
    left, same, near = without_near_duplicates(sentences, held)
    assert [each.words for each in left] == [sentences[2].words]
    assert (same, near) == (1, 1)
    assert without_near_duplicates(sentences, [])[0] == sentences
    assert without_near_duplicates([], [("a",)])[0] == []
