"""Tests of `wikibias annotate choose`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from exports import wikibias
from wikibias.kits.tables import write_rows


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    rng = np.random.default_rng(0)
    gold = rng.random(300) < 0.5
    said = {
        name: np.where(rng.random(300) < share, gold, ~gold)
        for name, share in {"a": 0.9, "b": 0.8, "c": 0.8, "d": 0.6}.items()
    }
    rows = [
        {"gold": int(gold[n]), **{name: int(of[n]) for name, of in said.items()}}
        for n in range(300)
    ]
    write_rows(tmp_path / "runs.csv", rows)
    return tmp_path / "runs.csv"


def test_names_a_panel_and_what_it_is_worth(runs: Path, tmp_path: Path) -> None:
    out = tmp_path / "panel.json"
    asked = ("--gold", "gold", "--columns", "a,b,c,d", "--resamples", 100, "--out", out)
    done = wikibias("annotate", "choose", runs, *asked)
    assert done.code == 0, done.err
    found: dict[str, Any] = json.loads(out.read_text())
    assert sorted(found["chosen"]) == ["a", "b", "c"]
    assert set(found["methods"]) == {"greedy", "exhaustive", "best_alone", "best_single"}
    for entry in found["methods"].values():
        assert entry["mcc"]["low"] <= entry["mcc"]["value"] <= entry["mcc"]["high"]
    assert "Ways to choose; MCC on sentences not used to choose" in done.out


def test_keeps_within_a_budget(runs: Path, tmp_path: Path) -> None:
    out = tmp_path / "panel.json"
    asked = ("--gold", "gold", "--columns", "a,b,c,d", "--resamples", 9, "--out", out)
    done = wikibias("annotate", "choose", runs, *asked, "--cost", "a=9", "--budget", 3)
    assert done.code == 0, done.err
    assert sorted(json.loads(out.read_text())["chosen"]) == ["b", "c", "d"]


def test_an_even_panel_is_warned_of(runs: Path) -> None:
    done = wikibias("annotate", "choose", runs, "--gold", "gold", "--columns", "a,b,c,d", "-k", 2)
    assert "a panel of 2 can tie" in done.err
    assert "one annotator alone does no worse" in done.err
    alone = wikibias("annotate", "choose", runs, "--gold", "gold", "--columns", "a,b,c,d", "-k", 1)
    assert (alone.code, alone.err) == (0, "")


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (("-k", 7), "-k 7 of 4 annotators; give a smaller -k"),
        (("--cost", "a"), "'a' is not NAME=COST"),
        (("--cost", "e=1"), "no annotator 'e'"),
        (("--cost", "a=-1"), "is not NAME=COST"),
        (("--budget", 0.5), "nobody is that cheap"),
        (("--labels", "0=biased,1=biased"), "name both classes"),
    ],
)
def test_says_what_is_wrong(runs: Path, asked: tuple[object, ...], message: str) -> None:
    done = wikibias("annotate", "choose", runs, "--gold", "gold", "--columns", "a,b,c,d", *asked)
    assert done.code == 2
    assert message in done.err


def test_parts_need_both_labels(tmp_path: Path) -> None:
    write_rows(tmp_path / "t.csv", [{"gold": n % 2, "a": 1, "b": 0, "c": 1} for n in range(4)])
    done = wikibias(
        "annotate", "choose", tmp_path / "t.csv", "--gold", "gold", "--columns", "a,b,c"
    )
    assert "of one label there are only 2 sentences" in done.err


def test_gives_the_panel_of_the_paper(shared: Path, tmp_path: Path) -> None:
    # Horych et al. (2025, section 4.2) leave out GPT-4 and Mixtral for their cost.
    path, out = shared / "annotation" / "babe_train_runs.parquet", tmp_path / "panel.json"
    costs = ("--cost", "gpt_4@*=100", "--cost", "mixtral_8x7b@*=100", "--budget", 50)
    panel = ["llama_13b@8-shot-exp", "openchat@8-shot-exp", "zephyr@8-shot-exp"]
    for columns, method in (("*@*", "by_setting"), ("*@8-shot-exp", "greedy")):
        asked = ("--gold", "gold", "--columns", columns, "--resamples", 20, "--out", out)
        assert wikibias("annotate", "choose", path, *asked, *costs).code == 0
        assert sorted(json.loads(out.read_text())["methods"][method]["panel"]) == panel
