"""`wikibias annotate agree`, on made-up tables and on those of the published studies."""

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from exports import wikibias
from wikibias.kits.tables import write_rows
from wikibias.research.annotation.answers import answers_of, judgements, wide_answers
from wikibias.research.annotation.coefficients import measured
from wikibias.research.annotation.scores import score
from wikibias.research.annotation.tasks import chosen_columns, column, read_table
from wikibias.research.annotation.votes import majority, tie_rule


def agreed(tmp_path: Path, *arguments: object) -> dict[str, Any]:
    """Run the command with few resamples and return what it writes."""
    out = tmp_path / "agreement.json"
    done = wikibias("annotate", "agree", *arguments, "--resamples", 20, "--out", out)
    assert done.code == 0, done.err
    found: dict[str, Any] = json.loads(out.read_text(encoding="utf-8"))
    return found


def long_table(tmp_path: Path) -> Path:
    """Return answers of two people and a model, with spans, gaps and a '?'."""
    said = {"ann": "1100", "bob": "110?", "model@0-shot": "0101"}
    rows = [
        {
            "item": f"s{number}",
            "annotator": who,
            "bias": {"1": "biased", "0": "neutral"}.get(one, one),
            "text": "The lovely town.",
            "spans": [{"start": 4, "end": 10, "label": "bias"}] if one == "1" else [],
        }
        for who, answers in said.items()
        for number, one in enumerate(answers, 1)
    ]
    write_rows(tmp_path / "answers.jsonl", rows)
    return tmp_path / "answers.jsonl"


def test_a_long_table_is_shown_and_written(tmp_path: Path) -> None:
    out = tmp_path / "agreement.json"
    done = wikibias("annotate", "agree", long_table(tmp_path), "--out", out)
    assert done.code == 0
    assert "answers.jsonl: 3 annotators, 11 answers to 4 sentences" in done.out
    for title in ("Krippendorff's alpha, nominal", "Cohen's kappa of each two", "Spans"):
        assert title in done.out
    assert "s1: ann biased, bob biased, model@0-shot neutral: The lovely town." in done.out
    assert "fleiss: 1 sentence left out: not judged by all" in done.out
    found = json.loads(out.read_text(encoding="utf-8"))
    assert found["cohen"]["ann|bob"] == {"value": 1, "low": 1, "high": 1}
    assert found["annotators"]["bob"]["unparsed"] == 1
    assert found["spans"]["pairs"]["ann|bob"]["any"]["exact"]["value"] == 1


def test_answers_are_not_replaced_by_what_is_said_of_them(tmp_path: Path) -> None:
    answers = long_table(tmp_path)
    before = answers.read_bytes()
    done = wikibias("annotate", "agree", answers, "--out", answers)
    assert done.code == 2
    assert "is what is read" in done.errors[0]
    assert answers.read_bytes() == before
    other = tmp_path / "notes.txt"
    other.write_text("mine")
    done = wikibias("annotate", "agree", answers, "--out", other)
    assert "is there already; name another file" in done.errors[0]
    agreed(tmp_path, answers)
    agreed(tmp_path, answers)  # its own file it replaces


def test_each_file_may_be_an_annotator(tmp_path: Path) -> None:
    for who, labels in {"ann": "101", "bob": "100"}.items():
        rows = [{"item": number, "strength": label} for number, label in enumerate(labels)]
        write_rows(tmp_path / f"{who}.csv", rows)
    files = (tmp_path / "ann.csv", tmp_path / "bob.csv")
    found = agreed(tmp_path, *files, "--label", "strength")
    assert found["percentage"]["value"] == pytest.approx(2 / 3)


