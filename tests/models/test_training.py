"""Parameters, searches and where models train, and their answers, line by line."""

import io
import json
import tracemalloc
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exports import wikibias
from sample_sentences import examples
from wikibias.errors import UsageError
from wikibias.kits.evaluation import Predictions, score
from wikibias.models import grid_search, training
from wikibias.models.estimators import pipelines, registry
from wikibias.models.estimators.registry import CHOICES, ESTIMATORS
from wikibias.models.examples import Examples, Splits
from wikibias.models.model_folder import versions
from wikibias.models.prediction import answers, bias_of, drivers


def test_settings_are_numbers_truths_and_texts() -> None:
    assert training.parse_settings(
        ["c=1e-3", "epochs=4", "frozen=true", "base=package:gt", 'x="4"']
    ) == {"c": 0.001, "epochs": 4, "frozen": True, "base": "package:gt", "x": "4"}
    assert training.parse_settings(["base=a=b", "path= models/x ", "list=[1]"]) == {
        "base": "a=b",
        "path": "models/x",
        "list": "[1]",
    }


@settings(max_examples=40)
@given(st.text())
def test_any_text_is_a_value(text: str) -> None:
    (found,) = training.parse_settings([f"name={text}"]).values()
    assert isinstance(found, (bool, int, float, str))


def test_what_is_no_setting_is_named() -> None:
    for wrong, said in (("rate", "'rate' is not NAME=VALUE"), ("=3", "is not NAME=VALUE")):
        with pytest.raises(UsageError, match=said):
            training.parse_settings([wrong])
    with pytest.raises(UsageError, match="'a' is given twice"):
        training.parse_settings(["a=1", "a=2"])


def test_settings_of_a_comparison_name_their_model() -> None:
    settings = {"lr.c": 2.0, "sgd.alpha": 1e-3}
    assert training.of_models({"c": 2.0}, ["lr"]) == {"lr": {"c": 2.0}}
    assert training.of_models(settings, ["lr", "sgd"]) == {"lr": {"c": 2.0}, "sgd": {"alpha": 1e-3}}
    for wrong in ("c", "rl.c"):
        with pytest.raises(UsageError, match=r"give MODEL\.NAME=VALUE"):
            training.of_models({wrong: 1}, ["lr", "sgd"])


def with_train(train: Examples) -> Splits:
    return Splits({"train": train, "dev": examples("dev", 20, 2)})


SPLITS, OTHER = with_train(examples("train", 60, 1)), with_train(examples("train", 80, 1))


@pytest.fixture
def task(tmp_path: Path) -> training.Task:
    return training.Task(SPLITS, tmp_path / "m")


def searched(
    task: training.Task, values: Sequence[float] = (0.1, 1.0), choose: str = "mcc"
) -> grid_search.GridResult:
    grid = grid_search.Grid("lr", choose, {"c": values})
    return training.run_grid(grid, grid.combinations(), task, jobs=1)


@pytest.mark.parametrize(
    ("change", "values", "done"),
    [
        ({}, (0.1, 1.0), 2),
        ({}, (0.1, 5.0), 0),
        ({"splits": OTHER}, (0.1, 1.0), 0),
        ({"seed": 3}, (0.1, 1.0), 0),
        ({"stopwords": ("the",)}, (0.1, 1.0), 0),
    ],
)
def test_a_grid_search_goes_on_where_it_ended_unless_it_is_another(
    change: dict[str, Any], values: tuple[float, float], done: int, task: training.Task
) -> None:
    before = searched(task)
    known = []

    def track(rows: Iterator[list[grid_search.Row]], count: int) -> Iterator[list[grid_search.Row]]:
        known.append(count)
        return rows

    grid = grid_search.Grid("lr", "mcc", {"c": values})
    found = training.run_grid(
        grid, grid.combinations(), replace(task, **change), track=track, jobs=1
    )
    assert known == [done]
    assert len(found.rows) == 2
    assert (found.rows == before.rows) == bool(done)


