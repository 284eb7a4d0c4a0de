"""`wikibias annotate agree`, `vote`, `score` and `choose`: made-up tables, and published ones."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from exports import wikibias
from made_edits import corpus
from paths import SAMPLES
from put import put, put_rows
from wikibias.kits.evaluation import alpha
from wikibias.research.annotation.agreement import LEVELS
from wikibias.research.annotation.answers import Answers, answers_of, judgements, wide_answers
from wikibias.research.annotation.scores import bench, by_setting, greedy, score
from wikibias.research.annotation.tasks import chosen_columns, read_table
from wikibias.research.annotation.votes import majority, tie_rule


def read(path: Path) -> Any:
    """Return what a JSON file holds."""
    return json.loads(path.read_text(encoding="utf-8"))


TEACHERS = "zephyr,openchat,llama_13b"


def agreed(tmp_path: Path, *arguments: object) -> dict[str, Any]:
    """Run the command with few resamples and return what it writes."""
    out = tmp_path / "agreement.json"
    wikibias("annotate", "agree", *arguments, "--resamples", 20, "--out", out).well()
    found: dict[str, Any] = read(out)
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
    return put_rows(tmp_path / "answers.jsonl", *rows)


def test_a_long_table_is_shown_and_written(tmp_path: Path) -> None:
    out = tmp_path / "agreement.json"
    done = wikibias("annotate", "agree", long_table(tmp_path), "--out", out).well()
    for said in (
        "answers.jsonl: 3 annotators, 11 answers to 4 sentences",
        *("Krippendorff's alpha, nominal", "Cohen's kappa of each two", "Spans"),
        "s1: ann biased, bob biased, model@0-shot neutral: The lovely town.",
        "fleiss: 1 sentence left out: not judged by all",
    ):
        assert said in done.out
    found = read(out)
    assert found["cohen"]["ann|bob"] == {"value": 1, "low": 1, "high": 1}
    assert found["annotators"]["bob"]["unparsed"] == 1
    assert found["spans"]["pairs"]["ann|bob"]["any"]["exact"]["value"] == 1


def test_answers_are_not_replaced_by_what_is_said_of_them(tmp_path: Path) -> None:
    answers = long_table(tmp_path)
    before = answers.read_bytes()
    wikibias("annotate", "agree", answers, "--out", answers).refused("is what is read")
    assert answers.read_bytes() == before
    other = put(tmp_path / "notes.txt", "mine")
    done = wikibias("annotate", "agree", answers, "--out", other)
    done.refused("is there already; name another file")
    agreed(tmp_path, answers)
    agreed(tmp_path, answers)  # its own file it replaces


def test_boxes_to_tick_have_a_figure_each(tmp_path: Path) -> None:
    rows = [
        {"item": item, "annotator": who, "types": types}
        for who in ("ann", "bob")
        for item, types in {"s1": ["x", "y"], "s2": [], "s3": ["y"] if who == "ann" else []}.items()
    ]
    found = agreed(tmp_path, put_rows(tmp_path / "a.csv", *rows), "--label", "types")
    assert found["categories"]["x"]["krippendorff"]["nominal"]["value"] == 1
    assert found["categories"]["y"]["percentage"]["value"] == pytest.approx(2 / 3)
    assert "categories" in found["notes"]["krippendorff.nominal"]


@pytest.mark.parametrize("said", [("1", "1"), ("1", "?"), ("?", "?"), ("", ""), ("1", "")])
def test_nothing_to_compare_is_a_sentence(tmp_path: Path, said: tuple[str, str]) -> None:
    path = put_rows(tmp_path / "w.csv", {"item": "s1", "a": said[0], "b": said[1]})
    found = agreed(tmp_path, path, "--columns", "a,b")
    assert found["krippendorff"]["nominal"] == {"value": None, "low": None, "high": None}
    assert found["fleiss"]["value"] is None
    assert {"krippendorff.nominal", "fleiss", "cohen.a|b"} <= found["notes"].keys()


@pytest.fixture
def studies(shared: Path) -> Path:
    """The folder of the tables of published studies."""
    return shared / "annotation"


@pytest.fixture
def expected(studies: Path) -> dict[str, Any]:
    """The figures that these tables must give, to six decimals."""
    found: dict[str, Any] = read(studies / "expected.json")
    return found


@pytest.fixture(scope="module")
def babe(shared: Path) -> pd.DataFrame:
    """What models said of the sentences of BABE."""
    return read_table(shared / "annotation" / "babe_train_runs.parquet")


@pytest.fixture(scope="module")
def whole(babe: pd.DataFrame) -> Answers:
    """The same as answers, with the gold labels as one who answers."""
    return wide_answers(babe, ["gold", *chosen_columns(babe, "*@*")])


def test_the_alphas_that_the_authors_stored(
    babe: pd.DataFrame, whole: Answers, expected: dict[str, Any]
) -> None:
    for stored in expected["krippendorff_stored"]:
        models = stored.get("models") or [stored["model"]]
        settings = stored.get("settings") or [stored.get("setting", "*")]
        columns = ",".join(f"{model}@{of}" for model in models for of in settings)
        answers = whole.of(chosen_columns(babe, columns))
        for level in LEVELS:  # the same for two values
            found = alpha(np.ones((1, len(answers.items))), answers.counts, level, answers.numbers)
            assert found == pytest.approx(stored["stored"], abs=5e-7), stored


@pytest.mark.parametrize("label", ["bias", "opinion"])
def test_babe_raters(studies: Path, tmp_path: Path, expected: dict[str, Any], label: str) -> None:
    found = agreed(tmp_path, studies / "babe_raters_sg2.parquet", "--label", label)
    known = expected["agreement"]["babe_raters_sg2"]
    assert f"{label}_alpha_nominal" in known
    for level, entry in found["krippendorff"].items():
        alpha = known.get(f"{label}_alpha_{level}", entry["value"])
        assert entry["value"] == pytest.approx(alpha, abs=1e-6)


STUDIES = {
    "experts_771": ("experts_771.csv", "expert*"),
    "icl_pool_experts": ("icl_pool_experts.csv", "expert*"),
    "babe_test_3_teachers": ("babe_test.parquet", TEACHERS),
}


@pytest.mark.parametrize("study", STUDIES)
def test_the_experts_and_the_three_teachers(
    study: str, studies: Path, tmp_path: Path, expected: dict[str, Any]
) -> None:
    table, columns = STUDIES[study]
    found = agreed(tmp_path, studies / table, "--columns", columns)
    known = expected["agreement"][study]
    alpha = known.get("alpha_nominal", known.get("alpha_nominal_missing_kept"))
    fleiss = known.get("fleiss", known.get("fleiss_complete"))
    same(found, alpha, fleiss)
    for name, value in known.get("cohen", {}).items():
        cohen = found["cohen"][name.replace("-", "|")]["value"]
        assert cohen == pytest.approx(value, abs=1e-6)
    if study == "experts_771":
        assert found["fleiss"]["items"] == known["complete_rows"]
        assert found["apart"]["annotator"] == "expert3"
    if study == "icl_pool_experts":
        numbers = (known["ratings"], known["rows_with_2_or_more"])
        assert (found["answers"], found["compared"]) == numbers


def test_teachers_of_each_outlet(studies: Path, tmp_path: Path, expected: dict[str, Any]) -> None:
    for name, of in expected["anno_lexical"]["teachers"].items():
        if "fleiss" in of:
            table = studies / f"anno_lexical_teachers_{name}.parquet"
            found = agreed(tmp_path, table, "--columns", TEACHERS)
            same(found, of["alpha_nominal"], of["fleiss"])


def same(found: dict[str, Any], alpha: float, fleiss: float | None) -> None:
    assert found["krippendorff"]["nominal"]["value"] == pytest.approx(alpha, abs=1e-6)
    if fleiss is not None:
        assert found["fleiss"]["value"] == pytest.approx(fleiss, abs=1e-6)


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


def lines(said: str) -> list[dict[str, Any]]:
    """Return the objects of JSON Lines."""
    return [json.loads(line) for line in said.splitlines()]


@pytest.fixture
def wide(tmp_path: Path) -> Path:
    return put_rows(tmp_path / "runs.jsonl", *WIDE)


def test_keeps_the_columns_and_adds_the_vote(wide: Path, tmp_path: Path) -> None:
    out = tmp_path / "voted.jsonl"
    done = wikibias("annotate", "vote", wide, "--columns", "a,b,c", "--out", out).well()
    assert lines(out.read_text("utf-8")) == [
        {**WIDE[0], "vote": 0, "share": pytest.approx(2 / 3), "votes": 3},
        {**WIDE[1], "vote": 1, "share": 1.0, "votes": 2},
        {**WIDE[2], "vote": "?", "share": 0.5, "votes": 2},
    ]
    assert "All votes agree on 1 of 3 sentences with two votes or more (33.3%)." in done.out
    assert "1 tie, left as '?'." in done.out
    assert "2 answers '?' did not vote." in done.out


def test_prints_rows_where_no_file_is_named(wide: Path) -> None:
    done = wikibias("annotate", "vote", wide, "--columns", "a,b,c", "--ties", "drop").well()
    assert [row["vote"] for row in lines(done.out)] == [0, 1]
    assert "1 tie, left out." in done.err


def test_gives_a_row_a_sentence(tmp_path: Path) -> None:
    answers = put_rows(tmp_path / "answers.csv", *LONG)
    done = wikibias("annotate", "vote", answers, "--ties", "neutral").well()
    assert lines(done.out) == [
        {"item": "x", "text": "A fine mill.", "vote": "neutral", "share": 0.5, "votes": 2},
        {"item": "y", "text": "A mill.", "vote": "neutral", "share": 1.0, "votes": 1},
    ]


def test_keeps_what_the_task_file_has(tmp_path: Path) -> None:
    tasks = [{"item": name, "outlet": name * 2, "text": "A mill."} for name in "yxz"]
    path = put_rows(tmp_path / "tasks.jsonl", *tasks)
    asked = ("annotate", "vote", put_rows(tmp_path / "answers.csv", *LONG), "--tasks", path)
    assert lines(wikibias(*asked).well().out) == [
        {**tasks[1], "vote": "?", "share": 0.5, "votes": 2},
        {**tasks[0], "vote": "neutral", "share": 1.0, "votes": 1},
    ]
    put_rows(path, tasks[0])
    wikibias(*asked).refused("has no item 'x'; give the file that was judged")


def test_repeats_and_controls_neither_vote_nor_count(tmp_path: Path) -> None:
    """With the task file only the sample does, as for `agree`."""
    kinds = {"x": "sample", "y": "sample", "z": "repeat", "c": "control", "p": "practice"}
    tasks = [{"item": item, "text": "A mill.", "kind": kind} for item, kind in kinds.items()]
    said = {"gold": "10101", "ann": "11101", "bob": "10010"}
    rows = [
        {"item": item, "annotator": who, "bias": bias}
        for who, answers in said.items()
        for item, bias in zip(kinds, answers, strict=True)
    ]
    path = put_rows(tmp_path / "answers.csv", *rows)
    asked = ("--tasks", put_rows(tmp_path / "tasks.jsonl", *tasks))
    voted = lines(wikibias("annotate", "vote", path, *asked).well().out)
    assert [(row["item"], row["vote"]) for row in voted] == [("x", "1"), ("y", "0")]
    out = tmp_path / "scores.json"
    wikibias("annotate", "score", path, "--gold", "gold", *asked, "--out", out).well()
    scored = read(out)
    assert (scored["rows"], scored["biased"]) == (2, 1)
    assert {who: of["accuracy"]["value"] for who, of in scored["columns"].items()} == {
        "ann": 0.5, "bob": 1.0
    }  # fmt: skip


def test_a_sheet_without_names_is_called_by_its_file(tmp_path: Path) -> None:
    """As `annotate export` writes it, with a blank column of annotators; `import` does the same."""
    tasks = put_rows(tmp_path / "tasks.csv", {"text": "A mill."}, {"text": "A fine mill."})
    sheet = tmp_path / "sheet.csv"
    wikibias("annotate", "export", tasks, "--to", "csv", "--out", sheet).well()
    for name, answers in (("ann", ("neutral", "biased")), ("bob", ("neutral", "neutral"))):
        frame = pd.read_csv(sheet, dtype=str).assign(bias=answers)
        frame.to_csv(tmp_path / f"{name}.csv", index=False)
    sheets = (tmp_path / "ann.csv", tmp_path / "bob.csv")
    found = agreed(tmp_path, *sheets)
    taken = tmp_path / "answers.jsonl"
    wikibias("annotate", "import", *sheets, "--tasks", tasks, "--out", taken).well()
    assert found["annotators"] == agreed(tmp_path, taken)["annotators"]
    assert found["annotators"]["ann"]["values"] == {"biased": 1, "neutral": 1}


def test_says_where_there_is_nothing_to_vote_on(tmp_path: Path) -> None:
    path = put_rows(tmp_path / "ann.csv", {"item": "x", "bias": "1"})
    done = wikibias("annotate", "vote", path, "--out", tmp_path / "voted.csv").well()
    assert done.err == "Warning: no sentence has two votes; there is nothing to vote on\n"


def test_tells_of_labels_that_are_written_otherwise(tmp_path: Path) -> None:
    rows = [{"a": 0, "b": "no", "c": 1}, {"a": 1, "b": "yes", "c": 1}]
    asked = ("annotate", "vote", put_rows(tmp_path / "t.csv", *rows), "--columns")
    said = "Warning: a (0, 1) and b (no, yes) share no label; a vote counts"
    assert said in wikibias(*asked, "a,b").err
    assert "share no label" not in wikibias(*asked, "a,c").err


def test_replaces_nothing_unasked(wide: Path, tmp_path: Path) -> None:
    out, empty = put(tmp_path / "mine.csv", "mine"), put(tmp_path / "empty.csv", "")
    asked = ("annotate", "vote", wide, "--columns", "a,b,c", "--out")
    wikibias(*asked, out).refused("add --overwrite")
    assert out.read_text() == "mine"
    wikibias(*asked, empty).well()
    wikibias(*asked, out, "--overwrite").well()


def test_a_table_that_was_voted_on_is_not_voted_on_again(tmp_path: Path) -> None:
    path = put_rows(tmp_path / "t.csv", {"a": 1, "vote": 1})
    done = wikibias("annotate", "vote", path, "--columns", "a", "--out", tmp_path / "v.csv")
    done.refused("has a column 'vote' already")


@pytest.mark.parametrize(
    ("name", "stored", "rows"),
    [
        ("babe_test", "majority_stored", 1000),
        ("anno_lexical_teachers_center", "final_stored", 10781),
        ("anno_lexical_teachers_alternet", "final_stored", 3844),
    ],
)
def test_gives_the_votes_of_the_authors(studies: Path, name: str, stored: str, rows: int) -> None:
    table = read_table(studies / f"{name}.parquet")
    found = majority(wide_answers(table, TEACHERS.split(",")))
    assert [vote.label for vote in found] == [str(label) for label in table[stored]]
    assert len(found) == rows


def scored(tmp_path: Path, *asked: object) -> tuple[dict[str, Any], str, str]:
    out = tmp_path / "scores.json"
    done = wikibias("annotate", "score", *asked, "--out", out).well()
    return read(out), done.out, done.err


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
    return put_rows(tmp_path / "runs.csv", *rows, {**rows[1], "gold": ""})


def test_writes_scores_by_column(runs: Path, tmp_path: Path) -> None:
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


def test_compares_with_one(runs: Path, tmp_path: Path) -> None:
    asked = (runs, "--gold", "gold", "--columns", "*@*", "--against", "bad@x")
    found, out, _ = scored(tmp_path, *asked)
    assert [one["first"] for one in found["comparisons"]] == ["good@x", "all@x", "none@x"]
    assert "good@x and bad@x: good@x is right more often: alone on" in out


def test_refuses_more_comparisons_than_anybody_reads(runs: Path, tmp_path: Path) -> None:
    asked = ("--gold", "gold", "--columns", "*@*", "--against", "odd")
    wikibias("annotate", "score", runs, *asked).refused("no annotator 'odd'")
    path = put_rows(tmp_path / "t.csv", {"gold": 1, **{f"m{n}": 1 for n in range(150)}})
    done = wikibias("annotate", "score", path, "--gold", "gold", "--columns", "m*")
    done.refused("150 annotators make more than 10,000 comparisons")


def test_table_1(studies: Path, tmp_path: Path, expected: dict[str, Any]) -> None:
    asked = (studies / "babe_train_runs.parquet", "--gold", "gold", "--columns", "*@*")
    one = ("--against", "zephyr@8-shot-exp", "--resamples", 20)
    found, _, _ = scored(tmp_path, *asked, *one)
    cells = expected["table_1"]["cells"]
    there = [cell for cell in cells if cell["label"].startswith("reproduced")]
    assert (len(there), len(found["columns"])) == (81, 81)
    assert sum("mcc" in cell for cell in there) == 73  # those that the authors stored
    for cell in there:
        column = found["columns"][f"{cell['model']}@{cell['setting']}"]
        assert column["mcc"]["value"] == pytest.approx(cell["paper_mcc"], abs=0.001)
        if "mcc" not in cell:  # only the printed figure is known
            continue
        check_values(column, METRICS, [cell[name] for name in METRICS])
        assert column["unparsed"] == cell["unusable"]
        assert column["coverage"] == pytest.approx(cell["coverage"], abs=1e-6)
        strict = column["mcc_unparsed_as_wrong"]["value"]
        assert strict == pytest.approx(cell["mcc_unusable_as_wrong"], abs=1e-6)


def test_table_2_and_mcnemar_babe(studies: Path, tmp_path: Path, expected: dict[str, Any]) -> None:
    names = [row["system"] for row in expected["table_2"]["babe"]]
    columns = ",".join(["sa_ft", *(name for name in names if name != "sa_ft")])
    asked = (studies / "babe_test.parquet", "--gold", "gold", "--columns", columns)
    found, _, _ = scored(tmp_path, *asked, "--resamples", 20000)
    for row in expected["table_2"]["babe"]:
        column = found["columns"][row["system"]]
        check_values(column, TABLE_2, row["recomputed"])
        check_values(column, TABLE_2, row["paper"], 0.001)
    pairs = {(one["first"], one["second"]): one for one in found["comparisons"]}
    against = pairs["sa_ft", "ha_ft"]
    tests = expected["mcnemar"]["tests"]
    check(against, tests["babe_test_sa_vs_ha"])
    check(pairs["sa_ft", "majority_stored"], tests["babe_test_sa_vs_majority"])
    assert against["direction"].startswith("ha_ft is right more often: alone on 55")
    assert against["direction"].endswith("which may be chance")
    difference = against["mcc_difference"]
    assert [difference["low"], difference["high"]] == pytest.approx([-0.056, 0.026], abs=0.005)


def test_mcnemar_and_mcc_on_basil(studies: Path, tmp_path: Path, expected: dict[str, Any]) -> None:
    labels = "lex=biased,neu=neutral,info=neutral"
    path = studies / "basil_predictions.parquet"
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
        check_values(column, TABLE_2, row["recomputed_on_6730_rows"])


def test_the_vote_of_three_per_setting(whole: Answers, expected: dict[str, Any]) -> None:
    gold = judgements(whole.of(["gold"])).codes[:, 0] == 1
    for row in expected["majority_vote"]["per_setting"]:
        answers = whole.of([f"{model}@{row['setting']}" for model in TEACHERS.split(",")])
        for rule, key in (("neutral", "mcc_ties_to_0"), ("?", "mcc_ties_dropped")):
            votes = majority(answers, tie_rule(rule, answers.labels))
            voted = answers_of(answers.items, ["vote"], [[vote.label] for vote in votes])
            found = score(gold, judgements(voted).codes[:, 0], resamples=2)
            assert found["mcc"]["value"] == pytest.approx(row[key], abs=1e-6)
            assert found["unparsed"] == (row["ties"] if rule == "?" else 0)


def test_a_vote_is_scored_beside_those_who_voted(babe: pd.DataFrame, tmp_path: Path) -> None:
    path, voted = tmp_path / "runs.parquet", tmp_path / "voted.csv"
    columns = [f"{model}@0-shot-exp" for model in TEACHERS.split(",")]
    babe[["gold", *columns]].to_parquet(path)
    names = ",".join(columns)
    asked = ("--columns", names, "--ties", "neutral", "--out", voted)
    wikibias("annotate", "vote", path, *asked).well()
    beside = ("--gold", "gold", "--columns", f"vote,{names}", "--resamples", 20)
    found, _, _ = scored(tmp_path, voted, *beside)
    assert found["columns"]["vote"]["mcc"]["value"] == pytest.approx(0.489843, abs=1e-6)


METRICS = ("mcc", "precision", "recall", "f1", "accuracy")
TABLE_2 = ("precision", "recall", "f1", "mcc")


def check_values(
    column: dict[str, Any], metrics: Sequence[str], values: Sequence[float], within: float = 1e-6
) -> None:
    assert [column[name]["value"] for name in metrics] == pytest.approx(values, abs=within)


def check(compared: dict[str, Any], expected: dict[str, Any]) -> None:
    theirs = {"b": "only_first_right", "c": "only_second_right", "p_chi2": "p_corrected"}
    for name in ("both_right", "b", "c", "both_wrong", "p_exact", "chi2_corrected", "p_chi2"):
        assert compared[name] == pytest.approx(expected[theirs.get(name, name)], rel=1e-6)


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
    return put_rows(tmp_path / "runs.csv", *rows)


CHOICE = ("--gold", "gold", "--columns", "a,b,c,d")


def test_names_a_panel_and_what_it_is_worth(panel_runs: Path, tmp_path: Path) -> None:
    out = tmp_path / "panel.json"
    asked = (*CHOICE, "--resamples", 100, "--out", out)
    done = wikibias("annotate", "choose", panel_runs, *asked).well()
    found: dict[str, Any] = read(out)
    assert sorted(found["chosen"]) == ["a", "b", "c"]
    assert set(found["methods"]) == {"greedy", "best_single"}
    for entry in found["methods"].values():
        assert entry["mcc"]["low"] <= entry["mcc"]["value"] <= entry["mcc"]["high"]
    assert "Ways to choose; MCC on sentences not used to choose" in done.out


def test_an_even_panel_is_warned_of(panel_runs: Path) -> None:
    done = wikibias("annotate", "choose", panel_runs, *CHOICE, "-k", 2)
    assert "a panel of 2 can tie" in done.err
    assert "one annotator alone does no worse" in done.err
    assert wikibias("annotate", "choose", panel_runs, *CHOICE, "-k", 1).well().err == ""


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (("-k", 7), "-k 7 of 4 annotators; give a smaller -k"),
        (("--labels", "0=biased,1=biased"), "name both classes"),
    ],
)
def test_a_panel_that_cannot_be(panel_runs: Path, asked: tuple[object, ...], message: str) -> None:
    wikibias("annotate", "choose", panel_runs, *CHOICE, *asked).refused(message)


def test_parts_need_both_labels(tmp_path: Path) -> None:
    rows = [{"gold": n % 2, "a": 1, "b": 0, "c": 1, "d": 0} for n in range(4)]
    done = wikibias("annotate", "choose", put_rows(tmp_path / "t.csv", *rows), *CHOICE)
    done.refused("of one label there are only 2 sentences")


def test_gives_the_panel_of_the_paper(whole: Answers) -> None:
    # Horych et al. (2025, section 4.2) leave out GPT-4 and Mixtral for their cost.
    dear = ("gold", "gpt_4@", "mixtral_8x7b@")
    gold = judgements(whole.of(["gold"])).codes[:, 0] == 1
    cheap = [name for name in whole.annotators if not name.startswith(dear)]
    panel = ["llama_13b@8-shot-exp", "openchat@8-shot-exp", "zephyr@8-shot-exp"]
    for names, way in (
        (cheap, by_setting),
        ([name for name in cheap if name.endswith("@8-shot-exp")], greedy),
    ):
        among = bench(gold, dict(zip(names, judgements(whole.of(names)).codes.T, strict=True)))
        assert sorted(among.names[place] for place in way(among, 3)) == panel


HEAD = "rev_id\tannotator\tlabels"
_SIGNALS = ("citation", "point-of-view", "clarification")


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("intents") / "en"
    signals = [part for name in _SIGNALS for part in ("--signal", name)]
    dump = SAMPLES.glob("qualityenwiki-*.7z")
    wikibias("detect", "-q", "--lang", "en", *signals, "-o", out, *dump).well()
    return out


def _table(folder: Path, *rows: str) -> Path:
    """Return a file of labels with these rows, the head first."""
    return put(folder / "labels.tsv", "\n".join(rows) + "\n")


def _gold(folder: Path) -> Path:
    """Write the labels of the sample's gold, as if annotators agreed on them."""
    labels: dict[int, set[str]] = {}
    for line in (SAMPLES / "qualityenwiki.gold.jsonl").read_text(encoding="utf-8").splitlines():
        event = json.loads(line)
        if event["event"] in ("intent", "no-intent"):
            found = labels.setdefault(event["rev_id"], set())
            found.update([event["intent"]] if event["event"] == "intent" else [])
    rows = [
        f"{revision}\t{who}\t{','.join(sorted(names)) or 'none'}"
        for revision, names in sorted(labels.items())
        for who in "ab"
    ]
    return _table(folder, HEAD, *rows)


