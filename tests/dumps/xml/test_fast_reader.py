"""The fast reader against the reference reader: the same transitions, whatever the dump."""

from __future__ import annotations

import io
import re
from dataclasses import asdict
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from casefiles import cases
from exports import Page, Revision, escape, export, rows, wikibias
from wikibias.config.thresholds import Reverts
from wikibias.dumps.compression.streams import open_part
from wikibias.dumps.iteration import Tally, iterate_pages
from wikibias.dumps.xml import fast_reader, mwxml_reader
from wikibias.dumps.xml.patterns import compiled
from wikibias.mediawiki.namespaces import TEMPLATE, Namespaces
from wikibias.records import LONGEST_TEXT, Transition
from wikibias.tags.incremental import same_tags
from wikibias.tags.matcher import Matcher
from wikibias.tags.prefilter import names_pattern
from wikibias.tags.scanner import TagScanner
from wikibias.tags.tagset import load_tagset, tagset_languages
from wikibias.tags.template_parser import active, settled_active
from wikibias.tags.template_parser import calls as calls_of
from wikibias.transitions.detection import Origin, transitions

LOCAL = {"fr": "Modèle", "bg": "Шаблон"}
TAGSETS = {lang: load_tagset("npov", lang) for lang in tagset_languages()}
NAMES = {lang: names_pattern(tagset) for lang, tagset in TAGSETS.items()}
MATCHERS = {
    lang: Matcher(tagset, Namespaces.of({TEMPLATE: LOCAL.get(lang, "Template")}))
    for lang, tagset in TAGSETS.items()
}
POSITION = re.compile(r": line \d+, column \d+")


def in_xml(text: str) -> bytes:
    """Return a text as MediaWiki escapes it."""
    return escape(text, {'"': "&quot;"}).encode() + b"</text>"


def read_by(name: str, stream, lang: str = "en", namespaces=range(16)):
    """Return the transitions that one of the readers gives, and what it counted."""
    tagset, tally = TAGSETS[lang], Tally()
    found: list[Transition] = []

    def matcher(site) -> Matcher:
        return Matcher(tagset, Namespaces.of(site.namespaces))

    try:
        if name == "fast":
            dump = fast_reader.read(
                stream, ("Blanked the page",), lambda s: TagScanner(tagset, matcher(s))
            )
        else:
            dump = mwxml_reader.read(stream, ("Blanked the page",))
    except mwxml_reader.DumpError as error:
        return found, POSITION.sub("", str(error))

    spaces = Namespaces.of(dump.site.namespaces)
    origin = Origin(dump.site, lang, "p", "v", spaces, with_editors=True)
    pages = iterate_pages(dump, tally, namespaces=namespaces, limit=None, on_progress=lambda: None)
    try:
        for transition in transitions(
            pages, origin, matcher(dump.site), per="tag", reverts=Reverts()
        ):
            found.append(transition)
    except mwxml_reader.DumpError as error:
        tally.error = str(error)
    tally.error = tally.error and POSITION.sub("", tally.error)
    return found, asdict(tally)


def check_same(content: bytes, lang: str = "en", **options) -> list[Transition]:
    """Check that both readers agree on a dump, and return its transitions."""
    fast = read_by("fast", io.BufferedReader(io.BytesIO(content)), lang, **options)
    assert fast == read_by("mwxml", io.BytesIO(content), lang, **options)
    return fast[0]


# The pattern -----------------------------------------------------------------------------------


@pytest.fixture(params=["re2", "re"])
def engine(request):
    if request.param == "re":
        return re.compile
    pytest.importorskip("re2")
    return compiled


@pytest.mark.parametrize("case", cases("calls"))
def test_the_pattern_hits_every_case_with_a_tag(case, engine):
    lang = case.get("lang", "en")
    if lang in NAMES and case["tags"]:
        assert engine(NAMES[lang]).search(in_xml(case["text"]))


SPACES = [" ", "_", "  ", "\u00a0", "\u2003", "&nbsp;", "&#32;", "&#x20;", "\u3000", " _ ", "\r\n"]
NOISE = ["<!-- x -->", "<!-- a -- b -->", "<!---->", "\u200e", "\u202c", "<!-- | }} -->"]
BEFORE = ["", " ", "\n", "_", ":", "msg:", "raw: ", "safesubst:", "\u00a0", "<!-- | -->"]
AFTER = [
    "}}",
    "|x}}",
    " }}",
    "\n|a=b\n}}",
    "#x}}",
    "<!-- x -->}}",
    "|",
    "",
    "\n",
    "}",
    "_}}",
    "{{x}}",
]


