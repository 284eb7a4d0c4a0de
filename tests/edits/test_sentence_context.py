"""Sentences with what stands around them; places in wikitext to sentences."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hostile_texts
from wikibias.edits import sentence_context
from wikibias.records import SentenceContext
from wikis import tools

WORD = "Qqqx"


def held(wikitext: str, lang: str = "en") -> list[tuple[str, int]]:
    """Return the sentences, each with the number of its references."""
    found = sentence_context.placed(wikitext, tools(lang))
    return [(each.sentence.text, len(each.references)) for each in found]


@pytest.mark.parametrize(
    ("wikitext", "expected"),
    [
        ("One is here.<ref>a</ref> Two.", [("One is here.", 1), ("Two.", 0)]),
        ("One is here. <ref>a</ref> Two.", [("One is here.", 1), ("Two.", 0)]),
        ("One is here<ref>a</ref>. Two.", [("One is here.", 1), ("Two.", 0)]),
        ("One is (<ref>a</ref>) here. Two.", [("One is here.", 1), ("Two.", 0)]),
        ("One is here.<ref>a</ref>Two is.", [("One is here.", 1), ("Two is.", 0)]),
        ("One is here .<ref>a</ref>. Two is.", [("One is here.", 1), ("Two is.", 0)]),
        ("<ref>a</ref> One is here. Two.", [("One is here.", 1), ("Two.", 0)]),
        ("One is here.\n\n<ref>a</ref> Two.", [("One is here.", 0), ("Two.", 1)]),
        ("One is http://a.example/b<ref>a</ref>. Two.", [("One is.", 1), ("Two.", 0)]),
        ("[[File:a.jpg|thumb|Caption.<ref>a</ref>]] One is here.", [("One is here.", 0)]),
        ("{{Infobox|a=<ref>a</ref>}}\nOne is here.", [("One is here.", 0)]),
        ("{|\n| a<ref>b</ref>\n|}\nOne is here.", [("One is here.", 0)]),
        ("<!-- <ref>a</ref> -->One is here.", [("One is here.", 0)]),
        ("<nowiki><ref>a</ref></nowiki> One is here.", [("a One is here.", 0)]),
        ('"One is here"<ref>a</ref> he said.', [('"One is here" he said.', 1)]),
        ("'''One'''<ref>a</ref> is here.", [("One is here.", 1)]),
        ("<ref>a</ref>", []),
    ],
)
def test_references_are_of_the_sentence_that_they_follow(
    wikitext: str, expected: list[tuple[str, int]]
) -> None:
    assert held(wikitext) == expected


PIECES = st.sampled_from(
    [
        "The mill was sold",
        " to [[Pell|a banker]]",
        " (in 1901)",
        ". ",
        ". It burnt down",
        "! ",
        "\n\n",
        "\n* ",
        "''gladly''",
        "“quoted”",
        "{{lang|fr|moulin}}",
        "{{unknown}}",
    ]
)
REFERENCE = "<ref>{{cite book|title=A. B.}}</ref>"


@settings(max_examples=60)
@given(
    st.lists(PIECES, max_size=7).map("".join),
    st.sampled_from(["", ".", ". ", " "]),
    st.lists(PIECES, max_size=6).map("".join),
)
def test_places_agree_with_a_word_set_in_place_of_the_reference(
    before: str, between: str, behind: str
) -> None:
    """The slow exact way: a word in place of a reference tells which sentence it stands in."""
    start, end = f"{before} it stood", between + behind
    found = held(f"{start}{REFERENCE}{end}")
    worded = [text for text, _ in held(f"{start}{WORD}{end}")]
    # Where the sentences are the same; a word may hold apart what a reference does not.
    if [text.replace(WORD, "") for text in worded] == [text for text, _ in found]:
        assert [bool(number) for _, number in found] == [WORD in text for text in worded]


def test_what_stands_around_a_sentence() -> None:
    text = "One is here.<ref>a</ref> Two is here. Three is here.<ref>b</ref>\n\nFour is here."
    found = sentence_context.placed(text, tools("en"))
    assert sentence_context.contexts_of(found, "S") == [
        SentenceContext("S", "", "Two is here.", has_reference=True, follows_reference=False),
        SentenceContext(
            "S", "One is here.", "Three is here.", has_reference=False, follows_reference=True
        ),
        SentenceContext("S", "Two is here.", "", has_reference=True, follows_reference=False),
        SentenceContext("S", "", "", has_reference=False, follows_reference=False),
    ]


def test_an_article_has_the_headings_of_its_sections() -> None:
    text = (
        "The mill is old.<ref>a</ref>\n\n== ''Early'' history ==\nIt was built here. It burnt.\n"
        "=== Fire ===\nNobody was hurt.\n== See also ==\n* A weir stands near."
    )
    sentences, contexts = sentence_context.page_in_context(text, tools("en"))
    assert [
        (s.text, s.block, c.section, c.previous) for s, c in zip(sentences, contexts, strict=True)
    ] == [
        ("The mill is old.", "paragraph", "", ""),
        ("It was built here.", "paragraph", "Early history", ""),
        ("It burnt.", "paragraph", "Early history", "It was built here."),
        ("Nobody was hurt.", "paragraph", "Fire", ""),
        ("A weir stands near.", "see_also", "See also", ""),
    ]
    assert [c.has_reference for c in contexts] == [True, False, False, False, False]


FIND = sentence_context.ReferenceFinder(["sfn", "cite *", "Źródło*"])


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
    assert sentence_context.whole_line(line) == expected


PIECES_REFERENCES = st.sampled_from(
    "a . <ref> </ref> <ref/> {{ }} {{cite| <nowiki> --> [[ ]]".split()
)


@given(st.lists(PIECES_REFERENCES, max_size=12).map(" ".join))
def test_references_never_overlap_and_a_whole_line_stays_whole(line: str) -> None:
    ends = [at for each in FIND(line) for at in (each.start, each.end)]
    assert ends == sorted(ends)
    assert sentence_context.whole_line(
        sentence_context.whole_line(line)
    ) == sentence_context.whole_line(line)


REPEATED = ("<ref>", "{{cite ", "</ref>", "}}", "<nowiki>", "<ref", "-->", "<ref/>")


def test_hostile_texts_cost_little() -> None:
    def read(text: str) -> None:
        tools("en").finder(text)
        sentence_context.whole_line(text)

    own = [hostile_texts.Kind(piece, piece) for piece in REPEATED]
    assert hostile_texts.slow(read, hostile_texts.kinds(), 1_500) == {}
    assert hostile_texts.slow(read, own, 20_000) == {}
