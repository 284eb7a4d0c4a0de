"""The positive sentences of changed lines."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casefiles import cases
from wikibias.config.choices import Positive
from wikibias.edits.positives import Positives, positives
from wikibias.records import ChangedLine
from wikis import finder, rules, segmenter


def found(lines: list[ChangedLine], wanted: Positive, lang: str = "en") -> Positives:
    return positives(lines, wanted, rules(lang), segmenter(lang), finder(lang))


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


SENTENCES = st.sampled_from(
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
LINES = st.lists(SENTENCES, max_size=7).flatmap(
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
