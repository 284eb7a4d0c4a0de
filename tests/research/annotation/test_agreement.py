"""Inter-annotator agreement on one question, with its parts."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from put import put_rows
from wikibias.errors import UsageError, WikibiasError
from wikibias.research.annotation.agreement import (
    NO_TEXTS,
    agreement,
    by_category,
    by_group,
    check_labels,
    confusion,
    controls,
    measured,
    most_disagreed,
    outlier,
    read_compared,
    repeats,
    span_agreement,
)
from wikibias.research.annotation.answers import Answers, answers_of
from wikibias.research.annotation.tasks import Task


def answers(*rows: Sequence[str | None], items: str = "") -> Answers:
    """Return answers of a, b, c, ... to s1, s2, ..., or to these items; a dot stands for none."""
    names = items.split() or [f"s{number}" for number, _ in enumerate(rows, 1)]
    cells = [[None if cell == "." else cell for cell in row] for row in rows]
    return answers_of(names, [*"abcdefgh"[: len(rows[0])]], cells)


def test_who_ticks_everything_ticks_unchanged_sentences() -> None:
    found = controls(answers("11", "10"), answers("10", "10", "1.", items="c1 c2 c3"))
    assert found["items"] == 3
    assert found["annotators"]["a"]["ticked"]["value"] == 1
    assert found["annotators"]["a"]["values"] == {"1": 3}
    b = found["annotators"]["b"]
    assert (b["answers"], b["ticked"]["value"], b["ticked_of_sample"]["value"]) == (2, 0, 0.5)


def test_without_a_neutral_answer_nobody_is_said_to_tick() -> None:
    sample = answers(["red", "blue"])
    found = controls(sample, sample)
    assert found["annotators"]["a"]["ticked"]["value"] is None
    assert "neutral" in found["notes"]["ticked"]


def test_each_annotator_is_compared_with_what_they_said_before() -> None:
    again = {"r1": "s1", "r2": "s2", "r9": "s9"}
    tasks = {item: Task(item, "Old.", "repeat", of) for item, of in again.items()}
    said = answers("11", "00", "01", "10", "0.", items="s1 s2 s3 r1 r2")
    found = repeats(said, {"s3": Task("s3", "Red."), **tasks}, resamples=20)
    assert (found["a"]["items"], found["a"]["percentage"]["value"]) == (2, 1)
    assert found["a"]["cohen"]["value"] == 1
    assert (found["b"]["items"], found["b"]["percentage"]["value"]) == (1, 0)


MARKS = [{"start": 0, "end": 3, "label": "framing"}]
ROWS: list[dict[str, Any]] = [
    {"item": "s1", "annotator": "ann", "bias": "biased", "spans": MARKS},
    {"item": "s1", "annotator": "bob", "bias": "neutral", "spans": []},
    {"item": "s2", "annotator": "ann", "bias": "neutral", "spans": None},
]
TASKS: list[dict[str, Any]] = [
    {"item": "s1", "text": "The town is lovely.", "stratum": "bin=1-2 tag=POV check"},
    {"item": "s2", "text": "It has a bridge.", "stratum": "bin=16- tag=Weasel"},
]


@pytest.mark.parametrize("ending", ["jsonl", "csv"])
def test_spans_are_read_from_either_form(tmp_path: Path, ending: str) -> None:
    found = read_compared([put_rows(tmp_path / f"a.{ending}", *ROWS)])
    assert found.answers.items == ["s1", "s2"]
    assert found.spans == {("s1", "ann"): MARKS, ("s1", "bob"): []}


def test_the_stratum_groups_by_each_of_its_parts(tmp_path: Path) -> None:
    answers = put_rows(tmp_path / "a.jsonl", *ROWS)
    tasks = put_rows(tmp_path / "t.jsonl", *TASKS)
    found = read_compared([answers], tasks=tasks)
    assert found.texts["s2"] == "It has a bridge."
    groups = by_group(found.answers, found.tasks, resamples=9)
    assert {name: list(of) for name, of in groups.items()} == {
        "bin": ["1-2", "16-"],
        "tag": ["POV check", "Weasel"],
    }


def test_a_wide_table_has_texts(tmp_path: Path) -> None:
    rows = [{"text": "Old.", "a": 0, "b": 1}, {"text": "New.", "a": 1, "b": 1}]
    found = read_compared([put_rows(tmp_path / "w.csv", *rows)], columns="a,b")
    assert found.texts == {"1": "Old.", "2": "New."}


def test_tasks_of_another_sample_are_refused(tmp_path: Path) -> None:
    tasks = put_rows(tmp_path / "t.jsonl", {"item": "x9", "text": "It rains."})
    given = read_compared([put_rows(tmp_path / "a.jsonl", *ROWS)], tasks=tasks)
    with pytest.raises(WikibiasError, match="no answer is to one of these tasks; give the task"):
        agreement(given, resamples=10, warn=print)


@pytest.mark.parametrize(
    "spans", ["[", "{}", '"x"', '[{"start": 0}]', '[{"start": 3, "end": 1}]', "[7]", "[" * 9999]
)
def test_broken_spans_are_named_by_row(tmp_path: Path, spans: str) -> None:
    rows = [{"item": "s1", "bias": "biased", "spans": spans}]
    with pytest.raises(WikibiasError, match=r"a\.jsonl:1: (a span|spans)"):
        read_compared([put_rows(tmp_path / "a.jsonl", *rows)])


def test_who_answers_at_random_stands_apart() -> None:
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 200)
    rows = np.column_stack([truth, truth, rng.integers(0, 2, 200)]).astype(str).tolist()
    found = outlier(answers(*rows), resamples=200)
    assert found["annotator"] == "c"
    assert found["without"]["c"]["krippendorff"]["value"] == 1
    assert found["without"]["c"]["gain"]["low"] > 0 > found["without"]["a"]["gain"]["high"]


def test_nobody_stands_apart_where_the_interval_holds_nothing() -> None:
    found = outlier(answers("000", "111", "110", "000", "111"), resamples=200)
    assert found["without"]["c"]["gain"]["value"] > 0
    assert found["annotator"] is None
    assert outlier(answers("01", "11"), resamples=9) == {"annotator": None, "without": {}}


def test_the_first_of_a_pair_is_outside_of_the_table() -> None:
    found = confusion(answers("01", "01", "11", ".0"))
    assert found == {"a|b": {"0": {"1": 2}, "1": {"1": 1}}}
    assert confusion(answers("0.")) == {"a|b": {}}


def test_the_most_disagreed_come_first_and_the_agreed_not_at_all() -> None:
    said = answers("0000", "01..", "0011", "0001")
    found = most_disagreed(said, {"s3": "The mill is old."})
    assert [sentence["item"] for sentence in found] == ["s3", "s4", "s2"]
    assert found[0]["text"] == "The mill is old."
    assert found[0]["differing"] == 4 / 6
    assert found[2] == {"item": "s2", "differing": 1.0, "answers": {"a": "0", "b": "1"}}


TEXTS = {"s1": "The famous mill is the best of all.", "s2": "It stood here.", "s3": "It fell."}


def mark(item: str, words: str, label: str = "bias") -> dict[str, Any]:
    """Return a span of some words of a sentence."""
    start = TEXTS[item].index(words)
    return {"start": start, "end": start + len(words), "label": label}


def compared(given: Any, texts: Any = TEXTS) -> dict[str, Any]:
    """Return the agreement on spans."""
    return span_agreement(given, texts, [*TEXTS], resamples=50)


def test_the_same_spans_agree() -> None:
    spans = [mark("s1", "famous"), mark("s1", "the best")]
    found = compared({("s1", "a"): spans, ("s1", "b"): spans, ("s2", "a"): [], ("s2", "b"): []})
    of = found["pairs"]["a|b"]["any"]
    assert (of["items"], of["spans"]) == (2, [2, 2])
    assert [of[name]["value"] for name in ("exact", "overlap", "token_kappa")] == [1, 1, 1]
    assert found["notes"] == {}


def test_spans_that_share_words_overlap() -> None:
    first = [mark("s1", "famous"), mark("s1", "best of all")]
    second = [mark("s1", "famous mill")]
    given = {("s1", "a"): first, ("s1", "b"): second, ("s2", "a"): []}
    found = compared({**given, ("s2", "b"): [mark("s2", "stood")]})["pairs"]["a|b"]["any"]
    assert found["exact"]["value"] == 0
    assert found["overlap"]["value"] == pytest.approx(2 * 1 / 4)
    # The famous mill is the best of all . It stood here .
    a = [0, 1, 0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0]
    b = [0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0]
    assert found["token_kappa"]["value"] == pytest.approx(cohen_kappa_score(a, b))


def test_a_blank_at_the_end_of_a_span_makes_no_difference() -> None:
    exact = mark("s1", "famous")
    wider = {**exact, "end": exact["end"] + 1}
    found = compared({("s1", "a"): [exact], ("s1", "b"): [wider]})
    assert found["pairs"]["a|b"]["any"]["exact"]["value"] == 1


def test_labels_count_where_there_are_several() -> None:
    first = [mark("s1", "famous", "framing"), mark("s1", "best", "framing")]
    second = [mark("s1", "famous", "epistemological"), mark("s1", "best", "framing")]
    found = compared({("s1", "a"): first, ("s1", "b"): second})["pairs"]["a|b"]
    assert list(found) == ["any", "epistemological", "framing"]
    assert found["any"]["exact"]["value"] == 1
    assert found["framing"]["exact"]["value"] == pytest.approx(2 / 3)


def test_spans_of_one_annotator_that_overlap_are_one() -> None:
    first = [mark("s1", "the best", "framing"), mark("s1", "best of", "x")]
    given = {("s1", "a"): first, ("s1", "b"): [mark("s1", "the best of", "framing")]}
    assert compared(given)["pairs"]["a|b"]["any"]["exact"]["value"] == 1


def test_what_cannot_be_compared_is_said() -> None:
    spans = [mark("s1", "famous")]
    assert compared({("s1", "a"): [], ("s1", "b"): []}) == {}
    assert compared({("s1", "a"): spans}, {})["notes"] == {"spans": NO_TEXTS}
    assert "one annotator" in compared({("s1", "a"): spans})["notes"]["spans"]
    apart = compared({("s1", "a"): spans, ("s2", "b"): []})
    assert apart["pairs"]["a|b"]["any"]["token_kappa"]["value"] is None
    assert apart["notes"] == {"a|b": "no sentence in which both looked for spans"}
    fewer = {"s1": TEXTS["s1"]}
    assert compared({("s1", "a"): spans, ("s1", "b"): spans}, fewer)["notes"] == {
        "texts": "2 sentences of unknown text left out"
    }


def figures(*rows: Sequence[str | None]) -> dict[str, Any]:
    """Return the coefficients of answers of a, b, c, ..."""
    return measured(answers(*rows), resamples=60)


def test_words_have_no_ordinal_figures() -> None:
    found = figures(["weak", "none"], ["strong", "strong"], ["none", "none"])
    for level in ("ordinal", "interval"):
        assert found["krippendorff"][level]["value"] is None
        assert "no numbers" in found["notes"][f"krippendorff.{level}"]
    assert figures("10", "22")["krippendorff"]["ordinal"]["value"] is not None


@pytest.mark.parametrize(
    ("rows", "name", "note"),
    [
        (["1", "0"], "cohen", "one annotator"),
        (["1.", ".0"], "krippendorff.nominal", "by two annotators"),
        (["11", "11"], "krippendorff.nominal", "all answers are the same"),
        (["110"], "cohen.a|b", "gave one and the same answer"),
        (["1.0", ".01"], "cohen.a|b", "judged by both"),
        ([".."], "fleiss", "by two annotators"),
    ],
)
def test_what_is_undefined_has_a_note(rows: list[str], name: str, note: str) -> None:
    found = figures(*rows)
    assert note in found["notes"][name]
    for part in name.split(".", 1):
        found = found[part]
    assert found == {} or found["value"] is None


def test_a_constant_annotator_agrees_by_chance() -> None:
    found = figures("11", "10", "11")
    assert found["cohen"]["a|b"]["value"] == 0
    assert found["notes"] == {}


def test_fleiss_takes_equal_numbers_of_answers_where_nobody_judged_all() -> None:
    found = figures("11.", ".00", "0.1", "1..")
    assert (found["fleiss"]["answers"], found["fleiss"]["items"]) == (2, 3)
    assert "no sentence was judged by all 3" in found["notes"]["fleiss"]
    assert found["fleiss"]["value"] == pytest.approx(1 / 3)


@settings(max_examples=40)
@given(st.lists(st.text(".01x", min_size=3, max_size=3), min_size=1, max_size=6))
def test_any_answers_have_figures_or_notes(rows: list[str]) -> None:
    found = figures(*rows)
    for level, entry in found["krippendorff"].items():
        assert entry["value"] is not None or f"krippendorff.{level}" in found["notes"]
    for name, entry in found["cohen"].items():
        assert entry["value"] is not None or f"cohen.{name}" in found["notes"]
        assert entry["value"] is None or -1.001 < entry["value"] <= 1.001
    for name in ("fleiss", "percentage"):
        assert found[name]["value"] is not None or name in found["notes"]


def test_each_group_has_its_own_figures_and_the_order_of_its_numbers() -> None:
    found = answers("00", "11", "01", "10", "11")
    bins = {"s1": "3-6", "s2": "3-6", "s3": "15-", "s4": "15-"}
    tasks = {item: Task(item, "x", stratum=f"bin={name}") for item, name in bins.items()}
    result = by_group(found, tasks, resamples=20)["bin"]
    assert list(result) == ["3-6", "15-"]
    assert result["3-6"]["cohen"]["a|b"]["value"] == 1
    assert result["15-"]["cohen"]["a|b"]["value"] == -1
    assert [of["items"] for of in result.values()] == [2, 2]


def test_a_group_without_figures_says_why() -> None:
    tasks = {"s1": Task("s1", "x", stratum="tag=POV")}
    result = by_group(answers("00", "11"), tasks, resamples=9)
    assert "all answers are the same" in result["tag"]["POV"]["notes"]["krippendorff.nominal"]


def test_each_choice_is_a_question_of_its_own() -> None:
    said = answers(
        *(('["x"]', '["x", "y"]'), ("[]", '["y"]'), ('["y"]', "[]")),
        *(('["x"]', '["x"]'), (None, '["x"]')),
    )
    found = by_category(said, resamples=20)
    assert list(found) == ["x", "y"]
    assert found["x"]["cohen"]["a|b"]["value"] == 1
    assert found["y"]["cohen"]["a|b"]["value"] < 0
    assert (found["x"]["chosen"], found["y"]["chosen"]) == (5, 3)
    assert list(found["x"]["krippendorff"]) == ["nominal"]
    assert found["x"]["notes"] == {"fleiss": "1 sentence left out: not judged by all"}


def test_of_three_answers_each_is_set_against_the_others() -> None:
    rows = [("none", "none"), ("weak", "strong"), ("strong", "weak"), ("none", "none")]
    found = by_category(answers(*rows), resamples=20)
    assert found["none"]["percentage"]["value"] == 1
    assert found["weak"]["percentage"]["value"] == 0.5


def test_names_of_pairs_are_told_apart() -> None:
    with pytest.raises(UsageError, match=r"'a\|b'"):
        check_labels(answers_of(["s1"], ["a|b"], [["1"]]))


def test_a_column_of_texts_is_no_question() -> None:
    with pytest.raises(UsageError, match="600 different answers"):
        check_labels(answers(*([f"t{number}"] for number in range(600))))


ASKED = [
    {"item": "s1", "text": "The town is lovely.", "kind": "sample"},
    {"item": "s2", "text": "It has a bridge.", "kind": "sample"},
    {"item": "r1", "text": "The town is lovely.", "kind": "repeat", "repeat_of": "s1"},
    {"item": "c1", "text": "It rains.", "kind": "control"},
    {"item": "p1", "text": "What a day!", "kind": "practice"},
]
SAID = {
    "ann": {"s1": "biased", "s2": "neutral", "r1": "biased", "c1": "biased", "p1": "biased"},
    "bob": {"s1": "biased", "s2": "neutral", "r1": "neutral", "c1": "neutral", "x1": "biased"},
}


def test_only_the_sample_counts_for_agreement(tmp_path: Path) -> None:
    rows = [
        {"item": item, "annotator": who, "bias": label}
        for who, of in SAID.items()
        for item, label in of.items()
    ]
    said, tasks = put_rows(tmp_path / "a.jsonl", *rows), put_rows(tmp_path / "t.jsonl", *ASKED)
    warnings: list[str] = []
    found = agreement(read_compared([said], tasks=tasks), resamples=20, warn=warnings.append)
    assert (found["items"], found["answers"]) == (2, 4)
    assert found["krippendorff"]["nominal"]["value"] == found["fleiss"]["value"] == 1
    assert found["values"] == ["biased", "neutral"]
    values = {"biased": 1, "neutral": 1}
    assert found["annotators"]["bob"] == {"answers": 2, "unparsed": 0, "values": values}
    assert found["repeats"]["ann"]["percentage"]["value"] == 1
    assert found["repeats"]["bob"]["percentage"]["value"] == 0
    assert found["controls"]["items"] == 1
    assert found["controls"]["annotators"]["ann"]["ticked"]["value"] == 1
    assert found["controls"]["annotators"]["bob"]["ticked"]["value"] == 0
    assert warnings == ["1 sentence left out that the tasks lack, such as 'x1'"]


@pytest.mark.parametrize(
    ("labels", "warned"),
    [
        (("01", "10"), False),
        (("11", "00"), False),
        (("01", "ab"), True),
        (("00", "ab"), True),
        ((["[1]"] * 2, ["[2]", "[]"]), False),
    ],
)
def test_labels_that_never_meet_are_told(
    tmp_path: Path, labels: tuple[Sequence[str], Sequence[str]], *, warned: bool
) -> None:
    rows = [{"item": n, "ann": labels[0][n], "bob": labels[1][n]} for n in (0, 1)]
    given = read_compared([put_rows(tmp_path / "w.csv", *rows)], columns="ann,bob")
    warnings: list[str] = []
    agreement(given, resamples=5, warn=warnings.append)
    said = ["share no label; where these mean the same" in line for line in warnings]
    assert said == [True] * warned
