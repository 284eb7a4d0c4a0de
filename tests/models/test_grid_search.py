"""Grid search: the same scores as a plain search, in less time."""

from collections.abc import Collection
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sample_sentences import examples
from wikibias.config.resources import config_dir
from wikibias.errors import UsageError
from wikibias.kits.evaluation import Predictions, score
from wikibias.models.estimators import pipelines
from wikibias.models.estimators.registry import CHOICES, ESTIMATORS
from wikibias.models.grid_search import Counts, Grid, Journal, Row, read_grid, search, winner

STOPWORDS = ("the", "of")


TRAIN, DEV = examples("train", 120, 1), examples("dev", 40, 2)


def run(grid: Grid, jobs: int = 1, done: Collection[int] = ()) -> list[Row]:
    some: dict[str, Any] = {"stopwords": STOPWORDS, "jobs": jobs, "done": done}
    found = search(grid, grid.combinations(), TRAIN, DEV, **some)
    return sorted((row for rows in found for row in rows), key=lambda row: int(row["n"]))


def plain_search(grid: Grid) -> list[dict[str, Any]]:
    """Try each combination from the sentences up."""
    model: Any = ESTIMATORS[grid.model]
    rows = []
    for number, combination in enumerate(grid.combinations()):
        pipeline = model.build(STOPWORDS, 0, **combination)
        with pipelines.no_convergence_warnings():
            margins = pipeline.fit(TRAIN.texts, TRAIN.biased).decision_function(DEV.texts)
        values = score(DEV.biased, Predictions(margins, margins > 0))
        rows.append({"n": number, **combination, **{name: values[name] for name in CHOICES}})
    return rows


def test_the_72_combinations_of_sgd_score_as_in_a_plain_search() -> None:
    grid = read_grid("sgd")
    plain = plain_search(grid)
    shared = run(grid)
    assert shared == plain
    for metric in CHOICES:
        assert winner(shared, metric) == winner(plain, metric)


def test_lr_scores_in_two_processes_as_in_a_plain_search() -> None:
    bags = {"ngrams": [1, 2], "max_features": [50], "idf": [True, False]}
    grid = Grid("lr", "mcc", {**bags, "c": [0.1, 10.0], "solver": ["saga"]})
    assert run(grid, jobs=2) == plain_search(grid)


@pytest.mark.parametrize("model", ["char-lr", "lr"])
def test_what_is_done_is_not_done_again(model: str) -> None:
    sizes = {"longest": [3, 4]} if model == "char-lr" else {"ngrams": [1, 2]}
    grid = Grid(model, "mcc", {**sizes, "c": [0.1, 1.0]})
    everything = run(grid)
    assert run(grid, done=[0, 3]) == [everything[1], everything[2]]
    assert run(grid, done=range(4)) == []


def test_a_journal_survives_a_cut_and_forgets_another_search(tmp_path: Path) -> None:
    path = tmp_path / "grid.jsonl"
    Journal(path, {"seed": 1}).add([{"n": 0, "f1": 0.5}, {"n": 1, "f1": 0.6}])
    path.write_text(path.read_text()[:-8])
    assert Journal(path, {"seed": 1}).rows == {0: {"n": 0, "f1": 0.5}}
    assert Journal(path, {"seed": 2}).rows == {}
    assert Journal(path, {"seed": 1}).rows == {}


def test_of_equals_the_first_wins_and_an_unknown_score_never_does() -> None:
    rows: list[Row] = [{"n": 2, "f1": 0.5}, {"n": 1, "f1": 0.5}, {"n": 0, "f1": None}]
    assert winner(rows, "f1")["n"] == 1


def test_a_wrong_parameter_is_told_before_anything_is_tried() -> None:
    with pytest.raises(UsageError, match="no parameter 'alfa'; did you mean 'alpha'"):
        run(Grid("sgd", "f1", {"alfa": [0.1]}))


@pytest.mark.parametrize("size", [1, 7, 30, 100, 3000])
def test_a_bag_cut_from_the_counts_is_the_vectorizers(size: int) -> None:
    bags = [
        pipelines.bag_of_words(STOPWORDS, ngrams=ngrams, max_features=size, idf=idf)
        for ngrams, idf in ((1, True), (3, False), (2, True), (3, True))
    ]
    counts = Counts.of(bags, TRAIN.texts, DEV.texts)
    for bag in bags:
        ours = counts.weighed(bag)
        theirs = bag.fit_transform(TRAIN.texts), bag.transform(DEV.texts)
        for one, other in zip(ours, theirs, strict=True):
            assert one.shape == other.shape
            assert np.allclose(one.toarray(), other.toarray(), rtol=0, atol=1e-12)


def test_a_search_counts_the_n_grams_once(monkeypatch: pytest.MonkeyPatch) -> None:
    counted = []

    def count(*given: Any) -> Counts:
        counted.append(given)
        return of(*given)

    of = Counts.of
    monkeypatch.setattr(Counts, "of", count)
    run(Grid("lr", "mcc", {"ngrams": [1, 2, 3], "idf": [True, False], "c": [0.1, 10.0]}))
    assert len(counted) == 1


def test_the_papers_spaces_have_the_papers_sizes() -> None:
    sizes = {name: len(read_grid(name).combinations()) for name in ("sgd", "lr", "fasttext")}
    assert sizes == {"sgd": 72, "lr": 504, "fasttext": 3 * 3 * 5 * 5 * 2 * 3}


def test_a_sample_is_part_of_the_space_in_its_order() -> None:
    grid = read_grid("fasttext")
    drawn = grid.sample(20, seed=1)
    everything = grid.combinations()
    places = [everything.index(combination) for combination in drawn]
    assert places == sorted(set(places))
    assert drawn == grid.sample(20, seed=1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('model = "sgd"\n', r"\[space\] must have 1 to 1,000,000"),
        ("space = 3\n", "space must be a table"),
        ('model = "sgd"\n[space]\nalpha = 1\n', r"sgd\.toml:3: alpha must be a list"),
        ('model = "lr"\n[space]\nc = [1]\n', r"sgd\.toml:1: is a grid for 'lr'"),
        ('models = "sgd"\n[space]\na = [1]\n', "unknown key models; did you mean 'model'"),
        ("[space]\nalpha = [nan]\n", "alpha must be a list of texts, numbers"),
        ("[space]\nalpha = [1e300]\n", "alpha must be a list of texts, numbers"),
        ("[space]\nalpha = [[1]]\n", "alpha must be a list of texts, numbers"),
        ("[space]\nalpha = [1979-05-27]\n", "alpha must be a list of texts, numbers"),
        ("[space]\n" + "".join(f"a{n} = {[*range(9)]}\n" for n in range(9)), "combin"),
        ('choose = "f2"\n[space]\nalpha = [1]\n', "cannot choose by 'f2'; did you mean 'f1'"),
    ],
)
def test_a_wrong_space_is_explained(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "configs" / "grids" / "sgd.toml"
    path.parent.mkdir(parents=True)
    path.write_text(text)
    with pytest.raises(UsageError, match=message), config_dir(tmp_path):
        read_grid("sgd")
