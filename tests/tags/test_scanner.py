"""Scanners of dumps for tags, marks and categories find what the exact matchers find."""

from functools import partial
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hostile_texts import Kind, kinds, slow
from matchers import FRAGMENTS, MATCHERS, TAGSETS, around_tags, in_xml
from wikibias.config.languages import FeaturedMarks, load_language
from wikibias.dumps.xml import revision_parser
from wikibias.mediawiki import CATEGORY, TEMPLATE, Namespaces
from wikibias.tags.scanner import CategoryMatcher, CategoryScanner, FeaturedMatcher, TagScanner

Edits = list[tuple[int, int, list[str]]]


def edits(fragments: list[str]) -> st.SearchStrategy[Edits]:
    """Return edits of a list: from where, how many go, and what comes there."""
    new = st.lists(st.sampled_from(fragments), max_size=4)
    return st.lists(st.tuples(st.integers(0, 25), st.integers(0, 4), new), max_size=8)


def found_by(scanner: Any, chunk: bytes) -> dict[str, str]:
    """Return the tags that a scanner finds in a chunk of one text."""
    stop = len(chunk) - len(b"</text>")
    hit = scanner.next_hit(chunk, 0, len(chunk))
    found: dict[str, str] = scanner.tags(chunk, 0, stop, hit) if hit < stop else {}
    return found


def check_edits(scanner: Any, exact: Any, fragments: list[str], edits: Edits) -> None:
    """Hold a scanner against the exact matcher, edit after edit, whatever it remembers."""
    for at, removed, new in [(0, 0, list[str]()), *edits]:
        fragments[at : at + removed] = new
        text = "".join(fragments)
        assert found_by(scanner, in_xml(text)) == exact(text)


@given(st.lists(st.sampled_from(FRAGMENTS), max_size=25), edits(FRAGMENTS))
def test_revisions_get_the_tags_of_the_exact_matcher(fragments: list[str], edits: Edits) -> None:
    scanner = TagScanner(TAGSETS["en"], MATCHERS["en"])
    check_edits(scanner, MATCHERS["en"].tags, fragments, edits)


def follow(scanner: TagScanner, text: str) -> None:
    """Scan a text, one with a word more in the middle, and one with a tag more at the end."""
    scanner.begin_page()
    middle = len(text) // 2
    for each in (text, f"{text[:middle]} word {text[middle:]}", text + "\n{{POV}}\n"):
        found_by(scanner, in_xml(each))


