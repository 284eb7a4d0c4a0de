"""Four definitions of a match."""

import io
import json
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tagged_pairs import made_sentences, pairs_file, trained
from wikibias.errors import UsageError, WikibiasError
from wikibias.models.examples import LONGEST
from wikibias.research.spans.examples import Source
from wikibias.research.spans.labels import Tagged, of_pair, parse_columns, spans
from wikibias.research.spans.marking import Marker, decode, marked_lines, top_word
from wikibias.research.spans.scores import (
    MATCHES,
    SpanCounts,
    best_threshold,
    evaluate,
    score_file,
    score_tagger,
)
from wikibias.research.spans.taggers import TAGGERS

LABEL = st.sampled_from("OBI")
PAIRS = st.lists(st.tuples(LABEL, LABEL), min_size=1, max_size=9)


def scored(gold: str, predicted: str) -> dict[str, int]:
    counts = SpanCounts()
    counts.add(gold.split(), predicted.split())
    found = counts.scores(resamples=1)
    return {name: found[name]["tp"] for name in MATCHES}


@pytest.mark.parametrize(
    ("gold", "predicted", "exact", "right", "overlap", "token"),
    [
        ("O B I O", "O B I O", 1, 1, 1, 2),
        ("O B I O", "O O B O", 0, 1, 1, 1),
        ("O B I O", "O B O O", 0, 0, 1, 1),
        ("O B I O", "O O O B", 0, 0, 0, 0),
        ("B I I I", "B B B B", 0, 1, 1, 4),
        ("B B I O", "B I I B", 0, 1, 1, 3),
        ("O O", "O O", 0, 0, 0, 0),
    ],
)
def test_what_matches(
    gold: str, predicted: str, exact: int, right: int, overlap: int, token: int
) -> None:
    found = scored(gold, predicted)
    assert [*found.values()] == [exact, right, overlap, token]


@given(PAIRS)
def test_overlap_pairs_as_many_spans_as_can_be(pairs: list[tuple[str, str]]) -> None:
    gold, predicted = (spans(side) for side in zip(*pairs, strict=True))
    few, many = sorted((gold, predicted), key=len)
    best = max(
        sum(a < d and c < b for (a, b), (c, d) in zip(few, chosen, strict=False))
        for chosen in permutations(many, len(few))
    )
    found = scored(*(" ".join(side) for side in zip(*pairs, strict=True)))
    assert found["overlap"] == best
    assert found["exact"] <= found["right_boundary"] <= found["overlap"] <= found["token"]


def test_rates_and_intervals() -> None:
    counts = SpanCounts()
    for _ in range(30):
        counts.add("B I O".split(), "O B O".split())
        counts.add("B I O".split(), "B I O".split())
        counts.add("O O O".split(), "B O O".split())
    found = counts.scores(seed=3)
    assert found == counts.scores(seed=3)
    keys = ("gold", "predicted", "sentences", "tokens")
    assert [found[key] for key in keys] == [60, 90, 90, 270]
    assert found["exact"] == {
        "tp": 30,
        "precision": pytest.approx(1 / 3),
        "recall": 0.5,
        "f1": 0.4,
    }
    low, high = found["intervals"]["exact"]["recall"]
    assert 0.3 < low < 0.5 < high < 0.7
    assert found["token"]["gold"] == 120


def test_what_is_not_defined_is_null() -> None:
    counts = SpanCounts()
    counts.add(["O"], ["O"])
    found = counts.scores()
    assert found["exact"] == {"tp": 0, "precision": 0.0, "recall": None, "f1": None}
    assert found["intervals"] == {}


def test_neighbours_make_one_span_unless_another_begins() -> None:
    words = np.array([[0.4, 0.2], [0.1, 0.5], [0.6, 0.1], [0.1, 0.1], [0.1, 0.5]])
    assert decode(words, 0.5) == ["B-bias", "I-bias", "B-bias", "O", "B-bias"]
    assert decode(words, 0.65) == ["O", "O", "B-bias", "O", "O"]
    assert decode(np.zeros((0, 2)), 0.5) == []


def test_the_first_of_the_most_likely_words() -> None:
    assert top_word(np.array([[0.1, 0.1], [0.3, 0.3], [0.6, 0]])) == 1
    assert top_word(np.zeros((0, 2))) is None


def test_the_threshold_that_marks_what_is_gold() -> None:
    dev = [Tagged(("a", "b", "c"), ("O", "B-bias", "O"))] * 5
    words = [np.array([[0.2, 0.1], [0.5, 0.1], [0.1, 0.1]])] * 5
    threshold, scores = best_threshold(dev, words)
    assert 0.3 < threshold <= 0.6
    assert scores["exact"]["f1"] == 1
    assert best_threshold([], [])[0] == 1


