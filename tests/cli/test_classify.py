from __future__ import annotations

import json
import shlex
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pandas as pd
import pytest

from exports import export, history
from wikibias.cli import main
from wikibias.models.constants import METRICS
from wikibias.models.estimators.registry import OWN

QUICK = ["--resamples", "50"]


def wikibias(*arguments: object) -> int:
    """Run the real command line in this process and return its exit code."""
    with pytest.raises(SystemExit) as done:
        main([str(argument) for argument in arguments])
    return int(done.value.code or 0)


def files(tsv: dict[str, Path]) -> list[object]:
    return [word for name, path in tsv.items() for word in (f"--{name}", path)]


def test_a_corpus_directory_gets_everything(
    corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert wikibias("classify", "--model", "sgd", corpus, *QUICK) == 0
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
    assert (out / "figures" / "test-scores.png").read_bytes().startswith(b"\x89PNG")
    assert "always biased" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["sgd", "fasttext"])
def test_two_runs_leave_the_same_bytes(name: str, tsv: dict[str, Path], tmp_path: Path) -> None:
    for run in ("one", "two"):
        assert wikibias("classify", "--model", name, *files(tsv), *QUICK, "-o", tmp_path / run) == 0
    for file in ("predictions-dev.tsv", "predictions-test.tsv", "scores.json", "report.html"):
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()


def test_predict_answers_line_by_line_in_a_new_process(
    tsv: dict[str, Path], tmp_path: Path
) -> None:
    model = tmp_path / "m"
    wikibias("classify", "--model", "nb-lr", *files(tsv), *QUICK, "-o", model)
    sentences = [line.split("\t")[1] for line in tsv["test"].read_text().splitlines()]
    done = subprocess.run(
        [sys.executable, "-m", "wikibias", "predict", str(model)],
        input="\n".join([*sentences, "", "truly"]),
        capture_output=True,
        text=True,
        check=True,
    )
    answers = done.stdout.split("\n")
    assert answers[80] == ""
    assert answers[81].endswith("\ttruly")
    saved = (model / "predictions-test.tsv").read_text().splitlines()[1:]
    assert [a.split("\t")[0] for a in answers[:80]] == [line.split("\t")[3] for line in saved]


