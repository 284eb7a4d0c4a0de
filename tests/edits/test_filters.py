"""Verdicts on edits, from wikitext to reason."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from typing import Any

import pytest

from casefiles import cases
from histories import history
from wikibias.config.languages import load_language
from wikibias.config.mediawiki_facts import load_mediawiki
from wikibias.config.thresholds import load_config
from wikibias.edits.filters import FILTERS, filter_names, verdict
from wikibias.edits.sentence_diff import compare
from wikibias.errors import UsageError
from wikibias.mediawiki.redirects import redirect_pattern
from wikibias.records import TagContext, Transition
from wikibias.text.segmentation import Segmenter
from wikis import rules

BASE = " ".join(
    f"The {name} of the small town stands beside the old mill pond since many years."
    for name in ("church", "school", "library", "station", "bakery", "market", "chapel")
)
CONTEXT = TagContext(("article",), ("",), ("",), edited_text=True, only_tags=False)
Judge = Callable[..., str]
WORDS = "ash birch cedar doum elm fir ginkgo hazel iris juniper".split()
MANY = " ".join(
    f"The {a} tree grows beside the {b} tree and the {c} tree there."
    for a in WORDS
    for b in WORDS
    for c in WORDS[:5]
)


@pytest.fixture(scope="module")
def judge() -> Judge:
    language, limits = load_language("en"), load_config()
    segmenter = Segmenter(language)
    redirect = redirect_pattern(load_mediawiki().redirect_words)
    provenance = history(["{{POV}} a", "a"])[1].provenance

    def judged(
        before: str, after: str, *, reverted: bool = False, without: Collection[str] = ()
    ) -> str:
        transition = Transition(replace(provenance, reverted=reverted), before, after)
        edit = compare(transition, CONTEXT, rules("en"), segmenter, redirect).edit
        filters = [FILTERS[name] for name in FILTERS.names() if name not in without]
        return verdict(edit, limits.filter, filters) or "kept"

    return judged


def filled(text: str) -> str:
    return text.replace("BASE", BASE).replace("MANY", MANY)


@pytest.mark.parametrize("case", cases("filters"))
def test_verdict(case: dict[str, Any], judge: Judge) -> None:
    before, after = filled(case["before"]), filled(case["after"])
    assert judge(before, after, reverted=case.get("reverted", False)) == case["verdict"]


def test_every_reason_but_the_unreadable_has_a_case() -> None:
    named = {case.values[0]["verdict"] for case in cases("filters")}
    assert named == {*FILTERS.names(), "kept"} - {"unreadable"}


def test_filters_are_listed_by_name() -> None:
    paper = list(FILTERS.names())
    assert filter_names("paper") == paper
    assert filter_names("spelling, paper") == ["spelling", *paper[:-1]]
    assert filter_names("outlier,outlier") == ["outlier"]
    with pytest.raises(UsageError, match="unknown filter 'speling'; did you mean 'spelling'"):
        filter_names("paper,speling")


def test_unreadable_wikitext(judge: Judge) -> None:
    assert judge(f"{{{{POV}}}} {BASE}", BASE + "<b>" * 20_000) == "unreadable"


def test_reverts_can_be_kept(judge: Judge) -> None:
    before, after = (
        f"{{{{POV}}}} {BASE} He was the very best of them all.",
        f"{BASE} He was one of them all at that time.",
    )
    assert judge(before, after, reverted=True) == "reverted"
    assert judge(before, after, reverted=True, without=["reverted"]) == "kept"