def test_the_rules_find_all_that_the_gold_names(result: Path, tmp_path: Path) -> None:
    labels, out = _gold(tmp_path), tmp_path / "s.json"
    done = wikibias("annotate", "score", result, "--gold", labels, "--out", out).well()
    assert "who says so" in done.out
    scores = json.loads(out.read_text())["languages"]["en"]
    for name in _SIGNALS:
        for truth in ("any", "majority"):
            assert scores[name][truth]["recall"]["value"] == 1, name
        assert scores[name]["krippendorff"]["value"] == 1
        assert scores[name]["annotators"] == 2
    assert scores["citation"]["any"]["precision"]["value"] == 1


def test_one_annotator_is_enough_and_the_majority_is_more(result: Path, tmp_path: Path) -> None:
    labels, out = _gold(tmp_path), tmp_path / "s.json"
    said = labels.read_text(encoding="utf-8").splitlines()
    none = [line.rsplit("\t", 1)[0] + "\tnone; " for line in said[1:]]
    others = [line.replace("\tb\t", "\tc\t") for line in none if "\tb\t" in line]
    kept = [line.replace("citation", " Citation ") for line in said if "\tb\t" not in line]
    labels.write_text("\n".join([*kept, *others, *(o.replace("\tc\t", "\td\t") for o in others)]))
    wikibias("annotate", "score", result, "--gold", labels, "--out", out).well()
    scores = json.loads(out.read_text())["languages"]["en"]["citation"]
    assert scores["annotators"] == 3
    assert scores["any"]["positive"] > scores["majority"]["positive"] == 0
    assert scores["any"]["recall"]["value"] == 1
    assert scores["majority"]["recall"] == {"value": None, "low": None, "high": None}
    assert scores["krippendorff"]["value"] < 0


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (["rev_id\tlabels", "3\tcitation"], "Error: LABELS: no column 'annotator'"),
        ([HEAD, "three\ta\tcitation"], "is no number of a revision"),
        ([HEAD], "no row"),
    ],
)
def test_wrong_labels_are_told(rows: list[str], said: str, result: Path, tmp_path: Path) -> None:
    labels = _table(tmp_path, *rows)
    done = wikibias("intents", "score", result, "--labels", labels)
    assert done.code != 0
    assert said.replace("LABELS", str(labels)) in done.err
    assert done.err.count("\n") == 1, done.err