def test_a_model_of_a_corpus_reads_sentences_as_people_write_them(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wikibias("classify", "--model", "char-lr", corpus, *QUICK)
    sentences = tmp_path / "s.txt"
    sentences.write_text("Truly, the town’s river (1,234)!\ntruly the town s river numtkn\n")
    capsys.readouterr()
    assert wikibias("predict", corpus / "models" / "char-lr", sentences) == 0
    answers = [line.split("\t")[0] for line in capsys.readouterr().out.splitlines()]
    assert answers[0] == answers[1]
    wikibias("predict", corpus / "models" / "char-lr", sentences, "--json")
    assert "Truly, the town’s river" in capsys.readouterr().out  # shown as it was written


def test_predict_explains(
    tsv: dict[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wikibias("classify", "--model", "nb-lr", *files(tsv), *QUICK, "-o", tmp_path / "m")
    sentence = tmp_path / "s.txt"
    sentence.write_text("the town opened a truly north school\n")
    capsys.readouterr()
    assert wikibias("predict", tmp_path / "m", sentence, "--explain", "--json") == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["words"][0][0] == "truly"
    assert 0.5 < answer["probability"] < 1


def test_a_grid_chooses_on_dev_and_can_be_resumed(
    tsv: dict[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    space = tmp_path / "space.toml"
    space.write_text("[space]\nngrams = [1, 2]\nmax_features = [20, 400]\nalpha = [0.01, 0.001]\n")
    arguments = ["classify", "--model", "sgd", *files(tsv), *QUICK, "--grid-file", space]
    arguments += ["--choose", "mcc", "--jobs", 1, "-o", tmp_path / "g"]
    assert wikibias(*arguments) == 0
    first = {
        p.name: p.read_bytes() for p in (tmp_path / "g").iterdir() if p.suffix in {".csv", ".tsv"}
    }
    table = pd.read_parquet(tmp_path / "g" / "grid.parquet")
    assert len(table) == 8
    winner = json.loads((tmp_path / "g" / "grid.json").read_text())["winner"]
    assert winner["mcc"] == table["mcc"].max()
    described = json.loads((tmp_path / "g" / "model.json").read_text())
    assert described["parameters"]["max_features"] == winner["max_features"]
    assert (tmp_path / "g" / "figures" / "grid.png").exists()
    journal = tmp_path / "g" / "grid.jsonl"
    journal.write_text("\n".join(journal.read_text().splitlines()[:4]) + "\n")
    assert wikibias(*arguments) == 0
    for name, content in first.items():
        assert (tmp_path / "g" / name).read_bytes() == content


def test_a_grid_that_only_finds_the_constant_classifier_says_so(
    tsv: dict[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    space = tmp_path / "space.toml"
    space.write_text("[space]\nc = [0.001]\nmax_features = [5]\n")
    arguments = ["--grid-file", space, "--choose", "recall", *QUICK, "-o", tmp_path / "g"]
    assert wikibias("classify", "--model", "lr", *files(tsv), *arguments) == 0
    assert "than calling everything biased (1.000)" in capsys.readouterr().err


def test_all_models_side_by_side(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert wikibias("classify", "--compare", corpus, *QUICK) == 0
    out = corpus / "models" / "comparison"
    scores = json.loads((out / "scores.json").read_text())
    assert list(scores["models"]) == list(OWN)
    assert len(scores["mcnemar"]["test"]) == len(OWN) * (len(OWN) - 1) // 2
    assert (out / "figures" / "test-comparison.png").exists()
    assert (out / "char-lr" / "model.skops").exists()
    shown = capsys.readouterr().out
    assert "McNemar on test" in shown
    assert "always biased" in shown


def test_folds_by_page_are_scored_beside_the_splits(corpus: Path) -> None:
    arguments = ["--cv", "page", "--folds", 3, *QUICK]
    assert wikibias("classify", "--model", "lr", corpus, *arguments) == 0
    scores = json.loads((corpus / "models" / "lr" / "scores.json").read_text())
    assert list(scores["cv"]) == list(METRICS)
    assert scores["cv_grouped_by"] == "page"
    assert scores["sentences"] == {"dev": 80, "test": 80, "cv": 400}


def test_pairs_and_seeds(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["classify", "--model", "sgd", corpus, *QUICK, "--task", "pairs", "--seeds", 3]
    assert wikibias(*arguments) == 0
    scores = json.loads((corpus / "models" / "sgd" / "scores.json").read_text())
    assert scores["pairs"]["test"]["edits"] == 20
    assert scores["pairs"]["test"]["accuracy"]["value"] > 0.7
    assert scores["seeds"]["test"]["f1"]["low"] <= scores["seeds"]["test"]["f1"]["mean"]
    assert "which side of 20 edits is biased" in capsys.readouterr().out


def test_audit_of_files_and_of_a_corpus(
    tsv: dict[str, Path], corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert wikibias("audit-split", *tsv.values(), "--json", tmp_path / "a.json") == 0
    assert json.loads((tmp_path / "a.json").read_text())["sentences"]["test"] == 80
    assert "of test has a neighbour in train" in capsys.readouterr().out
    assert wikibias("audit-split", corpus, "--ngrams", "word") == 0


def test_audit_ends_in_a_verdict(tsv: dict[str, Path], capsys: pytest.CaptureFixture[str]) -> None:
    def verdict(*paths: Path) -> str:
        capsys.readouterr()
        assert wikibias("audit-split", *paths) == 0
        return capsys.readouterr().out.splitlines()[-1]

    none = "no sentence of dev or test has a neighbour in train."
    assert verdict(*tsv.values()).startswith(f"The split is clean: {none}")
    one = tsv["test"].with_name("one.tsv")
    (first, *_) = tsv["train"].read_text(encoding="utf-8").splitlines(keepends=True)
    one.write_text(tsv["test"].read_text(encoding="utf-8") + first, encoding="utf-8")
    some = "no more than 1.2% of test has a neighbour in train."
    assert verdict(tsv["train"], one).startswith(f"The split is clean: {some}")
    leaks = verdict(tsv["train"], tsv["train"])
    assert leaks.startswith("The split leaks: 100.0% of test has a neighbour in train.")
    assert "--cv near-duplicate" in leaks
    assert verdict(tsv["train"]).startswith("Nothing can leak")


def test_a_corpus_of_one_page_says_what_to_do_next(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.xml").write_bytes(export([history("Mill", 20)]))
    corpus = tmp_path / "c"
    assert wikibias("extract", "-q", "--lang", "en", "-o", corpus, tmp_path / "a.xml") == 0
    capsys.readouterr()
    assert wikibias("classify", "--model", "lr", "--cv", "page", corpus, *QUICK) == 1
    warning, error = capsys.readouterr().err.splitlines()
    assert "dev and test empty, so nothing is judged there" in warning
    assert "its sentences are of 1 page, which cannot make 5 folds" in error
    # What the warning tells to type works.
    assert wikibias(*shlex.split(warning.partition(": wikibias ")[2])) == 0
    capsys.readouterr()
    assert wikibias("classify", "--model", "lr", corpus, *QUICK) == 0
    assert "empty" not in capsys.readouterr().err


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.seen: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))


def test_markup_in_a_sentence_stays_text_and_the_page_loads_nothing(
    tsv: dict[str, Path], tmp_path: Path
) -> None:
    bomb = "<script>alert(1)</script> <img src=x onerror=alert(2)>"
    lines = [f"{label}\t{bomb} {i}\n" for i in range(20) for label in ("biased", "neutral")]
    tsv["test"].write_text("".join(lines))
    wikibias("classify", "--model", "char-lr", *files(tsv), *QUICK, "-o", tmp_path / "m")
    page = (tmp_path / "m" / "report.html").read_text()
    assert "&lt;script&gt;" in page
    parser = _Tags()
    parser.feed(page)
    assert not [tag for tag, _ in parser.seen if tag in {"script", "link", "iframe"}]
    sources = [attributes["src"] for tag, attributes in parser.seen if tag == "img"]
    assert sources
    assert all(str(source).startswith("data:image/png;base64,") for source in sources)


# What is typed after `wikibias`, the exit code, and what the line says.
WRONG = {
    "no model": ("classify TRAIN", 2, "--model NAME"),
    "unknown model": ("classify --model sdg TRAIN", 2, "did you mean 'sgd'"),
    "nothing to train on": ("classify --model lr", 2, "give a corpus directory"),
    "unknown language": ("classify --model lr --lang xx TRAIN", 2, "unknown language 'xx'"),
    "grid without dev": ("classify --model sgd --grid TRAIN", 2, "give --dev FILE"),
    "no grid for it": ("classify --model majority --grid TRAIN", 2, "no grid for model"),
    "pages of a file": ("classify --model lr --cv page TRAIN", 2, "needs a corpus directory"),
    "no such file": ("classify --model lr --train /none.tsv", 2, "does not exist"),
    "no model there": ("predict FOLDER", 1, "no model.json in it"),
    "no corpus there": ("audit-split FOLDER", 1, "no sentences to train on"),
    "a line without a tab": ("classify --model lr --train BROKEN", 1, "broken.tsv:2: no tab"),
    "nothing to compare on": ("classify --compare --models lr TRAIN", 1, "no dev or test"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_said_in_one_line(
    case: str,
    tsv: dict[str, Path],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    arguments, code, message = WRONG[case]
    (tmp_path / "broken.tsv").write_text("biased\tone\ntwo\n")
    (tmp_path / "empty").mkdir()
    stands_for = {
        "TRAIN": ["--train", tsv["train"]],
        "FOLDER": [tmp_path / "empty"],
        "BROKEN": [tmp_path / "broken.tsv"],
    }
    words = [word for a in arguments.split() for word in stands_for.get(a, [a])]
    assert wikibias(*words) == code
    said = capsys.readouterr().err
    assert message in said
    assert "Traceback" not in said
    assert len([line for line in said.splitlines() if line.startswith("Error")]) == 1


@pytest.mark.parametrize("command", ["classify", "predict", "audit-split"])
def test_help_shows_an_example(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert wikibias(command, "--help") == 0
    shown = capsys.readouterr().out
    assert "Example" in shown
    assert f"  wikibias {command} " in shown
