"""Tests of what goes to Label Studio and to tables, and of what comes back."""

import json
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judged_samples import BIAS, EXPORTS, INTENTS, PAIRS, TASKS, TYPES, reader
from paths import cases
from put import put, put_rows
from wikibias.errors import UsageError, WikibiasError
from wikibias.kits.tables import write_rows
from wikibias.research.annotation import exchange
from wikibias.research.annotation.tasks import (
    Choice,
    Guidelines,
    Question,
    Task,
    load_guidelines,
    read_tasks,
)

WITH_MARKS = Guidelines("w", "W", "a", INTENTS.questions, view="pair", spans=("framing",))
HOSTILE = Guidelines(
    "h",
    "$text & <b>",
    "One.\n\n<script>Two",
    (Question("q", "$5?", (Choice("a", '"A" <', "1"), Choice("b", "B\x0b", "2"))),),
    rules=("No & <i>.",),
    spans=("so<called",),
)


def test_shows_sentences_and_where_they_stand_and_nothing_else() -> None:
    found = exchange.task_rows(TASKS, BIAS)
    assert [row["item"] for row in found] == ["s1", "s2", "s3", "s4"]
    assert {tuple(row) for row in found} == {("item", "previous", "text")}
    written = repr(found)
    assert not any(word in written for word in ("POV", "removed", "control", "title", "0.5"))
    assert "A mill." not in exchange.task_texts(PAIRS[0], BIAS).values()
    assert exchange.task_rows([Task("p", "A.", kind="practice")], BIAS) == []


def test_pairs_have_the_older_sentence_first() -> None:
    found = [tuple(row.values())[1:] for row in exchange.task_rows(PAIRS, INTENTS)]
    expected = [("A famous mill.", "A mill."), ("A fine bridge.", "A bridge."), ("A road.", "")]
    assert found == expected
    (same,) = exchange.task_rows([Task("c", "A mill.", kind="control", role="unchanged")], INTENTS)
    assert same == {"item": "c", "before_edit": "A mill.", "after_edit": "A mill."}


def test_words_are_marked_in_the_text_of_each_task() -> None:
    assert exchange.marked_field(TASKS, BIAS) == "text"
    assert exchange.marked_field([PAIRS[0]], WITH_MARKS) == "before_edit"
    assert exchange.marked_field([PAIRS[1]], WITH_MARKS) == "after_edit"
    assert exchange.marked_field(PAIRS, INTENTS) == "before_edit"
    with pytest.raises(UsageError, match="in two files"):
        exchange.marked_field(PAIRS, WITH_MARKS)


@pytest.mark.parametrize("form", get_args(exchange.Form))
def test_two_runs_give_the_same_bytes(form: exchange.Form, tmp_path: Path) -> None:
    written = []
    for number in "12":
        out = tmp_path / (number if form == "label-studio" else f"{number}.{form}")
        exchange.export_tasks(TASKS, BIAS, form, out, overwrite=False)
        files = sorted(path for path in (out, *out.rglob("*")) if path.is_file())
        written.append([path.read_bytes() for path in files])
    assert written[0] == written[1]


def test_a_folder_that_somebody_changed_is_not_replaced(tmp_path: Path) -> None:
    out = tmp_path / "ls"
    exchange.export_tasks(TASKS, BIAS, "label-studio", out, overwrite=False)
    exchange.export_tasks(TASKS, BIAS, "label-studio", out, overwrite=False)
    (out / "export.csv").write_text("answers")
    with pytest.raises(UsageError, match="holds what this command did not write"):
        exchange.export_tasks(TASKS, BIAS, "label-studio", out, overwrite=False)


def test_the_name_says_the_form(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"must end in \.csv or \.tsv"):
        exchange.export_tasks(TASKS, BIAS, "csv", tmp_path / "s.xlsx", overwrite=False)


def test_label_studio_gets_all_fields_of_each_task(tmp_path: Path) -> None:
    exchange.export_tasks(TASKS, BIAS, "label-studio", tmp_path / "ls", overwrite=False)
    rows = json.loads((tmp_path / "ls" / "tasks.json").read_text("utf-8"))
    assert [row["data"] for row in rows] == exchange.task_rows(TASKS, BIAS)
    exchange.export_tasks(TASKS, HOSTILE, "label-studio", tmp_path / "h", overwrite=False)
    instructions = (tmp_path / "h" / "instructions.html").read_text("utf-8")
    assert "<script>" not in instructions
    assert instructions.count("<p>") == 2


def config(guidelines: Guidelines, *fields: exchange.Field) -> ET.Element:
    """Return the labelling configuration, parsed; words are marked in the last of the fields."""
    chosen: tuple[exchange.Field, ...] = fields or ("text",)
    return ET.fromstring(exchange.label_config(guidelines, chosen, chosen[-1]))


