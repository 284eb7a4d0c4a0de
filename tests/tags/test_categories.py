"""Links that put a page into a category, found in texts and in the bytes of a dump."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hostile_texts import Kind, slow
from matchers import in_xml
from wikibias.mediawiki.titles import CATEGORY, Namespaces
from wikibias.tags.featured_templates import CategoryMatcher, CategoryScanner

FRENCH = Namespaces.of({CATEGORY: "Catégorie"})
MATCHER = CategoryMatcher(["Article de qualité", "Été de l'an & co"], FRENCH)
FOUND = {"Category:Article de qualité"}
FRAGMENTS = [
    *["[[Catégorie:", "[[category :", "Article de qualité", "article_de  qualité", "]]", "|tri]]"],
    *[
        "été de l'an & co",
        "[[",
        "<!--",
        "-->",
        "<nowiki>",
        "</nowiki>",
        "\n",
        " mot ",
        "{{x|",
        "}}",
    ],
    *["[[CATÉGORIE:Article de qualité]]", "[[Category:Été_de l'an & co|x]]", ":"],
]


@pytest.mark.parametrize(
    "text",
    [
        "[[Catégorie:Article de qualité]]",
        "[[catégorie:article de qualité]]",
        "[[CATÉGORIE:Article_de_qualité|Loire]]",
        "[[ Category : Article  de qualité |]]",
        "{{x|[[Category:Article de qualité]]}}",
    ],
)
def test_every_way_to_write_it_is_found(text: str) -> None:
    assert set(MATCHER.found(text)) == FOUND


@pytest.mark.parametrize(
    "text",
    [
        "[[:Catégorie:Article de qualité]]",
        "[[Catégorie:Article de Qualité]]",
        "[[Catégorie:Article de qualité en vue]]",
        "[[Article de qualité]]",
        "[[Catégorie:Article de\nqualité]]",
        "<!-- [[Catégorie:Article de qualité]] -->",
        "<nowiki>[[Catégorie:Article de qualité]]</nowiki>",
    ],
)
def test_other_links_are_not(text: str) -> None:
    assert MATCHER.found(text) == {}


def test_without_names_nothing_is_found() -> None:
    nothing = CategoryMatcher([], FRENCH)
    assert not nothing
    assert nothing.found("[[Category:]]") == {}


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.sampled_from(FRAGMENTS), max_size=12),
    st.lists(
        st.tuples(
            st.integers(0, 12), st.integers(0, 3), st.lists(st.sampled_from(FRAGMENTS), max_size=3)
        ),
        max_size=6,
    ),
)
def test_every_revision_gets_the_categories_of_the_exact_matcher(
    fragments: list[str], edits: list[tuple[int, int, list[str]]]
) -> None:
    """Edit after edit, whatever the scanner remembers of the text before."""
    scanner = CategoryScanner(MATCHER)
    for at, removed, new in [(0, 0, list[str]()), *edits]:
        fragments[at : at + removed] = new
        chunk = in_xml("".join(fragments))
        stop = len(chunk) - len(b"</text>")
        hit = scanner.next_hit(chunk, 0, stop)
        found = scanner.tags(chunk, 0, stop, hit) if hit < stop else {}
        assert found == MATCHER.found("".join(fragments))


def test_no_text_takes_more_than_its_share_of_time() -> None:
    hostile = [
        Kind("links", "[[ "),
        Kind("namespaces", "[[Category:"),
        Kind("spaces before", " ", before="[["),
        Kind("spaces behind", "_", before="[[category"),
        Kind("spaces in the name", "_", before="[[category:article", after="x"),
        Kind("whole links", "[[Category:Article de qualité]]"),
    ]

    def scan(text: str) -> None:
        chunk = in_xml(text)
        scanner = CategoryScanner(MATCHER)
        stop = len(chunk) - len(b"</text>")
        hit = scanner.next_hit(chunk, 0, stop)
        if hit < stop:
            scanner.tags(chunk, 0, stop, hit)

    assert slow(scan, hostile) == {}
    assert slow(MATCHER.found, hostile) == {}


def test_a_small_letter_of_two_characters_is_no_other_name() -> None:
    matcher = CategoryMatcher(["İstanbul"], Namespaces.of({}))
    assert matcher.found("[[Category:İstanbul]]") == {"Category:İstanbul": "İstanbul"}
    assert matcher.found(f"[[Category:{'İ'.lower()}stanbul]]") == {}