@st.composite
def calls(draw) -> tuple[str, str]:
    """Return a language, and a call of one of its tags, spelt as oddly as may be."""
    lang = draw(st.sampled_from(sorted(NAMES)))
    tagset = TAGSETS[lang]
    name = draw(st.sampled_from(sorted({*tagset.by_key(), *tagset.wrappers_by_key()})))
    spelt = []
    for letter in name:
        forms = {letter, letter.upper(), letter.lower(), letter.title()}
        odd = {"s": "ſ", "k": "\u212a", "å": "\u212b"}.get(letter.lower())
        forms |= {odd} if odd else set()
        forms |= {"e\u0301"} if letter in "éÉ" else set()
        forms |= {"&eacute;"} if letter == "é" else set()
        forms |= {"и\u0306"} if letter == "й" else set()
        spelt.append(draw(st.sampled_from(SPACES if letter == " " else sorted(forms))))
    if draw(st.booleans()):
        spelt.insert(draw(st.integers(0, len(spelt))), draw(st.sampled_from(NOISE)))
    prefix = draw(
        st.sampled_from(["", "Template:", "template : ", ":TEMPLATE:", LOCAL.get(lang, "T") + ":"])
    )
    braces = draw(st.sampled_from(["{{", "{{{", "{<!-- x -->{", "x{{y|{{", "{{{{"]))
    start = draw(st.sampled_from(BEFORE))
    return lang, braces + start + prefix + "".join(spelt) + draw(st.sampled_from(AFTER))


@settings(max_examples=1500, deadline=None)
@given(calls())
def test_the_pattern_has_no_false_negative(call):
    lang, text = call
    if MATCHERS[lang].tags(text):
        assert PATTERNS[lang].search(in_xml(text))


PATTERNS = {lang: compiled(pattern) for lang, pattern in NAMES.items()}
WRAPPERS = {
    lang: compiled(names_pattern(tagset, wrappers_only=True)) for lang, tagset in TAGSETS.items()
}


# Revisions that have the tags of another -------------------------------------------------------

PIECES = [
    *"{{POV}} {{POV|date=May}} {{POV {{Multiple_issues| {{Article_issues|POV=1|weasel= }}".split(),
    *"{{x| {{x}} }} | = [[ ]] [[a|b]] <!-- --> <nowiki> </nowiki> <nowiki </pre > {{{ }}}".split(),
    *"{ } -- word <ref> </ref> |peacock=June weasel= <pre>".split(),
    *["\n", " ", "\n", " ", " "],
]


@settings(max_examples=1000, deadline=None)
@given(
    st.lists(st.sampled_from(PIECES), max_size=10),
    st.lists(st.sampled_from(PIECES), max_size=5),
    st.lists(st.sampled_from(PIECES), max_size=5),
    st.lists(st.sampled_from(PIECES), max_size=10),
)
def test_what_is_called_alike_has_the_same_tags(before, old, new, after):
    one, other = ("".join([*before, *change, *after]) for change in (old, new))
    if same_tags(in_xml(one)[:-7], in_xml(other)[:-7], PATTERNS["en"], WRAPPERS["en"]):
        assert MATCHERS["en"].tags(one) == MATCHERS["en"].tags(other)


@settings(max_examples=500, deadline=None)
@given(
    st.lists(st.sampled_from(PIECES), max_size=25),
    st.lists(
        st.tuples(
            st.integers(0, 25), st.integers(0, 4), st.lists(st.sampled_from(PIECES), max_size=4)
        ),
        max_size=8,
    ),
)
def test_the_finder_gives_each_text_its_tags(pieces, edits):
    """Edit after edit, whatever it has learnt from the texts before."""
    finder = TagScanner(TAGSETS["en"], MATCHERS["en"])
    for at, gone, new in [(0, 0, []), *edits]:
        pieces[at : at + gone] = new
        block = in_xml("".join(pieces))
        stop = len(block) - len(b"</text>")
        hit = finder.next_hit(block, 0, len(block))
        found = finder.tags(block, 0, stop, hit) if hit < stop else {}
        assert found == MATCHERS["en"].tags("".join(pieces))