def test_a_choice_shows_its_text_and_its_value_comes_back() -> None:
    view = config(BIAS, "previous", "text")
    (choices,) = view.findall("Choices")
    expected = {"name": "bias", "toName": "text", "required": "true", "choice": "single"}
    assert choices.attrib == expected
    keys = [(choice.get("alias"), choice.get("hotkey")) for choice in choices]
    assert keys == [("biased", "1"), ("neutral", "2")]
    assert [text.get("value") for text in view.iter("Text")] == ["$previous", "$text"]
    assert view.find("Labels") is None


def test_of_several_choices_none_is_one_too() -> None:
    view = config(TYPES)
    (choices,) = view.findall("Choices")
    assert choices.get("choice") == "multiple"
    assert choices[-1].attrib == {"value": "None of these", "alias": "none", "hotkey": "0"}
    assert [label.get("alias") for label in view.iter("Label")] == list(TYPES.spans)


def test_pairs_stand_side_by_side() -> None:
    view = config(INTENTS, "section", "before_edit", "after_edit")
    names = [side.get("name") for side in view.findall("./View/View/Text")]
    assert names == ["before_edit", "after_edit"]


def test_what_a_user_writes_is_text() -> None:
    view = config(HOSTILE)
    headers = [header.get("value") for header in view.iter("Header")]
    assert headers[0] == " $text & <b>"
    assert " $5?" in headers
    assert [choice.get("value") for choice in view.iter("Choice")] == ['"A" <', "B\\x0b"]


@pytest.mark.parametrize("case", cases("exchange_choices"))
def test_reads_what_people_write(case: dict[str, Any]) -> None:
    asked = load_guidelines(case["question"])
    (question,) = asked.questions
    for cell in case["cells"]:
        found = reader(asked)
        found.take("s1", {}, "ann", {question.name: cell, "comment": "x"}, "p")
        (row,) = found.rows()
        assert row[question.name] == case.get("means"), cell


def taken(found: exchange.AnswerReader, item: object, **texts: str) -> list[str]:
    """Return the items of the answers when one to this item has been taken."""
    found.take(item, texts, "ann", {"bias": "biased"}, "p")
    return [row["item"] for row in found.rows()]


class TestPlainTables:
    def read(self, path: Path, content: str, **renames: str) -> tuple[list[Any], list[str]]:
        found = reader(BIAS, **renames)
        found.read(put(path, content))
        answers = [(row["item"], row["annotator"], row["bias"]) for row in found.rows()]
        return answers, found.warnings

    def test_rows_in_any_order_and_blank_ones(self, tmp_path: Path) -> None:
        content = "bias,item,colour\n,,\nneutral,s4,red\n,s3,\nBiased,s1,\n"
        expected = [("s1", "a", "biased"), ("s4", "a", "neutral")]
        assert self.read(tmp_path / "a.csv", content) == (expected, [])

    def test_a_declared_column(self, tmp_path: Path) -> None:
        content = "item,verdict,bias\ns1,biased,neutral\n"
        answers, _ = self.read(tmp_path / "a.csv", content, verdict="bias")
        assert answers == [("s1", "a", "biased")]
        with pytest.raises(UsageError, match="'biased' is no column; did you mean 'bias'"):
            self.read(tmp_path / "a.csv", content, verdict="biased")
        lacking = reader(BIAS, verdit="bias")
        lacking.read(tmp_path / "a.csv")
        with pytest.raises(UsageError, match="no table has a column 'verdit'; did you mean 'verd"):
            lacking.check_renames()

    def test_odd_rows_are_counted_with_the_place_of_the_first(self, tmp_path: Path) -> None:
        path = tmp_path / "a.csv"
        content = (
            "item,text,bias\ns1,,perhaps\ns9,,neutral\ns2,The mill was sold.,neutral\n"
            "s3,The mill was built in 1820.,biased\n"
        )
        answers, warnings = self.read(path, content)
        assert answers == [("s1", "a", "?")]
        assert warnings == [
            "1 answer to 'bias' cannot be read as biased, neutral; written as ?; the first: "
            f"{path}:2 'perhaps'",
            f"1 row of an item that no task has; left out; the first: {path}:3 's9'",
            f"2 rows with another text than its task; left out; the first: {path}:4 's2'",
        ]

    @pytest.mark.parametrize("name", ["a.csv", "a.jsonl"])
    def test_spans_of_a_table(self, name: str, tmp_path: Path) -> None:
        spans = [{"start": 4, "end": 13, "label": "framing"}]
        row = {"item": "s1", "bias_types": ["framing"], "spans": spans}
        found = reader(TYPES)
        found.read(put_rows(tmp_path / name, row))
        assert found.rows() == [{**row, "annotator": "a", "comment": ""}]

    def test_quotation_marks_and_dashes_do_no_harm(self) -> None:
        for text in (TASKS[0].text, "The legendary “Mill” was  the best in Élan — by far. "):
            assert taken(reader(), "s1", text=text)

    def test_items_that_look_like_numbers(self) -> None:
        tasks = [replace(TASKS[0], item="1.0"), replace(TASKS[1], item="1")]
        for item, expected in (("1.0", "1.0"), ("1", "1"), (1, "1")):
            assert taken(exchange.AnswerReader(tasks, BIAS), item) == [expected]
        assert taken(exchange.AnswerReader(tasks[:1], BIAS), "1") == ["1.0"]


