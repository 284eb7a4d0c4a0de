"""`wikibias neutralise`: rewrites and their scores, through the command line."""

import json
from pathlib import Path

import pytest

from exports import wikibias
from put import put
from rewriting import pairs_file

WORDS = "notorious famous hideous lovely great terrible awful grand".split()
COLUMNS = ("--source", "before", "--target", "after", "--output", "mine")


@pytest.fixture
def rewrites(tmp_path: Path) -> Path:
    lines = ["before\tafter\tmine\tjudged"]
    for n, word in enumerate(WORDS):
        source, target = (f"the {w}mill of the town was closed in {n}" for w in (f"{word} ", ""))
        lines.append(f"{source}\t{target}\t{target if n % 2 else source}\t{n % 2}")
    return put(tmp_path / "rewrites.tsv", "\n".join(lines) + "\n")


def test_score_writes_what_it_shows(rewrites: Path, tmp_path: Path) -> None:
    out = tmp_path / "j.json"
    command = ("neutralise", "score", rewrites, *COLUMNS, "--verdict", "judged", "--out", out)
    assert wikibias("-q", *command).well().out == f"Written to {out}\n"
    done = wikibias(*command).well()
    found = json.loads(out.read_text())
    assert (found["n"], found["exact"], found["unchanged"]) == (8, 4, 4)
    assert found["intervals"]["bleu"][0] <= found["bleu"] <= found["intervals"]["bleu"][1]
    assert found["note"].startswith("Exact match is no success rate")
    assert "Exact match is no success rate" in done.out
    assert f"{found['sari']:g}" in done.out
    assert "Beside people, who passed 4 of 8" in done.out
    assert found["verdict"]["exact"]["accuracy"]["value"] == 1.0


@pytest.fixture
def table(tmp_path: Path) -> Path:
    return pairs_file(tmp_path)


def test_train_predict_and_score(table: Path, rewrites: Path, tmp_path: Path) -> None:
    model = tmp_path / "m"
    done = wikibias(
        "neutralise", "train", table, "--model", "edit-table", "--lang", "en", "-o", model
    ).well()
    assert "Trained edit-table on 162 pairs." in done.out
    lines = put(tmp_path / "lines.txt", "The hideous station of the town was closed.\n")
    answer = json.loads(wikibias("neutralise", "predict", model, lines).out)
    assert answer["rewrite"] == "The station of the town was closed."
    assert answer["edits"][0]["before"] == "hideous"
    out = tmp_path / "j.json"
    wikibias(
        *("neutralise", "score", rewrites, *COLUMNS[:4], "--model", model, "--out", out)
    ).well()
    assert json.loads(out.read_text())["exact"] > 4


@pytest.mark.parametrize("lang", ["fr", "sw"])  # sw has no configuration, and needs none here
def test_a_language_without_rules_is_told(lang: str, table: Path, tmp_path: Path) -> None:
    done = wikibias(
        *("neutralise", "train", table, "--model", "copy", "--lang", lang, "-o", tmp_path / "m")
    ).well()
    (line,) = done.err.splitlines()
    assert line == (
        f"Warning: --lang {lang}: no rule for words beside an edit; only spaces and marks are "
        "mended"
    )
