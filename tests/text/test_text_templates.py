"""What readers see of the templates of each language, through the language files themselves."""

import re
from itertools import chain
from typing import Any

import pytest

from casefiles import cases
from wikibias.config.languages import languages, load_language
from wikibias.mediawiki.titles import Namespaces, title_key
from wikibias.pipeline.enrichment import cleaning_rules
from wikibias.text.cleaning import Rules, visible_paragraphs
from wikibias.text.markup_tree import parse_form

CASES = cases("text_templates")
PARAMETER = re.compile(r"[1-9]\d?|[^\W\d_]{1,12}")


def rules(lang: str) -> Rules:
    language = load_language(lang)
    return cleaning_rules(language, Namespaces.of({}, language.namespaces), None, 100_000)


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