@pytest.mark.parametrize("library", ["re2", "re"])
def test_no_text_takes_more_than_its_share(library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if library == "re":
        monkeypatch.setattr(revision_parser, "re2", None)
    else:
        pytest.importorskip("re2")
    names = [
        *around_tags("\n")[1:4],
        Kind("tags on lines", "{{POV}}\n"),
        Kind("a name of colons", ":", before="{{"),
        Kind("a name of prefixes", "Template: ", before="{{"),
        Kind("a name of spaces", " ", before="{{POV", after="x}}"),
        Kind("a name of words", "POV ", before="{{"),
        Kind("a name of quotation marks", '"', before="{{"),
        Kind("odd letters", "{{\u0130"),
        Kind("braces and comments", "{<!-- -->"),
    ]
    # No dump contains control characters.
    possible = [kind for kind in kinds() if "{{" in kind.text(100) and "\0" not in kind.open]
    scan = partial(follow, TagScanner(TAGSETS["en"], MATCHERS["en"]))
    # What re2 does takes no more than a straight line by its nature, and all else is the same.
    if library == "re":
        assert slow(scan, possible, 2000) == {}
    assert slow(scan, names, 5000) == {}


FRENCH = Namespaces.of({CATEGORY: "Catégorie", TEMPLATE: "Modèle"})
MARKS = FeaturedMatcher("fr", load_language("fr").featured, FRENCH)
ENGLISH = FeaturedMatcher("en", load_language("en").featured, Namespaces.of({}))
STARS = ["{{featured article}}", "[[category:featured articles|x]]", "{{Link FA|de}}", "featured"]


@pytest.mark.parametrize(
    ("text", "marks"),
    [
        ("{{article de qualité}}", {"Article de qualité": "article de qualité"}),
        ("{{Modèle:Article_de_qualité|date=mai}}", {"Article de qualité": "Article de qualité"}),
        ("{{En-tête label|AdQ}}", {"En-tête label|AdQ": "En-tête label|AdQ"}),
        ("{{En-tête label|BA}}", {}),
        ("{{En-tête label}}", {}),
        ("[[Catégorie:Article de qualité]]", {"Category:Article de qualité": "Article de qualité"}),
        ("{{Lien AdQ|de}}", {}),
        ("<!-- {{Article de qualité}} -->", {}),
    ],
)
def test_a_wikitext_has_the_marks_that_it_calls(text: str, marks: dict[str, str]) -> None:
    assert MARKS.tags(text) == marks


def test_marks_and_tags_are_told_apart() -> None:
    found = {"POV": "pov", "Featured article": "FA", "Category:Featured articles": "x"}
    assert set(ENGLISH.apart(found)) == {"POV"}
    assert set(ENGLISH.among(found)) == found.keys() - {"POV"}
    assert not FeaturedMatcher("en", FeaturedMarks(), Namespaces.of({}))


@given(
    st.lists(st.lists(st.sampled_from(FRAGMENTS + STARS), max_size=12), max_size=6), st.booleans()
)
def test_chunks_give_what_the_exact_matchers_find(texts: list[list[str]], with_tags: bool) -> None:
    """All texts of a chunk, read as the fast reader does: the next hit is looked for once."""
    tags = [TagScanner(TAGSETS["en"], MATCHERS["en"])] if with_tags else []
    scanner = ENGLISH.scanner(tags)
    scanner.begin_page()
    bodies = [in_xml("".join(text)) for text in texts]
    chunk, start, hit = b"".join(bodies), 0, -1
    for body, text in zip(bodies, texts, strict=True):
        stop = start + len(body) - len(b"</text>")
        if hit < start:
            hit = scanner.next_hit(chunk, start, len(chunk))
        found = scanner.tags(chunk, start, stop, hit) if hit < stop else {}
        joined = "".join(text)
        exact = MATCHERS["en"].tags(joined) if with_tags else {}
        assert found == exact | ENGLISH.tags(joined)
        start += len(body)


MATCHER = CategoryMatcher(["Article de qualité", "Été de l'an & co"], FRENCH)
LINK_FRAGMENTS = (
    "[[Catégorie:;[[category :;Article de qualité;article_de  qualité;]];|tri]];été de l'an & co;"
    "[[;<!--;-->;<nowiki>;</nowiki>;\n; mot ;{{x|;}};[[CATÉGORIE:Article de qualité]];:;"
    "[[Category:Été_de l'an & co|x]]"
).split(";")


@pytest.mark.parametrize(
    ("text", "is_found"),
    [
        ("[[Catégorie:Article de qualité]]", True),
        ("[[catégorie:article de qualité]]", True),
        ("[[CATÉGORIE:Article_de_qualité|Loire]]", True),
        ("[[ Category : Article  de qualité |]]", True),
        ("{{x|[[Category:Article de qualité]]}}", True),
        ("[[:Catégorie:Article de qualité]]", False),
        ("[[Catégorie:Article de Qualité]]", False),
        ("[[Catégorie:Article de qualité en vue]]", False),
        ("[[Article de qualité]]", False),
        ("[[Catégorie:Article de\nqualité]]", False),
        ("<!-- [[Catégorie:Article de qualité]] -->", False),
        ("<nowiki>[[Catégorie:Article de qualité]]</nowiki>", False),
    ],
)
def test_every_way_to_write_a_category_is_found_and_no_other(text: str, is_found: bool) -> None:
    assert set(MATCHER.found(text)) == ({"Category:Article de qualité"} if is_found else set())


def test_without_names_nothing_is_found() -> None:
    nothing = CategoryMatcher([], FRENCH)
    assert not nothing
    assert nothing.found("[[Category:]]") == {}


@settings(max_examples=100)
@given(st.lists(st.sampled_from(LINK_FRAGMENTS), max_size=12), edits(LINK_FRAGMENTS))
def test_revisions_get_categories_of_the_exact_matcher(fragments: list[str], edits: Edits) -> None:
    check_edits(CategoryScanner(MATCHER), MATCHER.found, fragments, edits)


def test_no_links_take_more_than_their_share_of_time() -> None:
    hostile = [
        Kind("links", "[[ "),
        Kind("namespaces", "[[Category:"),
        Kind("spaces before", " ", before="[["),
        Kind("spaces behind", "_", before="[[category"),
        Kind("spaces in the name", "_", before="[[category:article", after="x"),
        Kind("whole links", "[[Category:Article de qualité]]"),
    ]

    assert slow(lambda text: found_by(CategoryScanner(MATCHER), in_xml(text)), hostile) == {}
    assert slow(MATCHER.found, hostile) == {}


def test_a_small_letter_of_two_characters_is_no_other_name() -> None:
    matcher = CategoryMatcher(["İstanbul"], Namespaces.of({}))
    assert matcher.found("[[Category:İstanbul]]") == {"Category:İstanbul": "İstanbul"}
    assert matcher.found(f"[[Category:{'İ'.lower()}stanbul]]") == {}
