"""Which pairs of sentences are examples of a neutral rewrite, case by case."""

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paths import cases
from wikibias.config.languages import load_language
from wikibias.corpus.sentence_pairs import harvest

MEANINGS = harvest.other_meanings(load_language("en"))


@pytest.mark.parametrize("case", cases("pair_filters"))
def test_case(case: dict[str, Any]) -> None:
    pair = harvest.AlignedTexts(case["source"], case["target"], MEANINGS)
    assert (harvest.verdict(pair, harvest.WNC_FILTERS) or "") == case["wnc"]
    assert (harvest.verdict(pair, harvest.OWN_FILTERS) or "") == case["own"]
    if "single" in case:
        assert harvest.is_single_word(pair) is case["single"]
    assert harvest.is_one_word_elsewhere(pair) is case.get("slip", False)


@given(st.text(min_size=1).filter(str.strip))
def test_a_sentence_that_did_not_change_is_neutral(text: str) -> None:
    assert harvest.verdict(harvest.AlignedTexts(text, text), harvest.OWN_FILTERS) == harvest.NEUTRAL


@given(st.text(), st.text())
def test_no_two_texts_break_a_filter(source: str, target: str) -> None:
    pair = harvest.AlignedTexts(source, target, MEANINGS)
    for filters in (harvest.WNC_FILTERS, harvest.OWN_FILTERS):
        assert isinstance(harvest.verdict(pair, filters), str | None)
    assert not (harvest.is_single_word(pair) and harvest.is_one_word_elsewhere(pair))


def test_words_are_cut_where_the_word_set_cuts_them() -> None:
    found = harvest.words(
        "The town's arch- conservative mayor didn't cross the half-built bridge..."
    )
    assert found == [
        "the", "town", "'s", "arch-", "conservative", "mayor", "did", "n't", "cross", "the",
        "half-built", "bridge", "...",
    ]  # fmt: skip


def test_long_words_are_written_in_pieces() -> None:
    assert harvest.pieces(["the", "bridge"]) == "the bri ##dge"


def test_words_of_other_meaning_end_as_their_entry_says() -> None:
    assert MEANINGS is not None
    assert MEANINGS.search("carbon neutrality is a goal.")
    assert not MEANINGS.search("the ionizer stood in the hall.")


@pytest.mark.parametrize(
    ("source", "target"),
    [
        (" ".join(f"w{n}" for n in range(10_000)), " ".join(f"w{n + 5}" for n in range(10_000))),
        ("a " * 10_000, "a b " * 5_000),
        ("." * 50_000, "." * 50_001),
        ("x" * 200_000, "y" * 200_000),
    ],
)
def test_ten_thousand_words_take_seconds_at_most(source: str, target: str) -> None:
    began = time.process_time()
    pair = harvest.AlignedTexts(source, target, MEANINGS)
    harvest.verdict(pair, harvest.OWN_FILTERS)
    harvest.is_single_word(pair)
    assert time.process_time() - began < 15


def test_in_scripts_without_spaces_each_letter_is_a_token() -> None:
    assert harvest.tokens("この寺は1950年に、") == [
        "こ",
        "の",
        "寺",
        "は",
        "1950",
        "年",
        "に",
        "、",
    ]
