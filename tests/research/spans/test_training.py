"""Training and scoring of taggers, and lexicons."""

from dataclasses import replace
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from made_pairs import made_sentences, pairs_file
from put import put
from wikibias.errors import UsageError, WikibiasError
from wikibias.research.lexicons import Lexicon, read_lexicon
from wikibias.research.spans import labels, training
from wikibias.research.spans.taggers import TAGGERS


def task(tmp_path: Path, tagger: str = "frequent") -> training.Task:
    return training.Task(
        tagger=tagger, sources=[labels.Source(pairs_file(tmp_path))], out=tmp_path / "out"
    )


def test_the_best_settings_on_dev_are_kept_and_told(tmp_path: Path) -> None:
    described = training.train(task(tmp_path), print)
    assert len(described["tried"]) == 4
    assert described["parameters"]["prior"] in {each["prior"] for each in described["tried"]}
    assert described["dev"]["exact"]["f1"] == 1
    card = (tmp_path / "out" / "README.md").read_text()
    assert "best of 4 tried" in card
    assert "never its author" in card


def test_what_will_be_scored_on_is_not_learnt(tmp_path: Path) -> None:
    held = labels.Source(pairs_file(tmp_path, 20, name="test.tsv"))
    said: list[str] = []
    described = training.train(replace(task(tmp_path), excluded=[held]), said.append)
    (left_out,) = described["left_out"]
    assert left_out["same"] == 40
    sizes = sum(part["sentences"] for part in described["data"].values())
    assert sizes == 240 - left_out["same"] - left_out["near"]
    assert "sentences to learn from that it holds" in said[-1]


def test_all_of_it_held_out_leaves_nothing(tmp_path: Path) -> None:
    whole = task(tmp_path)
    with pytest.raises(WikibiasError, match="no biased span is left"):
        training.train(replace(whole, excluded=whole.sources), lambda _: None)


def test_without_dev_the_threshold_comes_from_train(tmp_path: Path) -> None:
    whole = task(tmp_path)
    few = labels.Source(pairs_file(tmp_path, 3, name="few.tsv"))
    said: list[str] = []
    described = training.train(replace(whole, sources=[few]), said.append)
    assert described["data"]["dev"]["biased"] == 0
    assert len(described["tried"]) == 1
    assert 0 < described["threshold"] < 1
    assert "the threshold is chosen on train" in said[-1]
    assert "learns from 3 sentences with a span; under 50 a tagger says little" in said[-2]
    assert "mean F1 of the four matches on train" in (whole.out / "README.md").read_text()


def test_a_tagger_is_replaced_only_on_demand(tmp_path: Path) -> None:
    first = task(tmp_path)
    training.train(first, print)
    before = (first.out / "tagger.json").read_bytes()
    with pytest.raises(UsageError, match="holds a tagger; --overwrite replaces it"):
        training.train(first, print)
    training.train(replace(first, overwrite=True), print)
    assert (first.out / "tagger.json").read_bytes() == before
    training.train(replace(first, seed=2, overwrite=True), print)
    assert TAGGERS.folder.describe(first.out)["seed"] == 2
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("mine")
    with pytest.raises(UsageError, match=r"notes.txt"):
        training.train(replace(first, out=tmp_path / "mine", overwrite=True), print)


LABEL = st.sampled_from("OBI")
PAIRS = st.lists(st.tuples(LABEL, LABEL), min_size=1, max_size=9)


def scored(gold: str, predicted: str) -> dict[str, int]:
    counts = training.SpanCounts()
    counts.add(gold.split(), predicted.split())
    found = counts.scores(resamples=1)
    return {name: found[name]["tp"] for name in training.MATCHES}


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
def test_match(gold: str, predicted: str, exact: int, right: int, overlap: int, token: int) -> None:
    assert [*scored(gold, predicted).values()] == [exact, right, overlap, token]


@given(PAIRS)
def test_overlap_pairs_as_many_spans_as_can_be(pairs: list[tuple[str, str]]) -> None:
    gold, predicted = (labels.spans(side) for side in zip(*pairs, strict=True))
    few, many = sorted((gold, predicted), key=len)
    best = max(
        sum(a < d and c < b for (a, b), (c, d) in zip(few, chosen, strict=False))
        for chosen in permutations(many, len(few))
    )
    found = scored(*(" ".join(side) for side in zip(*pairs, strict=True)))
    assert found["overlap"] == best
    assert found["exact"] <= found["right_boundary"] <= found["overlap"] <= found["token"]


