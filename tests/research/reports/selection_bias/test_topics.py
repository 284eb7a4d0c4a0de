"""Topics as lists, and heat maps of them."""

from __future__ import annotations

import pytest

from selection_bias_results import Wanted, full, made
from wikibias.research.reports.selection_bias.result import Result
from wikibias.research.reports.selection_bias.topics import heat_maps, topics


def test_the_words_that_count_stand_before_the_rest() -> None:
    first, second = topics(Result(full())).blocks
    assert (first.title, second.title) == ("enwiki-2019", "enwiki-2024")
    assert len(first.topics) == 8
    topic = first.topics[0]
    assert (len(topic.strong), len(topic.rest)) == (8, 12)
    assert topic.facts == "12% of the corpus · 14% of biased sentences · 11% of neutral sentences"
    assert [name for name, _, _ in topic.nearest] == ["tag-set", "classes", "scripts"]


def test_of_many_topics_those_of_the_largest_share_are_shown() -> None:
    result = made(Wanted(topics=(60,)))
    for each in result["topics"]:
        each["share"] = each["topic"] / 2000
    (block,) = topics(Result(result)).blocks
    assert [topic.name for topic in block.topics] == [f"Topic {n}" for n in range(41, 61)]
    assert "The 20 of the largest share are shown." in block.says


def test_pairs_that_are_left_out_count_as_0_of_a_topic_and_it_is_said() -> None:
    result, said = full(), "a pair of words without a similarity counts as 0"
    for missing in ("zero", "skip"):
        result["settings"]["missing"] = missing
        for part in (topics(Result(result)), heat_maps(Result(result))):
            assert part is not None
            assert (said in " ".join(part.blocks[0].says)) == (missing == "skip")


def test_the_mean_of_the_cells_of_a_topic_is_its_b1() -> None:
    part = heat_maps(Result(full()))
    assert part is not None
    (made_map,) = part.blocks[1].maps
    for column in range(8):
        cells = [float(of[column].text) for _, of in made_map.rows]
        assert made_map.last is not None
        assert sum(cells) / len(cells) == pytest.approx(
            float(made_map.last[1][column].text), abs=0.011
        )


def test_the_keywords_of_the_highest_mean_come_first() -> None:
    lists = {"many": [f"k{n}" for n in range(50)]}
    result = made(Wanted(lists=lists))
    for each in result["topics"]:
        each["cells"]["many"] = [n / 100 for n in range(50)]
    part = heat_maps(Result(result))
    assert part is not None
    _, block = part.blocks
    assert [name for name, _ in block.maps[0].rows][:2] == ["k49", "k48"]
    assert len(block.maps[0].rows) == 40
    assert block.says == [
        "The 40 keywords of the highest mean are shown, of 50; the last row is of all."
    ]


def test_topics_without_cells_have_no_map() -> None:
    result = made(Wanted())
    for each in result["topics"]:
        each["cells"] = {}
    assert heat_maps(Result(result)) is None
