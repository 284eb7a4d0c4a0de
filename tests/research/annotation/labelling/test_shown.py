"""What reaches the browser of a task: its texts, and nothing that would tip an annotator off."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from typing import Any

import pytest

from wikibias.research.annotation.labelling.rounds import LONGEST, shown
from wikibias.research.annotation.tasks import Task

# Of each field that is not to be seen a value that stands nowhere else.
SECRET: dict[str, Any] = {
    "item": "sentinel-item", "kind": "control", "repeat_of": "sentinel-repeat",
    "stratum": "sentinel-stratum", "probability": 0.123456, "corpus": "sentinel-corpus",
    "sentence_id": "sentinel-sentence", "role": "removed", "removed": 987654, "tag": "sentinel-tag",
    "tier": "sentinel-tier", "wiki": "sentinelwiki", "page_id": 876543, "title": "sentinel-title",
    "before_rev_id": 765432, "after_rev_id": 654321, "diff_url": "sentinel-url",
    "annotators": ("sentinel-annotator",),
}  # fmt: skip
SEEN: dict[str, Any] = {
    "text": "The splendid mill burnt down.", "counterpart": "The mill burnt down.",
    "previous": "It was built in 1801.", "next": "Nobody was hurt.",
    "before": ("The splendid mill burnt down.", "A shame!"), "after": ("The mill burnt down.",),
    "section": "History", "language": "en",
}  # fmt: skip
TASK = Task(**SECRET, **SEEN)


def test_every_field_is_either_seen_or_secret() -> None:
    assert {field.name for field in fields(Task)} == SECRET.keys() | SEEN.keys()


@pytest.mark.parametrize("edit", [True, False])
def test_no_secret_leaves(edit: bool) -> None:
    told = json.dumps(shown(TASK, edit=edit))
    assert "sentinel" not in told
    assert not any(str(value) in told for value in SECRET.values())


def test_a_sentence_alone_does_not_tell_what_became_of_it() -> None:
    found = shown(TASK, edit=False)
    assert found["edit"] is None
    assert "A shame!" not in json.dumps(found)
    assert (found["previous"], found["next"]) == ("It was built in 1801.", "Nobody was hurt.")


@pytest.mark.parametrize("role", ["removed", "added"])
def test_an_edit_shows_what_was_before_and_after_with_the_words_that_changed(role: str) -> None:
    task = TASK
    if role == "added":
        task = replace(TASK, role=role, text=TASK.counterpart or "", counterpart=TASK.text)
    edit = shown(task, edit=True)["edit"]
    assert edit["before"] == [("The ", False), ("splendid", True), (" mill burnt down.", False)]
    assert "".join(text for text, _ in edit["after"]) == "The mill burnt down."
    assert edit["others"] == {"before": ["A shame!"], "after": []}


def test_of_a_huge_edit_the_first_sentences_are_shown() -> None:
    after = tuple(f"Line {number}." for number in range(5000))
    edit = shown(Task(item="s", text="Mill.", role="removed", after=after), edit=True)["edit"]
    assert edit["others"]["after"] == list(after[:40])


def test_an_unchanged_sentence_stands_on_both_sides() -> None:
    edit = shown(Task(item="s", text="Same.", role="unchanged"), edit=True)["edit"]
    assert edit["before"] == edit["after"] == [("Same.", False)]


def test_places_of_words_count_characters_as_python_does() -> None:
    found = shown(Task(item="s", text="😀 mill, 磨坊"), edit=False)
    assert [found["text"][start:end] for start, end in found["words"]] == ["mill", "磨", "坊"]


@pytest.mark.parametrize("text", ["a\u202eb", "a\x00b", "a\ud800b", "a\u2066b"])
def test_what_reorders_or_hides_others_is_seen_and_moves_no_place(text: str) -> None:
    assert shown(Task(item="s", text=text), edit=False)["text"] == "a\ufffdb"


def test_joiners_of_words_stay() -> None:
    assert shown(Task(item="s", text="می\u200cخواهم"), edit=False)["text"] == "می\u200cخواهم"


def test_of_a_huge_text_the_beginning_is_shown_and_said_to_be() -> None:
    huge = Task(item="s", text="mill " * 9000, previous="old " * 9000, after=("new " * 9000,))
    found = shown(huge, edit=True)
    assert found["text"] == huge.text[:LONGEST]
    assert found["words"][-1] == [LONGEST - 5, LONGEST - 1]
    assert found["cut"] == {"shown": LONGEST, "of": 45_000}
    assert len(json.dumps(found)) < 20 * LONGEST
    assert found["previous"].endswith("old  […]")
    assert found["edit"]["others"]["after"][0].endswith("new  […]")


def test_a_huge_side_of_an_edit_is_said_to_be_cut() -> None:
    task = Task(item="s", text="A mill.", counterpart="A mill. " * 5000, role="removed")
    assert shown(task, edit=False)["cut"] is None
    found = shown(task, edit=True)
    assert found["cut"] == {"shown": LONGEST, "of": 40_000}
    assert "".join(text for text, _ in found["edit"]["after"]) == ("A mill. " * 2500)
