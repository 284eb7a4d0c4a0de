"""What is known of templates by their names."""

from __future__ import annotations

import pytest

from wikibias.mediawiki.titles import Namespaces
from wikibias.text.markup_tree import TemplateForms
from wikibias.text.parsing import Rules, parsed_text

FORMS = {
    "unit": "{1} {2}",
    "quoted": "{text|1}",
    "siècle": "{0} siècle",
    "dash": "= — ",
    "lang-*": "1",
    "lang-fr-x": "2",
    "link": "{2|1}",
    "odd": "{1} {",
    "part": "{1} {2}/{3} || {1}/{2} || 1/{1}",
    "range": "{1} {2=to|2=–} {3} {4} || {1} {2}",
    "twice": "{1} {1}",
    "soft": "=",
}


def shown(wikitext: str) -> str:
    namespaces = Namespaces.of({})
    forms = TemplateForms(namespaces, FORMS, ["sfn", "cite *"])
    return parsed_text(wikitext, Rules(namespaces, frozenset(), forms, {}, 10_000))


@pytest.mark.parametrize(
    ("wikitext", "text"),
    [
        ("{{unit|3|km}}", "3 km"),
        ("{{Unit| 3 }}", "3"),
        ("{{unit|[[Three|3]]|{{unit|square|km}}}}", "3 square km"),
        ("{{quoted|a}} {{quoted|text=b}} {{quoted|text= |c}}", "a b c"),
        ("{{siècle}}", "siècle siècle"),
        ("a{{dash}}b", "a — b"),
        ("{{lang-ru|a}}, {{lang-fr-x|a|b}}", "a, b"),
        ("{{link|a}} {{link|a|b}}", "a b"),
        ("{{odd|a}}", "a {"),
        ("{{!}}{{=}}", "|="),
        ("{{part|4}} {{part|3|4}} {{part|2|3|4}}", "1/4 3/4 2 3/4"),
        (
            "{{range|3|km|mi}}, {{range|3| to |4|km}}, {{range|3|–|4|km}}",
            "3 km, 3  to  4 km, 3 – 4 km",
        ),
        ("{{twice|a}}", "a"),
        ("soft{{soft}}ly", "softly"),
        ("{{formatnum:{{unit|3|4}}}} {{uc:a}}", "3 4 A"),
    ],
)
def test_forms(wikitext: str, text: str) -> None:
    assert shown(wikitext) == text


def test_templates_that_show_nothing_leave_a_seam_and_unknown_ones_a_gap() -> None:
    assert shown("{{sfn|a}}{{Cite book|b}}{{odd}}{{unit|\n}}") == "\ufdd8\ufdd8{\ufdd8"
    assert shown("{{unit}}{{other}}{{#if:a|b}}{{#tag:ref|a}}") == "\ufdd8\ufdd9\ufdd9\ufdd8"
    assert shown("{{citelet}}") == "\ufdd9"


def test_no_nesting_doubles_a_text_again_and_again() -> None:
    namespaces = Namespaces.of({})
    forms = TemplateForms(namespaces, {"twice": "{1} {1} {1|2}"}, [])
    rules = Rules(namespaces, frozenset(), forms, {}, 10_000)
    assert len(parsed_text("{{twice|" * 12 + "a" + "}}" * 12, rules)) == 1