def test_a_real_export_of_label_studio() -> None:
    tasks = read_tasks(EXPORTS / "tasks.jsonl")
    read = exchange.AnswerReader(tasks, TYPES)
    read.read(EXPORTS / "export.json")
    found = {(row["item"], row["annotator"]): row for row in read.rows()}
    assert len(found) == 10
    assert found["s1", "4"]["bias_types"] == []
    assert found["s3", "4"]["bias_types"] == ["framing", "epistemological"]
    assert ("s5", "5") not in found
    assert found["s7", "5"]["comment"] == 'I was "in doubt"; why?\nSee the rules.'
    # What its page marked behind an emoji is where it was marked.
    text = next(task.text for task in tasks if task.item == "s21")
    assert found["s21", "1"]["spans"] == [{"start": 55, "end": 62, "label": "framing"}]
    assert text.index("🚲") < 55
    assert text[55:62] == "rebuilt"
    assert [line.partition("; the first")[0] for line in read.warnings] == [
        "1 item answered twice by one annotator, differently; the last answer is taken",
        "1 annotation skipped by its annotator; left out",
    ]


CHOICE = {"from_name": "bias", "type": "choices", "value": {"choices": ["biased"]}}


def studio_task(*annotations: Any, **data: Any) -> dict[str, Any]:
    """Return a task as Label Studio exports it."""
    given = {"item": "s2", **data}
    return {"data": given, "annotations": list(annotations), "predictions": [CHOICE]}


def annotation(*result: Any, by: Any = 7) -> dict[str, Any]:
    """Return an annotation as Label Studio exports it."""
    return {"id": 1, "completed_by": by, "result": list(result)}


class TestOddTasksOfLabelStudio:
    def read(self, path: Path, *rows: Any) -> tuple[list[exchange.Row], str]:
        found = reader()
        found.read(put(path, json.dumps(rows)))
        return found.rows(), " ".join(found.warnings)

    def test_an_account_is_known_by_its_number_alone(self, tmp_path: Path) -> None:
        mailed = {"id": 3, "email": "x@example.org"}
        both = studio_task(annotation(CHOICE, by=mailed), annotation(CHOICE, by=None))
        answers, _ = self.read(tmp_path / "f.json", both)
        assert [row["annotator"] for row in answers] == ["3", "unknown"]

    def test_what_is_no_answer_is_left_out(self, tmp_path: Path) -> None:
        answers, warnings = self.read(
            tmp_path / "f.json",
            studio_task(),
            studio_task(annotation()),
            studio_task(annotation(CHOICE), item="x"),
            {"data": {}, "annotations": 3},
            {"data": {}},
            studio_task(3, annotation(CHOICE, 3, {})),
        )
        assert len(answers) == 1
        assert "1 annotation without any answer" in warnings
        assert "1 row of an item that no task has" in warnings
        assert "2 parts without annotations; left out" in warnings

    def test_a_choice_that_was_not_offered_is_not_guessed(self, tmp_path: Path) -> None:
        wrong = {**CHOICE, "value": {"choices": ["rather biased"]}}
        answers, warnings = self.read(tmp_path / "f.json", studio_task(annotation(wrong)))
        assert answers[0]["bias"] == "?"
        assert "cannot be read as biased, neutral; written as ?; the first:" in warnings


