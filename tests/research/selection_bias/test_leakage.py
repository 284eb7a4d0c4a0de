"""What topics tell of labels: much where it was planted, nothing where it was not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from made_documents import OTHERS, SUBJECTS, corpus, labelled
from wikibias.errors import UsageError, WikibiasError
from wikibias.research.selection_bias.documents import Documents
from wikibias.research.selection_bias.leakage import (
    caution,
    held_out_shares,
    leakage,
    rarer_class,
    topics_of_groups,
    why_not,
)
from wikibias.research.selection_bias.reading import of_columns
from wikibias.text.spacy_splitter import stop_words

EVEN = dict.fromkeys(SUBJECTS, 0.25)
HOW = {"stop_words": OTHERS, "topics": 4, "seed": 1, "estimator": "nb-lr", "draws": 99}


def found(documents: Documents, **other: Any) -> dict[str, Any]:
    return leakage(documents, **{**HOW, **other})


@pytest.fixture(scope="module")
def leaky() -> dict[str, Any]:
    biased = {"sea": 0.55, "farm": 0.35, "music": 0.05, "court": 0.05}
    neutral = {"sea": 0.05, "farm": 0.05, "music": 0.35, "court": 0.55}
    return found(labelled(biased, neutral, 800))


@pytest.fixture(scope="module")
def balanced() -> dict[str, Any]:
    return found(labelled(EVEN, EVEN, 800))


def test_topics_alone_tell_labels_that_are_about_other_things(leaky: dict[str, Any]) -> None:
    assert leaky["topics_only"]["mcc"]["low"] > 0.4
    assert leaky["topics_only"]["auc"]["value"] > 0.8
    assert leaky["association"]["cramers_v"] > 0.5
    assert leaky["association"]["chance"]["p"] == 0.01
    shares = [topic["share_biased"] for topic in leaky["topics"]]
    assert shares == sorted(shares, reverse=True)
    assert shares[0] > 0.8
    assert shares[-1] < 0.2


def test_a_classifier_loses_where_topics_are_held_out(leaky: dict[str, Any]) -> None:
    by, lost = leaky["by"], leaky["lost"]
    assert leaky["grouped_by"] == "page"
    assert [*by] == ["sentence", "near-duplicate", "page", "topic"]
    assert lost["auc"]["low"] > 0
    assert lost["mcc"]["value"] == pytest.approx(
        by["near-duplicate"]["mcc"]["value"] - by["topic"]["mcc"]["value"]
    )


def test_nothing_is_lost_where_both_classes_are_about_the_same(balanced: dict[str, Any]) -> None:
    alone = balanced["topics_only"]
    assert alone["mcc"]["low"] < 0.05
    assert alone["auc"]["value"] < 0.65
    assert balanced["association"]["chance"]["p"] > 0.05
    assert balanced["by"]["sentence"]["mcc"]["value"] > 0.5
    assert balanced["lost"]["mcc"]["low"] <= 0.05


def test_all_sentences_count(balanced: dict[str, Any]) -> None:
    assert (balanced["documents"], balanced["biased"]) == (800, 400)
    assert sum(topic["biased"] for topic in balanced["topics"]) == 400
    assert sum(topic["neutral"] for topic in balanced["topics"]) == 400


def test_the_same_twice() -> None:
    documents = labelled(EVEN, EVEN, 200)
    said: list[str] = []
    assert found(documents, say=said.append) == found(documents)
    assert "nb-lr, 1 of " in said[0]
    assert said[-1].endswith(f"{len(said)} of {len(said)} fits")


def test_without_pages_near_duplicates_stay_together() -> None:
    seen = found(replace(labelled(EVEN, EVEN, 200), pages=None))
    assert seen["grouped_by"] == "near-duplicate"
    assert [*seen["by"]] == ["sentence", "near-duplicate", "topic"]


def test_two_versions_of_a_sentence_mislead_by_sentence_but_not_together() -> None:
    made = labelled(EVEN, EVEN, 200)
    twins = replace(
        made,
        texts=[text for text in made.texts for _ in range(2)],
        facts={"label": ["biased", "neutral"] * 200},
        pages=None,
    )
    by = found(twins)["by"]
    assert by["sentence"]["mcc"]["value"] < -0.3
    assert abs(by["near-duplicate"]["mcc"]["value"]) < 0.1
    assert abs(by["topic"]["mcc"]["value"]) < 0.1


def test_near_duplicates_that_fill_more_than_a_fold_hide_what_topics_are_worth() -> None:
    made = labelled(EVEN, EVEN, 200)
    template = "the village of orange grey harbour lies north of yellow meadow and has"
    alike = [f"{template} {text.split()[-1]}" for text in made.texts[:60]]
    seen = found(replace(made, texts=[*alike, *made.texts[60:]], pages=None))
    assert seen["largest_group"] == pytest.approx(0.3)
    for hidden in (seen["by"]["near-duplicate"], seen["by"]["topic"], seen["lost"]):
        assert hidden["mcc"]["value"] is None
    assert seen["topics_only"]["auc"]["value"] is None
    assert seen["by"]["sentence"]["mcc"]["value"] is not None
    assert "30% of its sentences are near-duplicates" in (caution(seen) or "")


def test_no_caution_where_near_duplicates_are_few(balanced: dict[str, Any]) -> None:
    assert balanced["largest_group"] < 0.1
    assert caution(balanced) is None


def test_as_many_of_each_class_are_drawn_as_asked_for() -> None:
    made = labelled(EVEN, EVEN, 400)
    labels = ["biased"] * 300 + ["neutral"] * 100
    uneven = replace(made, facts={"label": labels})
    assert rarer_class(uneven, OTHERS) == 100
    seen = found(uneven, of_each=60)
    assert (seen["documents"], seen["biased"], seen["of"]) == (120, 60, 400)
    assert seen == found(uneven, of_each=60)
    assert found(uneven)["of"] == found(uneven)["documents"] == 400


def test_a_group_has_one_topic() -> None:
    shares = np.array([[0.6, 0.4], [0.1, 0.9], [0.9, 0.1]])
    assert topics_of_groups(shares, np.array([7, 7, 3])).tolist() == [1, 1, 0]


def test_sentences_without_a_label_or_a_word_are_left_out() -> None:
    made = labelled(EVEN, EVEN, 200)
    odd = replace(
        made,
        texts=["without until", *made.texts[1:]],
        facts={"label": [*made.facts["label"][:-1], ""]},
    )
    assert found(odd)["documents"] == 198


def test_where_each_topic_has_one_class_nothing_can_be_held_out() -> None:
    seen = found(labelled({"sea": 1.0}, {"court": 1.0}, 200), topics=2)
    assert seen["topics_only"]["mcc"]["value"] > 0.95
    assert seen["by"]["topic"]["mcc"] == {"value": None, "low": None, "high": None}
    assert seen["lost"]["auc"]["value"] is None


def test_corpora_that_cannot_be_learnt_from() -> None:
    bare = corpus("bare", EVEN, 100, 0)
    assert (why_not(bare) or "").startswith("bare has 0 sentences labelled biased, 5 of each")
    one = replace(bare, facts={"label": ["biased"] * 99 + ["neutral"]})
    assert "bare has 1 sentence labelled neutral" in (why_not(one) or "")
    with pytest.raises(WikibiasError, match="give a corpus with both classes"):
        found(one)
    assert why_not(labelled(EVEN, EVEN, 200)) is None


def test_an_estimator_that_nobody_knows() -> None:
    with pytest.raises(UsageError, match="nb-lr"):
        found(labelled(EVEN, EVEN, 200), estimator="nb-rl")


def test_shares_that_do_not_vary_tell_nothing() -> None:
    biased, places = np.arange(20) % 2 == 0, np.arange(20)
    parts = [(places[:10], places[10:]), (places[10:], places[:10])]
    assert held_out_shares(np.full((20, 2), 0.5), biased, parts) == pytest.approx(0.5)


def test_sentences_found_by_search_words_and_judged_by_people_leak_topics(shared: Path) -> None:
    rows = pd.read_parquet(
        shared / "annotation" / "babe_train_runs.parquet", columns=["text", "gold"]
    )
    labels = ["biased" if gold else "neutral" for gold in rows["gold"]]
    documents = of_columns(
        "babe", {"text": [*rows["text"]], "label": labels}, "text", "en", most=2000, seed=0
    )
    words = stop_words("en", None)
    seen = found(documents, stop_words=words, topics=8, seed=0, estimator="majority")
    assert seen["association"]["chance"]["p"] == 0.01
    assert seen["topics_only"]["auc"]["low"] > 0.5
    assert seen["topics_only"]["mcc"]["high"] < 0.25
