"""Similarities from files of vectors: the shared figures, phrases, letter case, what is none."""

from __future__ import annotations

import csv
import gzip
import json
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from vector_files import as_text
from wikibias.research.selection_bias.metrics import FIGURES, Missing, scores, with_identity
from wikibias.research.selection_bias.similarity.registry import SIMILARITIES, Similarity, Wanted
from wikibias.research.selection_bias.similarity.vectors import read

VECTORS = {
    "river": [3.0, 4.0],
    "Mill": [4.0, 3.0],
    "mill": [-4.0, 3.0],
    "gun_control": [0.0, 1.0],
    "white": [1.0, 0.0],
    "house": [0.0, 1.0],
    "pro-life": [1.0, 0.0],
    "zero": [0.0, 0.0],
    "none": [float("nan"), 1.0],
    "endless": [float("inf"), 1.0],
}


def similarity(folder: Path, *words: str) -> Similarity:
    return read(Wanted(words=words, vectors=str(as_text(folder / "v.txt", VECTORS))))


def figures(
    found: Similarity, topics: list[list[str]], keywords: list[str], missing: Missing
) -> dict[str, float]:
    each = [with_identity(found.matrix(words, keywords), words, keywords) for words in topics]
    return dict(zip(FIGURES, scores(each, missing).mean().tolist(), strict=True))


class TestToy:
    @pytest.mark.parametrize("header", [True, False])
    @pytest.mark.parametrize(
        ("missing", "expected"),
        [
            ("zero", {"b1": "28/117", "mean_max": "523/780", "max": "38/39"}),
            ("skip", {"b1": "139/315", "mean_max": "847/1170", "mean_max_floor0": "185/234"}),
        ],
    )
    def test_to_the_fraction(
        self,
        header: bool,
        missing: Missing,
        expected: dict[str, str],
        shared: Path,
        tmp_path: Path,
    ) -> None:
        toy = json.loads((shared / "selection" / "toy_b1_b2.json").read_text("utf-8"))
        path = as_text(tmp_path / "v.txt", toy["vectors"], header=header)
        words = {*toy["keywords"], *(word for topic in toy["topics"] for word in topic)}
        found = read(Wanted(words=words, vectors=str(path)))
        got = figures(found, toy["topics"], toy["keywords"], missing)
        for figure, fraction in expected.items():
            assert Fraction(got[figure]).limit_denominator(2000) == Fraction(fraction)


