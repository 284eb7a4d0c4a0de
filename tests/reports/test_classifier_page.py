from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

import pytest

from sample_examples import as_examples, examples
from sample_sentences import made_up
from wikibias.models.evaluation.experiment import Experiment
from wikibias.models.examples import Splits
from wikibias.models.training import Comparison, Task, run_comparison, run_model
from wikibias.reports import classifier_page

BOMB = "<script>alert(1)</script> <img src=x onerror=alert(2)>"


class Tags(HTMLParser):
    """Collects the tags with their attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))


@pytest.fixture
def task(tmp_path: Path) -> Task:
    test = [(label, f"{BOMB} {text}") for label, text in made_up(40, 3)]
    splits = {"train": examples("train", 120, 1), "test": as_examples("test", test)}
    return Task(Splits(splits), tmp_path, resamples=20)


def test_markup_in_a_sentence_stays_text_and_the_page_loads_nothing(task: Task) -> None:
    classifier_page.write_experiment(run_model("char-lr", task), task.out)
    page = (task.out / "report.html").read_text(encoding="utf-8")
    assert "&lt;script&gt;" in page
    parser = Tags()
    parser.feed(page)
    assert not [tag for tag, _ in parser.seen if tag in {"script", "link", "iframe"}]
    sources = [attributes["src"] for tag, attributes in parser.seen if tag == "img"]
    assert len(sources) == 3
    assert all(str(source).startswith("data:image/png;base64,") for source in sources)
    drawn = sorted(path.name for path in (task.out / "figures").iterdir())
    assert drawn == ["test-confusion.png", "test-reliability.png", "test-scores.png"]


def test_the_most_confident_errors_come_first(task: Task) -> None:
    experiment = run_model("nearest", task)
    outcome = experiment.outcomes["test"]
    table = classifier_page._errors(outcome)
    for _, row, probability, label in table.rows:
        place = int(str(row)) - 1
        assert (float(str(probability)) > 0.5) != (label == "biased")
        assert outcome.examples.biased[place] == (label == "biased")


def test_a_page_without_held_out_sentences_says_so(task: Task, tmp_path: Path) -> None:
    alone = Task(Splits({"train": task.splits.train}), tmp_path, resamples=20)
    classifier_page.write_experiment(run_model("majority", alone), tmp_path)
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "nothing was held out" in page
    assert "wikibias classify --model majority --cv near-duplicate" in page


def test_a_page_without_errors_says_so(tmp_path: Path) -> None:
    train = examples("train", 120, 1)
    task = Task(Splits({"train": train, "test": train}), tmp_path, resamples=20)
    classifier_page.write_experiment(run_model("nearest", task), tmp_path)
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "<h3>Most confident errors</h3>\n<p>None.</p>" in page


def test_a_comparison_has_every_model_and_every_test(task: Task) -> None:
    seen: list[str] = []

    def progress(experiment: Experiment, out: Path) -> None:
        assert (out / "model.json").exists()
        seen.append(experiment.model.name)

    found: Comparison = run_comparison(["majority", "lr", "nearest"], task, progress)
    classifier_page.write_comparison(found, task.out)
    assert seen == ["majority", "lr", "nearest"]
    page = (task.out / "report.html").read_text(encoding="utf-8")
    for name in (*seen, classifier_page.CONSTANT):
        assert f'<th scope="row" class="text" dir="auto">{name}</th>' in page
    assert page.count("<tr>") == 1 + 4 + 1 + 3
