"""Pages, cards, figures and terminal tables of classifiers."""

from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sample_sentences import as_examples, examples, made_up
from wikibias.kits.document import Section, Table, drawings
from wikibias.kits.html import html
from wikibias.models import report
from wikibias.models.evaluation.experiment import Outcome, evaluated
from wikibias.models.examples import PairFiles, Splits, pair_splits
from wikibias.models.grid_search import Grid, GridResult
from wikibias.models.training import Task, run_comparison, run_grid, run_model

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
    return Task(Splits(splits), tmp_path)


def test_markup_in_a_sentence_stays_text_and_the_page_loads_nothing(task: Task) -> None:
    run_model("char-lr", task)
    page = (task.out / "report.html").read_text(encoding="utf-8")
    assert "&lt;script&gt;" in page
    parser = Tags()
    parser.feed(page)
    assert not [tag for tag, _ in parser.seen if tag in {"script", "link", "iframe"}]
    assert not [tag for tag, _ in parser.seen if tag == "img"]
    assert len([tag for tag, _ in parser.seen if tag == "svg"]) == 2
    drawn = sorted(path.name for path in (task.out / "figures").iterdir())
    assert drawn == [
        "test-confusion-matrix.svg",
        "test-share-labelled-biased-calibration-curve.svg",
    ]


def test_the_most_confident_errors_come_first(task: Task) -> None:
    experiment = run_model("lr", task)
    outcome = experiment.outcomes["test"]
    described: dict[str, Any] = {"data": {}}
    sections = report.model_page(experiment, described).sections
    (table,) = (
        block
        for section in sections
        if isinstance(section, Section)
        for block in section.blocks
        if isinstance(block, Table) and block.title.startswith("Wrong on test")
    )
    for _, row, label, probability in table.rows:
        place = int(f"{row}") - 1
        assert (float(f"{probability}") > 0.5) != (label == "biased")
        assert outcome.examples.biased[place] == (label == "biased")


def test_a_page_without_errors_says_so(tmp_path: Path) -> None:
    train = examples("train", 120, 1)
    sure = {"char-lr": {"c": 1e6}}
    run_model("char-lr", Task(Splits({"train": train, "test": train}), tmp_path, parameters=sure))
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "None is wrong on test." in page


def test_a_comparison_has_every_model_and_every_test(task: Task) -> None:
    seen: list[str] = []

    def progress(name: str) -> None:
        assert (task.out / name / "model.json").exists()
        seen.append(name)

    found = run_comparison(["majority", "lr", "sgd"], task, progress)
    assert seen == ["majority", "lr", "sgd"]
    page = (task.out / "report.html").read_text(encoding="utf-8")
    assert page.count("<tr") == 2 * (1 + 4) + (1 + 3) + (1 + 2)
    of_scores = page.partition("McNemar")[0]
    for name in (*seen, report.CONSTANT):
        assert of_scores.count(f'dir="auto" role="rowheader">{name}</th>') == 2
    # The best first, though it was trained second or third; the constant stands last.
    scores = {e.model.name: e.outcomes["test"].scores["mcc"]["value"] for e in found.experiments}
    best = max(scores, key=lambda name: scores[name] or -2.0)
    table = page.partition("<tbody>")[2]
    assert table.index(f">{best}</th>") < min(table.index(f">{n}</th>") for n in seen if n != best)
    assert table.index(f">{report.CONSTANT}</th>") > max(table.index(f">{n}</th>") for n in seen)
    assert "Holm corrects for 3 tests" in page


def test_a_page_names_its_data_and_leads_to_the_edits(tmp_path: Path) -> None:
    rows = made_up(40, 3)
    test = replace(
        as_examples("test.parquet", rows),
        ids=[f"demo-{n}" for n in range(40)],
        urls=[f"{'https://a.example/?diff=' if n % 4 else 'javascript:'}{n}" for n in range(40)],
    )
    facts = {"wiki": BOMB, "tag set": "npov\x1b[31m"}
    splits = Splits({"train": examples("train", 120, 1), "test": test}, corpus=facts)
    task = Task(splits, tmp_path)
    run_model("majority", task)
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
    assert page.count("Too few to judge by: ") == 1


