"""`wikibias classify`: what it writes and says, and what it refuses."""

import json
import os
import shlex
import signal
import time
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from clusters import wait_for
from command_to_kill import forked
from exports import history, result_of, wikibias
from sample_sentences import made_up
from wikibias.models.estimators.registry import METRICS, OWN


def files(tsv: dict[str, Path]) -> list[Any]:
    return [word for name, path in tsv.items() for word in (f"--{name}", path)]


def test_a_corpus_directory_gets_everything(corpus: Path) -> None:
    done = wikibias("classify", "--model", "sgd", corpus).well()
    assert "always biased" in done.out
    out = corpus / "models" / "sgd"
    scores = json.loads((out / "scores.json").read_text())
    for table in (scores, scores["constant"]):
        for split in ("dev", "test"):
            assert list(table[split]) == list(METRICS)
            for entry in table[split].values():
                assert list(entry) == ["value", "low", "high"]
    assert scores["constant"]["test"]["mcc"]["value"] == 0
    assert scores["test"]["mcc"]["value"] > 0.3  # the made-up sentences are easy
    assert "stop words: 8" in (out / "README.md").read_text()  # English, from the manifest
    predictions = (out / "predictions-test.tsv").read_text().splitlines()
    assert len(predictions) == 81
    assert predictions[0].endswith("\tsentence_id")
    assert predictions[1].endswith("\ttest-0")
    assert (out / "figures" / "test-confusion-matrix.svg").read_bytes().startswith(b"<svg ")


def test_surer_sentences_count_more(corpus: Path) -> None:
    """Each sentence stands there twice more with the other label, of which nobody is sure."""
    path = corpus / "corpus" / "train.parquet"
    right = pd.read_parquet(path).assign(confidence=0.9)
    other = right.label.map({"biased": "neutral", "neutral": "biased"})
    wrong = right.assign(label=other, confidence=0.05, sentence_id=right.sentence_id + "-wrong")
    pd.concat([right, wrong, wrong]).to_parquet(path)
    for number, more in enumerate(([], ["--weighted"])):
        out = corpus / f"{number}"
        wikibias("classify", "--model", "lr", corpus, *more, "-o", out).well()
        found = json.loads((out / "scores.json").read_text())["test"]["mcc"]["value"]
        assert found > 0.3 if more else found < 0
        described = json.loads((out / "model.json").read_text())
        assert described.get("weights") == ("confidence" if more else None)
    cannot = wikibias("classify", "--model", "fasttext", corpus, "--weighted")
    cannot.refused("fasttext cannot weigh sentences")


@pytest.mark.parametrize("name", ["sgd", "fasttext"])
def test_two_runs_leave_the_same_bytes(name: str, tsv: dict[str, Path], tmp_path: Path) -> None:
    for run in ("one", "two"):
        wikibias("classify", "--model", name, *files(tsv), "-o", tmp_path / run).well()
    for file in ("predictions-dev.tsv", "predictions-test.tsv", "scores.json", "report.html"):
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()


def own_grid(folder: Path, model: str, space: str) -> list[Any]:
    """Return options of a grid search over a space of one's own."""
    path = folder / "configs" / "grids" / f"{model}.toml"
    path.parent.mkdir(parents=True)
    path.write_text(f"[space]\n{space}\n")
    return ["--grid", "--config-dir", folder]


def test_a_grid_chooses_on_dev_and_can_be_resumed(tsv: dict[str, Path], tmp_path: Path) -> None:
    space = "ngrams = [1, 2]\nmax_features = [20, 400]\nalpha = [0.01, 0.001]"
    arguments = ["classify", "--model", "sgd", *files(tsv), *own_grid(tmp_path, "sgd", space)]
    arguments += ["--choose", "mcc", "-o", tmp_path / "g"]
    said = wikibias(*arguments).well().err
    assert said.splitlines()[0] == "Trying 8 of 8 parameter combinations on dev"
    table = pd.read_csv(tmp_path / "g" / "grid.csv")
    assert len(table) == 8
    winner = json.loads((tmp_path / "g" / "grid.json").read_text())["winner"]
    assert winner["mcc"] == table["mcc"].max()
    described = json.loads((tmp_path / "g" / "model.json").read_text())
    assert described["parameters"]["max_features"] == winner["max_features"]
    tables = [path for path in (tmp_path / "g").iterdir() if path.suffix in {".csv", ".tsv"}]
    first = {path: path.read_bytes() for path in tables}
    journal = tmp_path / "g" / "grid.jsonl"
    journal.write_text("\n".join(journal.read_text().splitlines()[:4]) + "\n")
    assert "8 parameter combinations on dev; 3 already done" in wikibias(*arguments).well().err
    assert {path: path.read_bytes() for path in tables} == first


