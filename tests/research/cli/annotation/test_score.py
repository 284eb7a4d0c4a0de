"""Tests of `wikibias annotate score`."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from exports import wikibias
from wikibias.kits.tables import write_rows
from wikibias.research.annotation.answers import KNOWN, coded, wide_answers
from wikibias.research.annotation.scores import score
from wikibias.research.annotation.tables import read_table
from wikibias.research.annotation.votes import decided, majority

MODELS = {
    "Falcon-7B-Instruct": "falcon_7b",
    "FLAN-T5-Base": "flan_t5_base",
    "FLAN-T5-XL": "flan_t5_xl",
    "Flan-UL2": "flan_ul2",
    "GPT-4 Turbo": "gpt_4",
    "LLama 2 13B Chat": "llama_13b",
    "LLama 2 7B Chat": "llama_7b",
    "Mixtral-8x7B Instruct": "mixtral_8x7b",
    "OpenChat 3.5": "openchat",
    "Zephyr 7B β": "zephyr",
}


def setting(run: str) -> str:
    """Return the name of a column's setting for that of the authors' table."""
    shots = run.split(maxsplit=1)[0]
    return f"{shots}-shot" + ("-exp" if "CoT" in run else "+sys" if "System" in run else "")


def scored(tmp_path: Path, *asked: object) -> tuple[dict[str, Any], str, str]:
    out = tmp_path / "scores.json"
    done = wikibias("annotate", "score", *asked, "--out", out)
    assert done.code == 0, done.err
    found: dict[str, Any] = json.loads(out.read_text())
    return found, done.out, done.err


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    rows = [
        {
            "gold": n % 2,
            "good@x": n % 2 if n else "?",
            "bad@x": int(n < 8),
            "all@x": 1,
            "none@x": "?",
        }
        for n in range(20)
    ]
    write_rows(tmp_path / "runs.csv", [*rows, {**rows[1], "gold": ""}])
    return tmp_path / "runs.csv"


class TestScore:
    def test_writes_scores_by_column(self, runs: Path, tmp_path: Path) -> None:
        found, out, err = scored(tmp_path, runs, "--gold", "gold", "--columns", "*@*")
        assert set(found["columns"]) == {"good@x", "bad@x", "all@x", "none@x"}
        good = found["columns"]["good@x"]
        assert good["mcc"] == {"value": 1.0, "low": 1.0, "high": 1.0}
        assert (good["coverage"], good["unparsed"]) == (0.95, 1)
        assert good["mcc_unparsed_as_wrong"]["value"] < 1
        assert found["columns"]["all@x"]["mcc"] == {"value": None, "low": None, "high": None}
        assert found["columns"]["all@x"]["precision"]["value"] == 0.5
        assert found["columns"]["none@x"]["coverage"] == 0
        assert (found["rows"], found["without_gold"]) == (20, 1)
        names = [line.split()[0] for line in out.splitlines() if "@x  " in line][:4]
        assert names == ["good@x", "bad@x", "all@x", "none@x"]
        assert "left out 1 sentence without a gold label" in err
        assert "all@x: never says neutral; MCC is not defined" in err

    def test_compares_with_one(self, runs: Path, tmp_path: Path) -> None:
        asked = (runs, "--gold", "gold", "--columns", "*@*", "--against", "bad@x")
        found, out, _ = scored(tmp_path, *asked)
        assert [one["first"] for one in found["comparisons"]] == ["good@x", "all@x", "none@x"]
        assert "good@x and bad@x: good@x is right more often: alone on" in out

    def test_gives_the_same_bytes_each_time(self, runs: Path, tmp_path: Path) -> None:
        asked = (runs, "--gold", "gold", "--columns", "*@*", "--seed", 4, "--resamples", 50)
        scored(tmp_path, *asked)
        first = (tmp_path / "scores.json").read_bytes()
        scored(tmp_path, *asked)  # replaces what is ours
        assert (tmp_path / "scores.json").read_bytes() == first

    def test_reads_long_tables(self, tmp_path: Path) -> None:
        write_rows(tmp_path / "ann.csv", [{"item": n, "bias": n % 2} for n in range(8)])
        answers = [{"item": n, "annotator": "m@1", "bias": "biased"} for n in range(8)]
        write_rows(tmp_path / "llm.jsonl", answers)
        paths = (tmp_path / "ann.csv", tmp_path / "llm.jsonl")
        found, _, _ = scored(tmp_path, *paths, "--gold", "ann")
        assert found["columns"]["m@1"]["recall"]["value"] == 1

    @pytest.mark.parametrize(
        ("asked", "message"),
        [
            (("--gold", "gild", "--columns", "*@*"), "no column 'gild'"),
            (("--gold", "gold"), "name the annotators' columns"),
            (("--gold", "gold", "--columns", "*@*", "--against", "odd"), "no annotator 'odd'"),
            (("--gold", "gold", "--columns", "*@*", "--labels", "a=b"), "unknown meaning"),
        ],
    )
    def test_says_what_is_wrong(self, runs: Path, asked: tuple[str, ...], message: str) -> None:
        done = wikibias("annotate", "score", runs, *asked)
        assert done.code in (1, 2)
        assert message in done.err

    def test_refuses_more_comparisons_than_anybody_reads(self, tmp_path: Path) -> None:
        write_rows(tmp_path / "t.csv", [{"gold": 1, **{f"m{n}": 1 for n in range(150)}}])
        asked = ("--gold", "gold", "--columns", "m*")
        done = wikibias("annotate", "score", tmp_path / "t.csv", *asked)
        assert "150 annotators make more than 10,000 comparisons" in done.err

    def test_replaces_no_file_of_others(self, runs: Path, tmp_path: Path) -> None:
        (tmp_path / "mine.json").write_text("{}")
        asked = ("--gold", "gold", "--columns", "*@*", "--out", tmp_path / "mine.json")
        done = wikibias("annotate", "score", runs, *asked)
        assert (done.code, (tmp_path / "mine.json").read_text()) == (2, "{}")


class TestOnTheAuthorsAnswers:
    def test_table_1(self, shared: Path, tmp_path: Path) -> None:
        folder = shared / "annotation"
        asked = (folder / "babe_train_runs.parquet", "--gold", "gold", "--columns", "*@*")
        one = ("--against", "zephyr@8-shot-exp", "--resamples", 200)
        found, _, _ = scored(tmp_path, *asked, *one)
        cells = json.loads((folder / "expected.json").read_text())["table_1"]["cells"]
        there = [cell for cell in cells if cell["label"].startswith("reproduced")]
        assert (len(there), len(found["columns"])) == (81, 81)
        for cell in there:
            column = found["columns"][f"{cell['model']}@{cell['setting']}"]
            assert column["mcc"]["value"] == pytest.approx(cell["paper_mcc"], abs=0.001)
            if "mcc" not in cell:  # only the printed figure is known
                continue
            for name in ("mcc", "precision", "recall", "f1", "accuracy"):
                assert column[name]["value"] == pytest.approx(cell[name], abs=1e-6)
            assert column["unparsed"] == cell["unusable"]
            assert column["coverage"] == pytest.approx(cell["coverage"], abs=1e-6)
            strict = column["mcc_unparsed_as_wrong"]["value"]
            assert strict == pytest.approx(cell["mcc_unusable_as_wrong"], abs=1e-6)
        with (folder / "stored" / "benchmark_results.csv").open(newline="") as stream:
            stored = list(csv.DictReader(stream))
        for row in stored:
            name = f"{MODELS[row['model_name']]}@{setting(row['run_type'])}"
            column = found["columns"][name]
            for metric in ("mcc", "precision", "recall", "f1", "accuracy"):
                assert column[metric]["value"] == pytest.approx(float(row[metric]), abs=1e-6)
            assert column["unparsed"] == int(row["unusable_examples"])
        assert len(stored) == 73

    def test_table_2_and_mcnemar_on_babe(self, shared: Path, tmp_path: Path) -> None:
        folder = shared / "annotation"
        expected = json.loads((folder / "expected.json").read_text())
        names = [row["system"] for row in expected["table_2"]["babe"]]
        columns = ",".join(["sa_ft", *(name for name in names if name != "sa_ft")])
        asked = (folder / "babe_test.parquet", "--gold", "gold", "--columns", columns)
        found, _, _ = scored(tmp_path, *asked, "--resamples", 20000)
        for row in expected["table_2"]["babe"]:
            column = found["columns"][row["system"]]
            values = [column[name]["value"] for name in ("precision", "recall", "f1", "mcc")]
            assert values == pytest.approx(row["recomputed"], abs=1e-6)
            assert values == pytest.approx(row["paper"], abs=0.001)
        pairs = {(one["first"], one["second"]): one for one in found["comparisons"]}
        against = pairs["sa_ft", "ha_ft"]
        check(against, expected["mcnemar"]["tests"]["babe_test_sa_vs_ha"])
        check(
            pairs["sa_ft", "majority_stored"],
            expected["mcnemar"]["tests"]["babe_test_sa_vs_majority"],
        )
        assert against["direction"].startswith("ha_ft is right more often: alone on 55")
        assert against["direction"].endswith("which may be chance")
        difference = against["mcc_difference"]
        assert [difference["low"], difference["high"]] == pytest.approx([-0.056, 0.026], abs=0.005)

    def test_mcnemar_and_mcc_differ_on_basil(self, shared: Path, tmp_path: Path) -> None:
        folder = shared / "annotation"
        expected = json.loads((folder / "expected.json").read_text())
        labels = "lex=biased,neu=neutral,info=neutral"
        path = folder / "basil_predictions.parquet"
        asked = ("--gold", "original_label", "--labels", labels, "--columns", "sa_ft,ha_ft")
        found, _, err = scored(tmp_path, path, *asked)
        (compared,) = found["comparisons"]
        assert compared["rows"] == 6730
        check(compared, expected["mcnemar"]["tests"]["basil_sa_vs_ha"])
        assert (compared["right_more_often"], compared["higher_mcc"]) == ("ha_ft", "sa_ft")
        assert "sa_ft has the higher MCC (+0.031), but ha_ft is right on more sentences" in err
        difference = compared["mcc_difference"]
        assert [difference["low"], difference["high"]] == pytest.approx([0.002, 0.059], abs=0.005)
        for row in expected["table_2"]["basil"]:
            column = found["columns"][row["system"]]
            values = [column[name]["value"] for name in ("precision", "recall", "f1", "mcc")]
            assert values == pytest.approx(row["recomputed_on_6730_rows"], abs=1e-6)

    def test_the_vote_of_three_per_setting(self, shared: Path, tmp_path: Path) -> None:
        folder = shared / "annotation"
        expected = json.loads((folder / "expected.json").read_text())["majority_vote"]
        table = read_table(folder / "babe_train_runs.parquet")
        for row in expected["per_setting"]:
            names = [f"{model}@{row['setting']}" for model in ("zephyr", "openchat", "llama_13b")]
            votes = majority(wide_answers(table, names).values)
            for rule, key in (("neutral", "mcc_ties_to_0"), ("?", "mcc_ties_dropped")):
                said = [decided(vote, rule, KNOWN) for vote in votes]
                gold = np.array(table.column("gold")) == 1
                column = score(gold, coded(said, KNOWN, "vote"), resamples=2)
                assert column["mcc"]["value"] == pytest.approx(row[key], abs=1e-6)
                assert column["unparsed"] == (row["ties"] if rule == "?" else 0)

    def test_a_vote_is_scored_beside_those_who_voted(self, shared: Path, tmp_path: Path) -> None:
        path, voted = shared / "annotation" / "babe_train_runs.parquet", tmp_path / "voted.jsonl"
        names = ",".join(f"{model}@0-shot-exp" for model in ("zephyr", "openchat", "llama_13b"))
        asked = ("--columns", names, "--ties", "neutral", "--out", voted)
        assert wikibias("annotate", "vote", path, *asked).code == 0
        found, _, _ = scored(tmp_path, voted, "--gold", "gold", "--columns", f"vote,{names}")
        assert found["columns"]["vote"]["mcc"]["value"] == pytest.approx(0.489843, abs=1e-6)


def check(compared: dict[str, Any], expected: dict[str, Any]) -> None:
    for ours, theirs in (
        ("both_right", "both_right"),
        ("b", "only_first_right"),
        ("c", "only_second_right"),
        ("both_wrong", "both_wrong"),
        ("p_exact", "p_exact"),
        ("chi2_corrected", "chi2_corrected"),
        ("p_chi2", "p_corrected"),
    ):
        assert compared[ours] == pytest.approx(expected[theirs], rel=1e-6)