def test_the_same_command_again_is_fine(task: training.Task) -> None:
    training.run_model("lr", task)
    first = (task.out / "scores.json").read_bytes()
    training.run_model("lr", task)
    assert (task.out / "scores.json").read_bytes() == first
    # More of the same model is no loss; less of it is.
    training.run_model("lr", replace(task, cv="random", folds=3))
    with pytest.raises(UsageError, match=r"its scores have --cv random, 3 folds"):
        training.run_model("lr", task)
    training.run_model("lr", replace(task, overwrite=True))
    assert not (task.out / "predictions-cv.tsv").exists()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"splits": OTHER}, "train: 60 sentences then, 80 now"),
        ({"splits": Splits({"train": OTHER.train})}, "dev is not given now"),
        ({"splits": with_train(examples("train", 60, 9))}, "train: other ones"),
        ({"splits": with_train(replace(SPLITS.train, biased=~SPLITS.train.biased))}, "other ones"),
        ({"seed": 3}, "seed was 0, is 3"),
        ({"lang": "en"}, "lang was None, is en"),
    ],
)
def test_another_model_is_refused_until_it_may(
    change: dict[str, Any], said: str, task: training.Task
) -> None:
    training.run_model("majority", task)
    before = (task.out / "model.json").read_bytes()
    other = replace(task, **change)
    with pytest.raises(UsageError, match=said) as caught:
        training.run_model("majority", other)
    assert "--overwrite replaces it, --out names another folder" in str(caught.value)
    assert (task.out / "model.json").read_bytes() == before
    training.run_model("majority", replace(other, overwrite=True))
    assert (task.out / "model.json").read_bytes() != before
    kept = (task.out / "predictions-dev.tsv").exists()
    assert kept == ("dev" in other.splits.by_name)


def test_a_model_of_an_earlier_version_does_not_say_its_data(task: training.Task) -> None:
    training.run_model("majority", task)
    path = task.out / "model.json"
    described = json.loads(path.read_text())
    del described["data"]
    path.write_text(json.dumps(described))
    with pytest.raises(UsageError, match="does not say what it was trained on"):
        training.run_model("majority", task)
    path.write_text("{")  # of a damaged one there is nothing to lose
    training.run_model("majority", task)


def test_a_grid_search_goes_on_only_with_its_own(task: training.Task) -> None:
    training.run_model("lr", task)
    with pytest.raises(UsageError, match="holds a model without --grid"):
        searched(task)
    may = replace(task, overwrite=True)
    training.run_model("lr", may, searched(may))
    assert (task.out / "grid.csv").exists()
    training.run_model("lr", task, searched(task, (0.1, 5.0)))  # other values of the same data
    with pytest.raises(UsageError, match="train: 60 sentences then, 80 now"):
        searched(replace(task, splits=OTHER))
    with pytest.raises(UsageError, match="parameters was"):
        training.run_model("lr", task)
    training.run_model("lr", may)
    assert not (task.out / "grid.csv").exists()


def test_a_comparison_looks_at_every_folder_before_it_trains(task: training.Task) -> None:
    def trained(*_: object) -> None:
        pytest.fail("a model was trained")

    training.run_comparison(["majority", "lr"], task, lambda *_: None)
    with pytest.raises(UsageError, match="lr holds a model of other data"):
        training.run_comparison(["lr", "sgd", "majority"], replace(task, splits=OTHER), trained)
    with pytest.raises(UsageError, match="holds a comparison with majority, too"):
        training.run_comparison(["lr", "sgd"], task, trained)


def test_packages_that_are_not_installed_are_skipped() -> None:
    found = versions(["numpy", "no-package-has-this-name"])
    assert list(found) == ["python", "wikibias", "numpy"]
    assert all(number[0].isdigit() for number in found.values())


class Endless(io.RawIOBase):
    """A stream of so many lines, which counts those that were read."""

    def __init__(self, count: int) -> None:
        self.left, self.read_lines = count, 0

    def readline(self, size: int | None = -1) -> bytes:
        self.left -= 1
        self.read_lines += self.left >= 0
        return b"a long street leads to the station of the old town\n" if self.left >= 0 else b""