def test_an_interrupted_grid_search_goes_on(tsv: dict[str, Path], tmp_path: Path) -> None:
    grid = own_grid(tmp_path, "fasttext", "epoch = [1, 4000]")  # the second is not quick
    journal = tmp_path / "g" / "grid.jsonl"
    arguments = ["classify", "--model", "fasttext", *files(tsv), *grid, "-o", tmp_path / "g"]
    with forked(*arguments) as run:
        wait_for(lambda: journal.exists() and len(journal.read_text().splitlines()) == 2)
        time.sleep(1)  # joblib's workers tidy up between two tasks, and say so if interrupted
        os.killpg(run.pid, signal.SIGINT)
        assert run.ended() == 130
        first, last = run.err.splitlines()
    assert first == "Trying 2 of 2 parameter combinations on dev"
    assert last.startswith("Interrupted. The same command does what is left")


def test_splits_that_share_pages_get_one_warning(corpus: Path) -> None:
    arguments = ["classify", "--model", "majority", corpus]
    assert "share pages" not in wikibias(*arguments).well().err
    for name in ("dev", "test"):
        path = corpus / "corpus" / f"{name}.parquet"
        table = pd.read_parquet(path)
        table["page_id"] = 0
        table.to_parquet(path)
    warning = "dev and test share pages with train; see `wikibias audit leakage`"
    assert wikibias(*arguments).well().err.count(warning) == 1


def test_a_grid_that_only_finds_the_constant_says_so(tsv: dict[str, Path], tmp_path: Path) -> None:
    grid = own_grid(tmp_path, "lr", "c = [0.001]\nmax_features = [5]")
    arguments = [*grid, "--choose", "recall", "-o", tmp_path / "g"]
    done = wikibias("classify", "--model", "lr", *files(tsv), *arguments).well()
    assert "than calling everything biased (1.000)" in done.err


def test_all_models_side_by_side(corpus: Path) -> None:
    shown = wikibias("classify", "--compare", corpus).well().out
    out = corpus / "models" / "comparison"
    scores = json.loads((out / "scores.json").read_text())
    compared = [name for name in OWN if name in scores["models"]]
    assert list(scores["models"]) == compared
    assert not {*OWN} - {*compared} - {"encoder", "gru"}  # which an extra and a setting may lack
    assert len(scores["mcnemar"]["test"]) == len(compared) * (len(compared) - 1) // 2
    assert (out / "char-lr" / "model.skops").exists()
    assert "McNemar on test" in shown
    assert "always" in shown


def test_folds_by_page_are_scored_beside_the_splits(corpus: Path) -> None:
    arguments = ["--cv", "page", "--folds", 3]
    wikibias("classify", "--model", "lr", corpus, *arguments).well()
    scores = json.loads((corpus / "models" / "lr" / "scores.json").read_text())
    assert list(scores["cv"]) == list(METRICS)
    assert scores["cv_grouped_by"] == "page"
    assert scores["sentences"] == {"dev": 80, "test": 80, "cv": 400}


def test_pairs(corpus: Path) -> None:
    done = wikibias("classify", "--model", "sgd", corpus, "--task", "pairs").well()
    scores = json.loads((corpus / "models" / "sgd" / "scores.json").read_text())
    assert scores["pairs"]["test"]["edits"] == 20
    assert scores["pairs"]["test"]["accuracy"]["value"] > 0.7
    assert "which side of 20 edits is biased" in done.out


@pytest.fixture
def pair_files(tmp_path: Path) -> dict[str, Path]:
    """Files of pairs: `train` with a header, `more` and `test` without one."""
    found = {}
    for name, numbers in {"train": range(30), "more": range(40, 50), "test": range(25, 38)}.items():
        lines = [
            f"{number % 7}\tThe {word} mill no {number} burned.\tThe mill no {number} burned.\n"
            for word in ("splendid", "awful")
            for number in numbers
        ]
        if name == "train":
            lines = ["revision\tsource\ttarget\n", *lines]
        else:
            lines = [line.partition("\t")[2] for line in lines]
        found[name] = tmp_path / f"{name}.tsv"
        found[name].write_text("".join(lines), encoding="utf-8")
    return found


