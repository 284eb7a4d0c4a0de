"""Tasks, guidelines, tables, and who said what."""

from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import date
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from judged_samples import TASKS
from paths import cases
from put import put, put_rows
from wikibias.config.resources import config_dir, known
from wikibias.errors import UsageError, WikibiasError
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
from wikibias.research.annotation.tasks import (
    Guidelines,
    Task,
    chosen_columns,
    column,
    dealt_to,
    load_guidelines,
    own_tasks,
    plain_rows,
    read_table,
    read_tasks,
)

TASK = Task(
    "s1", "It is the best.", before=("It is the best.", "Old."), probability=0.25, page_id=7
)


@pytest.mark.parametrize("ending", [".jsonl", ".csv"])
def test_gives_back_what_was_written(tmp_path: Path, ending: str) -> None:
    assert read_tasks(put_rows(tmp_path / f"t{ending}", asdict(TASK))) == [TASK]


def test_numbers_the_rows_of_any_table_with_text(tmp_path: Path) -> None:
    path = put_rows(tmp_path / "t.csv", {"text": "One."}, {"text": "Two."})
    assert [task.item for task in read_tasks(path)] == ["s1", "s2"]


def test_kinds_of_another_table_say_nothing(tmp_path: Path) -> None:
    path = put_rows(tmp_path / "t.csv", {"text": "One.", "kind": "removed"})
    assert read_tasks(path)[0].kind == "sample"


def test_what_can_be_seen_is_no_blank(tmp_path: Path) -> None:
    texts = ["0", "!", "磨", "\u200cک"]
    path = put_rows(tmp_path / "t.jsonl", *({"text": text} for text in texts))
    assert [task.text for task in read_tasks(path)] == texts


def test_a_table_without_a_head_says_what_is_taken_for_one(tmp_path: Path) -> None:
    path = put(tmp_path / "dev.tsv", "biased\tThe splendid mill.\nneutral\tThe mill.\n")
    with pytest.raises(WikibiasError, match=r"there are .*splendid.*annotate sample"):
        read_tasks(path)


@pytest.mark.parametrize(
    ("role", "counterpart", "expected"),
    [
        ("removed", "New.", ("Old.", "New.")),
        ("removed", None, ("Old.", "")),
        ("added", "New.", ("New.", "Old.")),
        ("unchanged", None, ("Old.", "Old.")),
        (None, "New.", ("Old.", "New.")),
    ],
)
def test_both_sides(role: str | None, counterpart: str | None, expected: tuple[str, str]) -> None:
    assert Task("s", "Old.", role=role, counterpart=counterpart).sides == expected


def test_tasks_dealt_to_one_annotator() -> None:
    tasks = [replace(TASKS[0], annotators=("ann", "bob")), TASKS[1], TASKS[4]]
    assert [task.item for task in own_tasks(tasks, "bob")] == ["s1", "s2", "p1"]
    assert [task.item for task in own_tasks(tasks, "cleo")] == ["s2", "p1"]
    assert (dealt_to(tasks), dealt_to(TASKS)) == (["ann", "bob"], [])
    with pytest.raises(UsageError, match=r"no task is for 'bob'.* Known: ann"):
        own_tasks([replace(TASKS[0], annotators=("ann",)), TASKS[4]], "bob")


def test_reads_a_byte_order_mark_and_blank_rows(tmp_path: Path) -> None:
    path = put(tmp_path / "t.csv", "item,bias\r\na,oui\r\n,\r\n".encode("utf-8-sig"))
    assert plain_rows(read_table(path)) == [{"item": "a", "bias": "oui"}]


def test_no_heading_is_a_formula(tmp_path: Path) -> None:
    path = put_rows(tmp_path / "t.csv", {"=1+1": "x"})
    assert path.read_text().startswith("'=1+1")
    assert list(read_table(path).columns) == ["=1+1"]


def test_columns_are_chosen_by_names_and_patterns_in_their_order(tmp_path: Path) -> None:
    table = read_table(put_rows(tmp_path / "t.csv", {"b@1": 1, "gold": 0, "a@2": 1}))
    assert chosen_columns(table, "gold,*@*") == ["gold", "b@1", "a@2"]
    with pytest.raises(UsageError, match="no column 'glod'; did you mean 'gold'"):
        chosen_columns(table, "glod")