def test_boxes_to_tick_have_a_figure_each(tmp_path: Path) -> None:
    rows = [
        {"item": item, "annotator": who, "types": types}
        for who in ("ann", "bob")
        for item, types in {"s1": ["x", "y"], "s2": [], "s3": ["y"] if who == "ann" else []}.items()
    ]
    write_rows(tmp_path / "a.csv", rows)
    found = agreed(tmp_path, tmp_path / "a.csv", "--label", "types")
    assert found["categories"]["x"]["krippendorff"]["nominal"]["value"] == 1
    assert found["categories"]["y"]["percentage"]["value"] == pytest.approx(2 / 3)
    assert "categories" in found["notes"]["krippendorff.nominal"]


@pytest.mark.parametrize("said", [("1", "1"), ("1", "?"), ("?", "?"), ("", ""), ("1", "")])
def test_nothing_to_compare_is_a_sentence_and_no_traceback(
    tmp_path: Path, said: tuple[str, str]
) -> None:
    write_rows(tmp_path / "w.csv", [{"item": "s1", "a": said[0], "b": said[1]}])
    found = agreed(tmp_path, tmp_path / "w.csv", "--columns", "a,b")
    assert found["krippendorff"]["nominal"] == {"value": None, "low": None, "high": None}
    assert found["fleiss"]["value"] is None
    assert {"krippendorff.nominal", "fleiss", "cohen.a|b"} <= found["notes"].keys()


class TestPublished:
    """Figures that the published tables must give, to six decimals."""

    @pytest.fixture
    def folder(self, shared: Path) -> Path:
        """Return the folder of the tables, or pass the test over."""
        if not (shared / "annotation").is_dir():
            pytest.skip(f"no annotation/ in {shared}")
        return shared / "annotation"

    @pytest.fixture
    def expected(self, folder: Path) -> dict[str, Any]:
        """Return the figures that must come out."""
        found: dict[str, Any] = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
        return found

    def test_the_alphas_that_the_authors_stored(
        self, folder: Path, expected: dict[str, Any]
    ) -> None:
        table = read_table(folder / "babe_train_runs.parquet")
        for stored in expected["krippendorff_stored"]:
            models = stored.get("models") or [stored["model"]]
            settings = stored.get("settings") or [stored.get("setting", "*")]
            columns = ",".join(f"{model}@{of}" for model in models for of in settings)
            answers = wide_answers(table, chosen_columns(table, columns))
            found = measured(answers, resamples=1, seed=0)["krippendorff"]
            for level in ("nominal", "ordinal", "interval"):  # the same for two values
                assert found[level]["value"] == pytest.approx(stored["stored"], abs=5e-7), stored

    @pytest.mark.parametrize("label", ["bias", "opinion"])
    def test_the_raters_of_babe(
        self, folder: Path, tmp_path: Path, expected: dict[str, Any], label: str
    ) -> None:
        found = agreed(tmp_path, folder / "babe_raters_sg2.parquet", "--label", label)
        known = expected["agreement"]["babe_raters_sg2"]
        levels = [level for level in found["krippendorff"] if f"{label}_alpha_{level}" in known]
        assert "nominal" in levels
        for level in levels:
            assert found["krippendorff"][level]["value"] == pytest.approx(
                known[f"{label}_alpha_{level}"], abs=1e-6
            )

    def test_the_experts_on_what_a_model_got_wrong(
        self, folder: Path, tmp_path: Path, expected: dict[str, Any]
    ) -> None:
        found = agreed(tmp_path, folder / "experts_771.csv", "--columns", "expert*")
        known = expected["agreement"]["experts_771"]
        self._same(found, known["alpha_nominal_missing_kept"], known["fleiss_complete"])
        assert found["fleiss"]["items"] == known["complete_rows"]
        self._cohens(found, known["cohen"])
        assert found["apart"]["annotator"] == "expert3"

    def test_the_experts_on_the_pool_of_examples(
        self, folder: Path, tmp_path: Path, expected: dict[str, Any]
    ) -> None:
        found = agreed(tmp_path, folder / "icl_pool_experts.csv", "--columns", "expert*")
        known = expected["agreement"]["icl_pool_experts"]
        self._same(found, known["alpha_nominal"], None)
        assert (found["answers"], found["compared"]) == (
            known["ratings"],
            known["rows_with_2_or_more"],
        )

    def test_the_three_teachers(
        self, folder: Path, tmp_path: Path, expected: dict[str, Any]
    ) -> None:
        columns = ("--columns", "zephyr,openchat,llama_13b")
        found = agreed(tmp_path, folder / "babe_test.parquet", *columns)
        known = expected["agreement"]["babe_test_3_teachers"]
        self._same(found, known["alpha_nominal"], known["fleiss"])
        self._cohens(found, known["cohen"])
        for name, of in expected["anno_lexical"]["teachers"].items():
            if "fleiss" in of:
                table = folder / f"anno_lexical_teachers_{name}.parquet"
                self._same(agreed(tmp_path, table, *columns), of["alpha_nominal"], of["fleiss"])

    def _same(self, found: dict[str, Any], alpha: float, fleiss: float | None) -> None:
        assert found["krippendorff"]["nominal"]["value"] == pytest.approx(alpha, abs=1e-6)
        if fleiss is not None:
            assert found["fleiss"]["value"] == pytest.approx(fleiss, abs=1e-6)

    def _cohens(self, found: dict[str, Any], known: dict[str, float]) -> None:
        assert {name.replace("|", "-") for name in found["cohen"]} == set(known)
        for name, entry in found["cohen"].items():
            assert entry["value"] == pytest.approx(known[name.replace("|", "-")], abs=1e-6)