def test_a_page_of_enough_sentences_warns_of_nothing(tmp_path: Path) -> None:
    splits = Splits({"train": examples("train", 120, 1), "test": examples("test", 120, 3)})
    experiment = run_model("lr", Task(splits, tmp_path))
    assert experiment.warnings() == []
    assert "verdict" not in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_a_grid_shows_what_was_chosen_and_how_each_value_did(tmp_path: Path) -> None:
    splits = Splits({"train": examples("train", 120, 1), "dev": examples("dev", 40, 2)})
    task = Task(splits, tmp_path)
    grid = Grid("lr", "mcc", {"max_features": [5, 300], "c": [0.1, 1.0]})
    found = run_grid(grid, grid.combinations(), task, jobs=1)
    run_model("lr", task, found)
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "4 combinations tried on dev, the best by MCC" in page
    for name, value in found.parameters.items():
        assert f'<dt>{name}</dt><dd dir="auto">{value}</dd>' in page
        assert f"{value} (chosen)" in page


def outcome(labels: str, probabilities: list[float]) -> Outcome:
    rows = [("biased" if label == "b" else "neutral", f"{n}") for n, label in enumerate(labels)]
    return evaluated(as_examples("x", rows), np.array(probabilities), 0.5, resamples=20)


def test_the_words_say_what_one_sees(task: Task) -> None:
    experiment = run_model("lr", task)
    seen = outcome("bbnn", [0.9, 0.2, 0.4, 0.7])
    experiment = replace(experiment, outcomes={"test": seen})
    confusion, reliability = drawings(report.model_page(experiment, {"data": {}}).sections)
    assert confusion.alt == (
        "Of 2 sentences labelled biased the model calls 1 biased; of 2 labelled neutral it calls 1 "
        "neutral."
    )
    assert reliability.alt == (
        "The share labelled biased is 100% where it says 0.20; 0% where it says 0.40; "
        "0% where it says 0.70; 100% where it says 0.90."
    )


def test_names_of_parameters_are_text(task: Task) -> None:
    evil = "</text><script>x</script>$\\x1b"
    rows = [{"n": n, "alpha": f"{evil}{n}", "f1": (None, 0.5, 0.7)[n]} for n in range(3)]
    grid = Grid("lr", "f1", {"alpha": [row["alpha"] for row in rows]})
    experiment = run_model("lr", task)
    page = html(report.model_page(experiment, {"data": {}}, GridResult(grid, rows, rows[2], 0.6)))
    assert "<script>" not in page
    assert "2 (chosen)" in page


NOUNS = ("mill", "abbey", "canal", "school", "market", "harbour", "bridge", "library")
PLACES = ("north", "south", "east", "west", "middle")


def pairs_task(tmp_path: Path) -> Task:
    train, test = tmp_path / "train.tsv", tmp_path / "test.tsv"
    rows = [(noun, place) for noun in NOUNS for place in PLACES]
    for path, some in ((train, rows[:30]), (test, rows[30:])):
        lines = [
            f"{n}\tThe {noun} of the {place} is truly old.\tThe {noun} of the {place} is old.\n"
            for n, (noun, place) in enumerate(some)
        ]
        path.write_text("revision\tsource\ttarget\n" + "".join(lines), encoding="utf-8")
    # An edit the other way round, which a model of these cannot get right.
    with test.open("a", encoding="utf-8") as file:
        file.write("99\tThe inn is old.\tThe inn is truly old.\n")
    splits = pair_splits(PairFiles({"train": [train], "test": [test]}), lambda _: None)
    return Task(splits, tmp_path / "model", pairs=True)


def test_the_answer_comes_first_with_its_errors_as_pairs(tmp_path: Path) -> None:
    made = pairs_task(tmp_path)
    experiment = run_model("pair-lr", made)
    accuracy = report.score_tables(experiment)[-1]
    assert isinstance(accuracy, Table)
    assert accuracy.title.startswith("test: which side of 11 edits is biased")
    assert [row[0] for row in accuracy.rows] == ["model", "the longer side", "random guess"]
    page = (made.out / "report.html").read_text(encoding="utf-8")
    wrong = page.partition("Sides mistaken on test")[2]
    assert 0 < wrong.index("The inn is old.") < wrong.index("The inn is truly old.")
    assert page.index("which side of 11 edits") < page.index("test: 22 sentences")
    # Its scores are no probabilities.
    assert "they are no probabilities" in page
    assert "calibration curve)" not in page
    assert ">Brier score" not in page


def test_what_test_shares_with_train_is_on_the_page_and_in_the_scores(tmp_path: Path) -> None:
    made = pairs_task(tmp_path)
    experiment = run_model("lr", made)
    (leak,) = experiment.leaks
    assert leak.startswith("test shares 10 groups of pairs (page or revision) with train: 0, 1, 2")
    assert "10 pairs of test" in leak
    assert experiment.as_dict()["warnings"][0] == leak
    page = (made.out / "report.html").read_text(encoding="utf-8")
    assert "Not apart from train" in page
    assert leak in page