def test_rows_hold_what_json_can_hold() -> None:
    table = pd.DataFrame(
        {"when": [date(2020, 1, 2)], "share": [float("nan")], "n": [1]}, dtype=object
    )
    assert plain_rows(table) == [{"when": "2020-01-02", "share": None, "n": 1}]


@pytest.mark.parametrize("name", ["t.csv", "t.tsv"])
def test_a_nul_in_a_cell_leaves_a_file_that_can_be_read(name: str, tmp_path: Path) -> None:
    table = read_table(put_rows(tmp_path / name, {"answer": "a\0b"}))
    assert column(table, "answer") == ["a\ufffdb"]


HEAD = 'name = "stance"\ntitle = "Which stance?"\nabout = "Choose."'
QUESTION = """[[questions]]
name = "stance"
text = "Which stance does it take?"
choices = [
  { value = "for", text = "For it", key = "1" },
  { value = "against", text = "Against it", key = "2" },
]
"""


def own(folder: Path, text: str) -> Path:
    """Write a file of guidelines; return its path."""
    path = folder / "stance.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        text.strip().replace("{head}", HEAD).replace("{question}", QUESTION) + "\n",
        encoding="utf-8",
    )
    return path


@pytest.mark.parametrize("case", cases("bad_guidelines"))
def test_a_mistake_is_said_in_one_line_with_its_place(case: dict[str, Any], tmp_path: Path) -> None:
    path = own(tmp_path, case["text"])
    with pytest.raises(UsageError) as caught:
        load_guidelines(str(path))
    said = str(caught.value)
    assert said.startswith(f"{path}:{case.get('line', '')}")
    assert case["said"] in said
    assert "\n" not in said


def shipped() -> list[Guidelines]:
    return [load_guidelines(name) for name in ("bias", "bias-types", "intents")]


def test_the_shipped_ones_ask_what_the_papers_did() -> None:
    asked = {each.name: (each.view, each.questions[0]) for each in shipped()}
    assert {name: (view, q.values, q.several) for name, (view, q) in asked.items()} == {
        "bias": ("sentence", ("biased", "neutral"), False),
        "bias-types": ("sentence", ("framing", "epistemological", "demographic"), True),
        "intents": ("pair", ("citation", "point-of-view", "clarification"), True),
    }
    assert {each.name: each.spans for each in shipped() if each.spans} == {
        "bias-types": asked["bias-types"][1].values
    }


@pytest.mark.parametrize("guidelines", shipped(), ids=lambda each: each.name)
def test_the_shipped_ones_have_rules_and_a_practice_of_every_answer(guidelines: Guidelines) -> None:
    assert guidelines.rules
    (question,) = guidelines.questions
    practised = {value for each in guidelines.practice for value in each.answers[question.name]}
    assert practised == set(question.values)


def test_a_users_own_are_found_by_name_and_by_path(tmp_path: Path) -> None:
    path = own(tmp_path / "configs" / "guidelines", "{head}\n{question}")
    with config_dir(tmp_path):
        assert "stance" in known("guidelines")
        assert load_guidelines("stance") == load_guidelines(str(path))


@pytest.mark.parametrize("name", ["bais", "../bias", ""])
def test_unknown_ones_are_refused_with_those_that_are_known(name: str) -> None:
    with pytest.raises(UsageError, match="Known: bias, bias-fr, bias-types, intents"):
        load_guidelines(name)


def test_a_path_that_leads_nowhere_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such file"):
        load_guidelines(str(tmp_path / "none.toml"))


def labels_of(found: Answers) -> list[list[str | None]]:
    """Return what was said of each item: labels, "?", or None."""
    names = [*found.labels, None, UNPARSED]  # codes below 0 count from the end
    return [[names[code] for code in row] for row in found.codes.tolist()]


def test_a_wide_table_has_a_column_an_annotator(tmp_path: Path) -> None:
    rows = ({"item": "x", "a": 1, "b": "?"}, {"item": "y", "a": "1.0", "b": ""})
    path = put_rows(tmp_path / "t.csv", *rows)
    found = table_answers([read_table(path)], columns="a,b")
    assert (found.items, found.annotators) == (["x", "y"], ["a", "b"])
    assert labels_of(found) == [["1", "?"], ["1", None]]
    assert found.unparsed == {"a": 0, "b": 1}


