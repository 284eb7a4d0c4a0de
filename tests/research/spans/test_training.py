"""Training a tagger, from files to its folder."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tagged_pairs import pairs_file
from wikibias.errors import UsageError, WikibiasError
from wikibias.research.spans.training import Task, train
from wikibias.research.spans.training_data import Source


def task(tmp_path: Path, tagger: str = "frequent") -> Task:
    return Task(tagger=tagger, sources=[Source(pairs_file(tmp_path))], out=tmp_path / "out")


def test_the_best_settings_on_dev_are_kept_and_told(tmp_path: Path) -> None:
    described = train(task(tmp_path), print)
    assert len(described["tried"]) == 4
    assert described["parameters"]["prior"] in {each["prior"] for each in described["tried"]}
    assert described["dev"]["exact"]["f1"] == 1
    card = (tmp_path / "out" / "README.md").read_text()
    assert "best of 4 tried" in card
    assert "never its author" in card


def test_what_will_be_scored_on_is_not_learnt(tmp_path: Path) -> None:
    held = Source(pairs_file(tmp_path, 20, name="test.tsv"))
    said: list[str] = []
    described = train(replace(task(tmp_path), excluded=[held]), said.append)
    (left_out,) = described["left_out"]
    assert left_out["same"] == 40
    sizes = sum(part["sentences"] for part in described["data"].values())
    assert sizes == 240 - left_out["same"] - left_out["near"]
    assert "sentences to learn from that it holds" in said[-1]


def test_all_of_it_held_out_leaves_nothing(tmp_path: Path) -> None:
    whole = task(tmp_path)
    with pytest.raises(WikibiasError, match="no biased span is left"):
        train(replace(whole, excluded=whole.sources), lambda _: None)


def test_without_dev_the_threshold_comes_from_train(tmp_path: Path) -> None:
    whole = task(tmp_path)
    few = Source(pairs_file(tmp_path, 3, name="few.tsv"))
    said: list[str] = []
    described = train(replace(whole, sources=[few]), said.append)
    assert described["data"]["dev"]["biased"] == 0
    assert len(described["tried"]) == 1
    assert 0 < described["threshold"] < 1
    assert "the threshold is chosen on train" in said[-1]
    assert "learns from 3 sentences with a span; under 50 a tagger says little" in said[-2]
    assert "mean F1 of the four matches on train" in (whole.out / "README.md").read_text()


def test_a_tagger_is_replaced_only_on_demand(tmp_path: Path) -> None:
    first = task(tmp_path)
    train(first, print)
    with pytest.raises(UsageError, match="holds a tagger; --overwrite replaces it"):
        train(first, print)
    train(replace(first, tagger="longest", overwrite=True), print)
    assert sorted(path.name for path in first.out.iterdir()) == ["README.md", "tagger.json"]
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("mine")
    with pytest.raises(UsageError, match=r"notes.txt"):
        train(replace(first, out=tmp_path / "mine", overwrite=True), print)


def test_the_same_data_make_the_same_bytes(tmp_path: Path) -> None:
    one = task(tmp_path)
    train(one, print)
    before = (one.out / "tagger.json").read_bytes()
    train(replace(one, overwrite=True), print)
    assert (one.out / "tagger.json").read_bytes() == before
