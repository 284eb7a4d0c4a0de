"""Marks of featured articles: templates, templates with a value, and categories."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from matchers import FRAGMENTS, MATCHERS, TAGSETS, in_xml
from wikibias.config.languages import FeaturedMarks, load_language
from wikibias.mediawiki.titles import CATEGORY, TEMPLATE, Namespaces
from wikibias.tags.featured_templates import FeaturedMatcher
from wikibias.tags.scanner import TagScanner

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


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.lists(st.sampled_from(FRAGMENTS + STARS), max_size=12), max_size=6),
    st.booleans(),
)
def test_a_chunk_of_texts_gives_what_the_exact_matchers_find(
    texts: list[list[str]], with_tags: bool
) -> None:
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