WIDE: list[dict[str, Any]] = [
    {"id": "x", "text": "The mill stands by the river.", "a": 0, "b": 0, "c": 1, "none": "?"},
    {"id": "y", "text": "It is the finest mill of all.", "a": 1, "b": "?", "c": 1, "none": "?"},
    {"id": "z", "text": "It is said to be old.", "a": 1, "b": "?", "c": 0, "none": "?"},
]
LONG: list[dict[str, Any]] = [
    {"item": "x", "annotator": "ann", "bias": "biased", "text": "A fine mill."},
    {"item": "x", "annotator": "bob", "bias": "neutral", "text": "A fine mill."},
    {"item": "y", "annotator": "ann", "bias": "neutral", "text": "A mill."},
]


def read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


@pytest.fixture
def wide(tmp_path: Path) -> Path:
    write_rows(tmp_path / "runs.jsonl", WIDE)
    return tmp_path / "runs.jsonl"


class TestWide:
    def test_keeps_the_columns_and_adds_the_vote(self, wide: Path, tmp_path: Path) -> None:
        out = tmp_path / "voted.jsonl"
        done = wikibias("annotate", "vote", wide, "--columns", "a,b,c", "--out", out)
        assert done.code == 0, done.err
        assert read(out) == [
            {**WIDE[0], "vote": 0, "share": pytest.approx(2 / 3), "votes": 3},
            {**WIDE[1], "vote": 1, "share": 1.0, "votes": 2},
            {**WIDE[2], "vote": "?", "share": 0.5, "votes": 2},
        ]
        assert "All votes agree on 1 of 3 sentences with two votes or more (33.3%)." in done.out
        assert "1 tie, left as '?'." in done.out
        assert "2 answers '?' did not vote." in done.out

    def test_prints_rows_where_no_file_is_named(self, wide: Path) -> None:
        done = wikibias("annotate", "vote", wide, "--columns", "a,b,c", "--ties", "drop")
        assert done.code == 0, done.err
        assert [json.loads(line)["vote"] for line in done.out.splitlines()] == [0, 1]
        assert "1 tie, left out." in done.err


