"""What an experiment leaves in its folder: pages, cards, figures, and tables."""

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from page_checks import check
from sample_sentences import as_examples, examples, made_up
from wikibias.errors import UsageError, WikibiasError
from wikibias.kits.document import Section, Table, drawings
from wikibias.kits.html import html
from wikibias.models import report, training
from wikibias.models.estimators import registry
from wikibias.models.evaluation.experiment import Outcome, evaluated
from wikibias.models.examples import Examples, PairFiles, Splits, pair_splits
from wikibias.models.grid_search import Grid, GridResult
from wikibias.models.training import Task, run_comparison, run_grid, run_model

BOMB = "<script>alert(1)</script> <img src=x onerror=alert(2)>"


@pytest.fixture
def task(tmp_path: Path) -> Task:
    test = [(label, f"{BOMB} {text}") for label, text in made_up(40, 3)]
    splits = {"train": examples("train", 120, 1), "test": as_examples("test", test)}
    return Task(Splits(splits), tmp_path)


def test_markup_in_a_sentence_stays_text_and_the_page_loads_nothing(task: Task) -> None:
    run_model("char-lr", task)
    page = (task.out / "report.html").read_text(encoding="utf-8")
    assert "&lt;script&gt;" in page
    assert len(check(page).of("svg")) == 2
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
    links = [str(link["href"]) for link in check(page).of("a")]
    assert [link for link in links if not link.startswith("#")] == [
        f"https://a.example/?diff={n}" for n in (2, 6, 10, 14)
    ]
    assert "demo-4<" in page
    assert "test.parquet" in page
    assert "npov\\x1b[31m" in page
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


def test_only_the_folder_of_an_experiment_is_written_to(tmp_path: Path) -> None:
    training.check_folder(tmp_path / "new")
    (tmp_path / "README.md").write_text("mine")
    with pytest.raises(UsageError, match="an empty folder"):
        training.check_folder(tmp_path)
    (tmp_path / "model.json").write_text('{"format": "another"}')
    with pytest.raises(UsageError, match="an empty folder"):
        training.check_folder(tmp_path)
    (tmp_path / "model.json").write_text('{"format": "wikibias-model/1"}')
    training.check_folder(tmp_path)
    training.check_folder(tmp_path)
    (tmp_path / "figures").symlink_to(tmp_path)
    with pytest.raises(UsageError, match="figures is a link"):
        training.check_folder(tmp_path)


def test_predictions_of_a_corpus_name_their_sentences_harmlessly() -> None:
    rows = [("biased", "=1+1\tis great"), ("neutral", "a \x1b[31mdam")]
    given = replace(
        as_examples("x", rows),
        ids=["demo-1", "@demo"],
        urls=["https://a.example/?diff=1", "=cmd()"],
    )
    outcome = evaluated(given, np.array([0.9, 0.2]), 0.5, resamples=5)
    assert training.predictions(outcome).splitlines() == [
        "row\tlabel\tdecision\tprobability\tsentence\tsentence_id\tdiff_url",
        "1\tbiased\tbiased\t0.900000\t'=1+1 is great\tdemo-1\thttps://a.example/?diff=1",
        "2\tneutral\tneutral\t0.200000\ta \\x1b[31mdam\t'@demo\t'=cmd()",
    ]


TRAIN, TEST = examples("train", 120, 1), examples("test", 120, 3)


def card(out: Path, model: str = "lr", **held_out: Examples) -> str:
    training.run_model(model, training.Task(Splits({"train": TRAIN, **held_out}), out))
    return (out / "README.md").read_text(encoding="utf-8")


def test_nothing_held_out_is_not_evaluated(tmp_path: Path) -> None:
    shown = card(tmp_path)
    assert shown.startswith("# Model card: lr\n")
    assert "Not evaluated: nothing was held out." in shown
    assert "MCC" not in shown
    assert "chance" not in shown
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "nothing was held out" in page
    assert "wikibias classify --model lr --cv near-duplicate" in page


@pytest.mark.parametrize(("model", "close"), [("nb-lr", False), ("majority", True)])
def test_only_scores_close_to_chance_are_called_so(model: str, close: bool, tmp_path: Path) -> None:
    assert ("Close to chance on test" in card(tmp_path, model, test=TEST)) == close


def test_of_too_few_sentences_a_card_says_no_more_than_that(tmp_path: Path) -> None:
    said = card(tmp_path, "majority", test=examples("test", 20, 3))
    few = "test: too few sentences to judge a model by (20 sentences, 10 of the rarer class; 50 of"
    assert f"Too few to judge by: {few}" in said
    assert "Close to chance" not in said


