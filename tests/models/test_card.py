"""The model card: what it says of the scores."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from sample_examples import examples
from wikibias.models.examples import Examples, Splits
from wikibias.models.training import Task, run_model

TRAIN, TEST = examples("train", 240, 1), examples("test", 120, 3)


def card(out: Path, model: str = "lr", **held_out: Examples) -> str:
    run_model(model, Task(Splits({"train": TRAIN, **held_out}), out, resamples=50))
    return (out / "README.md").read_text(encoding="utf-8")


def test_nothing_held_out_is_not_evaluated(tmp_path: Path) -> None:
    shown = card(tmp_path)
    assert "Not evaluated: nothing was held out." in shown
    assert "MCC" not in shown
    assert "chance" not in shown


@pytest.mark.parametrize(("model", "close"), [("sgd", False), ("majority", True)])
def test_only_scores_close_to_chance_are_called_so(model: str, close: bool, tmp_path: Path) -> None:
    assert ("Close to chance on test" in card(tmp_path, model, test=TEST)) == close


def test_of_too_few_sentences_a_card_says_no_more_than_that(tmp_path: Path) -> None:
    said = card(tmp_path, "majority", test=examples("test", 20, 3))
    few = "test: too few sentences to judge a model by (20 sentences, 10 of the rarer class; 50 of"
    assert f"Too few to judge by: {few}" in said
    assert "Close to chance" not in said


def test_a_card_names_the_corpus(tmp_path: Path) -> None:
    facts = {"wiki": "demo*wiki", "tag set": "npov b96df5e52293"}
    splits = Splits({"train": TRAIN, "test": TEST}, corpus=facts)
    run_model("majority", Task(splits, tmp_path, resamples=20))
    said = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert "- wiki: demo\\*wiki\n- tag set: npov b96df5e52293\n\n" in said
    assert "Labels come from edits" in said


def test_of_files_nothing_is_known_about_the_labels(tmp_path: Path) -> None:
    said = card(tmp_path, "majority")
    assert "Labels are those of the files above" in said
    assert "Labels come from edits" not in said


def test_pages_shared_with_train_are_named(tmp_path: Path) -> None:
    train = replace(TRAIN, pages=np.arange(len(TRAIN)))
    test = replace(TEST, pages=np.arange(len(TEST)))
    apart = replace(TEST, pages=np.arange(len(TEST)) + len(TRAIN))
    said = "test shares pages with train"
    assert said in card(tmp_path, train=train, test=test)
    assert said not in card(tmp_path, train=train, test=apart)


@pytest.mark.parametrize(
    ("corpus", "said", "not_said"),
    [
        ({}, "labelled biased in its data", "neutral point of view"),
        (
            {"tag set": "npov 12ab", "pairing": "removal-edit"},
            "restore a neutral point of view",
            "labelled biased",
        ),
        (
            {"tag set": "npov 12ab", "pairing": "addition-edit"},
            "the edit that put the tag in added or rewrote it",
            "restore a neutral",
        ),
        (
            {"tag set": "reliability 12ab", "pairing": "removal-edit"},
            "It says nothing about neutrality.",
            "restore a neutral",
        ),
        (
            {"tag set": "<b>| x", "pairing": "[y](z), tagged-span"},
            "&#60;b&#62;\\|",
            "<b>",
        ),
    ],
)
def test_what_is_predicted_is_what_the_labels_mean(
    corpus: dict[str, str], said: str, not_said: str, tmp_path: Path
) -> None:
    splits = Splits({"train": TRAIN}, None, corpus)
    run_model("majority", Task(splits, tmp_path, resamples=20))
    first = (tmp_path / "README.md").read_text(encoding="utf-8").split("## Data")[0]
    assert said in first
    assert not_said not in first
