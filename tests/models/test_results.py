"""What an experiment leaves in its folder."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from sample_sentences import as_examples, examples
from wikibias.errors import UsageError, WikibiasError
from wikibias.models import training
from wikibias.models.estimators import registry
from wikibias.models.evaluation.experiment import evaluated, train_and_evaluate
from wikibias.models.examples import Examples, Splits
from wikibias.models.grid_search import Grid, GridResult

SPLITS = Splits({"train": examples("train", 60, 1), "dev": examples("dev", 20, 2)})


def test_model_card_scores_and_predictions(tmp_path: Path) -> None:
    experiment = train_and_evaluate(lambda: registry.create("nb-lr"), SPLITS, resamples=20)
    facts = {"lang": "en", "stopwords": None, "data": training.data(SPLITS.by_name)}
    training.write_experiment(experiment, tmp_path, facts)
    assert registry.load(tmp_path).name == "nb-lr"
    assert json.loads((tmp_path / "scores.json").read_text())["sentences"] == {"dev": 20}
    assert (tmp_path / "README.md").read_text().startswith("# Model card: nb-lr\n")
    lines = (tmp_path / "predictions-dev.tsv").read_text().splitlines()
    assert lines[0] == "row\tlabel\tdecision\tprobability\tsentence"
    assert len(lines) == 21
    assert training.predictions(experiment.outcomes["dev"]).splitlines() == lines


def test_a_table_of_a_grid_search(tmp_path: Path) -> None:
    rows = [{"alpha": 1.0, "f1": 0.5}, {"alpha": 2.0, "f1": 0.6}]
    grid = Grid("sgd", "f1", {"alpha": [1.0, 2.0]})
    training.write_grid(GridResult(grid, rows, rows[1], 0.4), tmp_path)
    assert (tmp_path / "grid.csv").read_text() == "alpha,f1\n1.0,0.5\n2.0,0.6\n"
    assert json.loads((tmp_path / "grid.json").read_text()) == {
        "chosen_by": "f1",
        "winner": rows[1],
        "constant": 0.4,
    }


def test_the_digest_of_a_split_depends_on_sentences_and_labels() -> None:
    def digest(*rows: tuple[str, str]) -> str:
        return str(training.data({"dev": as_examples("dev", list(rows))})["dev"]["sha256"])

    one = digest(("biased", "a"), ("neutral", "b"))
    assert one == digest(("biased", "a"), ("neutral", "b"))
    assert len({one, digest(("biased", "a"), ("biased", "b")), digest(("biased", "a"))}) == 3


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


library = pytest.importorskip("huggingface_hub", reason="huggingface_hub is not installed")


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a model that was trained on files of this machine."""
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