def test_pairs_train_without_what_tests_them(pair_files: dict[str, Path], tmp_path: Path) -> None:
    arguments = ["--train", pair_files["train"], "--train", pair_files["more"]]
    out = ["--test", pair_files["test"], "-o", tmp_path / "m"]
    said = wikibias("classify", "--task", "pairs", "--model", "pair-lr", *arguments, *out).well()
    scores = json.loads((tmp_path / "m" / "scores.json").read_text())
    assert scores["pairs"]["test"]["edits"] == 26
    assert scores["pairs"]["test"]["accuracy"]["value"] == 1
    assert scores["sentences"] == {"test": 52}
    card = (tmp_path / "m" / "README.md").read_text(encoding="utf-8")
    assert "| model | 1.000 \\[1.000, 1.000\\] |" in card
    assert "left out of train: 10 pairs with a sentence of dev or test" in said.err
    assert "which side of 26 edits is biased" in said.out


def test_a_corpus_of_one_page_says_what_to_do_next(tmp_path: Path) -> None:
    corpus = result_of(tmp_path, [history("Mill", 20)], "extract", "-q")
    refused = wikibias("classify", "--model", "lr", "--cv", "page", corpus)
    warning, error = refused.err.splitlines()
    assert refused.code == 1
    assert "dev and test empty, so there is nothing to evaluate on" in warning
    assert "its sentences are of 1 page, which cannot make 5 folds" in error
    # What the warning tells to type works.
    wikibias(*shlex.split(warning.partition(": wikibias ")[2])).well()
    assert "empty" not in wikibias("classify", "--model", "lr", corpus).well().err


def test_quiet_it_shows_no_tables_of_what_it_writes(tsv: dict[str, Path], tmp_path: Path) -> None:
    for name in ("majority", "majority,nb-lr"):
        asked = ("-q", "classify", "--model", name, *files(tsv), "-o", tmp_path / name)
        assert wikibias(*asked).well().out.startswith("Written to")


def test_a_model_that_nothing_judges_says_so(tsv: dict[str, Path], tmp_path: Path) -> None:
    arguments = ["--train", tsv["train"], "-o", tmp_path / "m"]
    done = wikibias("classify", "--model", "majority", *arguments).well()
    assert "give --test FILE, or --cv near-duplicate" in done.err


def test_scores_of_two_sentences_are_no_verdict(tmp_path: Path, tsv: dict[str, Path]) -> None:
    two = tmp_path / "two.tsv"
    two.write_text("".join(tsv["test"].read_text().splitlines(keepends=True)[:2]))
    given = ["--train", tsv["train"], "--test", two, "-o", tmp_path / "m"]
    shown = wikibias("classify", "--model", "sgd", *given).well()
    few = "test: too few sentences to judge a model by (2 sentences, 1 of the rarer class; "
    assert f"Warning: {few}50 of each class are enough)" in shown.err
    # The model gives both one class, and that is said too.
    assert "sgd on test (2 sentences, too few to judge by, all of them called " in shown.out
    warnings = json.loads((tmp_path / "m" / "scores.json").read_text())["warnings"]
    assert [line.startswith(few) for line in warnings] == [True]


def test_models_do_not_lie_among_the_files_of_the_corpus(corpus: Path) -> None:
    before = sorted(path.name for path in (corpus / "corpus").iterdir())
    wikibias("classify", "--model", "majority", corpus / "corpus").well()
    assert sorted(path.name for path in (corpus / "corpus").iterdir()) == before
    assert (corpus / "models" / "majority" / "model.json").exists()


def test_a_model_of_an_older_corpus_is_marked_beside_a_new_one(corpus: Path) -> None:
    def train(name: str, *options: str) -> str:
        wikibias("classify", "--model", name, *options, corpus).well()
        folder = corpus / "models" / name
        return (folder / "report.html").read_text("utf-8")

    mark = "majority, beside this model, is of an older corpus"
    train("majority")
    assert mark not in train("nb-lr")
    path = corpus / "corpus/train.parquet"
    pd.read_parquet(path)[20:].to_parquet(path)
    assert mark in train("nb-lr", "--overwrite")
    train("majority", "--overwrite")
    assert mark not in train("nb-lr")


def test_models_are_compared_by_pairs_in_folds_by_group(
    pair_files: dict[str, Path], tmp_path: Path
) -> None:
    columns = ["--source", "2", "--target", "3", "--group", "1"]
    arguments = ["--model", "lr,pair-lr", "--cv", "group", "--folds", 3, *columns]
    train = ["--train", pair_files["train"], "-o", tmp_path / "m", *arguments]
    wikibias("classify", "--task", "pairs", *train).well()
    scores = json.loads((tmp_path / "m" / "lr" / "scores.json").read_text())
    assert (scores["cv_grouped_by"], scores["sentences"]) == ("group", {"cv": 120})
    assert scores["pairs"]["cv"]["edits"] == 60
    page = (tmp_path / "m" / "report.html").read_text(encoding="utf-8")
    assert page.index("Which side of an edit is biased") < page.index("cv: 120 sentences")
    assert "the longer side" in page