@settings(max_examples=500, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=12), st.lists(st.sampled_from(PIECES)))
def test_what_is_settled_stays_as_it_is(pieces, more):
    begun = "".join(pieces) + "\n"
    unclosed = []
    shown = settled_active(begun)
    before = list(calls_of(shown or "", unclosed))
    assert MATCHERS["en"].settled_tags(begun) == (
        None if shown is None or unclosed else MATCHERS["en"].tags(begun)
    )
    if shown is not None and not unclosed:
        after = list(calls_of(active("".join(more))))
        whole = list(calls_of(active(begun + "".join(more))))
        assert [c.name for c in whole] == [c.name for c in before + after]
        assert whole[: len(before)] == before


# Whole dumps -----------------------------------------------------------------------------------

TEXTS = st.one_of(
    st.sampled_from(
        [
            "",
            "A village.",
            "{{POV}} A village.",
            "{{npov|date=May}} A village <ref>x</ref> & 'more' \"said\".",
            "{{Multiple issues|POV=1|weasel=2}} text",
            "<nowiki>{{POV}}</nowiki> été",
            "{{PO<!-- x -->V}} text\n",
            "{{weasel}}{{POV}} A village.",
        ]
    ),
    st.text(alphabet="{}[]|POV<!->&\n é\u00a0𝄞\"'", max_size=30),
)
REVISIONS = st.builds(
    Revision,
    text=TEXTS,
    user=st.sampled_from(["Orla Fenwick", "192.0.2.7", "Été & <Cie>", "TestBot"]),
    comment=st.sampled_from(["", "copy-edit", "Blanked the page", 'a "quote" & <b>']),
    hidden=st.sampled_from([frozenset(), frozenset(), frozenset({"text"}), frozenset({"user"})]),
    lost=st.sampled_from([False, False, False, True]),
)
PAGES = st.lists(
    st.builds(
        Page,
        title=st.sampled_from(["Mill", "Été & <Cie>", "A_b"]),
        revisions=st.lists(REVISIONS, max_size=8),
        namespace=st.sampled_from([0, 0, 0, 1, 2]),
    ),
    max_size=4,
)


@settings(max_examples=100, deadline=None)
@given(PAGES, st.sampled_from(["0.3", "0.4", "0.10", "0.11"]), st.booleans(), st.booleans())
def test_generated_dumps(pages, schema, sha1, ns):
    content = export(pages, schema=schema, sha1=sha1, ns=ns)
    check_same(content)
    check_same(content, namespaces=[0])


XML = export(
    [
        Page("Mill", [Revision(t) for t in ("{{POV}} a", "b", "{{POV}} c", "{{POV}} c d", "e")]),
        Page("Bridge", [Revision(t) for t in ("a", "{{weasel}} b", "c", "d")], namespace=1),
        Page("Ford", [Revision(t) for t in ("{{POV}} é", "", "{{POV}} é", "f & g")]),
    ]
)


@settings(max_examples=300, deadline=None)
@given(
    st.integers(0, len(XML) - 1),
    st.integers(0, 9),
    st.sampled_from([b"", b"<", b"&", b"\0", b"\xff", b"<!-- x -->", b"</page>", b"]]>", b"&#80;"]),
)
def test_damaged_dumps(at, length, junk):
    """The same up to the damage; beyond, no more than if the damaged text had been whole."""
    content = XML[:at] + junk + XML[at + length :]
    fast, told = read_by("fast", io.BufferedReader(io.BytesIO(content)))
    slow, reason = read_by("mwxml", io.BytesIO(content))
    if not (isinstance(reason, str) or reason["error"]):
        assert (fast, told) == (slow, reason)
    # A transition that a revert after the damage undid is not yet known to be reverted.
    assert [revisions_of(t) for t in fast[: len(slow)]] == [revisions_of(t) for t in slow]


def revisions_of(transition: Transition) -> tuple[str, int | None, int, str, str]:
    made = transition.provenance
    texts = (transition.before_text, transition.after_text)
    return made.page_title, made.before_rev_id, made.after_rev_id, *texts


@pytest.mark.parametrize("end", [*range(0, len(XML), 97), len(XML) - 1])
def test_dumps_cut_off(end):
    fast = read_by("fast", io.BufferedReader(io.BytesIO(XML[:end])))
    assert fast == read_by("mwxml", io.BytesIO(XML[:end]))


def replaced(old: str, new: str) -> bytes:
    return XML.replace(old.encode(), new.encode())


