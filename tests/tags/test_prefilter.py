"""The prefilter matches every text in which the exact matcher finds a tag."""

import re
import sys
import unicodedata
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from matchers import FRAGMENTS, LOCAL, MATCHERS, NAMES, PATTERNS, TAGSETS, WRAPPERS, in_xml
from paths import cases
from wikibias import mediawiki
from wikibias.dumps.compression.streams import open_part
from wikibias.dumps.xml.revision_parser import compiled
from wikibias.mediawiki import TEMPLATE, Namespaces
from wikibias.tags import template_parser
from wikibias.tags.matcher import Matcher
from wikibias.tags.prefilter import (
    NEAR,
    ByteSearch,
    beginnings_pattern,
    folded,
    names_pattern,
    unusual,
    unusual_within,
    usual,
)
from wikibias.tags.tagset import Tag, TagSet, Wrapper
from wikibias.tags.template_parser import active


@pytest.fixture(params=["re2", "re"])
def engine(request: pytest.FixtureRequest) -> Callable[[bytes], Any]:
    """Return the function that compiles a pattern with one of the two libraries."""
    if request.param == "re":
        return re.compile
    pytest.importorskip("re2")
    return compiled


@pytest.mark.parametrize("case", cases("calls"))
def test_each_case_with_a_tag_matches(case: dict[str, Any], engine: Callable[[bytes], Any]) -> None:
    lang = case.get("lang", "en")
    if lang in NAMES and case["tags"]:
        assert engine(NAMES[lang]).search(in_xml(case["text"]))


def test_a_text_without_such_names_does_not_match() -> None:
    text = in_xml("{{Infobox|name=POV}} A village. {{stub}} [[POV]]")
    assert PATTERNS["en"].search(text) is None
    assert PATTERNS["en"].search(in_xml("{{POV}}"))
    assert WRAPPERS["en"].search(in_xml("{{POV}}")) is None
    assert WRAPPERS["en"].search(in_xml("{{Multiple issues|POV=May}}"))


def test_a_pattern_is_made_once_for_thousands_of_parts() -> None:
    namespaces = Namespaces.of({TEMPLATE: "Template"})
    assert names_pattern(TAGSETS["en"], namespaces) is names_pattern(TAGSETS["en"], namespaces)


SPACES = [" ", "_", "  ", "\u00a0", "\u2003", "&nbsp;", "&#32;", "&#x20;", "\u3000", " _ ", "\r\n"]
AFTER = ["", *"}};|x}}; }};\n|a=b\n}};#x}};<!-- x -->}};|;\n;};_}};{{x}}".split(";")]


SCRIPTS: dict[str, list[str]] = {
    param.values[0]["name"]: param.values[0]["names"] for param in cases("scripts")
}


def made_up(names: list[str], *, ignore_case: bool) -> TagSet:
    """Return a tag set of these names, the first of them a wrapper."""
    tag = Tag(names[1], "pov", aliases=tuple(names[2:]))
    wrapper = Wrapper(names[0], parameters={mediawiki.clean_title(names[1]).casefold(): names[1]})
    return TagSet(
        "made up", "en", ignore_case, verified=True, tags=(tag,), wrappers=(wrapper,), version="1"
    )


SPACES_OF = Namespaces.of({TEMPLATE: "Παράδειγμα"}, {"template": ["틀", "テンプレート", "Mẫu"]})


@cache
def made(script: str, ignore_case: bool) -> tuple[Matcher, list[Any]]:
    """Return the matcher of a script's names, and their pattern as each library compiles it."""
    tagset = made_up(SCRIPTS[script], ignore_case=ignore_case)
    pattern = names_pattern(tagset, SPACES_OF)
    return Matcher(tagset, SPACES_OF), [re.compile(pattern), compiled(pattern)]


@cache
def alike() -> dict[str, list[str]]:
    """Return characters that look like others or fold to them, by what they fold to."""
    found: dict[str, list[str]] = {}
    for code in (*range(0xA0, 0x3400), *range(0xA640, 0xAC00), *range(0xF900, 0x10000)):
        fold = unicodedata.normalize("NFKC", chr(code)).casefold()
        found.setdefault(fold, []).append(chr(code))
    return found