def test_labels_of_another_dump_and_unknown_names_are_said(result: Path, tmp_path: Path) -> None:
    labels = _table(tmp_path, HEAD, "999999\ta\tcitations")
    done = wikibias("intents", "score", result, "--labels", labels).well()
    assert "'citations' is no intent that was looked for; did you mean 'citation'?" in done.err
    assert "is it this dump?" in done.err


def test_few_edits_answers_twice_and_intents_not_looked_for_are_said(tmp_path: Path) -> None:
    out, labels = tmp_path / "out", _table(tmp_path, HEAD, "3\ta\tcitation", "3\ta\tnone")
    sample = next(SAMPLES.glob("qualityenwiki-*.7z"))
    words = ("detect", "-q", "--lang", "en", "--signal", "clarification", "-o", out, sample)
    wikibias(*words).well()
    done = wikibias("intents", "score", out, "--labels", labels).well()
    assert "only 1 labelled edit: under 50 the intervals are too narrow" in done.err
    assert "1 edit labelled twice by one annotator, such as 3 by 'a': the first row" in done.err
    assert "'citation' is no intent that was looked for; the folder has clarification" in done.err


def test_a_folder_without_intents_says_what_to_run(tmp_path: Path) -> None:
    done = wikibias("intents", "score", corpus(), "--labels", _gold(tmp_path))
    done.refused("no intent was looked for; run `wikibias detect --signal citation ...`")