ODD = {
    "cdata": re.sub(rb">(\{\{POV[^<]*)</text>", rb"><![CDATA[\1]]></text>", XML),
    "cdata with an end in it": replaced(">b</text>", "><![CDATA[</revision>]]></text>"),
    "comments": replaced("</revision>", "</revision><!-- <revision> -->"),
    "character references": replaced("{{POV", "&#123;&#x7b;PO&#86;"),
    "apostrophes": replaced("{{POV}} c", "&apos;{{POV}}&#039; c"),
    "carriage returns": XML.replace(b"\n", b"\r\n"),
    "no white space": re.sub(rb">\s+<", b"><", XML),
    "attributes in another order": re.sub(
        rb'<text bytes="(\d+)" sha1="(\w+)" xml:space="preserve">',
        rb"<text xml:space='preserve' sha1='\2' bytes='\1'>",
        XML,
    ),
    "single tags closed otherwise": re.sub(rb"<(\w+)([^<>]*) />", rb"<\1\2></\1>", XML),
    "raw greater-than signs": XML.replace(b"&gt;", b">"),
    "a declaration": b'<?xml version="1.0" encoding="utf-8"?>\n' + XML,
    "latin-1": b'<?xml version="1.0" encoding="iso-8859-1"?>' + XML.decode().encode("latin-1"),
    "entities of its own": b'<!DOCTYPE mediawiki [<!ENTITY x "{{POV}}">]>'
    + replaced(">b</text>", ">&x;</text>"),
    "a page without revisions": replaced(
        "  <page>", "  <page><title>No</title><id>9</id></page><page>"
    ),
    "restrictions": replaced(
        "</id>\n    <revision>", "</id><restrictions>x</restrictions><revision>"
    ),
    "upload": replaced("</ns>", "</ns><upload></upload>"),
    "a slot": replaced(
        "</text>",
        "</text><content><role>x</role><origin>1</origin><model>json</model>"
        '<format>y</format><text bytes="1" sha1="x">{{POV}}</text></content>',
    ),
}


@pytest.mark.parametrize("name", ODD)
def test_odd_dumps(name):
    found = check_same(ODD[name])
    assert name in ("upload", "a page without revisions") or len(found) > 5


def test_a_revision_longer_than_many_blocks():
    long = "{{POV}}" + "word {{x}} " * 300_000
    pages = [Page("Mill", [Revision("a"), Revision(long), Revision(long[8:]), Revision(long)])]
    found = check_same(export(pages, schema="0.4"))
    assert [t.provenance.kind for t in found] == ["added", "removed", "added"]
    assert found[1].provenance.reverted is False
    assert found[0].after_text == long


@pytest.mark.parametrize("more", [0, 1])
def test_a_text_is_read_up_to_a_length(more):
    start = "{{POV}} é<b>&amp;\"'</b>𝄞 "
    long = start + "é&" * ((LONGEST_TEXT - len(start)) // 2)
    long += "x" * (LONGEST_TEXT - len(long) + more)
    pages = [Page("Mill", [Revision("a"), Revision(long), Revision("b"), Revision("{{POV}}")])]
    found = check_same(export(pages))
    kinds = [t.provenance.kind for t in found]
    assert kinds == (["added"] if more else ["added", "removed", "added"])


def test_a_text_that_is_too_long_is_counted(tmp_path):
    texts = ["{{POV}} a", "x" * (LONGEST_TEXT + 1), "a"]
    (tmp_path / "d.xml").write_bytes(export([Page("Mill", [Revision(t) for t in texts])]))
    for name in ("fast", "mwxml"):
        out = wikibias("detect", "--lang", "en", "--reader", name, "-o", tmp_path / name, tmp_path)
        assert "Warning: d.xml: passed over the text of 1 revision of more than 5,000," in out.err
        (removed,) = [r for r in rows(tmp_path / name, "transitions") if r["kind"] == "removed"]
        assert (removed["before_text"], removed["after_text"]) == ("{{POV}} a", "a")


def test_every_shared_dump(shared: Path):
    """But the largest one, whose 600 revisions are here twice."""
    for path in sorted(shared.rglob("*.xml*")):
        if "full-history" in path.name:
            continue
        lang = next((lang for lang in ("fr", "bg") if path.parent.name == lang), "en")
        results = []
        for name in ("fast", "mwxml"):
            try:
                with open_part(str(path)) as (stream, _):
                    results.append(read_by(name, stream, lang))
            except mwxml_reader.DumpError as error:
                results.append(str(error))
        assert results[0] == results[1], path.name