def test_rates_and_intervals() -> None:
    counts = training.SpanCounts()
    for _ in range(30):
        counts.add("B I O".split(), "O B O".split())
        counts.add("B I O".split(), "B I O".split())
        counts.add("O O O".split(), "B O O".split())
    found = counts.scores(seed=3)
    assert found == counts.scores(seed=3)
    keys = ("gold", "predicted", "sentences", "tokens")
    assert [found[key] for key in keys] == [60, 90, 90, 270]
    rates = {"precision": pytest.approx(1 / 3), "recall": 0.5, "f1": 0.4}
    assert found["exact"] == {"tp": 30, **rates}
    low, high = found["intervals"]["exact"]["recall"]
    assert 0.3 < low < 0.5 < high < 0.7
    assert found["token"]["gold"] == 120


def test_what_is_not_defined_is_null() -> None:
    counts = training.SpanCounts()
    counts.add(["O"], ["O"])
    undefined = {"tp": 0, "precision": 0.0, "recall": None, "f1": None}
    assert {"exact": undefined, "intervals": {}}.items() <= counts.scores().items()


def test_the_threshold_that_marks_what_is_gold() -> None:
    dev = [labels.Tagged(("a", "b", "c"), ("O", "B-bias", "O"))] * 5
    words = [np.array([[0.2, 0.1], [0.5, 0.1], [0.1, 0.1]])] * 5
    threshold, scores = training.best_threshold(dev, words)
    assert 0.3 < threshold <= 0.6
    assert scores["exact"]["f1"] == 1
    assert training.best_threshold([], [])[0] == 1


def test_a_hit_is_a_top_word_that_the_editor_changed() -> None:
    tagger = TAGGERS.create("frequent").fit(made_sentences(30), [])
    sentences = [
        labels.of_pair("the truly old mill .", "the old mill ."),
        labels.of_pair("the visionary old mill .", "the visionary mill ."),
        labels.of_pair("the mill .", "the mill stood ."),
    ]
    found = training.evaluate(tagger, 0.1, sentences)
    detection = found["detection"]
    assert (detection["sentences"], detection["hits"]) == (3, 1)
    assert detection["accuracy"] == pytest.approx(1 / 3)
    assert detection["interval"][0] <= 1 / 3 <= detection["interval"][1]
    assert training.evaluate(tagger, 0.5, [])["detection"]["accuracy"] is None


LABELS = "prediction,gold"


def scores(path: Path, columns: str | None = None, *, clean_up: bool = False) -> dict[str, Any]:
    return training.score_file(
        path, labels.parse_columns(columns), clean_up=clean_up, warn=lambda _: None
    )


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
    path = put(tmp_path / "a.conll", "fine B\nmill O\n")
    with pytest.raises(UsageError, match="no column prediction; name the columns"):
        scores(path)
    put(path, "B B\nO O\n")
    with pytest.raises(UsageError, match="--clean-up needs a column word"):
        scores(path, LABELS, clean_up=True)


@pytest.mark.parametrize(
    "content",
    [
        b"splendid\nso called\n",
        b"\xef\xbb\xbf; a list\n\nSplendid\r\nso called\r\n",
        b"# a list\rsplendid\rso called\r",
        b"# word\tcount\nsplendid\t3\nso called\t2\n",
    ],
)
def test_each_line_is_a_word_or_phrase(tmp_path: Path, content: bytes) -> None:
    assert [*read_lexicon(put(tmp_path / "a.txt", content))] == ["so called", "splendid"]


def test_what_is_not_utf_8_is_latin_1(tmp_path: Path) -> None:
    found = read_lexicon(put(tmp_path / "a.txt", "naïve\n".encode("latin-1")))
    assert [*found] == ["naïve"]
    assert found.name == "a"


def test_words_and_phrases_are_marked_in_any_case() -> None:
    found = Lexicon.of("mine", ["splendid", "so called", "so"])
    words = ["So", "Called", "and", "SPLENDID", "so", "what"]
    assert found.marks(words) == [True, True, False, True, True, False]
    assert [*found] == ["so", "so called", "splendid"]


@given(st.lists(st.text(max_size=12), max_size=9))
def test_a_word_of_a_lexicon_is_marked(entries: list[str]) -> None:
    found = Lexicon.of("any", entries)
    for entry in found:
        assert all(found.marks(entry.split(" ")))


def test_lists_of_the_field_have_as_many_entries_as_published(shared: Path) -> None:
    folder = shared / "pairs" / "lexicons"
    table = (folder / "LEXICONS.tsv").read_text(encoding="utf-8").splitlines()[1:]
    for name, items, *_ in (line.split("\t") for line in table):
        if not name.startswith("("):
            assert len([*read_lexicon(folder / name)]) == int(items)