def test_lines_are_answered_before_the_next_are_read(tmp_path: Path) -> None:
    lines = Endless(9_000)
    found = answers(model(tmp_path), as_binary(lines), explain=False, as_json=False, warn=print)
    assert len(next(found)) == lines.read_lines == 1_000


def test_memory_does_not_grow_with_the_lines(tmp_path: Path) -> None:
    folder = model(tmp_path)
    peaks = [peak(folder, count) for count in (1_000, 1_000, 4_000)]
    assert peaks[2] < 1.5 * peaks[1]


def peak(folder: Path, count: int) -> int:
    found: Iterator[object] = answers(
        folder, as_binary(Endless(count)), explain=False, as_json=False, warn=print
    )
    tracemalloc.start()
    try:
        for _ in found:
            pass
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def as_binary(lines: Endless) -> io.BufferedReader:
    return lines  # type: ignore[return-value]  # `readline` is all that is asked for


def model(tmp_path: Path) -> Path:
    texts = ["the old town", "a truly great town", "the old street", "a truly great street"] * 5
    trained = registry.create("nb-lr").fit(texts, np.array([False, True] * 10))
    registry.CLASSIFIERS.save(trained, tmp_path / "m", {})
    return tmp_path / "m"


def test_probabilities_are_those_of_the_lines(tsv: dict[str, Path], tmp_path: Path) -> None:
    files = ("--train", tsv["train"], "--test", tsv["test"])
    asked = ("--model", "nb-lr", "--out", tmp_path / "m")
    assert wikibias("classify", *files, *asked).code == 0
    texts = [line.split("\t")[1] for line in tsv["test"].read_text().splitlines()]
    given = io.BytesIO("\n".join(texts).encode())
    (lines,) = answers(tmp_path / "m", given, explain=False, as_json=False, warn=print)
    *found, blank = bias_of(tmp_path / "m")([*texts, " "])
    assert [f"{value:.6f}" for value in found] == [line.split("\t")[0] for line in lines]
    assert blank == 0


def test_the_words_that_give_it_away_are_named() -> None:
    train = examples("train", 240, 1)
    trained = registry.create("nb-lr").fit(train.texts, train.biased)
    words = drivers(trained, "the town opened a truly north school")
    assert words[0][0] == "truly"
    assert words[0][1] > 0


STOPWORDS = ("the", "of")
TRAIN, DEV = examples("train", 120, 1), examples("dev", 40, 2)


def run(grid: grid_search.Grid, jobs: int = 1, done: Collection[int] = ()) -> list[grid_search.Row]:
    some: dict[str, Any] = {"stopwords": STOPWORDS, "jobs": jobs, "done": done}
    found = grid_search.search(grid, grid.combinations(), TRAIN, DEV, **some)
    return sorted((row for rows in found for row in rows), key=lambda row: int(row["n"]))


def plain_search(grid: grid_search.Grid, every: int = 1) -> list[dict[str, Any]]:
    """Try combinations from the sentences up."""
    model: Any = ESTIMATORS[grid.model]
    rows = []
    for number, combination in [*enumerate(grid.combinations())][::every]:
        pipeline = model.build(STOPWORDS, 0, **combination)
        with pipelines.no_convergence_warnings():
            margins = pipeline.fit(TRAIN.texts, TRAIN.biased).decision_function(DEV.texts)
        values = score(DEV.biased, Predictions(margins, margins > 0))
        rows.append({"n": number, **combination, **{name: values[name] for name in CHOICES}})
    return rows


def test_the_72_combinations_of_sgd_score_as_in_a_plain_search() -> None:
    grid = grid_search.read_grid("sgd")
    found = run(grid)
    assert len(found) == 72
    # In a fifth of them each value of each parameter occurs.
    assert found[::5] == plain_search(grid, every=5)


