"""The tree of a wikitext, compared with that of the library."""

import re
from itertools import chain
from typing import Any

import mwparserfromhell
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mwparserfromhell import nodes

from paths import cases
from wikibias.config.languages import languages, load_language
from wikibias.errors import WikibiasError
from wikibias.mediawiki import Namespaces, title_key
from wikibias.text import markup_tree
from wikibias.text.cleaning import Rules, visible_paragraphs
from wikibias.text.markup_tree import parse_form
from wikibias.text.parsing import parsed_text
from wikis import rules


def of_library(code: Any) -> list[Any]:
    """Return the library's tree as ours, with texts side by side joined."""
    return [_of_library(node) for node in code.nodes if not isinstance(node, nodes.Comment)]


def _some(code: Any) -> list[Any] | None:
    return None if code is None else of_library(code)


def _of_library(node: Any) -> Any:
    if isinstance(node, nodes.Template):
        pairs = [(of_library(p.name), of_library(p.value)) for p in node.params]
        return markup_tree.Template(of_library(node.name), pairs)
    if isinstance(node, nodes.Argument):
        return markup_tree.Argument(_some(node.default))
    if isinstance(node, nodes.Wikilink):
        return markup_tree.Link(of_library(node.title), _some(node.text))
    if isinstance(node, nodes.ExternalLink):
        return markup_tree.Address(of_library(node.url), _some(node.title))
    if isinstance(node, nodes.HTMLEntity):
        return markup_tree.Entity(node.value, node.named, bool(node.hexadecimal))
    if isinstance(node, nodes.Heading):
        return markup_tree.Heading(node.level, of_library(node.title))
    if isinstance(node, nodes.Tag):
        pairs = [(of_library(a.name), _some(a.value) or []) for a in node.attributes]
        content = None if node.self_closing else of_library(node.contents)
        return markup_tree.Element(of_library(node.tag), pairs, content, bool(node.wiki_markup))
    return str(node)


PIECES = [
    *"{{ }} {{a|b=c|d}} {{{ }}} {{{a|b}}} [[ ]] [[a|b]] [[c]] | = [http://a b] [http://c]".split(),
    *"<b> </b> <br> <ref name='a'>b</ref> <i/> <nowiki>[[a]]</nowiki> &amp; &#65; &#x41;".split(),
    *["\n", "\n* ", "\n; a : b\n", "\n== a ==\n", "\n{|\n| b || c\n|}\n", "\n----\n", "<!-- a -->"],
    *["<span class=a style='b'>c</span>", "Words. ", "''", "http://a.example "],
]


@given(st.lists(st.sampled_from(PIECES), max_size=15).map("".join))
def test_it_is_the_tree_of_the_library(wikitext: str) -> None:
    code = mwparserfromhell.parse(wikitext, skip_style_tags=True)
    ours = [node for node in markup_tree.parsed(wikitext) if node != ""]
    assert repr(_joined(ours)) == repr(_joined(of_library(code)))


def _joined(code: markup_tree.Code) -> markup_tree.Code:
    """Return a code without empty texts, also inside of its nodes."""
    return [part for part in code if part != ""]


@pytest.mark.parametrize("wikitext", ["a &amp;&#65;&#x41;", "{{a|b}}", "[[a]]", "<b>c", "plain"])
def test_the_source_of_names(wikitext: str) -> None:
    assert markup_tree.source(markup_tree.parsed(wikitext)) == wikitext


def test_a_library_with_another_parser_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that knows of no builder would give a tree of its own, without a word."""

    class Other:
        def parse(self, text: str, **options: Any) -> Any:
            return mwparserfromhell.parse(text, **options)

    monkeypatch.setattr(markup_tree, "Parser", Other)
    with pytest.raises(WikibiasError, match='pip install "mwparserfromhell'):
        markup_tree.parsed("An ''elm''.")


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
    forms = markup_tree.TemplateForms(namespaces, FORMS, ["sfn", "cite *"])
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
    forms = markup_tree.TemplateForms(namespaces, {"twice": "{1} {1} {1|2}"}, [])
    doubling = Rules(namespaces, frozenset(), forms, {}, 10_000)
    assert len(parsed_text("{{twice|" * 12 + "a" + "}}" * 12, doubling)) == 1


CASES = cases("text_templates")
PARAMETER = re.compile(r"[1-9]\d?|[^\W\d_]{1,12}")


@pytest.mark.parametrize("case", CASES)
def test_templates_show_what_a_reader_sees(case: dict[str, Any]) -> None:
    (paragraph,) = visible_paragraphs(case["wikitext"], rules(case["lang"]))
    assert paragraph.text == case["text"]
    assert paragraph.gaps == ()


def test_every_language_has_cases() -> None:
    assert {case.values[0]["lang"] for case in CASES} == set(languages())


@pytest.mark.parametrize("lang", languages())
class TestFacts:
    """The facts of the shipped languages are sound."""

    def test_names_stand_once(self, lang: str) -> None:
        language = load_language(lang)
        shown = [title_key(name, ignore_case=True) for name in language.text_templates]
        silent = [title_key(name, ignore_case=True) for name in language.silent_templates["names"]]
        for names in (shown, silent):
            assert [name for name in names if names.count(name) > 1] == []
        assert set(shown) & set(silent) == set()
        beginnings = tuple(name[:-1] for name in silent if name.endswith("*"))
        assert [name for name in shown if name.startswith(beginnings)] == []
        quotations = language.quotation_templates["names"]
        assert {title_key(name, ignore_case=True) for name in quotations} <= set(shown)

    def test_forms_name_parameters(self, lang: str) -> None:
        for name, value in load_language(lang).text_templates.items():
            form = parse_form(value)
            if form.is_literal:
                continue
            assert "{{" not in value, name
            slots = [
                slot for slot in chain.from_iterable(form.alternatives) if not isinstance(slot, str)
            ]
            assert slots, f"{name} shows nothing of its parameters"
            for parameter, _ in chain.from_iterable(slots):
                assert parameter == "0" or PARAMETER.fullmatch(parameter), (name, parameter)
            # Braces that belong to no slot are slips.
            pieces = chain.from_iterable(form.alternatives)
            assert not any(isinstance(p, str) and re.search(r"[{}|]", p) for p in pieces), name

    def test_sections_are_named_once(self, lang: str) -> None:
        sections = load_language(lang).sections
        assert set(sections) - {"literature"} == {"references", "see_also", "external_links"}
        headings = [name.casefold() for names in sections.values() for name in names]
        assert [name for name in headings if headings.count(name) > 1] == []
        assert all(len(names) >= 3 for kind, names in sections.items() if kind != "literature")

    def test_the_templates_that_matter_everywhere_are_known(self, lang: str) -> None:
        language = load_language(lang)
        shown = {title_key(name, ignore_case=True) for name in language.text_templates}
        assert {"nowrap", "convert", "ipa", "lang-*"} <= shown
        assert "cite *" in language.silent_templates["names"]
