"""`wikibias stress`: models, files of predictions, what is written, and what is refused."""

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from exports import wikibias
from wikibias.models.estimators import registry

NEUTRAL = ["the council approved the budget", "the town lies on a river"]
BIASED = ["the awful council shamelessly approved it", "a truly great and heroic town"]
TESTS = """language = "en"
[[list]]
name = "town"
words = ["Ashford", "Milton", "Welby"]
[[list]]
name = "loaded"
words = ["awful", "shameless"]
[[test]]
name = "towns"
kind = "INV"
about = "another town"
[[test.templates]]
category = "towns"
swap = "town"
neutral = ["{town} lies on a river.", "The council of {town} approved the budget."]
biased = ["The awful council of {town} approved it shamelessly."]
[[test]]
name = "words"
kind = "DIR"
about = "loaded words"
[[test.templates]]
category = "adjective"
neutral = ["The <loaded> council of {town} approved the budget."]
"""


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with two models: one that learnt a little, and one that says biased."""
    folder = tmp_path_factory.mktemp("models")
    biased = np.array([False, True] * 10)
    texts = [text for pair in zip(NEUTRAL, BIASED, strict=True) for text in pair] * 5
    for name in ("nb-lr", "majority"):
        registry.CLASSIFIERS.save(
            registry.create(name).fit(texts, biased), folder / name, {"lang": "en"}
        )
    return folder


@pytest.fixture
def tests(tmp_path: Path) -> Path:
    path = tmp_path / "own.toml"
    path.write_text(TESTS, encoding="utf-8")
    return path


def read(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "stress.json").read_text(encoding="utf-8"))
    return found


def test_models_are_tested_and_compared(models: Path, tests: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    both = (models / "nb-lr", models / "majority")
    line = ("stress", *both, "--tests", tests, "--out", out)
    done = wikibias(*line)
    assert done.code == 0, done.err
    found = read(out)
    assert found["models"]["nb-lr"]["towns"]["rows"] == 18
    assert found["models"]["nb-lr"]["words"]["kind"] == "DIR"
    assert set(found["common"]) == {"towns", "words"}
    assert "towns, as expected by one of two" in " ".join(done.out.split())
    assert "Failures of" in (out / "report.html").read_text(encoding="utf-8")
    before = (out / "stress.json").read_bytes()
    assert wikibias(*line).code == 0  # its own files may be replaced
    assert (out / "stress.json").read_bytes() == before
    again = wikibias("stress", out / "answers.jsonl", "--out", tmp_path / "again")
    assert again.code == 0, again.err
    assert read(tmp_path / "again")["models"] == found["models"]


def test_sentences_go_out_and_predictions_come_back(tests: Path, tmp_path: Path) -> None:
    sentences, said = tmp_path / "sentences.jsonl", tmp_path / "said.jsonl"
    done = wikibias("stress", "--tests", tests, "--write", sentences)
    assert done.code == 0, done.err
    rows = [json.loads(line) for line in sentences.read_text(encoding="utf-8").splitlines()]
    lines = [
        {
            "item": row["item"],
            "annotator": "me",
            "bias": "biased" if "awful" in row["text"] else "?",
        }
        for row in rows
    ]
    said.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    done = wikibias("stress", said, "--sentences", sentences, "--out", tmp_path / "s")
    assert done.code == 0, done.err
    found = read(tmp_path / "s")["models"]["me"]
    assert found["words"]["as_expected"]["value"] == 1 / 2
    assert found["words"]["right_originals"] == 0
    assert found["towns"]["templates"]["biased"]["of_right_originals"]["value"] == 1
    assert "answers of neither biased nor neutral" in done.err


def test_only_the_tests_and_the_cases_asked_for_are_counted(
    models: Path, tests: Path, tmp_path: Path
) -> None:
    options = ("--tests", tests, "--tests", "towns", "--only", "neutral-templates", "-n", 9)
    done = wikibias("stress", models / "majority", *options, "--out", tmp_path / "s")
    assert done.code == 0, done.err
    found = read(tmp_path / "s")["models"]["majority"]
    assert list(found) == ["towns"]
    assert found["towns"]["rows"] == 6
    assert list(found["towns"]["templates"]) == ["neutral"]


def test_the_language_is_that_of_the_models(models: Path, tmp_path: Path) -> None:
    for language, town in (("", "Peru"), ("bg", "Гърция")):
        path = tmp_path / f"s{language}.jsonl"
        options = ("--language", language) if language else ()
        done = wikibias("stress", "--write", path, *options)
        assert done.code == 0, done.err
        assert town in path.read_text(encoding="utf-8")
    done = wikibias("stress", models / "majority", "--tests", "factual", "-n", 20)
    assert done.code == 0, done.err
    assert "factual MFT" in done.out


def test_models_of_one_name_are_told_apart_by_their_folders(
    models: Path, tests: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "judged" / "nb-lr"
    shutil.copytree(models / "nb-lr", copy)
    rows = [{"test": "a", "text": "An old town.", "expected": 0, "predicted": 0}]
    files = [tmp_path / folder / "said.jsonl" for folder in ("one", "two")]
    for file in files:
        file.parent.mkdir()
        file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    out = tmp_path / "out"
    sources = (models / "nb-lr", copy, models / "majority", *files)
    done = wikibias("stress", *sources, "--tests", tests, "--out", out)
    assert done.code == 0, done.err
    names = [str(models / "nb-lr"), str(copy), "majority", *map(str, files)]
    assert list(read(out)["models"]) == names


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "name the folder of a model or a file of predictions"),
        (("{models}/majority", "{models}/majority"), "is given twice; leave one out"),
        (("{models}/none",), "neither the folder of a model nor a file of predictions"),
        (("{models}",), "no model.json in it"),
        (("{models}/majority", "--tests", "loadd"), "did you mean 'loaded'"),
        (("{models}/majority", "--language", "xx"), "no stress tests for 'xx'"),
        (("{models}/majority", "--write", "{out}/s.jsonl"), "leave the models out"),
        (("--write", "{out}/taken.jsonl"), "exists; give another name"),
        (("{models}/majority", "--out", "{out}"), "holds what this command did not write"),
        (("{out}/taken.jsonl",), "no column called changed, text"),
        (("{out}/half.jsonl",), "half.jsonl:1: half a character"),
        (
            ("{out}/taken.jsonl", "--sentences", "{out}/half.jsonl"),
            "half.jsonl:1: half a character",
        ),
    ],
)
def test_what_cannot_be_done_is_said(
    arguments: tuple[str, ...], said: str, models: Path, tmp_path: Path
) -> None:
    (tmp_path / "taken.jsonl").write_text('{"a": 1}\n')
    (tmp_path / "half.jsonl").write_text('{"text": "\\ud83d", "expected": 1, "predicted": 1}\n')
    done = wikibias("stress", *(each.format(models=models, out=tmp_path) for each in arguments))
    assert done.code in (1, 2)
    assert said in done.err
    assert done.err.count("\n") == 1
