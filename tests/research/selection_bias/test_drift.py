"""Drift that was planted is found, and none where there is none."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from made_documents import OTHERS, SUBJECTS, corpus, sentences
from wikibias.errors import WikibiasError
from wikibias.research.selection_bias.documents import Documents
from wikibias.research.selection_bias.drift import _over_seeds, drift

EVEN = dict.fromkeys(SUBJECTS, 0.25)
AT_SEA = {"sea": 0.7, "farm": 0.1, "music": 0.1, "court": 0.1}
OLD = corpus("old", EVEN, 400, 1)


def found(old: Documents, new: Documents, **other: Any) -> dict[str, Any]:
    how = {"stop_words": OTHERS, "topics": 4, "seeds": [0, 1], "draws": 99, **other}
    return drift(old, new, **how)


@pytest.fixture(scope="module")
def to_sea() -> dict[str, Any]:
    return found(OLD, corpus("new", AT_SEA, 500, 2))


def test_what_was_planted_is_more_than_chance(to_sea: dict[str, Any]) -> None:
    assert to_sea["js"]["value"] > to_sea["js_chance"]["high"]
    assert to_sea["js_chance"]["p"] == 0.01
    assert to_sea["shuffled_by"] == "page"
    assert to_sea["documents"] == {"old": 400, "new": 500, "each": 400}


def test_the_topic_that_grew_is_first(to_sea: dict[str, Any]) -> None:
    grew, shrank = to_sea["topics"][0], to_sea["topics"][-1]
    assert {*grew["words"]} == {*SUBJECTS["sea"]}
    assert grew["difference"] == pytest.approx(grew["new"] - grew["old"])
    assert grew["difference"] > 0.3
    assert grew["p"] < 0.05
    assert shrank["difference"] < 0
    assert sum(topic["new"] for topic in to_sea["topics"]) == pytest.approx(1)


def test_its_words_came(to_sea: dict[str, Any]) -> None:
    came = [each["word"] for each in to_sea["came"]]
    assert {*came} == {*SUBJECTS["sea"]}
    assert not {*came} & {each["word"] for each in to_sea["went"]}
    assert all(each["z"] < 0 for each in to_sea["went"])
    assert to_sea["came"][0]["new"] > to_sea["came"][0]["old"]


def test_other_pages_about_the_same_are_no_drift() -> None:
    assert found(OLD, corpus("new", EVEN, 400, 7))["js_chance"]["p"] > 0.05


def test_other_sentences_about_the_same_are_no_drift_without_pages() -> None:
    old, new = (Documents("a", sentences([*SUBJECTS] * 100, seed)) for seed in (3, 4))
    seen = found(old, new)
    assert seen["shuffled_by"] == "sentence"
    assert seen["js_chance"]["p"] > 0.05


def test_of_a_later_dump_the_new_sentences_are_compared_too() -> None:
    added = corpus("added", {"sea": 1.0}, 100, 5)
    later = replace(
        OLD,
        name="later",
        texts=[*OLD.texts, *added.texts],
        pages=[*(OLD.pages or ()), *(added.pages or ())],
    )
    seen = found(OLD, later)
    assert seen["same"] == pytest.approx(0.8)
    assert seen["shared"] == 400
    assert seen["of_new"]["documents"] == 100
    assert seen["of_new"]["js"]["value"] > seen["js"]["value"]
    assert seen["of_new"]["js_chance"]["p"] <= 0.05


def test_of_a_sample_nobody_knows_what_is_new() -> None:
    seen = found(replace(OLD, of=5000), replace(OLD, name="later"), seeds=[1], draws=20)
    assert seen["same"] is seen["of_new"] is None


def test_a_corpus_against_itself_has_not_drifted() -> None:
    seen = found(OLD, replace(OLD, name="again"))
    assert seen["js"]["value"] == pytest.approx(0, abs=1e-9)
    assert seen["js_chance"]["p"] == 1
    assert seen["same"] == 1
    assert seen["of_new"] is None
    assert seen["came"] == seen["went"] == []


def test_the_same_twice() -> None:
    new = corpus("new", AT_SEA, 300, 2)
    assert found(OLD, new, seeds=[3], draws=20) == found(OLD, new, seeds=[3], draws=20)


def test_one_seed_has_no_interval() -> None:
    js = found(OLD, corpus("new", AT_SEA, 300, 2), seeds=[3], draws=20)["js"]
    assert js["low"] is js["high"] is None


def test_corpora_of_two_languages() -> None:
    with pytest.raises(WikibiasError, match=r"from old to new: .* two languages \(en and fr\)"):
        found(OLD, replace(OLD, name="new", language="fr"))


@pytest.mark.parametrize("number", [0, 3, 19])
def test_a_corpus_of_few_documents(number: int) -> None:
    few = OLD.chosen(range(number))
    for pair in ((OLD, few), (few, OLD)):
        with pytest.raises(
            WikibiasError,
            match=f"has {number} sentences? with a word that 2 of both together have, 20 are",
        ):
            found(*pair)


def test_corpora_without_a_word_in_common_use() -> None:
    alone = replace(OLD, texts=[f"xx{row} yy{row}" for row in range(400)])
    with pytest.raises(WikibiasError, match="has 0 sentences with a word"):
        found(OLD, alone)


def test_no_interval_is_above_one() -> None:
    assert _over_seeds(np.array([0.9, 1.0])) == {
        "value": 0.95,
        "low": pytest.approx(0.31469, abs=1e-5),
        "high": 1.0,
    }
