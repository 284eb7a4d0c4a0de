"""What figures go up or down with."""

from __future__ import annotations

from typing import Any

import pytest

from wikibias.research.selection_bias.correlations import correlations


def figure(
    corpus: str, topics: int, words: int, value: float | None, **other: Any
) -> dict[str, Any]:
    """Return a figure whose B1 is the value, and whose B2 goes the other way."""
    down = {"value": None if value is None else -value}
    return {
        "corpus": corpus,
        "keywords": "list",
        "group": None,
        "topics": topics,
        "words": words,
        "missing": "zero",
        "b1": {"value": value},
        "b2": {"mean_max": down, "max": {"value": 1.0}},
        **other,
    }


def result(corpora: int) -> dict[str, Any]:
    """Return what `correlations` reads: B1 grows with topics and with the corpus."""
    names = [f"corpus {number}" for number in range(corpora)]
    return {
        "corpora": [
            {"name": name, "documents": 100 * place, "vocabulary": 50, "words_per_document": -place}
            for place, name in enumerate(names, 1)
        ],
        "keywords": [
            {"corpus": name, "name": "list", "words": ["a"] * place, "mean_similarity": None}
            for place, name in enumerate(names, 1)
        ],
        "figures": [
            each
            for place, name in enumerate(names, 1)
            for topics in (2, 4, 8)
            for words in (5, 10)
            for each in (
                figure(name, topics, words, topics + place / 10),
                figure(name, topics, words, -topics, missing="skip"),
                figure(name, topics, words, -topics, group={"by": "label", "value": "biased"}),
            )
        ],
        "sizes": [
            {"corpus": names[0], "keywords": "list", "documents": number,
             **{name: {"value": 1 / number} for name in ("b1", "mean_max", "max")}}
            for number in (50, 100, 200, 400)
        ],
    }  # fmt: skip


def found(corpora: int) -> dict[tuple[str | None, str, str], dict[str, Any]]:
    each = correlations(result(corpora), "zero")
    return {(one["corpus"], one["figure"], one["with"]): one for one in each}


def test_within_a_corpus_over_the_grid_and_over_sizes() -> None:
    of = found(1)
    assert of["corpus 0", "b1", "topics"]["rho"] == pytest.approx(1)
    assert of["corpus 0", "b1", "topics"]["points"] == 6
    assert of["corpus 0", "mean_max", "topics"]["rho"] == pytest.approx(-1)
    assert of["corpus 0", "b1", "words"]["rho"] == pytest.approx(0)
    assert of["corpus 0", "b1", "documents"]["rho"] == pytest.approx(-1)
    assert {each["p"] for each in of.values()} == {None}
    assert ("corpus 0", "max", "topics") not in of  # it is the same everywhere


def test_over_corpora_where_there_are_four() -> None:
    assert None not in {corpus for corpus, _, _ in found(3)}
    of = found(5)
    assert of[None, "b1", "documents"]["rho"] == pytest.approx(1)
    assert of[None, "b1", "documents"]["p"] == pytest.approx(2 / 120)
    assert of[None, "b1", "words_per_document"]["rho"] == pytest.approx(-1)
    assert of[None, "b1", "keywords"]["rho"] == pytest.approx(1)
    assert (None, "b1", "vocabulary") not in of
    assert (None, "b1", "keyword_similarity") not in of
