"""Tests of who said what."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from wikibias.errors import UsageError, WikibiasError
from wikibias.kits.tables import write_rows
from wikibias.research.annotation.answers import (
    KNOWN,
    UNPARSED,
    Answers,
    answers_of,
    cell_label,
    is_biased,
    judgements,
    label_choices,
    meanings,
    read_with_gold,
    table_answers,
)
from wikibias.research.annotation.tasks import read_table


def rows_of(found: Answers) -> list[list[str | None]]:
    """Return what was said of each item: labels, "?", or None."""
    names = [*found.labels, None, UNPARSED]  # codes below 0 count from the end
    return [[names[code] for code in row] for row in found.codes.tolist()]


def written(path: Path, *rows: dict[str, Any]) -> Path:
    """Return a path with these rows in it."""
    write_rows(path, rows)
    return path


def test_a_wide_table_has_a_column_an_annotator(tmp_path: Path) -> None:
    rows = ({"item": "x", "a": 1, "b": "?"}, {"item": "y", "a": "1.0", "b": ""})
    path = written(tmp_path / "t.csv", *rows)
    found = table_answers([read_table(path)], columns="a,b")
    assert (found.items, found.annotators) == (["x", "y"], ["a", "b"])
    assert rows_of(found) == [["1", "?"], ["1", None]]
    assert found.unparsed == {"a": 0, "b": 1}


def test_labels_that_differ_in_letter_case_are_one(tmp_path: Path) -> None:
    path = written(tmp_path / "t.csv", {"a": "Yes", "b": "yes"}, {"a": "NO", "b": "No"})
    found = table_answers([read_table(path)], columns="a,b")
    assert rows_of(found) == [["Yes", "Yes"], ["NO", "NO"]]


def test_long_tables_may_lie_in_several_files(tmp_path: Path) -> None:
    rows = ({"item": "x", "bias": "yes"}, {"item": "y", "bias": "no"})
    ann = written(tmp_path / "ann.csv", *rows)
    bob = written(tmp_path / "bob.csv", {"item": "y", "bias": "yes"})
    found = table_answers([read_table(ann), read_table(bob)])
    assert found.annotators == ["ann", "bob"]
    assert rows_of(found) == [["yes", None], ["no", "yes"]]


@pytest.mark.parametrize(
    ("second", "said"),
    [
        ({}, r"t\.jsonl:2: 'ann' answered 'x' twice"),
        ({"item": None}, r"t\.jsonl:2: no item; fill it in"),
        ({"annotator": None}, r"t\.jsonl:2: no annotator; fill it in"),
    ],
)
def test_a_row_says_which_and_who_once(tmp_path: Path, second: dict[str, None], said: str) -> None:
    row = {"item": "x", "annotator": "ann", "bias": 1}
    path = written(tmp_path / "t.jsonl", row, {**row, **second})
    with pytest.raises(WikibiasError, match=said):
        table_answers([read_table(path)])


def test_says_which_column_is_missing(tmp_path: Path) -> None:
    path = written(tmp_path / "t.csv", {"item": "x", "rater": 1})
    with pytest.raises(WikibiasError, match="name it with --label"):
        table_answers([read_table(path)])


def test_the_same_choices_are_the_same_answer_and_none_is_one_too() -> None:
    cells = (["b", "a", "b"], ("a", "b"), '["b", "a"]', ' ["a","b"] ')
    assert {cell_label(cell) for cell in cells} == {'["a", "b"]'}
    assert cell_label([]) == cell_label("[]") == "[]"
    assert label_choices("[]") == []


@pytest.mark.parametrize("text", ["biased", "[sic] biased", "[" * 9999, ""])
def test_other_texts_are_no_lists(text: str) -> None:
    assert label_choices(text) is None


def test_some_labels_are_known_and_others_are_named_on_top() -> None:
    known = {"1": True, "Biased": True, "No": False, "other": None}
    assert {label: is_biased(label, KNOWN) for label in known} == known
    named = {"lex": True, "info": False, "Info": False, "0": True, "1": True, "other": None}
    labels = meanings("lex=biased,info=neutral,0=biased")
    assert {label: is_biased(label, labels) for label in named} == named
    assert is_biased("lex", meanings("Lex=biased,Info=neutral")) is True
    with pytest.raises(UsageError, match="unknown meaning"):
        meanings("lex=bad,info=neutral")


def test_tells_what_was_not_read_from_what_was_not_given() -> None:
    given = answers_of([*"abcd"], ["x"], [["1"], ["no"], ["?"], [None]])
    found = judgements(given)
    assert found.labels == ("neutral", "biased")
    assert found.codes[:, 0].tolist() == [1, 0, -1, -2]


def test_names_the_item_of_an_unknown_label() -> None:
    given = answers_of(["a", "b"], ["x"], [["1"], ["lex"]])
    with pytest.raises(WikibiasError, match=r"'b' is judged 'lex' by 'x', .* --labels"):
        judgements(given, hint="; see --labels")


def test_numbers_are_in_the_order_of_numbers() -> None:
    found = answers_of(["x", "y"], ["a", "b"], [["10", "2"], ["2", None]])
    assert (found.labels, found.numbers) == (["2", "10"], (2, 10))
    assert found.codes.tolist() == [[1, 0], [0, -2]]
    assert found.counts.tolist() == [[1, 1], [1, 0]]


@pytest.mark.parametrize("number", ["nan", "inf", "x"])
def test_what_has_no_place_on_a_line_is_no_number(number: str) -> None:
    assert answers_of(["x"], ["a", "b"], [["1", number]]).numbers is None


def test_gives_the_answers_to_some_items_and_of_some_annotators() -> None:
    found = answers_of(["x", "y"], ["a", "b", "c"], [["0", "1", None], ["1", "1", "1"]])
    assert found.pairs() == {"a|b": (0, 1), "a|c": (0, 2), "b|c": (1, 2)}
    assert rows_of(found.rows([1])) == [["1", "1", "1"]]
    assert rows_of(found.of(["c", "a"])) == [[None, "0"], ["1", "1"]]


def golden(
    paths: Sequence[Path], gold: str, columns: str | None = None, label: str | None = None
) -> tuple[list[bool], dict[str, list[int]], int]:
    """Return what is read: gold, who said what, and how many have no gold."""
    found = read_with_gold(paths, gold, columns, KNOWN, label)
    said = {name: codes.tolist() for name, codes in found.said.items()}
    return found.gold.tolist(), said, found.without_gold


def test_a_wide_table_has_a_column_of_gold(tmp_path: Path) -> None:
    path = written(
        tmp_path / "t.csv",
        {"gold": 1, "a@x": "biased", "b@x": "?"},
        {"gold": 0, "a@x": "neutral", "b@x": ""},
        {"gold": "", "a@x": "1", "b@x": "1"},
    )
    said = {"a@x": [1, 0], "b@x": [-1, -2]}
    assert golden([path], "gold", "gold,*@*") == ([True, False], said, 1)


@pytest.mark.parametrize("columns", [None, "m@*"])
def test_long_tables_have_an_annotator_of_gold(tmp_path: Path, columns: str | None) -> None:
    gold = ({"item": "x", "vote": "yes"}, {"item": "y", "vote": "no"})
    answers = (
        {"item": "y", "annotator": "m@1", "bias": "biased"},
        {"item": "z", "annotator": "m@1", "bias": "?"},
    )
    paths = [written(tmp_path / "gold.csv", *gold), written(tmp_path / "llm.jsonl", *answers)]
    assert golden(paths, "gold", columns)[:2] == ([True, False], {"m@1": [-2, 1]})


def test_one_long_table_may_hold_the_gold_and_all_others(tmp_path: Path) -> None:
    said = {"human": 1, "m@1": 1, "m@2": 0, "other": 0}
    rows = [{"item": "x", "annotator": who, "bias": label} for who, label in said.items()]
    path = written(tmp_path / "all.csv", *rows)
    for columns, names in ((None, ["m@1", "m@2", "other"]), ("*@*", ["m@1", "m@2"])):
        assert [*golden([path], "human", columns)[1]] == names
    with pytest.raises(UsageError, match="nobody is called 'hum'; did you mean 'human'"):
        golden([path], "hum")


@pytest.mark.parametrize(
    ("gold", "columns", "message"),
    [
        ("gold", None, "--columns: name the annotators' columns"),
        ("gild", "a", "no column 'gild'; did you mean 'gold'"),
        ("gold", "b", "no column 'b'"),
        ("gold", "gold", "chooses none but the gold labels"),
        ("none", "a", "no sentence has a gold label"),
        ("a", "odd", "is judged 'maybe' by 'odd', .*--labels"),
    ],
)
def test_says_what_is_wrong(tmp_path: Path, gold: str, columns: str | None, message: str) -> None:
    path = written(tmp_path / "t.csv", {"gold": 1, "a": 1, "none": "", "odd": "maybe"})
    with pytest.raises(WikibiasError, match=message):
        golden([path], gold, columns)


def test_gold_of_other_sentences_judges_nobody(tmp_path: Path) -> None:
    gold = written(tmp_path / "gold.csv", {"item": "1", "label": "yes"})
    ann = written(tmp_path / "ann.csv", {"item": "s1", "label": "yes"})
    with pytest.raises(WikibiasError, match="do both name the same items"):
        golden([gold, ann], "gold")


def test_the_column_of_answers_may_be_named(tmp_path: Path) -> None:
    rows = [{"unit": "x", "coder": who, "said": "yes"} for who in ("ann", "bob")]
    path = written(tmp_path / "t.csv", *rows)
    for columns in (None, "bob"):
        assert golden([path], "ann", columns, "said")[1] == {"bob": [1]}