CASES: list[Callable[[str], str]] = [str, str.upper, str.lower, str.title, str.casefold]
FORMS = ("NFC", "NFD", "NFKC", "NFKD")
LOOSE = ["\ufe0e", "\ufe0f", "\U000e0100", "\u00ad", "\u200b", "\u200d", "\u0345", "\u0301"]
MARKED = ["\u200e", "\u202a", "\u202e", "<!-- a -- b -->", "<!---->", "<!-- | }} -->"]
PREFIXES = ["", "", "", "Template:", " template :", ":Template:", "msg:", "raw: Template :", ":::"]
PREFIXES += ["safesubst:", "_", "\u00a0", "<!-- | -->", *(f"{name}:" for name in LOCAL.values())]
LOCAL_PREFIXES = ["틀:", "틀:", "παράδειγμα:", "ΠΑΡΑ\u0301ΔΕΙΓΜΑ:", "Mẫu:", "テンフ\u309aレート:"]


@st.composite
def spelt(draw: st.DrawFn, names: list[str]) -> str:
    """Return a call of one of these names as nobody would write it, but most titles allow."""
    name = draw(st.sampled_from(names))
    name = unicodedata.normalize(draw(st.sampled_from(FORMS)), name)
    name = draw(st.sampled_from(CASES))(name)
    letters = list(name)
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, len(letters) - 1))
        letter = letters[at]
        form = draw(st.integers(0, 7))
        if letter == " " or form == 0:
            letters[at] = draw(st.sampled_from(SPACES)) if letter == " " else letter.swapcase()
        elif form == 1:
            letters[at] = draw(st.sampled_from([f"&#{ord(letter[0])};", f"&#x{ord(letter[0]):x};"]))
        elif form in (2, 3):
            letters.insert(at, draw(st.sampled_from(LOOSE if form == 2 else MARKED)))
        elif form == 4:
            # Marks in another order: a title is equal if they are of different classes.
            letters[at : at + 2] = reversed(letters[at : at + 2])
        elif form == 5:
            two = "".join(letters[at : at + 2]).casefold()
            letters[at : at + 2] = [draw(st.sampled_from(alike().get(two) or [two]))]
        else:
            others = alike().get(unicodedata.normalize("NFKC", letter).casefold())
            letters[at] = draw(st.sampled_from(others or [letter]))
    start = draw(st.sampled_from(PREFIXES + LOCAL_PREFIXES))
    braces = draw(st.sampled_from(["{{", "{{", "{{", "{{{", "{<!-- x -->{", "{{x|{{", "{{ \n"]))
    behind = st.sampled_from([*AFTER, *(f"|{name}=x}}}}" for name in names[1:2])])
    return braces + start + "".join(letters) + draw(behind)


@settings(max_examples=100)
@given(st.sampled_from(sorted(NAMES)), st.data())
def test_there_are_no_false_negatives(lang: str, data: st.DataObject) -> None:
    tagset = TAGSETS[lang]
    text = data.draw(spelt(sorted({*tagset.by_key(), *tagset.wrappers_by_key()})))
    if MATCHERS[lang].tags(text):
        assert PATTERNS[lang].search(in_xml(text))


@pytest.mark.parametrize("script", sorted(SCRIPTS))
@settings(max_examples=25)
@given(data=st.data(), ignore_case=st.booleans())
def test_no_script_has_false_negatives(script: str, data: st.DataObject, ignore_case: bool) -> None:
    text = data.draw(spelt(SCRIPTS[script]))
    matcher, patterns = made(script, ignore_case)
    if matcher.tags(text) or list(matcher.found(template_parser.calls(active(text)))):
        for pattern in patterns:
            assert pattern.search(in_xml(text))


@pytest.mark.parametrize("script", sorted(SCRIPTS))
def test_all_forms_that_mean_a_name_are_found(script: str) -> None:
    for name in SCRIPTS[script][1:]:
        for form in ("NFC", "NFD"):
            text = "{{" + unicodedata.normalize(form, name) + "}}"
            for ignore_case in (False, True):
                matcher, patterns = made(script, ignore_case)
                assert matcher.tags(text)
                for pattern in patterns:
                    assert pattern.search(in_xml(text))