def test_a_hit_is_a_top_word_that_the_editor_changed() -> None:
    tagger = TAGGERS.create("frequent").fit(made_sentences(30), [])
    sentences = [
        of_pair("the truly old mill .", "the old mill ."),
        of_pair("the visionary old mill .", "the visionary mill ."),
        of_pair("the mill .", "the mill stood ."),
    ]
    found = evaluate(tagger, 0.1, sentences)
    detection = found["detection"]
    assert (detection["sentences"], detection["hits"]) == (3, 1)
    assert detection["accuracy"] == pytest.approx(1 / 3)
    assert detection["interval"][0] <= 1 / 3 <= detection["interval"][1]


def test_a_saved_tagger_on_a_file_of_pairs(tmp_path: Path) -> None:
    folder = trained(tmp_path / "t")
    other = Source(pairs_file(tmp_path, 30, seed=5))
    found = score_tagger(folder, other, clean_up=False, warn=print)
    assert found["gold"] == 30
    assert found["detection"]["accuracy"] == 1
    assert found["exact"]["recall"] == 1


def test_nothing_to_score() -> None:
    tagger = TAGGERS.create("frequent")
    assert evaluate(tagger, 0.5, [])["detection"]["accuracy"] is None


LABELS = "prediction,gold"


def scores(path: Path, columns: str | None = None, *, clean_up: bool = False) -> dict[str, Any]:
    return score_file(path, parse_columns(columns), clean_up=clean_up, warn=lambda _: None)


@pytest.mark.parametrize(
    ("name", "columns", "clean_up", "counts"),
    [
        ("wikibias_tagging_test.even.conll", None, False, (526, 16409, 441, 492, 189, 242)),
        ("wikibias_tagging_test.even.conll", None, True, (526, 16409, 441, 492, 206, 243)),
        ("wikibias_dev.tags", LABELS, False, (533, 14223, 418, 796, 53, 73)),
        ("wikibias_dev_top1.tags", LABELS, False, (533, 14223, 418, 477, 37, 53)),
        ("wikibias_dev_top3.tags", LABELS, False, (533, 14223, 418, 1044, 59, 92)),
    ],
)
def test_published_files_have_their_counts(
    name: str, columns: str | None, clean_up: bool, counts: tuple[int, ...], shared: Path
) -> None:
    found = scores(shared / "pairs" / name, columns, clean_up=clean_up)
    keys = ("sentences", "tokens", "gold", "predicted")
    measured = (*(found[key] for key in keys), found["exact"]["tp"], found["right_boundary"]["tp"])
    assert measured == counts


def test_what_is_needed_must_be_there(tmp_path: Path) -> None:
    path = tmp_path / "a.conll"
    path.write_text("fine B\nmill O\n")
    with pytest.raises(UsageError, match="no column prediction; name the columns"):
        scores(path)
    path.write_text("B B\nO O\n")
    with pytest.raises(UsageError, match="--clean-up needs a column word"):
        scores(path, LABELS, clean_up=True)


@pytest.fixture
def marker(tmp_path: Path) -> Marker:
    return Marker(trained(tmp_path))


def test_spans_are_places_in_the_text(marker: Marker) -> None:
    (shown,) = marker.mark(["“The Truly old, glorious mill” stood."])
    assert [each["text"] for each in shown["spans"]] == ["Truly", "glorious"]
    for each in shown["spans"]:
        assert shown["text"][each["start"] : each["end"]] == each["text"]
    assert shown["top"] is not None
    assert shown["top"]["text"] in ("Truly", "glorious")


def test_a_line_out_for_each_line_in(marker: Marker) -> None:
    said: list[str] = []
    lines = io.BytesIO(b"the truly old mill\n\n" + b"x " * LONGEST + b"\n")
    found = [*marked_lines(marker, lines, said.append)]
    assert [len(each["spans"]) for each in found] == [1, 0, 0]
    assert found[1] == {"text": "", "spans": [], "top": None}
    assert said == ["read only the first 20,000 characters of 1 longer line"]


def test_a_description_without_a_threshold(tmp_path: Path) -> None:
    folder = trained(tmp_path)
    path = folder / TAGGERS.folder.description
    path.write_text(json.dumps({**json.loads(path.read_text()), "threshold": "x"}))
    with pytest.raises(WikibiasError, match="damaged"):
        Marker(folder)