def test_lr_scores_in_two_processes_as_in_a_plain_search() -> None:
    bags = {"ngrams": [1, 2], "max_features": [50], "idf": [True, False]}
    grid = grid_search.Grid("lr", "mcc", {**bags, "c": [0.1, 10.0], "solver": ["saga"]})
    assert run(grid, jobs=2) == plain_search(grid)


@pytest.mark.parametrize("model", ["char-lr", "lr"])
def test_what_is_done_is_not_done_again(model: str) -> None:
    sizes = {"longest": [3, 4]} if model == "char-lr" else {"ngrams": [1, 2]}
    grid = grid_search.Grid(model, "mcc", {**sizes, "c": [0.1, 1.0]})
    everything = run(grid)
    assert run(grid, done=[0, 3]) == [everything[1], everything[2]]
    assert run(grid, done=range(4)) == []


def test_a_journal_survives_a_cut_and_forgets_another_search(tmp_path: Path) -> None:
    path = tmp_path / "grid.jsonl"
    grid_search.Journal(path, {"seed": 1}).add([{"n": 0, "f1": 0.5}, {"n": 1, "f1": 0.6}])
    path.write_text(path.read_text()[:-8])
    assert grid_search.Journal(path, {"seed": 1}).rows == {0: {"n": 0, "f1": 0.5}}
    assert grid_search.Journal(path, {"seed": 2}).rows == {}
    assert grid_search.Journal(path, {"seed": 1}).rows == {}


def test_of_equals_the_first_wins_and_an_unknown_score_never_does() -> None:
    rows: list[grid_search.Row] = [{"n": 2, "f1": 0.5}, {"n": 1, "f1": 0.5}, {"n": 0, "f1": None}]
    assert grid_search.winner(rows, "f1")["n"] == 1


def test_a_wrong_parameter_is_told_before_anything_is_tried() -> None:
    with pytest.raises(UsageError, match="no parameter 'alfa'; did you mean 'alpha'"):
        run(grid_search.Grid("sgd", "f1", {"alfa": [0.1]}))


@pytest.mark.parametrize("size", [1, 7, 30, 100, 3000])
def test_a_bag_cut_from_the_counts_is_the_vectorizers(size: int) -> None:
    bags = [
        pipelines.bag_of_words(STOPWORDS, ngrams=ngrams, max_features=size, idf=idf)
        for ngrams, idf in ((1, True), (3, False), (2, True), (3, True))
    ]
    counts = grid_search.Counts.of(bags, TRAIN.texts, DEV.texts)
    for bag in bags:
        ours = counts.weighed(bag)
        theirs = bag.fit_transform(TRAIN.texts), bag.transform(DEV.texts)
        for one, other in zip(ours, theirs, strict=True):
            assert one.shape == other.shape
            assert np.allclose(one.toarray(), other.toarray(), rtol=0, atol=1e-12)


def test_a_search_counts_the_n_grams_once(monkeypatch: pytest.MonkeyPatch) -> None:
    counted = []

    def count(*given: Any) -> grid_search.Counts:
        counted.append(given)
        return of(*given)

    of = grid_search.Counts.of
    monkeypatch.setattr(grid_search.Counts, "of", count)
    run(
        grid_search.Grid("lr", "mcc", {"ngrams": [1, 2, 3], "idf": [True, False], "c": [0.1, 10.0]})
    )
    assert len(counted) == 1


def test_the_papers_spaces_have_the_papers_sizes() -> None:
    sizes = {
        name: len(grid_search.read_grid(name).combinations()) for name in ("sgd", "lr", "fasttext")
    }
    assert sizes == {"sgd": 72, "lr": 504, "fasttext": 3 * 3 * 5 * 5 * 2 * 3}


def test_a_sample_is_part_of_the_space_in_its_order() -> None:
    grid = grid_search.read_grid("fasttext")
    drawn = grid.sample(20, seed=1)
    everything = grid.combinations()
    places = [everything.index(combination) for combination in drawn]
    assert places == sorted(set(places))
    assert drawn == grid.sample(20, seed=1)