class TestRealRun:
    @pytest.fixture(scope="class")
    @staticmethod
    def real(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
        """The shared topics, keyword lists, vectors of GloVe and figures."""
        folder = shared / "selection"
        loaded = {
            name: json.loads((folder / f"{name}.json").read_text("utf-8"))
            for name in ("babe_topics", "babe_keywords", "hs_bias_eval_keywords", "expected")
        }
        with gzip.open(folder / "glove_6b_50d_subset.csv.gz", "rt", encoding="utf-8") as file:
            rows = {word: [float(each) for each in row] for word, *row in csv.reader(file)}
        path = as_text(tmp_path_factory.mktemp("glove") / "v.txt", rows)
        topics = loaded["babe_topics"]["topics"]
        lists = {
            "babe_retrieval_keywords": loaded["babe_keywords"]["single_words"],
            "hs_bias_eval_english": loaded["hs_bias_eval_keywords"]["lists"]["keywords_english"],
            "unrelated_words": loaded["babe_keywords"]["unrelated_words"],
        }
        words = {word for each in topics.values() for topic in each for word in topic}
        words.update(word for each in lists.values() for word in each)
        found = read(Wanted(words=words, vectors=str(path)))
        values = loaded["expected"]["real_run"]["values"]
        return {"topics": topics, "lists": lists, "similarity": found, "values": values}

    def test_every_figure(self, real: dict[str, Any]) -> None:
        compared = 0
        for name, settings in real["values"].items():
            for setting, by_missing in settings.items():
                topics, words = (part.partition("=")[2] for part in setting.split(","))
                cut = [topic[: int(words)] for topic in real["topics"][topics]]
                for missing, expected in by_missing.items():
                    got = figures(real["similarity"], cut, real["lists"][name], missing)
                    assert got["b1"] == pytest.approx(expected["B1"], abs=1e-5)
                    assert got["mean_max_floor0"] == pytest.approx(
                        expected["B2_mean_max_floor0"], abs=1e-5
                    )
                    assert got["max"] == pytest.approx(expected["B2_max"], abs=1e-5)
                    compared += 1
        assert compared == 30

    def test_search_words_are_above_hate_words_above_unrelated_ones(
        self, real: dict[str, Any]
    ) -> None:
        eight = [topic[:8] for topic in real["topics"]["8"]]
        got = [figures(real["similarity"], eight, each, "zero") for each in real["lists"].values()]
        assert [round(each["b1"], 6) for each in got] == [0.291379, 0.173737, 0.123231]
        assert [round(each["mean_max"], 6) for each in got] == [0.750043, 0.514661, 0.351878]


class TestLookUp:
    def test_as_it_is_then_lower_cased(self, tmp_path: Path) -> None:
        words = ["Mill", "MILL", "River"]
        found = similarity(tmp_path, *words).matrix(words, ["river"])
        assert np.allclose(found.ravel(), [0.96, 0.0, 1.0])

    def test_a_phrase_has_its_own_vector_or_the_mean_of_its_words(self, tmp_path: Path) -> None:
        words = ["gun control", "White House", "white xyz", "xyz abc", "pro-life", "pro-house"]
        found = similarity(tmp_path, *words)
        first = found.matrix(words, ["white"]).ravel()
        assert np.allclose(first[[0, 1, 2, 4]], [0.0, 2**-0.5, 1.0, 1.0])
        assert np.isnan(first[[3, 5]]).all()
        assert found.knows(words).tolist() == [True, True, True, False, True, False]

    def test_zeros_and_what_is_no_number_are_no_vector(self, tmp_path: Path) -> None:
        words = ["zero", "none", "endless", "absent"]
        found = similarity(tmp_path, *words)
        assert not found.knows(words).any()
        assert np.isnan(found.matrix(words, ["river"])).all()

    def test_the_mean_of_opposites_is_no_vector(self, tmp_path: Path) -> None:
        path = as_text(tmp_path / "v.txt", {"up": [1.0, 0.0], "down": [-1.0, 0.0]})
        found = read(Wanted(words=["up down"], vectors=str(path)))
        assert not found.knows(["up down"]).any()

    def test_only_what_is_wanted_is_known(self, tmp_path: Path) -> None:
        found = similarity(tmp_path, "river")
        assert found.knows(["river", "white"]).tolist() == [True, False]

    def test_no_words_give_an_empty_matrix(self, tmp_path: Path) -> None:
        assert similarity(tmp_path).matrix([], ["river"]).shape == (0, 1)


def test_it_says_what_it_is(tmp_path: Path) -> None:
    found = SIMILARITIES["vectors"](
        Wanted(
            words=["river", "white house", "xyz"],
            vectors=str(as_text(tmp_path / "v.txt", VECTORS)),
        )
    )
    assert found.about == {
        "name": "vectors",
        "title": "cosine of v.txt",
        "file": "v.txt",
        "sha256": sha256((tmp_path / "v.txt").read_bytes()).hexdigest(),
        "dimensions": 2,
        "words": 3,
        "with_vector": 2,
    }


def test_it_says_that_a_file_was_cut_off(tmp_path: Path) -> None:
    (tmp_path / "v.txt").write_text("9 2\nriver 1 2\n", "utf-8")
    found = read(Wanted(words=["river"], vectors=str(tmp_path / "v.txt")))
    assert found.about["caution"].startswith("v.txt ends after 1 of the 9 words")
