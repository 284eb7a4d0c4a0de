"""References in wikitext, and lines that stand by themselves."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import hostile_texts
from wikibias.edits.sentence_context import ReferenceFinder, whole_line
from wikis import finder

FIND = ReferenceFinder(["sfn", "cite *", "Źródło*"])


@pytest.mark.parametrize(
    ("wikitext", "sources"),
    [
        ("a<ref>b</ref>c", ["<ref>b</ref>"]),
        ("a<REF name='x'/>b<ref name=y >c</ref >", ["<REF name='x'/>", "<ref name=y >c</ref >"]),
        ("a {{Cite_web|b}} {{sfn|c|{{d}}}} {{source?}}", ["{{Cite_web|b}}", "{{sfn|c|{{d}}}}"]),
        ("{{ źródło książki|a}}", ["{{ źródło książki|a}}"]),
        ("<ref>{{cite book|a}} <ref name=b/></ref>", ["<ref>{{cite book|a}} <ref name=b/></ref>"]),
        ("{{quote|a<ref>b</ref>}}", ["<ref>b</ref>"]),
        ("<references/><refx>a</refx>{{citelet}}<ref>never closed {{cite never", []),
        ("<nowiki><ref>a</ref></nowiki>", []),
    ],
)  # fmt: skip
def test_references(wikitext: str, sources: list[str]) -> None:
    found = FIND(wikitext)
    assert [each.source for each in found] == sources
    assert all(" ".join(wikitext[r.start : r.end].split()) == r.source for r in found)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("a<ref>b", "a<ref />"),
        ("a</ref> b", "<ref /> b"),
        ("a}} b {{cite", " b "),
        ("a {{sfn|b}} c<ref>{{cite|d}}", "a {{sfn|b}} c<ref />"),
        ("a --> b", " b"),
        ("<ref>a</ref> {{b|<ref>c</ref>", "<ref>a</ref> "),
        ("a<ref x/>b", "a<ref x/>b"),
        ("a <nowiki>{{</nowiki> b", "a <nowiki>{{</nowiki> b"),
    ],
)
def test_a_line_is_cut_where_others_close_or_open(line: str, expected: str) -> None:
    assert whole_line(line) == expected


PIECES = st.sampled_from("a . <ref> </ref> <ref/> {{ }} {{cite| <nowiki> --> [[ ]]".split())


@given(st.lists(PIECES, max_size=12).map(" ".join))
def test_references_never_overlap_and_a_whole_line_stays_whole(line: str) -> None:
    ends = [at for each in FIND(line) for at in (each.start, each.end)]
    assert ends == sorted(ends)
    assert whole_line(whole_line(line)) == whole_line(line)


@pytest.mark.parametrize("kind", hostile_texts.kinds(), ids=lambda kind: kind.name)
def test_hostile_texts_cost_little(kind: hostile_texts.Kind) -> None:
    text = kind.text(200_000)
    finder("en")(text)
    whole_line(text)


@pytest.mark.parametrize(
    "piece", ["<ref>", "{{cite ", "</ref>", "}}", "<nowiki>", "<ref", "-->", "<ref/>"]
)
def test_repeated_markup_costs_little(piece: str) -> None:
    text = piece * (400_000 // len(piece))
    finder("en")(text)
    whole_line(text)