def test_pairs_whose_columns_nobody_knows_are_told(tmp_path: Path) -> None:
    file = tmp_path / "p.tsv"
    file.write_text("7\tA fine mill.\tA mill.\n", encoding="utf-8")
    ended = wikibias("classify", "--task", "pairs", "--model", "lr", "--train", file)
    ended.refused(
        "if it holds sentence pairs, give --source and --target, by name or number from 1"
    )


# With several labels.
def labelled_rows(count: int, seed: int, pages: int) -> list[dict[str, object]]:
    found = []
    for number, (label, text) in enumerate(made_up(count, seed)):
        labels = ["tone"] * (label == "biased") + ["dated"] * (number % 3 == 0)
        said = f"{text} in recent years" if "dated" in labels else text
        judged = ["tone", "dated"] if number % 5 else ["dated"]
        page = pages + number // 4
        found.append({"text": said, "labels": labels, "judged": judged, "page_id": page})
    return found


@pytest.fixture
def label_files(tmp_path: Path) -> dict[str, Path]:
    found = {}
    for name, count, seed in (("train", 240, 1), ("test", 120, 5)):
        found[name] = tmp_path / f"{name}.jsonl"
        lines = (json.dumps(row) + "\n" for row in labelled_rows(count, seed, 1000 * seed))
        found[name].write_text("".join(lines), encoding="utf-8")
    return found


def test_labels_are_learnt_judged_and_predicted(
    label_files: dict[str, Path], tmp_path: Path
) -> None:
    outs = [tmp_path / "one", tmp_path / "two"]
    for out in outs:
        arguments = ("--model", "nb-lr", *files(label_files), "--cv", "page", "--folds", "3")
        done = wikibias("classify", "--task", "labels", *arguments, "-o", out)
        assert done.well().errors == []
        assert "All judged labels of a sentence right:" in done.out
    for name in ("scores.json", "report.html", "README.md", "predictions-test.tsv"):
        assert (outs[0] / name).read_bytes() == (outs[1] / name).read_bytes(), name

    scores = json.loads((outs[0] / "scores.json").read_text(encoding="utf-8"))
    assert (scores["task"], scores["labels"]) == ("labels", ["dated", "tone"])
    test = scores["test"]
    assert test["labels"]["dated"]["f1"]["value"] > 0.9
    # A sentence that is not judged by a label counts for none of its scores.
    assert test["sentences"]["dated"] == {"judged": 120, "with_label": 40}
    assert test["sentences"]["tone"]["judged"] < 120
    mean = sum(test["labels"][name]["mcc"]["value"] for name in ("dated", "tone")) / 2
    assert test["macro"]["mcc"]["value"] == pytest.approx(mean)
    assert test["subset_accuracy"]["low"] <= test["subset_accuracy"]["value"]
    both = test["co_occurrence"]["dated"]["tone"]
    assert both == test["co_occurrence"]["tone"]["dated"] > 0
    assert set(scores["cv"]["calibration_error"]) == {"dated", "tone"}

    header, *lines = (outs[0] / "predictions-test.tsv").read_text(encoding="utf-8").splitlines()
    names = ["row", "labels", "judged", "decision", "dated", "tone", "sentence"]
    assert header.split("\t") == names
    assert len(lines) == 120
    predicted = wikibias("predict", outs[0], stdin=b"It fell in recent years\n\n")
    labels, blank = predicted.out.splitlines()
    assert labels.startswith("dated:0.")
    assert " tone:0." in labels
    assert labels.endswith("\tIt fell in recent years")
    assert not blank
    as_json = wikibias("predict", "--json", outs[0], stdin=b"It fell in recent years\n")
    assert set(json.loads(as_json.out)["labels"]) == {"dated", "tone"}
    ended = wikibias("predict", "--explain", outs[0], stdin=b"one\n")
    ended.refused("--explain is for a model of one label")


def test_a_label_of_five_rows_is_named(label_files: dict[str, Path], tmp_path: Path) -> None:
    few = [
        {**row, "labels": ["dated"] * (number < 5), "judged": ["dated"]}
        for number, row in enumerate(labelled_rows(60, 1, 0))
    ]
    path = tmp_path / "few.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in few), encoding="utf-8")
    arguments = ("--task", "labels", "--model", "lr", "--train", path, "-o", tmp_path / "few")
    done = wikibias("classify", *arguments).well()
    line, unscored = [line for line in done.err.splitlines() if line]
    assert "neither dev nor test has a sentence, so the model was not scored" in unscored
    assert "train, dated: 5 sentences to learn it from; under 50 a model says little" in line
