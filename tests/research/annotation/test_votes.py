"""Votes, and a corpus whose labels come from them."""

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given as generated
from hypothesis import strategies as st

from made_edits import corpus
from put import put_rows
from wikibias.api.corpora import load_corpus
from wikibias.errors import WikibiasError
from wikibias.kits.parquet import read_table
from wikibias.models.reading import read_corpus
from wikibias.research.annotation.answers import Answers, answers_of
from wikibias.research.annotation.population import build_judged
from wikibias.research.annotation.tasks import Task
from wikibias.research.annotation.votes import (
    Vote,
    Votes,
    majority,
    read_judged,
    tie_rule,
    voters,
    votes,
    votes_by_sentence,
)

ROWS = st.lists(
    st.lists(st.sampled_from(["0", "1", "x", None]), min_size=3, max_size=3), min_size=1, max_size=9
)


def answers(rows: Sequence[Sequence[str | None]]) -> Answers:
    """Return answers to 0, 1, ... of a, b, ..."""
    return answers_of([str(n) for n, _ in enumerate(rows)], [*"abc"[: len(rows[0])]], rows)


def test_what_says_nothing_does_not_vote() -> None:
    found = majority(answers([["1", None, "1"], ["0", "1", "?"], [None, None, None]]))
    assert found == [Vote("1", 1.0, 2), Vote("?", 0.5, 2, tie=True), Vote("?", None, 0, tie=True)]


@generated(ROWS)
def test_a_winner_has_more_votes_than_any_other(rows: list[list[str | None]]) -> None:
    for row, vote in zip(rows, majority(answers(rows)), strict=True):
        said = [label for label in row if label is not None]
        assert vote.votes == len(said)
        if not vote.tie and vote.label is not None:
            assert all(said.count(vote.label) > said.count(o) for o in {*said} - {vote.label})
            assert vote.share == said.count(vote.label) / len(said)


@pytest.mark.parametrize(
    ("rule", "label"),
    [("?", "?"), ("drop", None), ("biased", "1"), ("neutral", "0"), ("1", "1"), ("x", "?")],
)
def test_ties_go_by_the_rule(rule: str, label: str | None) -> None:
    found = answers([["0", "1"], ["1", None], ["x", "x"]])
    votes = majority(found, tie_rule(rule, found.labels))
    assert [vote.label for vote in votes] == [label, "1", "x"]


def test_a_single_label_that_nobody_voted_for_is_no_winner() -> None:
    assert majority(answers([["1"], [None]]))[1].label == "?"


def test_most_answers_that_can_be_read_give_the_label() -> None:
    found = [(vote.label, vote.share) for vote in (Votes(2, 1), Votes(0, 1), Votes(1, 1))]
    assert found == [("biased", 2 / 3), ("neutral", 0), (None, 0.5)]
    assert (Votes(0, 0).label, Votes(0, 0).share) == (None, None)


def test_knows_the_answers_of_people_and_of_models(tmp_path: Path) -> None:
    path = put_rows(
        tmp_path / "t.csv",
        {"item": "x", "a": "Biased", "b": 1, "c": "yes"},
        {"item": "y", "a": "?", "b": "0.0", "c": ""},
    )
    found = votes(read_judged([path], columns="a,b,c"))
    assert found == {"x": Votes(3, 0), "y": Votes(0, 1)}


def test_takes_the_column_of_sentences_where_no_tasks_are_given(tmp_path: Path) -> None:
    row: dict[str, object] = {"item": "x", "sentence_id": "w-1-removed-0", "bias": "biased"}
    path = put_rows(tmp_path / "t.csv", row)
    assert read_judged([path], by_sentence=True).items == ["w-1-removed-0"]
    assert read_judged([path]).items == ["x"]


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"item": "x", "bias": "framing"}, "'framing' by 't', which is neither"),
        ({"item": "x", "gold": 1}, "no column vote, .*; rename .* --annotator-columns"),
        ({"of": "x", "vote": 1}, "no column item, .*; rename .* --annotator-columns"),
    ],
)
def test_refuses_answers_to_another_question_and_names_no_option_that_there_is_not(
    row: dict[str, object], said: str, tmp_path: Path
) -> None:
    with pytest.raises(WikibiasError, match=said):
        read_judged([put_rows(tmp_path / "t.csv", row)])


