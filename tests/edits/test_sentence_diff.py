"""The difference of two revisions, sentence by sentence."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exports import body
from histories import history
from made_edits import GONE, PROVENANCE
from made_edits import edit as made_edit
from paths import cases
from wikibias.config.choices import Positive
from wikibias.config.thresholds import Tiers
from wikibias.edits import sentence_diff
from wikibias.edits.confidence import Confidence, confidence, evidence, faults_of
from wikibias.edits.sentence_diff import compare, difference, matched, matches
from wikibias.records import (
    ChangedLine,
    Edit,
    History,
    Link,
    Relation,
    Role,
    Sentence,
    TagContext,
    Transition,
)
from wikibias.text.cleaning import plain_visible_paragraphs
from wikis import rules, segmenter, tools

# Far beyond any budget.
NESTED = "<b>" * 20_000
SENTENCES = st.lists(st.sampled_from("abcdef").map(lambda t: Sentence(t.upper(), t)), max_size=12)


@given(SENTENCES, SENTENCES)
def test_difference_agrees_with_taking_away_one_by_one(
    left: list[Sentence], right: list[Sentence]
) -> None:
    lacking, shared = difference(left, right)
    rest = [s.norm for s in right]
    expected = []
    for sentence in left:
        if sentence.norm in rest:
            rest.remove(sentence.norm)
        else:
            expected.append(sentence)
    assert lacking == expected
    assert len(lacking) + len(shared) == len(left)
    assert len(shared) == len(difference(right, left)[1])


KEYS = st.lists(st.sampled_from("abcdef"), max_size=8)


@given(KEYS, KEYS, KEYS, KEYS)
def test_both_ways_are_matched_as_each_way(
    first: list[str], left: list[str], right: list[str], last: list[str]
) -> None:
    both = first + left + last, first + right + last
    assert matched(*both) == (matches(*both), matches(*both[::-1]))


CONTEXT = TagContext(("article",), ("",), ("",), edited_text=None, only_tags=None)
GOOD = f"{{{{POV}}}} {body(1)}"


def compared(texts: Sequence[str], how: Any = None, **options: Any) -> sentence_diff.Comparison:
    """Compare two texts, of which the first has a tag."""
    (removed,) = (t for t in history(texts) if t.provenance.kind == "removed")
    redirect = re.compile("#R")
    return compare(removed, CONTEXT, how or rules("en"), segmenter("en"), redirect, **options)


@pytest.mark.parametrize("texts", [(GOOD, NESTED), (f"{{{{POV}}}} {NESTED}", body(1))])
def test_where_one_text_is_unreadable_both_are_cleaned_plainly(texts: tuple[str, str]) -> None:
    """So that the difference is not one of two ways of cleaning."""
    found = compared(texts)
    assert found.cause
    assert not found.edit.readable
    shown = [plain_visible_paragraphs(text, rules("en")) for text in texts]
    sentences = [segmenter("en").split(text) for text in shown]
    assert list(found.edit.removed) == difference(*sentences)[0]


def test_a_text_longer_than_a_setting_allows_is_no_fault() -> None:
    found = compared([GOOD, body(1)], replace(rules("en"), max_chars=10))
    assert found.cause is None
    assert not found.edit.readable
    assert (found.edit.removed, found.edit.added, found.edit.unchanged) == ((), (), ())


PRAISE = "The mill is the finest of all mills in the valley. Only fools would doubt it."
REPORT = "The mill is one of nine mills in the valley."


def test_sentences_of_the_edit_are_paired() -> None:
    texts = (f"{{{{POV}}}} {body(1)} {PRAISE}", f"{body(1)} {REPORT}")
    edit = compared(texts).edit
    assert [link.relation for link in edit.links] == ["rewritten", "deleted"]
    assert [link.pair_id for link in edit.added_links] == ["0"]
    assert edit.share_of_page == pytest.approx(
        (len(PRAISE) - 1) / (len(PRAISE) - 1 + sum(len(s.text) for s in edit.unchanged))
    )


def test_links_are_those_of_the_sentences_that_the_tags_are_about() -> None:
    texts = (f"{{{{POV}}}} {body(1)} {PRAISE}", f"{body(1)} {REPORT}")
    edit = compared(texts, target_filter=lambda some: some[1:]).edit
    assert [s.text for s in edit.removed] == ["Only fools would doubt it."]
    assert [link.relation for link in edit.links] == ["deleted"]
    assert edit.added_links[0].counterpart.startswith("The mill is the finest")


def found(lines: list[ChangedLine], wanted: Positive, lang: str = "en") -> sentence_diff.Positives:
    return sentence_diff.positives(lines, wanted, tools(lang))


def parts(text: str, spans: str) -> str:
    pairs = (span.partition(":") for span in spans.split())
    return "|".join(text[int(start) : int(end)] for start, _, end in pairs)


@pytest.mark.parametrize("case", cases("positives"))
def test_positive_sentences(case: dict[str, Any]) -> None:
    line = ChangedLine(case["before"], case["after"], "History")
    result = found([line], case["wanted"], case["lang"])
    told = [
        [
            s.text,
            link.relation,
            parts(s.text, link.changed_spans),
            c.has_reference,
            c.follows_reference,
        ]
        for s, link, c in zip(result.removed, result.links, result.contexts, strict=True)
    ]
    assert told == case["positive"]
    if "unchanged" in case:
        assert [s.text for s in result.unchanged] == case["unchanged"]
    assert result.same_text == case.get("same_text", result.same_text)
    assert {context.section for context in result.contexts} <= {"History"}


PLACED_SENTENCES = st.sampled_from(
    [
        "The mill was sold.",
        "It burnt ([[1901]]).",
        "He said: «No»!",
        "水車。",
        "A ''b'' c {{lang|fr|d}} e",
        "<ref name=x />",
        "<ref>{{cite book|title=A. B.}}</ref>",
        "{{sfn|Hale}}",
        "{{unknown}}",
        "\ufddb\ufddc\ufde6",
        "<!-- <ref>no</ref> -->",
        "<ref>",
        "</ref>",
        "{{",
        "}}",
        "[[File:a.jpg|thumb|",
        "]]",
    ]
)
LINES = st.lists(PLACED_SENTENCES, max_size=7).flatmap(
    lambda parts: st.sampled_from([" ", ""]).map(lambda space: space.join(parts))
)
WANTED = st.sampled_from(["changed", "referenced"])


@given(st.lists(st.tuples(LINES, LINES), max_size=3), WANTED)
def test_spans_lie_in_their_sentences_and_no_mark_is_left(
    texts: list[tuple[str, str]], wanted: Positive
) -> None:
    result = found([ChangedLine(*each) for each in texts], wanted)
    for side, links in ((result.removed, result.links), (result.added, result.added_links)):
        for sentence, link in zip(side, links, strict=True):
            spans = [tuple(map(int, span.split(":"))) for span in link.changed_spans.split()]
            flat = [at for span in spans for at in span]
            assert flat == sorted(flat)
            assert all(0 <= at <= len(sentence.text) for at in flat)
    assert len(result.contexts) == len(result.removed)
    shown = [*result.removed, *result.added, *result.unchanged]
    around = [text for c in result.contexts for text in (c.previous, c.next)]
    for text in [*(s.text for s in shown), *around]:
        assert not any("\ufdd0" <= char <= "\ufdef" for char in text)


@given(LINES, WANTED)
def test_a_line_that_stays_has_no_positive_sentence(line: str, wanted: Positive) -> None:
    result = found([ChangedLine(line, line)], wanted)
    assert (result.removed, result.added, result.same_text) == ((), (), True)


def test_pairs_of_several_lines_have_numbers_of_their_own() -> None:
    lines = [
        ChangedLine("The mill was old. It burnt.", "The mill was very old. It burnt.<ref>a</ref>"),
        ChangedLine("He sold it. It fell.", "He had sold it.<ref>b</ref> It fell."),
    ]
    changed, referenced = found(lines, "changed"), found(lines, "referenced")
    assert [link.pair_id for link in changed.links] == ["0", "1"]
    assert [link.pair_id for link in changed.added_links] == ["0", "1"]
    assert len({link.pair_id for link in referenced.links}) == 2
    assert [s.text for s in referenced.removed] == ["It burnt.", "He sold it."]


def test_of_sentences_that_were_merged_the_last_got_the_reference() -> None:
    line = ChangedLine(
        "The mill was sold to a banker. He burnt it down in the winter.",
        "The mill was sold to a banker, and he burnt it down in the winter.<ref>a</ref>",
    )
    result = found([line], "referenced")
    assert [s.text for s in result.removed] == ["He burnt it down in the winter."]
    assert [link.relation for link in result.links] == ["merged"]


WHOLE = Sentence("The mill is the finest in the county.", "the mill is the finest in the county")
REWRITTEN = Link("0", "The mill is in the county.", "rewritten", 80.0, "16:27")
LIMITS = Tiers()


def edit(removed: int = 1, links: Sequence[Link] = (), **facts: Any) -> Edit:
    return made_edit(removed=(WHOLE,) * removed, links=tuple(links), **facts)


def judged(
    found: Edit, link: Link | None = REWRITTEN, role: Role = "removed", sentence: Sentence = WHOLE
) -> Confidence:
    return confidence(evidence(found, LIMITS), role, sentence, link, LIMITS)


@pytest.mark.parametrize(
    ("facts", "reason"),
    [
        ({"history": History(restores_rev_id=7)}, "restores_earlier"),
        ({"history": History(restores_rev_id=7, restores_nearly=True)}, "nearly_restores"),
        ({"history": History(tags_left=("POV",))}, "tags_left"),
        ({"history": History(tags_swapped_in=("Advert",))}, "tag_swapped"),
        ({"history": History(tag_back_days=0.5)}, "tag_back"),
        ({"provenance": replace(PROVENANCE, reverted=True)}, "reverted"),
        ({"summary_reverts": True}, "summary_reverts"),
        ({"share_of_page": 0.9, "removed": 6}, "page_replaced"),
        ({"removed": 16}, "many_removed"),
        ({"policy_words": ("npov",)}, "names_policy"),
        ({"removed": 5, "share_of_page": 0.9}, "few_removed"),
    ],
)
def test_what_an_edit_tells_is_named(facts: dict[str, Any], reason: str) -> None:
    told = {reason, "tagged", "rewritten"}
    assert {*judged(edit(**facts)).reasons} - {"few_removed"} == told - {"few_removed"}
    assert ("few_removed" in judged(edit(**facts)).reasons) == (facts.get("removed", 1) < 6)


def test_sentences_that_only_moved_do_not_make_an_edit_large() -> None:
    moved: Relation = "moved"
    links = [REWRITTEN, *[REWRITTEN._replace(relation=moved)] * 19]
    assert "few_removed" in judged(edit(20, links)).reasons
    assert "many_removed" in judged(edit(20, [GONE] * 20)).reasons


def test_the_smaller_an_edit_the_surer_are_its_sentences() -> None:
    values = [judged(edit(number, [REWRITTEN] * number)).value for number in (1, 6, 20, 200)]
    assert values == sorted(values, reverse=True)
    assert values[0] > values[-1] + 0.2


def test_unchanged_sentences_follow_the_page_and_not_the_edit() -> None:
    kept = History(survived_days=30.0)
    large = edit(20, [GONE] * 20, summary_reverts=True)
    assert judged(large, None, "unchanged").reasons == ()
    assert judged(replace(large, history=kept), None, "unchanged").reasons == ("survived",)
    tagged = replace(kept, tags_left=("POV",))
    found = judged(replace(large, history=tagged), None, "unchanged")
    assert found.reasons == ("tags_left", "survived")


def test_how_long_a_tag_stood_says_nothing_for_the_text_before_it() -> None:
    tagged = edit(
        history=History(survived_days=99.0),
        provenance=replace(PROVENANCE, kind="added", pairing="addition-edit"),
    )
    assert judged(tagged, None, "unchanged").reasons == ()


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("The mill is old.", ()),
        ('He called it "the finest."', ()),
        ("これは水車である。", ()),
        ("यह एक चक्की है।", ()),
        ("Did it burn?", ()),
        ("The mill (built 1880.)", ()),
        ("The mill", ("no_stop",)),
        ("", ("no_stop",)),
        ('")', ("no_stop",)),
        ("THE MILL IS THE BEST!", ("capitals",)),
    ],
)
def test_faults_of_form(text: str, faults: tuple[str, ...]) -> None:
    assert faults_of(Sentence(text, "")) == faults


def test_faults_of_form_are_named() -> None:
    gap, listed = WHOLE._replace(has_gap=True), WHOLE._replace(block="list")
    assert "gap" in judged(edit(), sentence=gap).reasons
    assert judged(edit(), None, "unchanged", listed).reasons == ("not_running_text",)


HOW = tools("en")
MADE = replace(
    history(["a", "b {{POV}}"])[0].provenance,
    signal="citation",
    pairing="intent-edit",
    kind="removed",
    tags=(),
    aliases=(),
)


def edit_of(*lines: ChangedLine) -> sentence_diff.Comparison:
    return sentence_diff.positive_sentences(
        Transition(MADE, None, None, None, lines=lines), CONTEXT, "referenced", HOW
    )


def test_an_edit_has_its_positive_sentences_and_their_contexts() -> None:
    found = edit_of(ChangedLine("It is old. It burnt.", "It is old.<ref>a</ref> It burnt.", "Fire"))
    assert (found.edit.readable, found.edit.texts_missing, found.cause) == (True, False, None)
    assert [s.text for s in found.edit.removed] == ["It is old."]
    assert [c.section for c in found.edit.contexts] == ["Fire"]
    assert found.edit.after_chars == len("It is old.<ref>a</ref> It burnt.")


def test_lines_that_cannot_be_cleaned_make_it_unreadable() -> None:
    found = edit_of(ChangedLine("It is old.", f"It is old.<ref>a</ref> {NESTED}"))
    assert (found.edit.readable, found.edit.removed, found.edit.contexts) == (False, (), ())
    assert found.cause is not None
    # Longer than a setting allows is no fault of ours.
    assert edit_of(ChangedLine("a " * 1_000_000, "b")).cause is None


def featured_of(text: str | None) -> sentence_diff.Comparison:
    made = replace(MADE, signal="featured", pairing="featured-span", kind="added")
    return sentence_diff.featured_sentences(Transition(made, None, "", text), CONTEXT, HOW)


def test_all_sentences_of_a_featured_article_are_unchanged() -> None:
    text = "The mill is old.<ref>a</ref> It burnt.\n\n== Fire ==\nNobody was hurt."
    found = featured_of(text).edit
    shown = [s.text for s in found.unchanged]
    assert shown == ["The mill is old.", "It burnt.", "Nobody was hurt."]
    assert [c.has_reference for c in found.contexts] == [True, False, False]
    assert (found.removed, found.added, found.readable) == ((), (), True)
    assert found.after_chars == len(text)


def test_a_featured_article_may_be_unknown_or_unreadable() -> None:
    assert featured_of(None).edit.texts_missing
    broken = featured_of(NESTED)
    assert not broken.edit.readable
    assert broken.cause