class TestMarks:
    def read(self, *spans: Any) -> tuple[list[dict[str, Any]], str]:
        task = Task("t", "So 🚲 the famous mill")
        found = exchange.AnswerReader([task], replace(TYPES, spans=("framing", "loaded")))
        found.take("t", {}, "ann", {"spans": list(spans), "comment": "x"}, "p")
        return found.rows()[0]["spans"], " ".join(found.warnings)

    def test_places_in_characters(self) -> None:
        place = {"start": 9, "end": 15}
        famous = {**place, "label": "framing"}
        for span in ({**place, "text": "famous", "labels": ["framing"]}, famous):
            assert self.read(span) == ([famous], "")

    @pytest.mark.parametrize(
        "wrong",
        [
            {"start": 9, "end": 15, "text": "mills", "label": "framing"},
            {"start": 10, "end": 16, "text": "famous", "label": "framing"},
            {"start": 15, "end": 9, "label": "framing"},
            {"start": -3, "end": 2, "label": "framing"},
            {"start": 9, "end": 99, "label": "framing"},
            {"start": "9", "end": 15, "label": "framing"},
            {"label": "framing"},
            "famous",
            None,
        ],
    )
    def test_what_does_not_fit_is_left_out_and_noted(self, wrong: Any) -> None:
        found, warnings = self.read(wrong)
        assert found == []
        assert "1 span that cannot stand where it is said to" in warnings

    def test_labels_are_checked_and_no_span_counts_twice(self) -> None:
        labels = ["loaded", "framing", "praise"]
        both = {"start": 9, "end": 15}
        found, warnings = self.read({**both, "label": "framing"}, {**both, "labels": labels})
        assert found == [{**both, "label": "framing"}, {**both, "label": "loaded"}]
        assert "1 span with an unknown label; left out; the first: p 'praise'" in warnings


def test_the_last_answer_counts_and_others_are_noted(tmp_path: Path) -> None:
    given = ["s2,2,neutral", "s2,1,neutral", "s1,1,biased", "s2,1,biased", "s1,1,biased", "s1,1,"]
    found, path = reader(), tmp_path / "f.csv"
    found.read(put(path, "\n".join(["item,annotator,bias", *given])))
    rows = [",".join((row["item"], row["annotator"], row["bias"])) for row in found.rows()]
    assert rows == ["s1,1,biased", "s2,1,biased", "s2,2,neutral"]
    first = f"the first: {path}"
    assert found.warnings == [
        "1 item answered twice by one annotator, differently; the last answer is taken; "
        f"{first}:5 's2'",
        f"1 item answered twice by one annotator, in the same way; {first}:6 's1'",
    ]


def test_a_row_has_a_column_for_each_question_and_a_comment_alone_is_no_answer() -> None:
    found = reader(TYPES)
    found.take("s1", {}, "1", {"bias_types": "framing", "comment": [" Why?", None]}, "p")
    found.take("s2", {}, "1", {"comment": "Hm."}, "p")
    found.take("s4", {}, "1", {"bias_types": []}, "p")
    rows = found.rows()
    said = {"bias_types": ["framing"], "spans": [], "comment": "Why?"}
    assert rows[0] == {"item": "s1", "annotator": "1", **said}
    assert [found.says_something(row) for row in rows] == [True, False, True]


# Names and values that mean something to a reader, and others.
WORDS = st.sampled_from(
    [
        *("item", "id", "text", "data", "annotations", "completed_by", "result", "from_name"),
        *("type", "value", "labels", "choices", "start", "end", "was_cancelled", "updated_at"),
        *("annotation_id", "annotator", "bias_types", "spans", "comment", "framing"),
        *("none", "s1", "s3", "\ud800", "[", '{"a":1}'),
    ]
)
LEAVES = WORDS | st.none() | st.booleans() | st.integers(-2, 60) | st.floats() | st.text(max_size=3)
ANY = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=5),
    max_leaves=15,
)
ROWS = st.dictionaries(WORDS, ANY, min_size=1, max_size=6)
STUDIO = st.fixed_dictionaries(
    {
        "data": st.fixed_dictionaries({"item": st.sampled_from(["s1", "s3"]) | ANY}),
        "annotations": st.lists(
            st.fixed_dictionaries({"result": st.lists(ROWS, max_size=3) | ANY, "completed_by": ANY})
            | ANY,
            max_size=3,
        ),
    }
)
FORMS = st.sampled_from([STUDIO, ROWS, ANY]).flatmap(
    lambda form: st.lists(form, min_size=1, max_size=3)
)


@pytest.mark.hypothesis
@settings(max_examples=15)
@given(FORMS)
def test_nothing_but_one_line(tmp_path_factory: pytest.TempPathFactory, rows: list[Any]) -> None:
    folder = tmp_path_factory.mktemp("f")
    found = reader(TYPES)
    with suppress(WikibiasError):
        found.read(put(folder / "a.json", json.dumps(rows)))
        write_rows(folder / "out.jsonl", found.rows())
        write_rows(folder / "out.csv", found.rows())
    assert all(isinstance(line, str) for line in found.warnings)