def test_a_card_names_the_corpus_and_of_files_nothing_is_known_about_the_labels(
    tmp_path: Path,
) -> None:
    facts = {"wiki": "demo*wiki", "tag set": "npov b96df5e52293"}
    splits = Splits({"train": TRAIN, "test": TEST}, corpus=facts)
    training.run_model("majority", training.Task(splits, tmp_path / "m"))
    said = (tmp_path / "m" / "README.md").read_text(encoding="utf-8")
    assert "- wiki: demo\\*wiki\n- tag set: npov b96df5e52293\n\n" in said
    assert "Labels come from edits" in said
    said = card(tmp_path / "files", "majority")
    assert "Labels are those of the files above" in said
    assert "Labels come from edits" not in said


def test_pages_shared_with_train_are_named(tmp_path: Path) -> None:
    train = replace(TRAIN, pages=np.arange(len(TRAIN)))
    test = replace(TEST, pages=np.arange(len(TEST)))
    apart = replace(TEST, pages=np.arange(len(TEST)) + len(TRAIN))
    said = "test shares pages with train"
    assert said in card(tmp_path, train=train, test=test)
    assert said not in card(tmp_path, train=train, test=apart)


@pytest.mark.parametrize(
    ("corpus", "said", "not_said"),
    [
        ({}, "labelled biased in its data", "neutral point of view"),
        (
            {"tag set": "npov 12ab", "pairing": "removal-edit"},
            "restore a neutral point of view",
            "labelled biased",
        ),
        (
            {"tag set": "npov 12ab", "pairing": "addition-edit"},
            "the edit that put the tag in added or rewrote it",
            "restore a neutral",
        ),
        (
            {"tag set": "reliability 12ab", "pairing": "removal-edit"},
            "It says nothing about neutrality.",
            "restore a neutral",
        ),
        ({"tag set": "<b>| x", "pairing": "[y](z), tagged-span"}, "&#60;b&#62;\\|", "<b>"),
    ],
)
def test_what_is_predicted_is_what_the_labels_mean(
    corpus: dict[str, str], said: str, not_said: str, tmp_path: Path
) -> None:
    splits = Splits({"train": TRAIN}, None, corpus)
    training.run_model("majority", training.Task(splits, tmp_path))
    first = (tmp_path / "README.md").read_text(encoding="utf-8").split("## Data")[0]
    assert said in first
    assert not_said not in first


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a model that was trained on files of this machine."""
    pytest.importorskip("huggingface_hub", reason="huggingface_hub is not installed")
    folder = tmp_path_factory.mktemp("home")
    parts = {name: examples(name, 120, n) for n, name in enumerate(("train", "dev", "test"))}
    named = {name: replace(part, name=f"{folder}/{name}.tsv") for name, part in parts.items()}
    training.run_model("lr", training.Task(Splits(named), folder / "m", lang="fr"))
    return folder / "m"


@pytest.fixture
def model(trained: Path, tmp_path: Path) -> Path:
    """Return a copy of that model, which may be changed."""
    return shutil.copytree(trained, tmp_path / "m")


def test_what_is_shared_can_be_loaded_and_names_no_place(trained: Path, tmp_path: Path) -> None:
    files = training.files_of(trained, tmp_path / "scratch")
    assert set(files) == {"README.md", "model.json", "model.skops", "scores.json"}
    for path in files.values():
        assert str(trained.parent).encode() not in path.read_bytes()
    shared = tmp_path / "shared"
    shared.mkdir()
    for name, path in files.items():
        (shared / name).write_bytes(path.read_bytes())
    text = ["it is truly the greatest"]
    shared_model, own = registry.load(shared), registry.load(trained)
    assert shared_model.predict_proba(text).tolist() == own.predict_proba(text).tolist()


def test_the_card_tells_scores_but_not_of_tiny_sets(model: Path, tmp_path: Path) -> None:
    library = pytest.importorskip("huggingface_hub")
    files = training.files_of(model, tmp_path / "scratch")
    card = library.ModelCard.load(files["README.md"])
    scores = json.loads((model / "scores.json").read_text(encoding="utf-8"))
    for result in card.data.eval_results:
        known = scores[result.dataset_split][result.metric_type]["value"]
        assert result.metric_value == known
    assert card.data.language == "fr"
    scores["warnings"] = ["dev: too few sentences to judge a model by (2)"]
    (model / "scores.json").write_text(json.dumps(scores), encoding="utf-8")
    card = library.ModelCard.load(training.files_of(model, tmp_path / "scratch")["README.md"])
    assert {result.dataset_split for result in card.data.eval_results} == {"test"}


def test_a_language_that_has_no_code_is_left_out() -> None:
    assert "language" not in training.metadata({"model": "sgd", "lang": "fr\n---"})
    assert "language" not in training.metadata({"model": "sgd", "lang": None})


def test_half_a_model_is_not_shared(model: Path, tmp_path: Path) -> None:
    (model / "scores.json").unlink()
    with pytest.raises(WikibiasError, match="train the model again"):
        training.files_of(model, tmp_path / "scratch")
