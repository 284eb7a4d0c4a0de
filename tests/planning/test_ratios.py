"""Ranges, and the ratios that no status file tells."""

from __future__ import annotations

from dataclasses import fields

import pytest

from wikibias.config.declaration import ConflictError
from wikibias.planning.ratios import Range, WikiRatios, load_ratios


def test_a_range_is_in_order() -> None:
    assert Range(1, 2, 3).at("mid") == 2
    with pytest.raises(ConflictError):
        Range(1, 3, 2)


def test_a_range_of_a_figure_that_falls_is_turned_round() -> None:
    divisor = Range(1, 2, 4)
    assert Range.of(lambda end: 8 / divisor.at(end)) == Range(2, 4, 8)


def test_a_range_shows_no_more_digits_than_it_has() -> None:
    assert Range(0.0, 123456.7, 1e9).as_dict() == {"low": 0.0, "mid": 123500.0, "high": 1e9}


def test_the_shipped_ratios_know_both_classes() -> None:
    found = load_ratios()
    assert set(found.wikis) == {"small", "large"}
    for wiki in found.wikis.values():
        assert all(getattr(wiki, field.name).low > 0 for field in fields(WikiRatios))
        assert wiki.article_share.high <= 1
        assert wiki.hit_share.high <= 1
