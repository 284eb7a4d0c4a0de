"""Sampled pairs as a page shows them."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blocks import changed, changes, quiet, sides
from made_pairs import pair, written_pairs
from wikibias.errors import UsageError, WikibiasError
from wikibias.reports import pair_samples
from wikibias.reports.corpus_statistics import Place
from wikibias.reports.pair_samples import (
    beside_editors,
    editor_change,
    joined_spans,
    pair_section,
    place_of,
    read_predictions,
    sampled,
)

ROW: dict[str, Any] = {
    "source": "The splendid mill stands here.",
    "target": "The mill is here.",
    "label": "biased",
    "relation": "rewritten",
    "edit_type": ["deletion", "substitution", "substitution"],
    "edit_source": ["4:12", "18:24"],
    "edit_target": ["", "9:11"],
    "tier": "high",
    "tier_reasons": ["no_revert"],
    "similarity": 71.0,
    "signal": "summary",
    "pair_id": "x-1",
}


def test_the_two_sides_are_marked() -> None:
    change = editor_change(ROW)
    assert changed(change.before) == ["splendid", "stands"]
    assert changed(change.after) == ["is"]
    assert change.note == ""
    assert editor_change(ROW | {"relation": "merged"}, "the editor").note == "the editor, merged"


def test_a_neutral_pair_has_one_side() -> None:
    change = editor_change(ROW | {"label": "neutral", "edit_source": [], "target": ROW["source"]})
    assert sides(change) == (ROW["source"], "")
    assert change.note == "left alone"


def test_facts() -> None:
    found = pair_section(ROW, [])
    assert found.title == "pair x-1"
    assert quiet(found) == [
        "found by its summary · tier high (no revert) · 1 deletion, 2 substitutions · 71 % alike · "
        "the diff on the wiki"
    ]
    assert quiet(pair_section({}, [])) == ["the diff on the wiki"]


@pytest.mark.parametrize(
    ("given", "joined"),
    [
        (["12:18", "4:6"], "4:6 12:18"),
        (["1:5", "3:9 9:11", ""], "1:11"),
        (["", "x:y", "7"], ""),
    ],
)
def test_spans_are_put_in_order(given: list[str], joined: str) -> None:
    assert joined_spans(given) == joined


@given(st.lists(st.text("0123456789: ", max_size=12)))
def test_any_spans_can_be_joined(given: list[str]) -> None:
    ends = [int(part) for span in joined_spans(given).split() for part in span.split(":")]
    assert ends[::2] == sorted(ends[::2])


def test_pairs_of_a_folder(tmp_path: Path) -> None:
    folder = written_pairs(tmp_path / "p", 3)
    first, _ = sampled([Place(folder / "pairs.parquet", row) for row in (0, 3)])
    assert sides(changes(first)[0])[0].startswith("The splendid")


def wrote(path: Path, *entries: Any) -> Path:
    path.write_text("".join(f"{json.dumps(entry)}\n" for entry in entries), "utf-8")
    return path


SOURCE, TARGET = pair(101).source, pair(101).target  # The splendid orchard 101 lies ...


def test_marks_and_rewrites_beside_the_editor(tmp_path: Path) -> None:
    folder = written_pairs(tmp_path / "p", 5)
    marks = wrote(
        tmp_path / "tagger.jsonl",
        {"text": SOURCE, "spans": [{"start": 4, "end": 12}]},
        {"text": pair(102).source, "spans": []},
        {"text": pair(103).source, "spans": [{"start": 40, "end": 44, "text": "here"}]},
        {"text": "Of another wiki.", "spans": [[0, 2]]},
    )
    rewrites = wrote(
        tmp_path / "editor.jsonl",
        {"text": SOURCE, "rewrite": TARGET},
        {"text": pair(102).source, "rewrite": pair(102).source},
    )
    systems = [read_predictions(path, 0) for path in (marks, rewrites)]
    shown, (tagger, rewriter) = beside_editors(folder, systems, 0)
    assert (tagger.pairs, tagger.silent, tagger.right) == (3, 1, 1)
    assert (rewriter.pairs, rewriter.silent, rewriter.right) == (2, 1, 1)
    assert [len(changes(each)) for each in shown] == [3, 3, 2]
    first = next(each for each in shown if sides(changes(each)[0])[0] == SOURCE)
    assert changes(first)[0].note == "the editor"
    notes = {change.note for each in shown for change in changes(each)}
    assert notes == {"the editor", "marked by tagger", "editor", "editor: nothing changed"}


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{}", ':1: no prediction; each line has "text", and "spans" or "rewrite"'),
        ('{"text": "a"}', "no prediction"),
        ('{"text": "a", "spans": "b"}', "no prediction"),
        ("[1]", ":1: no JSON object"),
        ("{", ":1: no JSON"),
        ("[" * 100_000, ":1: no JSON"),
    ],
)
def test_a_line_that_is_no_prediction_is_named(line: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    path.write_text(f"{line}\n", "utf-8")
    with pytest.raises(WikibiasError, match=r"p\.jsonl") as caught:
        read_predictions(path, 0)
    assert said in str(caught.value)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        read_predictions(tmp_path / "none.jsonl", 0)


def test_spans_that_are_none_do_not_count(tmp_path: Path) -> None:
    entry = {"text": "abc def", "spans": [{"start": "a"}, None, [3], {"start": 4, "end": 7}]}
    found = read_predictions(wrote(tmp_path / "p.jsonl", entry), 0)
    assert found.of == {"abc def": "4:7"}


def test_of_many_sentences_the_same_are_held_in_any_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pair_samples, "_MOST", 10)
    entries = [{"text": f"Sentence {n}.", "rewrite": f"{n}"} for n in range(200)]
    forth = read_predictions(wrote(tmp_path / "a.jsonl", *entries, *entries), 5)
    back = read_predictions(wrote(tmp_path / "b.jsonl", *entries[::-1]), 5)
    assert forth.of == back.of
    assert len(forth.of) == 10
    smallest = sorted((entry["text"] for entry in entries), key=lambda s: place_of(s, 5))[:10]
    assert set(forth.of) == set(smallest)