@pytest.mark.parametrize(
    ("row", "columns", "number"),
    [
        ({"item": "x", "vote": "biased", "share": 0.7, "votes": 3}, None, 3),
        ({"item": "x", "a": 1, "b": 0, "vote": 1, "votes": 2}, "vote", 2),
        ({"item": "x", "a": 1, "b": 0, "vote": 1, "votes": 2}, "a,b", 0),
        ({"item": "x", "a": 1, "b": 0, "vote": 1, "votes": 2}, "a", 0),
        ({"item": "x", "annotator": "ann", "vote": 1, "votes": 2}, None, 0),
        ({"item": "x", "vote": 1}, None, 0),
        ({"item": "x", "vote": 1, "votes": "many"}, None, 0),
    ],
)
def test_voters(row: dict[str, object], columns: str | None, number: int, tmp_path: Path) -> None:
    path = put_rows(tmp_path / "t.csv", row)
    assert voters([path], read_judged([path], columns=columns)) == number


def test_what_is_shown_again_does_not_vote() -> None:
    tasks = [
        Task("a", "x", sentence_id="s1"),
        Task("b", "x", kind="repeat", repeat_of="a", sentence_id="s1"),
        Task("c", "x", kind="control", sentence_id="s2"),
    ]
    found = {"a": Votes(1, 0), "b": Votes(0, 1), "c": Votes(0, 1)}
    assert votes_by_sentence(found, tasks) == {"s1": Votes(1, 0), "s2": Votes(0, 1)}


def test_refuses_other_tasks() -> None:
    with pytest.raises(WikibiasError, match="no answer is to one of these tasks"):
        votes_by_sentence({"a": Votes(1, 0)}, [Task("z", "x", sentence_id="s")])
    with pytest.raises(WikibiasError, match="no sentence_id"):
        votes_by_sentence({"a": Votes(1, 0)}, [Task("a", "x")])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the English sample corpus."""
    shutil.copytree(corpus(), tmp_path / "en")
    return tmp_path / "en"


def rows(folder: Path, table: str) -> list[dict[str, Any]]:
    """Return the rows of all splits of a table."""
    return [
        dict(row)
        for split in ("train", "dev", "test")
        for row in read_table(folder / table / f"{split}.parquet")
    ]


def ids(folder: Path) -> list[str]:
    return [str(name) for name in load_corpus(folder)["sentence_id"]]


def test_labels_are_those_of_most_annotators(folder: Path) -> None:
    names = ids(folder)
    found = {names[0]: Votes(0, 2), names[1]: Votes(2, 1)}
    made = build_judged(folder, found, "3 annotators")
    assert (made.biased, made.neutral) == (1, 1)
    labels = {row["sentence_id"]: row["label"] for row in rows(folder, "judged")}
    assert labels == {names[0]: "neutral", names[1]: "biased"}
    lines = (folder / "judged" / "votes.jsonl").read_text().splitlines()
    assert [json.loads(line) for line in lines] == [
        {"sentence_id": names[0], "label": "neutral", "biased": 0, "neutral": 2},
        {"sentence_id": names[1], "label": "biased", "biased": 2, "neutral": 1},
    ]
    assert "3 annotators" in (folder / "judged" / "README.md").read_text()


def test_counts_what_it_leaves_out(folder: Path) -> None:
    names = ids(folder)
    found = {names[0]: Votes(1, 0), names[1]: Votes(1, 1), names[2]: Votes(0, 0)}
    found |= {"elsewhere": Votes(1, 0), "control": Votes(0, 1)}
    made = build_judged(folder, found, "2 annotators", {"control", "not judged", names[0]})
    assert list(made.left_out.values()) == [1, 1, 1, 1]


def test_each_sentence_keeps_its_split_and_its_provenance(folder: Path) -> None:
    whole = load_corpus(folder)
    found = {str(name): Votes(1, 0) for name in whole["sentence_id"]}
    made = build_judged(folder, found, "1 annotator")
    assert dict(made.splits) == whole["split"].value_counts().to_dict()
    assert made.changed == (whole["label"] == "neutral").sum()
    before = rows(folder, "corpus")
    assert [{**row, "label": "biased"} for row in before] == rows(folder, "judged")


def test_classify_reads_it(folder: Path) -> None:
    found = {name: Votes(place % 2, 1 - place % 2) for place, name in enumerate(ids(folder))}
    build_judged(folder, found, "1 annotator")
    assert len(read_corpus(folder / "judged", print).train) == 116


def test_refuses_labels_of_other_sentences(folder: Path) -> None:
    with pytest.raises(WikibiasError, match="none of the 1 judged sentence has a label"):
        build_judged(folder, {"elsewhere": Votes(1, 0)}, "1 annotator")
    assert not (folder / "judged").exists()
