"""Verdicts on edits, from wikitext to reason."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import Any

import pytest

from casefiles import cases
from histories import history
from wikibias.config.languages import load_language, load_mediawiki
from wikibias.config.thresholds import Filter, load_config
from wikibias.edits.filters import FILTERS, PAPER_FILTERS, filter_names, verdict
from wikibias.edits.sentence_diff import compare
from wikibias.errors import UsageError
from wikibias.kits.checked import conform
from wikibias.mediawiki.titles import redirect_pattern
from wikibias.records import Edit, History, Sentence, TagContext, Transition
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
        before: str,
        after: str,
        *,
        reverted: bool = False,
        without: Collection[str] = (),
        listed: str = "default",
        history: Mapping[str, Any] | None = None,
    ) -> str:
        transition = Transition(
            replace(provenance, reverted=reverted),
            None,
            before,
            after,
            history=conform(History, history or {}),
        )
        edit = compare(transition, CONTEXT, rules("en"), segmenter, redirect).edit
        filters = [FILTERS[name] for name in filter_names(listed) if name not in without]
        return verdict(edit, limits.filter, filters) or "kept"

    return judged


def filled(text: str) -> str:
    return text.replace("BASE", BASE).replace("MANY", MANY)


@pytest.mark.parametrize("case", cases("filters"))
def test_verdict(case: dict[str, Any], judge: Judge) -> None:
    before, after = filled(case["before"]), filled(case["after"])
    found = judge(
        before,
        after,
        reverted=case.get("reverted", False),
        listed=case.get("filters", "default"),
        history=case.get("history"),
    )
    assert found == case["verdict"]


def test_every_reason_but_the_unreadable_has_a_case() -> None:
    named = {case.values[0]["verdict"] for case in cases("filters")}
    assert named == {*FILTERS.names(), "kept"} - {"unreadable"}


def test_filters_are_listed_by_name() -> None:
    paper = list(PAPER_FILTERS)
    assert filter_names("paper") == paper
    assert filter_names("default") == list(FILTERS.own())
    assert [name for name in FILTERS.own() if name in paper] == paper
    assert filter_names("paper,-outlier , spelling") == [n for n in paper if n != "outlier"]
    assert filter_names("default,-paper,outlier") == filter_names("default,-paper")
    assert filter_names("spelling, paper") == ["spelling", *paper[:-1]]
    assert filter_names("outlier,outlier") == ["outlier"]
    for wrong in ("paper,speling", "default,-speling"):
        with pytest.raises(UsageError, match="unknown filter 'speling'; did you mean 'spelling'"):
            filter_names(wrong)


def test_unreadable_wikitext(judge: Judge) -> None:
    assert judge(f"{{{{POV}}}} {BASE}", BASE + "<b>" * 20_000) == "unreadable"


def test_reverts_can_be_kept(judge: Judge) -> None:
    before, after = (
        f"{{{{POV}}}} {BASE} He was the very best of them all.",
        f"{BASE} He was one of them all at that time.",
    )
    assert judge(before, after, reverted=True) == "reverted"
    assert judge(before, after, reverted=True, without=["reverted"]) == "kept"


def edit(removed: int, added: int, share: float | None = None) -> Edit:
    """Return an edit with so many sentences, which differ in their numbers alone."""
    made = history(["{{POV}} a", "a"])[1].provenance
    before, after = (
        tuple(
            Sentence(f"It has {n} of {side} halls.", "it has numtkn of numtkn halls")
            for n in range(count)
        )
        for side, count in ((1, removed), (2, added))
    )
    return Edit(
        made, CONTEXT, before, after, (), same_text=False, after_redirect=False, after_chars=5000,
        readable=True, share_of_page=share,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("removed", "share", "verdict"),
    [
        (11, 0.06, "page_replaced"),
        (11, 0.05, None),
        (11, None, None),
        # Of a short page ten sentences are no small share, but its repair may take as many.
        (10, 0.9, None),
    ],
)
def test_much_of_a_page_in_many_sentences_replaces_it(
    removed: int, share: float | None, verdict: str | None
) -> None:
    assert FILTERS["page_replaced"].reason(edit(removed, 1, share), Filter()) == verdict


def test_numbers_alone_are_no_change_of_words() -> None:
    def found(an_edit: Edit, listed: str) -> str | None:
        return verdict(an_edit, Filter(), [FILTERS[name] for name in filter_names(listed)])

    assert found(edit(2, 2), "default") == "number_only"
    assert found(edit(2, 2), "paper") == "punctuation_case"
    assert found(edit(0, 0), "default") == "punctuation_case"
    assert found(edit(2, 1), "default,-spelling") is None


def test_a_list_that_names_no_filter_is_refused() -> None:
    for wrong in ("-default", "default,-default", "outlier,-paper"):
        with pytest.raises(UsageError, match="names no filter that is not left out"):
            filter_names(wrong)
    assert filter_names("-tags_left") == filter_names("default,-tags_left")


def test_a_page_that_was_tagged_from_the_start_has_no_parent() -> None:
    started = replace(edit(2, 0), history=History(parent_rev_id=0))
    made = replace(started.provenance, before_rev_id=None, pairing="addition-edit", kind="added")
    first, later = replace(started, provenance=made), started
    reason = FILTERS["not_parent"].reason
    assert (reason(first, Filter()), reason(later, Filter())) == (None, "not_parent")


def test_a_span_has_other_edits_inside_by_its_nature() -> None:
    between = replace(edit(1, 2), history=History(parent_rev_id=17))
    span = replace(between, provenance=replace(between.provenance, pairing="tagged-span"))
    reason = FILTERS["not_parent"].reason
    assert (reason(between, Filter()), reason(span, Filter())) == ("not_parent", None)
