"""Files of tasks and of guidelines, and tables of tasks, answers and labels."""

from dataclasses import asdict, replace
from datetime import date
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from judged_samples import TASKS
from paths import cases
from wikibias.config.resources import config_dir, known
from wikibias.errors import UsageError, WikibiasError
from wikibias.kits.tables import write_rows
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
    sides,
)

TASK = Task(
    "s1", "It is the best.", before=("It is the best.", "Old."), probability=0.25, page_id=7
)


def written(path: Path, *rows: dict[str, Any]) -> Path:
    """Return a path with these rows in it."""
    write_rows(path, rows)
    return path


class TestReadTasks:
    @pytest.mark.parametrize("ending", [".jsonl", ".csv"])
    def test_gives_back_what_was_written(self, tmp_path: Path, ending: str) -> None:
        assert read_tasks(written(tmp_path / f"t{ending}", asdict(TASK))) == [TASK]

    def test_numbers_the_rows_of_any_table_with_text(self, tmp_path: Path) -> None:
        path = written(tmp_path / "t.csv", {"text": "One."}, {"text": "Two."})
        assert [task.item for task in read_tasks(path)] == ["s1", "s2"]

    def test_kinds_of_another_table_say_nothing(self, tmp_path: Path) -> None:
        path = written(tmp_path / "t.csv", {"text": "One.", "kind": "removed"})
        assert read_tasks(path)[0].kind == "sample"

    def test_what_can_be_seen_is_no_blank(self, tmp_path: Path) -> None:
        texts = ["0", "!", "磨", "\u200cک"]
        path = written(tmp_path / "t.jsonl", *({"text": text} for text in texts))
        assert [task.text for task in read_tasks(path)] == texts

    @pytest.mark.parametrize(
        ("rows", "said"),
        [
            *(
                ([{"text": "One.", "before": cell}], "before: .* is not a list")
                for cell in ("Old.", '{"a": 1}', "[")
            ),
            *(
                ([{"text": "One."}, {"text": text}], ":2: text is blank; fill it in, or drop")
                for text in ("", "  ", "\u200b \u3000\n", None)
            ),
            (
                [{"text": kind, "kind": kind} for kind in ("sample", "contol")],
                r"t\.jsonl:2: unknown kind contol",
            ),
            ([{"item": "a", "text": n} for n in "12"], "two rows are called 'a'"),
            (
                [{"next": "x", "sentence": "x"}],
                r"no column 'text'; .* of the sentences to text \(there are next, sentence\)",
            ),
            (
                [dict.fromkeys("abcdefghijk", "x")],
                r"no column 'text'; .* to text \(there are a, b, c, d, e, f, g, h, \.\.\.\)",
            ),
        ],
    )
    def test_says_which_row_or_column_is_wrong(
        self, tmp_path: Path, rows: list[dict[str, Any]], said: str
    ) -> None:
        with pytest.raises(WikibiasError, match=said):
            read_tasks(written(tmp_path / "t.jsonl", *rows))

    def test_a_table_without_a_head_says_what_is_taken_for_one(self, tmp_path: Path) -> None:
        path = tmp_path / "dev.tsv"
        path.write_text("biased\tThe splendid mill.\nneutral\tThe mill.\n")
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
def test_sides_of_an_edit(
    role: str | None, counterpart: str | None, expected: tuple[str, str]
) -> None:
    assert sides(Task("s", "Old.", role=role, counterpart=counterpart)) == expected


def test_tasks_dealt_to_one_annotator() -> None:
    tasks = [replace(TASKS[0], annotators=("ann", "bob")), TASKS[1], TASKS[4]]
    assert [task.item for task in own_tasks(tasks, "bob")] == ["s1", "s2", "p1"]
    assert [task.item for task in own_tasks(tasks, "cleo")] == ["s2", "p1"]
    assert (dealt_to(tasks), dealt_to(TASKS)) == (["ann", "bob"], [])
    with pytest.raises(UsageError, match=r"no task is for 'bob'.* Known: ann"):
        own_tasks([replace(TASKS[0], annotators=("ann",)), TASKS[4]], "bob")