def test_labels_that_differ_in_letter_case_are_one(tmp_path: Path) -> None:
    path = put_rows(tmp_path / "t.csv", {"a": "Yes", "b": "yes"}, {"a": "NO", "b": "No"})
    found = table_answers([read_table(path)], columns="a,b")
    assert labels_of(found) == [["Yes", "Yes"], ["NO", "NO"]]


def test_long_tables_may_lie_in_several_files(tmp_path: Path) -> None:
    rows = ({"item": "x", "bias": "yes"}, {"item": "y", "bias": "no"})
    ann = put_rows(tmp_path / "ann.csv", *rows)
    bob = put_rows(tmp_path / "bob.csv", {"item": "y", "bias": "yes"})
    found = table_answers([read_table(ann), read_table(bob)])
    assert found.annotators == ["ann", "bob"]
    assert labels_of(found) == [["yes", None], ["no", "yes"]]


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
    path = put_rows(tmp_path / "t.jsonl", row, {**row, **second})
    with pytest.raises(WikibiasError, match=said):
        table_answers([read_table(path)])


def test_says_which_column_is_missing(tmp_path: Path) -> None:
    path = put_rows(tmp_path / "t.csv", {"item": "x", "rater": 1})
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
    assert labels_of(found.rows([1])) == [["1", "1", "1"]]
    assert labels_of(found.of(["c", "a"])) == [[None, "0"], ["1", "1"]]


def golden(
    paths: Sequence[Path], gold: str, columns: str | None = None, label: str | None = None
) -> tuple[list[bool], dict[str, list[int]], int]:
    """Return what is read: gold, who said what, and how many have no gold."""
    found = read_with_gold(paths, gold, columns, KNOWN, label)
    said = {name: codes.tolist() for name, codes in found.said.items()}
    return found.gold.tolist(), said, found.without_gold


def test_a_wide_table_has_a_column_of_gold(tmp_path: Path) -> None:
    path = put_rows(
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
    paths = [put_rows(tmp_path / "gold.csv", *gold), put_rows(tmp_path / "llm.jsonl", *answers)]
    assert golden(paths, "gold", columns)[:2] == ([True, False], {"m@1": [-2, 1]})


def test_one_long_table_may_hold_the_gold_and_all_others(tmp_path: Path) -> None:
    said = {"human": 1, "m@1": 1, "m@2": 0, "other": 0}
    rows = [{"item": "x", "annotator": who, "bias": label} for who, label in said.items()]
    path = put_rows(tmp_path / "all.csv", *rows)
    for columns, names in ((None, ["m@1", "m@2", "other"]), ("*@*", ["m@1", "m@2"])):
        assert [*golden([path], "human", columns)[1]] == names
    with pytest.raises(UsageError, match="nobody is called 'hum'; did you mean 'human'"):
        golden([path], "hum")


@pytest.mark.parametrize(
    ("gold", "columns", "message"),
    [
        ("gold", None, "--annotator-columns: name the annotators' columns"),
        ("gild", "a", "no column 'gild'; did you mean 'gold'"),
        ("gold", "b", "no column 'b'"),
        ("gold", "gold", "chooses none but the gold labels"),
        ("none", "a", "no sentence has a gold label"),
        ("a", "odd", "is judged 'maybe' by 'odd', .*--label-names"),
    ],
)
def test_gold_that_is_wrong(tmp_path: Path, gold: str, columns: str | None, message: str) -> None:
    path = put_rows(tmp_path / "t.csv", {"gold": 1, "a": 1, "none": "", "odd": "maybe"})
    with pytest.raises(WikibiasError, match=message):
        golden([path], gold, columns)


def test_gold_of_other_sentences_judges_nobody(tmp_path: Path) -> None:
    gold = put_rows(tmp_path / "gold.csv", {"item": "1", "label": "yes"})
    ann = put_rows(tmp_path / "ann.csv", {"item": "s1", "label": "yes"})
    with pytest.raises(WikibiasError, match="do both name the same items"):
        golden([gold, ann], "gold")


def test_the_column_of_answers_may_be_named(tmp_path: Path) -> None:
    rows = [{"unit": "x", "coder": who, "said": "yes"} for who in ("ann", "bob")]
    path = put_rows(tmp_path / "t.csv", *rows)
    for columns in (None, "bob"):
        assert golden([path], "ann", columns, "said")[1] == {"bob": [1]}
