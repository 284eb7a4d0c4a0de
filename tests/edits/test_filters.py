"""Verdicts on edits, from wikitext to reason."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from exports import dumped, rows
from exports import history as page_history
from made_edits import CONTEXT, PROVENANCE, edit
from outside import install
from paths import cases
from results import extract, manifest_of
from wikibias.config.choices import FEATURED, INTENT, REFERENCED_FILTERS, Positive
from wikibias.config.languages import load_language, load_mediawiki
from wikibias.config.thresholds import Filter, load_config
from wikibias.edits import filters
from wikibias.edits.filters import FILTERS, OF_DEGREE, PAPER_FILTERS, filter_names, verdict
from wikibias.edits.sentence_diff import compare
from wikibias.errors import UsageError
from wikibias.kits.checked import conform
from wikibias.mediawiki import redirect_pattern
from wikibias.records import Edit, History, Link, Sentence, Transition
from wikibias.text.segmentation import Segmenter
from wikis import rules

BASE = " ".join(
    f"The {name} of the small town stands beside the old mill pond since many years."
    for name in ("church", "school", "library", "station", "bakery", "market", "chapel")
)
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

    def judged(
        before: str,
        after: str,
        *,
        reverted: bool = False,
        listed: str = "default",
        history: Mapping[str, Any] | None = None,
        summary_reverts: bool = False,
        **made: Any,
    ) -> str:
        transition = Transition(
            replace(PROVENANCE, reverted=reverted, **made),
            None,
            before,
            after,
            history=conform(History, history or {}),
        )
        compared = compare(transition, CONTEXT, rules("en"), segmenter, redirect)
        edit = replace(compared.edit, summary_reverts=summary_reverts)
        filters = [FILTERS[name] for name in filter_names(listed)]
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
        **case.get("made", {}),
    )
    assert found == case["verdict"]


def test_every_reason_but_the_unreadable_has_a_case() -> None:
    named = {case.values[0]["verdict"] for case in cases("filters")}
    assert named == {*FILTERS.names(), "kept"} - {"unreadable"}


def test_filters_are_listed_by_name() -> None:
    paper = list(PAPER_FILTERS)
    assert filter_names("paper") == paper
    assert filter_names("strict") == list(FILTERS.own())
    assert filter_names("default") == filter_names(f"strict,{','.join(f'-{n}' for n in OF_DEGREE)}")
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


def numbered(removed: int, added: int, share: float | None = None) -> Edit:
    """Return an edit with so many sentences, which differ in their numbers alone."""
    before, after = (
        [
            Sentence(f"It has {n} of {side} halls.", "it has numtkn of numtkn halls")
            for n in range(count)
        ]
        for side, count in ((1, removed), (2, added))
    )
    return edit(removed=before, added=after, after_chars=5000, share_of_page=share)


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
    assert FILTERS["page_replaced"].reason(numbered(removed, 1, share), Filter()) == verdict


def test_numbers_alone_are_no_change_of_words() -> None:
    def found(an_edit: Edit, listed: str) -> str | None:
        return verdict(an_edit, Filter(), [FILTERS[name] for name in filter_names(listed)])

    assert found(numbered(2, 2), "default") == "number_only"
    assert found(numbered(2, 2), "paper") == "punctuation_case"
    assert found(numbered(0, 0), "default") == "punctuation_case"
    assert found(numbered(2, 1), "default,-spelling") is None


def test_a_list_that_names_no_filter_is_refused() -> None:
    for wrong in ("-default", "default,-default", "outlier,-paper"):
        with pytest.raises(UsageError, match="names no filter that is not left out"):
            filter_names(wrong)
    assert filter_names("-tags_left") == filter_names("default,-tags_left")


def test_a_page_that_was_tagged_from_the_start_has_no_parent() -> None:
    started = replace(numbered(2, 0), history=History(parent_rev_id=0))
    made = replace(started.provenance, before_rev_id=None, pairing="addition-edit", kind="added")
    first, later = replace(started, provenance=made), started
    reason = FILTERS["not_parent"].reason
    assert (reason(first, Filter()), reason(later, Filter())) == (None, "not_parent")


def test_a_span_has_other_edits_inside_by_its_nature() -> None:
    between = replace(numbered(1, 2), history=History(parent_rev_id=17))
    span = replace(between, provenance=replace(between.provenance, pairing="tagged-span"))
    reason = FILTERS["not_parent"].reason
    assert (reason(between, Filter()), reason(span, Filter())) == ("not_parent", None)


POSITIVES: dict[str, Positive] = {"citation": "referenced"}
LISTS = filters.FilterLists("default", "drop", POSITIVES)
REWRITTEN = Link("0", "It was the oldest mill of all.", "rewritten", 90.0, "")
INSERTED = Link("", "", "inserted", 0.0, "")


def intent(signal: str = "clarification", *, reverted: bool = False, **facts: Any) -> Edit:
    made = edit(removed=facts.pop("removed", ["It is a mill."]), added=facts.pop("added", []))
    source = replace(
        made.provenance, signal=signal, pairing="intent-edit", tags=(), reverted=reverted
    )
    links = facts.pop("links", (REWRITTEN,) * len(made.removed))
    return replace(made, provenance=source, links=links, **facts)


def judged(found: Edit, lists: filters.FilterLists = LISTS) -> str | None:
    return filters.verdict(found, load_config().filter, lists.of(found.provenance))


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (intent(), None),
        (intent(reverted=True), "reverted"),
        (intent(summary_reverts=True), "summary_reverts"),
        (intent(history=History(restores_rev_id=1)), "restores_earlier"),
        (intent(readable=False), "unreadable"),
        (intent(removed=[], same_text=True), "markup_only"),
        (intent(removed=[], added=["It is new."], added_links=(INSERTED,)), "new_sentences"),
        (intent(removed=[]), "no_positive"),
        (intent("citation", removed=[], same_text=True), "no_positive"),
        (intent(links=(REWRITTEN._replace(counterpart="It is a mil."),)), "slip"),
        (intent("citation", links=(REWRITTEN._replace(counterpart="It is a mil."),)), None),
        (intent(links=(Link("", "", "deleted", 0.0, ""),)), None),
    ],
)
def test_verdicts_on_edits_with_an_intent(found: Edit, expected: str | None) -> None:
    assert judged(found) == expected


def test_featured_articles_are_asked_next_to_nothing() -> None:
    made = intent("featured", removed=[], reverted=True)
    assert judged(made) == "no_sentence"
    assert judged(replace(made, unchanged=edit(unchanged=["It is a mill."]).unchanged)) is None
    assert judged(replace(made, texts_missing=True)) == "unknown_text"


ASKED = INTENT.filters or ()


def test_edits_of_tags_are_asked_what_the_user_lists() -> None:
    lists = filters.FilterLists("paper,-spelling", "drop", POSITIVES)
    assert "spelling" not in lists.of_signal("tag")
    assert lists.of_signal("tag") == lists.of_signal("summary")
    assert lists.of_signal("citation") == list(REFERENCED_FILTERS)


def test_a_minus_leaves_a_filter_out_for_intents_too() -> None:
    lists = filters.FilterLists("-slip,-summary_reverts", "drop", POSITIVES)
    assert not {"slip", "summary_reverts"} & set(lists.of_signal("clarification"))
    assert lists.of_signal("tag") == filter_names("default")
    for listed in ("slip", "-slipp"):
        with pytest.raises(UsageError, match="unknown filter"):
            filters.FilterLists(listed, "drop", POSITIVES)


def test_undone_edits_can_be_kept() -> None:
    lists = filters.FilterLists("default", "keep", POSITIVES)
    assert judged(intent(reverted=True), lists) is None
    assert lists.off == {"reverted"}
    assert "reverted" in lists.of_signal("citation")


def test_all_that_may_be_asked_is_announced_in_order() -> None:
    assert LISTS.announced(["tag"]) == filter_names("default")
    assert LISTS.announced(["clarification", "featured"]) == [
        *ASKED,
        *(name for name in FEATURED.filters or () if name not in ASKED),
    ]


def test_every_filter_has_a_title_and_says_what_it_drops() -> None:
    for name, each in filters.OTHER_FILTERS.items():
        assert filters.filter_title(name) == each.title
        assert (each.reason.__doc__ or "").startswith("Drop ")
        assert name not in filters.FILTERS
    lists = (ASKED, REFERENCED_FILTERS, FEATURED.filters or ())
    assert all(filters.filter_named(name) for names in lists for name in names)
    assert filters.filter_title("gone") == "gone"


CODE = """
from wikibias.edits.filters import EditFilter

