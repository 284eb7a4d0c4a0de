"""Where a tag stands, and which part of the article it is about."""

import pytest

from wikibias.tags.placement import Heading, headings, place_of
from wikibias.tags.tagset import Scope, Tag
from wikibias.tags.template_parser import parse

TEXT = "{}Lead.\n== Life ==\n{}Born.\n=== Youth ===\nSchool. Grand.{}\n== Death ==\nDied."


def about(text: str, scope: Scope, parameter: str = "") -> tuple[str, str]:
    """Return the section that the one tag in a text stands in, and what it is about."""
    parsed = parse(text)
    (call,) = parsed.calls
    tag = Tag("POV", "pov", scope, text=parameter)
    place = place_of(parsed.text, headings(parsed.text), call, tag)
    return place.section, parsed.text[place.start : place.end]


def test_headings_with_as_many_signs_as_both_sides_have() -> None:
    text = "== A ==\nb == c\n===D==\n=======E=======\n==\n"
    assert headings(text) == [
        Heading(0, 2, "A", 15),
        Heading(15, 2, "=D", 41),
        Heading(22, 6, "=E=", 41),
    ]


def test_an_article_tag_is_about_the_article() -> None:
    text = TEXT.format("{{POV}}", "", "")
    assert about(text, "article") == ("", text)
    assert about(TEXT.format("", "{{POV|Section}}", ""), "article")[1].startswith("== Life ==")


def test_a_section_tag_is_about_the_section_with_its_subsections() -> None:
    section, text = about(TEXT.format("", "{{POV}}", ""), "section")
    assert section == "Life"
    assert text.startswith("== Life ==")
    assert text.endswith("School. Grand.\n")
    assert about(TEXT.format("{{POV}}", "", ""), "section") == ("", "{{POV}}Lead.\n")


def test_an_inline_tag_is_about_its_line() -> None:
    assert about(TEXT.format("", "", "{{POV}}"), "inline") == ("Youth", "School. Grand.{{POV}}")


@pytest.mark.parametrize(
    ("call", "parameter", "said"),
    [
        ("{{POV|so grand|date=May}}", "1", "so grand"),
        ("{{POV|date=May|text= so grand}}", "text", " so grand"),
        ("{{POV|[[a=b]]}}", "1", "[[a=b]]"),
        ("{{POV|a + b = c}}", "1", ""),
    ],
)
def test_a_wrapping_tag_is_about_what_it_wraps(call: str, parameter: str, said: str) -> None:
    assert about(TEXT.format("", "", call), "wrapping", parameter) == ("Youth", said)


def test_a_wrapping_tag_that_wraps_nothing_is_about_its_line() -> None:
    for call in ("{{POV}}", "{{POV|date=May 2008}}", "{{POV| }}"):
        assert about(f"One.\nTwo{call}.\nThree.", "wrapping", "1")[1] == f"Two{call}."
    assert about("One.\nTwo {{POV|words}}.", "wrapping", "1")[1] == "words"
