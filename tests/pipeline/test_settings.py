"""What a run is asked to do: put together, recorded, read back and compared."""

from __future__ import annotations

from typing import Any

import pytest

from wikibias.config.thresholds import Config, Text
from wikibias.errors import UsageError
from wikibias.pipeline.settings import (
    Settings,
    changes,
    language_of,
    make_settings,
    settings_from,
    tagset_of,
)


def make(lang: str = "en", **choices: Any) -> Settings:
    return make_settings(lang, Config(), **choices)


def test_what_is_not_given_has_its_default() -> None:
    found = make()
    assert (found.detect.lang, found.detect.per, found.diff.scope) == ("en", "tag", "page")
    assert (found.filter.reverts, found.build.split, found.build.seed) == ("drop", "page", 0)


def test_no_order_counts_in_a_list() -> None:
    one = make(families=("weasel", "pov"), namespaces=(1, 0, 1))
    assert one == make(families=("pov", "weasel", "pov"), namespaces=(0, 1))
    assert make(pairing=()) == make()


@pytest.mark.parametrize(
    "choices",
    [
        {"tagset": "npv"},
        {"families": ("pof",)},
        {"filters": "outlyer"},
        {"signal": ("tag", "sumary")},
    ],
    ids=str,
)
def test_an_unknown_name_is_refused_with_the_nearest(choices: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="did you mean"):
        make(**choices)


def test_a_choice_that_no_stage_has() -> None:
    with pytest.raises(TypeError, match="no setting 'sed'"):
        make(sed=1)


def test_reverted_spans_are_looked_for_only_where_they_are_kept() -> None:
    assert make(reverts="keep").detect.span_policy == "skip reverted"
    assert make(reverts="keep", pairing=("tagged-span",)).detect.span_policy == "all"


def test_a_record_gives_the_settings_back() -> None:
    made = make("fr", families=("pov",), limit=3, seed=7)
    found = settings_from(made.as_dict())
    assert found == made
    assert language_of(found) == language_of(made)
    assert tagset_of(found) == tagset_of(made)


@pytest.mark.parametrize(
    "wrong", [{"sed": 1}, {"seed": "1"}, {"seed": None}, {"split": "word"}], ids=str
)
def test_a_record_of_another_version_is_refused(wrong: dict[str, Any]) -> None:
    record = make().as_dict()
    record["build"] |= wrong
    with pytest.raises(TypeError):
        settings_from(record)


def test_changes_are_named() -> None:
    other = make_settings("en", Config(text=Text(min_tokens=3)), seed=2)
    assert changes(make().as_dict(), other.as_dict()) == [
        "build.min_tokens: 6 -> 3",
        "build.seed: 0 -> 2",
    ]
    assert changes({"a": 1}, {}) == ["a: 1 -> unset"]


def test_the_reader_is_no_change() -> None:
    assert changes(make().as_dict(), make(reader="mwxml").as_dict()) == []


def test_what_an_earlier_version_did_not_know_was_not_done() -> None:
    assert changes({}, {"pairs": False}) == changes({"pairs": False}, {}) == []
    assert changes({}, {"pairs": True}) == ["pairs: unset -> True"]
    assert changes({"pairs": True}, {"pairs": False}) == ["pairs: True -> False"]