class TestLong:
    def test_gives_a_row_a_sentence(self, tmp_path: Path) -> None:
        write_rows(tmp_path / "answers.csv", LONG)
        out = tmp_path / "voted.jsonl"
        done = wikibias(
            "annotate", "vote", tmp_path / "answers.csv", "--ties", "neutral", "--out", out
        )
        assert done.code == 0, done.err
        assert read(out) == [
            {"item": "x", "text": "A fine mill.", "vote": "neutral", "share": 0.5, "votes": 2},
            {"item": "y", "text": "A mill.", "vote": "neutral", "share": 1.0, "votes": 1},
        ]

    def test_keeps_what_the_task_file_has(self, tmp_path: Path) -> None:
        write_rows(tmp_path / "answers.csv", LONG)
        tasks = [{"item": name, "outlet": name * 2, "text": "A mill."} for name in "yxz"]
        write_rows(tmp_path / "tasks.jsonl", tasks)
        asked = ("annotate", "vote", tmp_path / "answers.csv", "--tasks", tmp_path / "tasks.jsonl")
        done = wikibias(*asked)
        assert done.code == 0, done.err
        assert [json.loads(line) for line in done.out.splitlines()] == [
            {**tasks[1], "vote": "?", "share": 0.5, "votes": 2},
            {**tasks[0], "vote": "neutral", "share": 1.0, "votes": 1},
        ]
        write_rows(tmp_path / "tasks.jsonl", tasks[:1])
        assert "has no item 'x'; give the file that was judged" in wikibias(*asked).err

    def test_says_where_there_is_nothing_to_vote_on(self, tmp_path: Path) -> None:
        write_rows(tmp_path / "ann.csv", [{"item": "x", "bias": "1"}])
        out = tmp_path / "voted.csv"
        done = wikibias("annotate", "vote", tmp_path / "ann.csv", "--out", out)
        assert (done.code, done.err) == (
            0,
            "Warning: no sentence has two votes; there is nothing to vote on\n",
        )


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (("--columns", "a,d"), "no column 'd'"),
        (("--columns", "a,b", "--ties", "maybe"), "nobody gave the label 'maybe'"),
        (("--columns", "none", "--ties", "drop"), "no sentence is left"),
        (("--columns", "a,b", "--out", "voted.parquet"), "must end in .jsonl, .csv or .tsv"),
    ],
)
def test_says_what_is_wrong(
    wide: Path, monkeypatch: pytest.MonkeyPatch, asked: tuple[str, ...], message: str
) -> None:
    monkeypatch.chdir(wide.parent)
    out = () if "--out" in asked else ("--out", "voted.csv")
    done = wikibias("annotate", "vote", wide, *asked, *out)
    assert done.code == 2
    assert message in done.err
    assert not list(wide.parent.glob("voted*"))


def test_tells_of_labels_that_are_written_otherwise(tmp_path: Path) -> None:
    write_rows(tmp_path / "t.csv", [{"a": 0, "b": "no", "c": 1}, {"a": 1, "b": "yes", "c": 1}])
    done = wikibias("annotate", "vote", tmp_path / "t.csv", "--columns", "a,b")
    assert "Warning: a (0, 1) and b (no, yes) share no label; a vote counts" in done.err
    done = wikibias("annotate", "vote", tmp_path / "t.csv", "--columns", "a,c")
    assert "share no label" not in done.err


def test_replaces_nothing_unasked(wide: Path, tmp_path: Path) -> None:
    out = tmp_path / "mine.csv"
    out.write_text("mine")
    asked = ("--columns", "a,b,c")
    done = wikibias("annotate", "vote", wide, *asked, "--out", out)
    assert "add --overwrite" in done.err
    assert out.read_text() == "mine"
    empty = tmp_path / "empty.csv"
    empty.touch()
    assert wikibias("annotate", "vote", wide, *asked, "--out", empty).code == 0
    assert wikibias("annotate", "vote", wide, *asked, "--out", out, "--overwrite").code == 0
    done = wikibias("annotate", "vote", wide, *asked, "--out", wide, "--overwrite")
    assert "is what is read" in done.err


def test_a_table_that_was_voted_on_is_not_voted_on_again(tmp_path: Path) -> None:
    write_rows(tmp_path / "t.csv", [{"a": 1, "vote": 1}])
    done = wikibias(
        "annotate", "vote", tmp_path / "t.csv", "--columns", "a", "--out", tmp_path / "v.csv"
    )
    assert "has a column 'vote' already" in done.err