def long(edit, limits):
    return "long" if len(edit.removed) > 1 else None

def odd(edit, limits):
    if edit.provenance.after_rev_id == 2:
        raise ValueError("odd")

FILTER = EditFilter("long [bold]edits", long)
ODD = EditFilter("odd edits", odd)
"""


def test_a_filter_of_another_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It drops what the others keep; where it fails, the edit is named and the rest goes on."""
    entry_points = (
        "[wikibias.filters]\nlong = outside:FILTER\nodd = outside:ODD\nbare = outside:long\n"
    )
    install(tmp_path, monkeypatch, CODE, entry_points)
    dump = dumped(tmp_path, [page_history("Village", 2)], "wiki.xml")
    plain, out, failing = tmp_path / "plain", tmp_path / "o", tmp_path / "failing"
    assert "long" not in extract(plain, dump).well().out
    assert not rows(plain, "rejects")
    refused = extract(plain, "--filters", "long", dump)
    refused.refused("filter.filters: default -> long", f"wikibias filter --restart {plain}")

    assert "│ long [bold]edits" in extract(out, "--filters", "paper,long", dump).well().out
    assert {row["verdict"] for row in rows(out, "rejects")} == {"long"}
    verdicts = manifest_of(out)["verdicts"]
    assert list(verdicts)[-2:] == ["long", "kept"]
    assert verdicts["long"] == len(rows(out, "rejects")) > 0

    # It would fail for each part alike: the run ends at once.
    refused = extract(tmp_path / "none", "--filters", "paper,bare", dump)
    refused.refused("the filter 'bare' of outside: outside:long cannot be used: it has no 'title'")

    ended = extract(failing, "--filters", "paper,odd", dump)
    assert ended.code == 1
    # It may fail on each edit; nothing is built of those that are left.
    assert "wiki.xml failed: fails on revision 2 of 'Village': ValueError: odd" in ended.err
    assert "(in the filter 'odd' of outside; tell its authors what --debug shows)" in ended.err
    assert not manifest_of(failing)["verdicts"]