ROWS: list[dict[str, Any]] = [
    {"item": "a", "text": "=1+1", "before": ["x", "y"]},
    {"item": "b", "text": "ü"},
]


class TestReadTable:
    @pytest.mark.parametrize("ending", [".jsonl", ".csv", ".tsv"])
    def test_gives_back_what_was_written(self, tmp_path: Path, ending: str) -> None:
        table = read_table(written(tmp_path / f"t{ending}", *ROWS))
        assert column(table, "text") == ["=1+1", "ü"]
        assert list(table.columns) == ["item", "text", "before"]

    def test_reads_a_byte_order_mark_and_blank_rows(self, tmp_path: Path) -> None:
        (tmp_path / "t.csv").write_bytes("item,bias\r\na,oui\r\n,\r\n".encode("utf-8-sig"))
        assert plain_rows(read_table(tmp_path / "t.csv")) == [{"item": "a", "bias": "oui"}]

    @pytest.mark.parametrize(
        ("name", "content", "said"),
        [
            ("t.txt", "", "its name must end in"),
            ("t.xlsx", "", "save it as CSV"),
            ("t.csv", "a,b\n1\n", "1 column where the first line has 2"),
            ("t.csv", "a,a\n1,2\n", "two columns are called"),
            ("t.csv", "a,b\n", "no row"),
            ("t.json", "{}", "no list of objects"),
            ("t.jsonl", "[1]", "no JSON object"),
            ("t.json", r'[{"a": "\ud83d"}]', "half a character"),
            ("t.parquet", "PAR", "not a Parquet file"),
        ],
    )
    def test_says_what_is_wrong(self, tmp_path: Path, name: str, content: str, said: str) -> None:
        (tmp_path / name).write_text(content)
        with pytest.raises(WikibiasError, match=said):
            read_table(tmp_path / name)


def test_marks_utf_8_for_excel_where_it_is_asked_to(tmp_path: Path) -> None:
    write_rows(tmp_path / "t.csv", ROWS, mark=True)
    assert (tmp_path / "t.csv").read_bytes().startswith(b"\xef\xbb\xbfitem,")
    assert column(read_table(tmp_path / "t.csv"), "item") == ["a", "b"]


def test_no_heading_is_a_formula(tmp_path: Path) -> None:
    path = written(tmp_path / "t.csv", {"=1+1": "x"})
    assert path.read_text().startswith("'=1+1")
    assert list(read_table(path).columns) == ["=1+1"]


def test_columns_are_chosen_by_names_and_patterns_in_their_order(tmp_path: Path) -> None:
    table = read_table(written(tmp_path / "t.csv", {"b@1": 1, "gold": 0, "a@2": 1}))
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
    table = read_table(written(tmp_path / name, {"answer": "a\0b"}))
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


@pytest.mark.parametrize("guidelines", shipped(), ids=lambda each: each.name)
def test_the_shipped_ones_have_rules_and_a_practice_of_every_answer(guidelines: Guidelines) -> None:
    assert guidelines.rules
    (question,) = guidelines.questions
    practised = {value for each in guidelines.practice for value in each.answers[question.name]}
    assert practised == set(question.values)


def test_words_are_marked_with_the_types_of_bias() -> None:
    assert load_guidelines("bias-types").spans == ("framing", "epistemological", "demographic")


def test_a_users_own_are_found_by_name_and_by_path(tmp_path: Path) -> None:
    path = own(tmp_path / "configs" / "guidelines", "{head}\n{question}")
    with config_dir(tmp_path):
        assert "stance" in known("guidelines")
        assert load_guidelines("stance") == load_guidelines(str(path))


@pytest.mark.parametrize("name", ["bais", "../bias", ""])
def test_unknown_ones_are_refused_with_those_that_are_known(name: str) -> None:
    with pytest.raises(UsageError, match="Known: bias, bias-types, intents"):
        load_guidelines(name)


def test_a_path_that_leads_nowhere_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such file"):
        load_guidelines(str(tmp_path / "none.toml"))