@pytest.mark.parametrize("case", cases("prefilter"))
def test_it_passes_over_what_cannot_be_a_tag(case: dict[str, Any]) -> None:
    assert not PATTERNS[case["lang"]].search(in_xml(case["text"]))
    assert not MATCHERS[case["lang"]].tags(case["text"])


@pytest.mark.parametrize(
    ("name", "lang", "most"),
    [("1100-pages", "en", 20), ("1100-pages", "ja", 20), ("en-tagged", "ja", 0)],
)
def test_a_wiki_in_japanese_has_few_hits(shared: Path, name: str, lang: str, most: int) -> None:
    with open_part(str(next(shared.rglob(f"shintowiki-{name}.xml.7z")))) as (stream, _):
        hits = PATTERNS[lang].findall(stream.read(1 << 26))
    assert len(hits) <= most


@cache
def characters() -> list[str]:
    """Return all characters that are assigned."""
    every = map(chr, range(sys.maxunicode + 1))
    return [char for char in every if unicodedata.category(char) not in ("Cn", "Co", "Cs")]


def test_titles_that_are_equal_are_equal_when_folded() -> None:
    by_case: dict[str, str] = {}
    by_capital: dict[str, str] = {}
    for x in characters():
        fold = folded(x)
        assert by_case.setdefault(x.casefold(), fold) == fold
        assert by_capital.setdefault(x.upper(), fold) == fold
        for form in ("NFC", "NFD"):
            written = unicodedata.normalize(form, x)
            assert written == x or folded(written) == fold


def test_every_character_is_known_by_what_it_becomes() -> None:
    for x in characters():
        fold = folded(x)
        if fold != x:
            assert x in {*usual(fold), *unusual_within([tuple(fold)])}, hex(ord(x))


def test_letters_may_be_written_together() -> None:
    assert "ﬁ" in unusual("f", ["fiction"]).whole
    assert "ß" in unusual("s", ["strasse"]).whole
    assert "é" not in unusual("e", ["essay"]).parts


@cache
def pattern(lang: str) -> re.Pattern[bytes]:
    """Return the pattern of the names of a language."""
    return re.compile(NAMES[lang])


@cache
def sieve(lang: str) -> ByteSearch:
    """Return what searches for them."""
    return ByteSearch(pattern(lang), beginnings_pattern(TAGSETS[lang], MATCHERS[lang].namespaces))


CALLED = {
    lang: sorted({*tagset.by_key(), *tagset.wrappers_by_key(), "x", "Template:", "T"})
    for lang, tagset in TAGSETS.items()
}


def first(lang: str, chunk: bytes, start: int, end: int) -> int:
    """Return where the pattern matches first, found by searching for it."""
    found = pattern(lang).search(chunk, start, end)
    return -1 if found is None else found.start()


@given(st.data())
def test_it_finds_the_first_match_of_the_pattern(data: st.DataObject) -> None:
    lang = data.draw(st.sampled_from(sorted(NAMES)))
    name = st.sampled_from(CALLED[lang])
    written = st.one_of(name, name.map(str.upper), st.text(max_size=3))
    call = st.tuples(st.sampled_from(["{{", "{{ ", "{<!---->{", "{{{", "{{:\n"]), written)
    part = st.one_of(call.map("".join), st.sampled_from([*FRAGMENTS, "}}", "|", "word "]))
    chunk = in_xml("".join(data.draw(st.lists(part, max_size=12))))
    chunk = chunk[: data.draw(st.integers(0, len(chunk)))]
    start = data.draw(st.integers(0, len(chunk)))
    # Around where another search begins.
    if data.draw(st.booleans()):
        chunk = (
            chunk[:start] + b"x" * (NEAR - data.draw(st.integers(0, len(chunk)))) + chunk[start:]
        )
    end = data.draw(st.integers(start, len(chunk) + 1))
    assert sieve(lang).first(chunk, start, end) == first(lang, chunk, start, end)


@pytest.mark.parametrize("far", [0, NEAR - 15, NEAR - 12, NEAR, 400_000])
def test_it_finds_a_match_however_far_away(far: int) -> None:
    chunk = b"{{stub}} {| " + b"x" * far + b"{{POV}} {{NPOV}}"
    assert sieve("en").first(chunk, 0, len(chunk)) == chunk.index(b"{{POV")
    assert sieve("en").first(chunk, 3, chunk.index(b"}} {{NPOV")) == -1
