"""What each filter says of an edit, also behind the one that drops it."""

from dataclasses import replace
from typing import Any

import pytest

from made_edits import edit
from wikibias.config.thresholds import Filter as Limits
from wikibias.config.thresholds import load_config
from wikibias.edits.filters import FILTERS, EditFilter
from wikibias.pipeline.settings import Filter, Settings, make_settings
from wikibias.records import Edit, History
from wikibias.reports.filter_answers import Answer, answers, days, verdict_of

SETTINGS = replace(
    make_settings("en", load_config()), filter=Filter(limits=Limits(min_wikitext=10))
)
SOUND = edit(
    removed=["The best mill there ever was."], added=["A mill of four floors stands here."]
)


def with_filter(**chosen: Any) -> Settings:
    return replace(SETTINGS, filter=replace(SETTINGS.filter, **chosen))


def by_name(found: Edit, **settings: Any) -> dict[str, Answer]:
    return {each.name: each for each in answers(found, with_filter(**settings))}


def test_what_passes_all_is_kept() -> None:
    found = answers(SOUND, SETTINGS)
    assert [each.name for each in found] == list(FILTERS.own())
    assert {each.reason for each in found} == {None}
    assert verdict_of(found) == "kept"
    assert all(each.looked_at for each in found)


def test_those_behind_the_verdict_answer_too() -> None:
    history = History(tags_left=("Weasel",), tag_back_days=0.25, restores_rev_id=1, parent_rev_id=1)
    found = by_name(replace(SOUND, history=history, after_chars=5))
    assert found["restores_earlier"].is_verdict
    assert found["restores_earlier"].looked_at == "restores revision 1"
    dropping = [name for name, each in found.items() if each.reason]
    assert dropping == ["restores_earlier", "tags_left", "tag_back_soon", "redirect_or_blank"]
    assert [name for name, each in found.items() if each.is_verdict] == ["restores_earlier"]
    assert found["tags_left"].looked_at == "left: Weasel"
    assert found["tag_back_soon"].looked_at == "back after 0.25 days; limit 1 day"
    assert found["redirect_or_blank"].looked_at == "5 characters; limit 10"
    assert verdict_of([*found.values()]) == "restores_earlier"


def test_the_filters_are_those_of_the_run() -> None:
    undone = replace(SOUND, provenance=replace(SOUND.provenance, reverted=True))
    assert verdict_of([*by_name(undone).values()]) == "reverted"
    kept = by_name(undone, reverts="keep")
    assert kept["reverted"].is_off
    assert verdict_of([*kept.values()]) == "kept"
    assert [*by_name(undone, filters="spelling,outlier")] == ["spelling", "outlier"]


def test_a_filter_that_fails_makes_the_edit_unreadable(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(edit: Edit, limits: Limits) -> str | None:
        raise ValueError("no such word")

    monkeypatch.setitem(FILTERS._own, "outlier", EditFilter("outlier", fails))
    found = by_name(SOUND)["outlier"]
    assert (found.reason, found.is_verdict) == ("unreadable", True)
    assert "no such word" in found.looked_at


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (0.0, "0 days"),
        (1.0, "1 day"),
        (2.5, "2.5 days"),
        (282.55, "283 days"),
        (1234.0, "1,234 days"),
    ],
)
def test_days(number: float, words: str) -> None:
    assert days(number) == words
