from __future__ import annotations

from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from sample_examples import as_examples, examples
from sample_sentences import made_up
from wikibias.models.evaluation.experiment import Experiment
from wikibias.models.examples import Splits
from wikibias.models.grid_search import Grid
from wikibias.models.training import Comparison, Task, run_comparison, run_grid, run_model
from wikibias.reports import classifier_page
from wikibias.reports.classifier_figures import CONSTANT

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
    classifier_page.write_experiment(run_model("char-lr", task), task.splits, task.out)
    page = (task.out / "report.html").read_text(encoding="utf-8")
    assert "&lt;script&gt;" in page
    parser = Tags()
    parser.feed(page)
    assert not [tag for tag, _ in parser.seen if tag in {"script", "link", "iframe"}]
    assert not [tag for tag, _ in parser.seen if tag == "img"]
    assert len([tag for tag, _ in parser.seen if tag == "svg"]) == 3
    drawn = sorted(path.name for path in (task.out / "figures").iterdir())
    assert drawn == ["test-confusion.svg", "test-reliability.svg", "test-scores.svg"]


def test_the_most_confident_errors_come_first(task: Task) -> None:
    experiment = run_model("nearest", task)
    outcome = experiment.outcomes["test"]
    table = classifier_page._errors("test", outcome)
    for _, row, label, probability in table.rows:
        place = int(f"{row}") - 1
        assert (float(f"{probability}") > 0.5) != (label == "biased")
        assert outcome.examples.biased[place] == (label == "biased")


def test_a_page_without_held_out_sentences_says_so(task: Task, tmp_path: Path) -> None:
    alone = Task(Splits({"train": task.splits.train}), tmp_path, resamples=20)
    classifier_page.write_experiment(run_model("majority", alone), alone.splits, tmp_path)
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "nothing was held out" in page
    assert "wikibias classify --model majority --cv near-duplicate" in page


def test_a_page_without_errors_says_so(tmp_path: Path) -> None:
    train = examples("train", 120, 1)
    task = Task(Splits({"train": train, "test": train}), tmp_path, resamples=20)
    classifier_page.write_experiment(run_model("nearest", task), task.splits, tmp_path)
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "<h3>Most confident errors</h3>\n<p>None.</p>" in page


def test_a_comparison_has_every_model_and_every_test(task: Task) -> None:
    seen: list[str] = []

    def progress(experiment: Experiment, out: Path) -> None:
        assert (out / "model.json").exists()
        seen.append(experiment.model.name)

    found: Comparison = run_comparison(["majority", "lr", "nearest"], task, progress)
    classifier_page.write_comparison(found, task.splits, task.out)
    assert seen == ["majority", "lr", "nearest"]
    page = (task.out / "report.html").read_text(encoding="utf-8")
    assert page.count("<tr") == 2 * (1 + 4) + (1 + 3) + (1 + 2)
    of_scores = page.partition("McNemar")[0]
    for name in (*seen, CONSTANT):
        assert of_scores.count(f'dir="auto" role="rowheader">{name}</th>') == 2
    # The best first, though it was trained second or third; the constant stands last.
    scores = {e.model.name: e.outcomes["test"].scores["mcc"]["value"] for e in found.experiments}
    best = max(scores, key=lambda name: scores[name] or -2.0)
    table = page.partition("<tbody>")[2]
    assert table.index(f">{best}</th>") < min(table.index(f">{n}</th>") for n in seen if n != best)
    assert table.index(f">{CONSTANT}</th>") > max(table.index(f">{n}</th>") for n in seen)
    assert "corrected for the 3 tests" in page
    drawn = sorted(path.name for path in (task.out / "figures").iterdir())
    assert drawn == [f"test-comparison-{m}.svg" for m in ("brier", "f1", "mcc", "roc_auc")]


def test_a_page_names_its_data_and_leads_to_the_edits(tmp_path: Path) -> None:
    rows = made_up(40, 3)
    test = replace(
        as_examples("test.parquet", rows),
        ids=[f"demo-{n}" for n in range(40)],
        urls=[f"{'https://a.example/?diff=' if n % 4 else 'javascript:'}{n}" for n in range(40)],
    )
    facts = {"wiki": BOMB, "tag set": "npov\x1b[31m"}
    splits = Splits({"train": examples("train", 120, 1), "test": test}, corpus=facts)
    task = Task(splits, tmp_path, resamples=20)
    classifier_page.write_experiment(run_model("majority", task), splits, tmp_path)
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    parser = Tags()
    parser.feed(page)
    links = [attributes.get("href") or "" for tag, attributes in parser.seen if tag == "a"]
    assert [link for link in links if not link.startswith("#")] == [
        f"https://a.example/?diff={n}" for n in (2, 6, 10, 14)
    ]
    assert "demo-4<" in page
    assert "test.parquet" in page
    assert "npov\\x1b[31m" in page
    assert not [tag for tag, _ in parser.seen if tag in {"script", "img"}]
    # Few sentences are no ground for a verdict.
    assert "No verdict." in page
    assert page.count("Too few to judge by.") == 1


def test_a_page_of_enough_sentences_warns_of_nothing(tmp_path: Path) -> None:
    splits = Splits({"train": examples("train", 120, 1), "test": examples("test", 120, 3)})
    experiment = run_model("lr", Task(splits, tmp_path, resamples=20))
    classifier_page.write_experiment(experiment, splits, tmp_path)
    assert experiment.warnings() == []
    assert "verdict" not in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_a_grid_shows_what_was_chosen_and_how_each_value_did(tmp_path: Path) -> None:
    splits = Splits({"train": examples("train", 120, 1), "dev": examples("dev", 40, 2)})
    task = Task(splits, tmp_path, resamples=20)
    grid = Grid("lr", "mcc", {"max_features": [5, 300], "c": [0.1, 1.0]})
    found = run_grid(grid, grid.combinations(), task, jobs=1, progress=lambda _: None)
    experiment = run_model("lr", task, found.parameters)
    classifier_page.write_experiment(experiment, splits, tmp_path, found)
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "4 combinations tried on dev, the best by MCC" in page
    for name, value in found.parameters.items():
        assert f'<dt>{name}</dt><dd dir="auto">{value}</dd>' in page
        assert f"{value} (chosen)" in page
        assert (tmp_path / f"figures/grid-{name}.svg").exists()
