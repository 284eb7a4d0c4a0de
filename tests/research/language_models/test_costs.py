"""Estimates, the meter, and budgets that hold."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikibias.errors import UsageError
from wikibias.research.language_models.asking import (
    Budget,
    Meter,
    Prices,
    Tokens,
    estimate,
    parse_budget,
    size_of,
)
from wikibias.research.language_models.messages import Message, Reply

PRICES = Prices(1.0, 4.0)


def test_prices_are_for_a_million_tokens() -> None:
    assert PRICES.of(Tokens(500_000, 250_000)) == 1.5


@pytest.mark.parametrize(
    ("said", "budget"),
    [
        ("2.50", Budget(2.5, PRICES)),
        (" .5 ", Budget(0.5, PRICES)),
        ("200000tokens", Budget(200_000, None)),
        ("1 token", Budget(1, None)),
    ],
)
def test_a_budget_is_money_or_tokens(said: str, budget: Budget) -> None:
    assert parse_budget(said, PRICES) == budget


@pytest.mark.parametrize("said", ["", "much", "-1", "1e9", "5 dollars", "٣", "nan"])
def test_another_budget_is_refused(said: str) -> None:
    with pytest.raises(UsageError, match="give money, as "):
        parse_budget(said, PRICES)


def test_money_needs_prices() -> None:
    with pytest.raises(UsageError, match="--price-in and --price-out"):
        parse_budget("2", None)


def test_an_estimate_is_near_four_bytes_a_token() -> None:
    size = size_of((Message("user", "a word or two " * 100),))
    assert 320 < estimate(size, 1, 50).inwards < 390
    assert estimate(size, 1, 50).outwards == 50


def test_before_the_first_answer_a_byte_may_be_a_token() -> None:
    assert Meter(10, Budget(1000, None)).reserve(1000) is None
    assert Meter(10, Budget(1100, None)).reserve(1000) is not None


def test_the_first_answer_is_waited_for() -> None:
    meter = Meter(10, Budget(1_000_000, None))
    assert meter.reserve(100) is not None
    assert meter.reserve(100) is None
    meter.count(100, Reply("x", 30, 2))
    assert meter.reserve(100) is not None


def test_what_is_under_way_counts() -> None:
    meter = Meter(10, Budget(300, None))
    meter.count(100, Reply("x", 80, 0))
    held = meter.reserve(100)
    assert held is not None
    assert meter.reserve(100) is None
    meter.release(held)
    assert meter.reserve(100) is not None


def test_answers_teach_what_a_prompt_takes() -> None:
    meter = Meter(10, Budget(1200, None))
    meter.count(1000, Reply("x", 164, 2))  # a tenth of a token for a byte
    assert meter.spent == Tokens(164, 2)
    assert meter.reserve(1000) is not None  # would be refused if each byte were a token


def test_where_a_server_tells_nothing_it_is_guessed_high() -> None:
    meter = Meter(10, Budget(1e9, None))
    meter.count(100, Reply("x"))
    assert meter.guessed
    assert meter.spent.inwards >= 100
    assert meter.spent.outwards == 10


@given(
    st.lists(st.tuples(st.integers(1, 3000), st.floats(0, 1), st.integers(0, 50)), max_size=40),
    st.integers(0, 20_000),
)
def test_a_budget_is_never_exceeded(prompts: list[tuple[int, float, int]], most: int) -> None:
    # A tokeniser whose share of tokens a byte is anywhere up to one, as far as the next is no more
    # than a quarter above the largest before.
    meter = Meter(50, Budget(most, None))
    largest = 1.0
    for number, (size, share, out) in enumerate(prompts):
        held = meter.reserve(size)
        if held is None:
            break
        true = share if number == 0 else min(share, largest * 1.25)
        meter.release(held)
        meter.count(size, Reply("", int(size * true) + 64, out))
        largest = true if number == 0 else max(largest, true)
    assert meter.spent.inwards + meter.spent.outwards <= most