@pytest.mark.parametrize(
    ("name", "stored", "rows"),
    [
        ("babe_test", "majority_stored", 1000),
        ("anno_lexical_teachers_center", "final_stored", 10781),
        ("anno_lexical_teachers_alternet", "final_stored", 3844),
    ],
)
def test_gives_the_votes_that_the_authors_stored(
    shared: Path, tmp_path: Path, name: str, stored: str, rows: int
) -> None:
    path, out = shared / "annotation" / f"{name}.parquet", tmp_path / "voted.jsonl"
    done = wikibias(
        "annotate", "vote", path, "--columns", "zephyr,openchat,llama_13b", "--out", out
    )
    assert done.code == 0, done.err
    found = read(out)
    assert (sum(row["vote"] == row[stored] for row in found), len(found)) == (rows, rows)


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
            answers = wide_answers(table, names)
            for rule, key in (("neutral", "mcc_ties_to_0"), ("?", "mcc_ties_dropped")):
                votes = majority(answers, tie_rule(rule, answers.labels))
                voted = answers_of(answers.items, ["vote"], [[vote.label] for vote in votes])
                gold = np.array(column(table, "gold")) == 1
                found = score(gold, judgements(voted).codes[:, 0], resamples=2)
                assert found["mcc"]["value"] == pytest.approx(row[key], abs=1e-6)
                assert found["unparsed"] == (row["ties"] if rule == "?" else 0)

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


@pytest.fixture
def panel_runs(tmp_path: Path) -> Path:
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


def test_names_a_panel_and_what_it_is_worth(panel_runs: Path, tmp_path: Path) -> None:
    out = tmp_path / "panel.json"
    asked = ("--gold", "gold", "--columns", "a,b,c,d", "--resamples", 100, "--out", out)
    done = wikibias("annotate", "choose", panel_runs, *asked)
    assert done.code == 0, done.err
    found: dict[str, Any] = json.loads(out.read_text())
    assert sorted(found["chosen"]) == ["a", "b", "c"]
    assert set(found["methods"]) == {"greedy", "best_single"}
    for entry in found["methods"].values():
        assert entry["mcc"]["low"] <= entry["mcc"]["value"] <= entry["mcc"]["high"]
    assert "Ways to choose; MCC on sentences not used to choose" in done.out


def test_an_even_panel_is_warned_of(panel_runs: Path) -> None:
    done = wikibias(
        "annotate", "choose", panel_runs, "--gold", "gold", "--columns", "a,b,c,d", "-k", 2
    )
    assert "a panel of 2 can tie" in done.err
    assert "one annotator alone does no worse" in done.err
    alone = wikibias(
        "annotate", "choose", panel_runs, "--gold", "gold", "--columns", "a,b,c,d", "-k", 1
    )
    assert (alone.code, alone.err) == (0, "")


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (("-k", 7), "-k 7 of 4 annotators; give a smaller -k"),
        (("--labels", "0=biased,1=biased"), "name both classes"),
    ],
)
def test_says_what_is_wrong_with_a_panel(
    panel_runs: Path, asked: tuple[object, ...], message: str
) -> None:
    done = wikibias(
        "annotate", "choose", panel_runs, "--gold", "gold", "--columns", "a,b,c,d", *asked
    )
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
    names = [name for name in read_table(path).columns if "@" in name]
    cheap = [name for name in names if not name.startswith(("gpt_4@", "mixtral_8x7b@"))]
    best = [name for name in cheap if name.endswith("@8-shot-exp")]
    panel = ["llama_13b@8-shot-exp", "openchat@8-shot-exp", "zephyr@8-shot-exp"]
    for columns, method in ((cheap, "by_setting"), (best, "greedy")):
        asked = ("--columns", ",".join(columns), "--resamples", 20, "--out", out)
        assert wikibias("annotate", "choose", path, "--gold", "gold", *asked).code == 0
        assert sorted(json.loads(out.read_text())["methods"][method]["panel"]) == panel
