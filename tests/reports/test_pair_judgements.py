"""The answer of `--task pairs` on the page of a classifier."""

from __future__ import annotations

from pathlib import Path

from wikibias.models.pair_examples import PairFiles, pair_splits
from wikibias.models.training import Task, run_model
from wikibias.reports import classifier_page
from wikibias.reports.classifier_page import side_accuracies

NOUNS = ("mill", "abbey", "canal", "school", "market", "harbour", "bridge", "library")
PLACES = ("north", "south", "east", "west", "middle")


def task(tmp_path: Path) -> Task:
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
    return Task(splits, tmp_path / "model", resamples=20, pairs=True)


def test_the_answer_comes_first_with_its_errors_as_pairs(tmp_path: Path) -> None:
    made = task(tmp_path)
    experiment = run_model("pair-lr", made)
    classifier_page.write_experiment(experiment, made.splits, made.out)
    page = (made.out / "report.html").read_text(encoding="utf-8")
    assert page.index("which side of 11 edits") < page.index("test: 22 sentences")
    assert page.index("random guess") < page.index("Sides mistaken on test")
    mistaken = page[page.index("Sides mistaken on test") : page.index("test: 22 sentences")]
    assert mistaken.index(">The inn is old.<") < mistaken.index(">The inn is truly old.<")
    # Its scores are no probabilities.
    assert "they are no probabilities" in page
    assert "calibration curve)" not in page
    assert ">Brier score" not in page


def test_what_test_shares_with_train_is_on_the_page_and_in_the_scores(tmp_path: Path) -> None:
    made = task(tmp_path)
    experiment = run_model("lr", made)
    (leak,) = experiment.leaks
    assert leak.startswith("test shares 10 groups of pairs (page or revision) with train: 0, 1, 2")
    assert "10 pairs of test" in leak
    assert experiment.as_dict()["warnings"][0] == leak
    classifier_page.write_experiment(experiment, made.splits, made.out)
    page = (made.out / "report.html").read_text(encoding="utf-8")
    assert "Not apart from train" in page
    assert leak in page


def test_models_stand_beside_the_longer_side() -> None:
    score = {"value": 0.8, "low": 0.7, "high": 0.9}
    found = {"accuracy": score, "longer_side": {"value": 0.6, "low": 0.5, "high": 0.7}}
    table = side_accuracies("dev", {"lr": found, "nb-lr": found})
    assert [row[0] for row in table.rows] == ["lr", "nb-lr", "the longer side", "random guess"]
