"""Parameters from the command line, and where models train."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sample_examples import examples
from wikibias.errors import UsageError
from wikibias.models.estimators import registry
from wikibias.models.estimators.pipelines import Lr
from wikibias.models.estimators.registry import HERE, Run
from wikibias.models.examples import Splits
from wikibias.models.training import (
    Task,
    of_models,
    parse_settings,
    placed,
    run_model,
    with_options,
)


def test_settings_are_numbers_truths_and_texts() -> None:
    assert parse_settings(["c=1e-3", "epochs=4", "frozen=true", "base=package:gt", 'x="4"']) == {
        "c": 0.001,
        "epochs": 4,
        "frozen": True,
        "base": "package:gt",
        "x": "4",
    }
    assert parse_settings(["base=a=b", "path= models/x ", "list=[1]"]) == {
        "base": "a=b",
        "path": "models/x",
        "list": "[1]",
    }


@given(st.text())
def test_any_text_is_a_value(text: str) -> None:
    (found,) = parse_settings([f"name={text}"]).values()
    assert isinstance(found, (bool, int, float, str))


@pytest.mark.parametrize(
    ("given_", "message"),
    [
        (["rate"], "'rate' is not NAME=VALUE"),
        (["=3"], "is not NAME=VALUE"),
        (["a=1", "a=2"], "'a' is given twice"),
    ],
)
def test_what_is_no_setting_is_named(given_: list[str], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        parse_settings(given_)


def test_settings_of_a_comparison_name_their_model() -> None:
    settings = {"lr.c": 2.0, "sgd.alpha": 1e-3}
    assert of_models(settings, ["lr", "sgd"]) == {"lr": {"c": 2.0}, "sgd": {"alpha": 1e-3}}
    for wrong in ("c", "rl.c"):
        with pytest.raises(UsageError, match=r"give MODEL\.NAME=VALUE"):
            of_models({wrong: 1}, ["lr", "sgd"])


def test_an_option_is_a_parameter_of_one_model_alone() -> None:
    assert with_options({"dim": 8}, {"vectors": None}, ["lr"]) == {"dim": 8}
    vectors = {"vectors": Path("a.vec")}
    assert with_options({"dim": 8}, vectors, ["gru"]) == {"vectors": "a.vec", "dim": 8}
    assert with_options({}, vectors, ["gru", "lr"]) == {"gru.vectors": "a.vec"}
    assert with_options({}, {"base": "package:x"}, ["encoder"]) == {"base": "package:x"}
    with pytest.raises(UsageError, match="--vectors is for --model gru; nb-lr takes none"):
        with_options({}, vectors, ["nb-lr"])
    with pytest.raises(UsageError, match="--base is for --model encoder; nb-lr takes none"):
        with_options({}, {"base": "x"}, ["nb-lr"])


class Slow(Lr):
    """Logistic regression that trains as neural models do."""

    run: Run = HERE
    trained: Mapping[str, Any] = {}

    def fit(self, texts: Any, biased: Any) -> Self:
        """Say where."""
        self.run.say("trains")
        return super().fit(texts, biased)


def test_a_model_is_placed_without_a_checkpoint() -> None:
    model = placed(cast(registry.Model, Slow()), Run("cpu"))
    assert isinstance(model, Slow)
    assert model.run == Run("cpu")


def test_a_device_is_for_those_that_know_devices(tmp_path: Path) -> None:
    task = Task(Splits({"train": examples("train", 20, 1)}), tmp_path / "m", run=Run("cuda"))
    with pytest.raises(UsageError, match="--device cuda: lr knows no devices"):
        run_model("lr", task)
