"""`wikibias classify --task labels` and `predict` with such a model, from the command line."""

import json
from pathlib import Path

import pytest

from exports import wikibias
from sample_sentences import made_up


def rows(count: int, seed: int, pages: int) -> list[dict[str, object]]:
    found = []
    for number, (label, text) in enumerate(made_up(count, seed)):
        labels = ["tone"] * (label == "biased") + ["dated"] * (number % 3 == 0)
        said = f"{text} in recent years" if "dated" in labels else text
        judged = ["tone", "dated"] if number % 5 else ["dated"]
        page = pages + number // 4
        found.append({"text": said, "labels": labels, "judged": judged, "page_id": page})
    return found


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    found = {}
    for name, count, seed in (("train", 240, 1), ("test", 120, 5)):
        found[name] = tmp_path / f"{name}.jsonl"
        lines = (json.dumps(row) + "\n" for row in rows(count, seed, 1000 * seed))
        found[name].write_text("".join(lines), encoding="utf-8")
    return found


def test_labels_are_learnt_judged_and_predicted(files: dict[str, Path], tmp_path: Path) -> None:
    given = [word for name, path in files.items() for word in (f"--{name}", path)]
    outs = [tmp_path / "one", tmp_path / "two"]
    for out in outs:
        arguments = ("--model", "nb-lr", *given, "--cv", "page", "--folds", "3")
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
    wikibias("predict", "--explain", outs[0], stdin=b"one\n").refused(
        "--explain is for a model of one label"
    )


def test_a_label_of_five_rows_is_named(files: dict[str, Path], tmp_path: Path) -> None:
    few = [
        {**row, "labels": ["dated"] * (number < 5), "judged": ["dated"]}
        for number, row in enumerate(rows(60, 1, 0))
    ]
    path = tmp_path / "few.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in few), encoding="utf-8")
    arguments = ("--task", "labels", "--model", "lr", "--train", path, "-o", tmp_path / "few")
    done = wikibias("classify", *arguments).well()
    line, unscored = [line for line in done.err.splitlines() if line]
    assert "neither dev nor test has a sentence, so the model was not scored" in unscored
    assert "train, dated: 5 sentences to learn it from; under 50 a model says little" in line


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ("--train TRAIN --compare", 2, "--compare is not for --task labels"),
        ("--model lr,sgd --train TRAIN", 2, "--model A,B is not for --task labels"),
        ("--model lr --train TRAIN --grid", 2, "--grid is not for --task labels"),
        ("--model lr --train TRAIN --choose f1", 2, "--choose is not for --task labels"),
        ("--model lr --train TRAIN --set vectors=TRAIN", 2, "has no parameter 'vectors'"),
        ("--model lr --test TRAIN", 2, "give --train FILE"),
        ("--model lr EMPTY", 2, "no sentences with several labels (labelled/train.parquet)"),
        ("--model lr --train BAD", 1, "no column 'labels'"),
        ("--model lr --train TRAIN --train-first TRAIN", 1, "every sentence of it is in train"),
    ],
)
def test_what_is_wrong_is_one_line(
    arguments: str, code: int, message: str, files: dict[str, Path], tmp_path: Path
) -> None:
    bad, empty = tmp_path / "bad.jsonl", tmp_path / "empty"
    bad.write_text('{"text": "one"}\n', encoding="utf-8")
    empty.mkdir()
    stands_for = {"TRAIN": files["train"], "BAD": bad, "EMPTY": empty}
    words = [stands_for.get(word, word) for word in arguments.split()]
    done = wikibias("classify", "--task", "labels", *words, "-o", tmp_path / "out")
    done.refused(message, code=code)
