"""What an experiment leaves in its folder."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from sample_examples import as_examples, examples
from wikibias.errors import UsageError
from wikibias.kits.evaluation import Predictions
from wikibias.models.estimators import registry
from wikibias.models.evaluation.experiment import evaluated, train_and_evaluate
from wikibias.models.examples import Splits
from wikibias.models.grid_search import Grid, GridResult
from wikibias.models.results import check_folder, predictions, write_experiment, write_grid
from wikibias.models.training import data

SPLITS = Splits({"train": examples("train", 60, 1), "dev": examples("dev", 20, 2)})


def test_model_card_scores_and_predictions(tmp_path: Path) -> None:
    experiment = train_and_evaluate(registry.create("nb-lr", seed=0), SPLITS, resamples=20)
    facts = {"lang": "en", "stopwords": None, "data": data(SPLITS.by_name)}
    write_experiment(experiment, tmp_path, facts)
    assert registry.load(tmp_path).name == "nb-lr"
    assert json.loads((tmp_path / "scores.json").read_text())["sentences"] == {"dev": 20}
    assert (tmp_path / "README.md").read_text().startswith("# Model card: nb-lr\n")
    lines = (tmp_path / "predictions-dev.tsv").read_text().splitlines()
    assert lines[0] == "row\tlabel\tdecision\tprobability\tsentence"
    assert len(lines) == 21
    assert predictions(experiment.outcomes["dev"]).splitlines() == lines


def test_a_table_of_a_grid_search(tmp_path: Path) -> None:
    rows = [{"alpha": 1.0, "f1": 0.5}, {"alpha": 2.0, "f1": 0.6}]
    grid = Grid("sgd", "f1", {"alpha": [1.0, 2.0]})
    write_grid(GridResult(grid, rows, rows[1], 0.4), tmp_path)
    assert (tmp_path / "grid.csv").read_text() == "alpha,f1\n1.0,0.5\n2.0,0.6\n"
    assert pd.read_parquet(tmp_path / "grid.parquet")["f1"].tolist() == [0.5, 0.6]
    assert json.loads((tmp_path / "grid.json").read_text()) == {
        "chosen_by": "f1",
        "winner": rows[1],
        "constant": 0.4,
    }


def test_the_digest_of_a_split_depends_on_sentences_and_labels() -> None:
    def digest(*rows: tuple[str, str]) -> str:
        return str(data({"dev": as_examples("dev", list(rows))})["dev"]["sha256"])

    one = digest(("biased", "a"), ("neutral", "b"))
    assert one == digest(("biased", "a"), ("neutral", "b"))
    assert len({one, digest(("biased", "a"), ("biased", "b")), digest(("biased", "a"))}) == 3


def test_only_the_folder_of_an_experiment_is_written_to(tmp_path: Path) -> None:
    check_folder(tmp_path / "new")
    (tmp_path / "README.md").write_text("mine")
    with pytest.raises(UsageError, match="an empty folder"):
        check_folder(tmp_path)
    (tmp_path / "model.json").write_text('{"format": "another"}')
    with pytest.raises(UsageError, match="an empty folder"):
        check_folder(tmp_path)
    (tmp_path / "model.json").write_text('{"format": "wikibias-model/1"}')
    check_folder(tmp_path)
    check_folder(tmp_path)
    (tmp_path / "figures").symlink_to(tmp_path)
    with pytest.raises(UsageError, match="figures is a link"):
        check_folder(tmp_path)


def test_predictions_of_a_corpus_name_their_sentences_harmlessly() -> None:
    rows = [("biased", "=1+1\tis great"), ("neutral", "a \x1b[31mdam")]
    given = replace(
        as_examples("x", rows),
        ids=["demo-1", "@demo"],
        urls=["https://a.example/?diff=1", "=cmd()"],
    )
    outcome = evaluated(given, Predictions.of(np.array([0.9, 0.2])), 0.5, resamples=5)
    assert predictions(outcome).splitlines() == [
        "row\tlabel\tdecision\tprobability\tsentence\tsentence_id\tdiff_url",
        "1\tbiased\tbiased\t0.900000\t'=1+1 is great\tdemo-1\thttps://a.example/?diff=1",
        "2\tneutral\tneutral\t0.200000\ta \\x1b[31mdam\t'@demo\t'=cmd()",
    ]
