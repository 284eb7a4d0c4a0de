"""What finds intents: of which edits it is asked, and what it says of them."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime

from paths import ROOT
from wikibias.config.intents import Intent, Rule
from wikibias.config.languages import load_language
from wikibias.edits.intents.source import FACTS, RuledIntents, elements_of, intent_source
from wikibias.mediawiki.namespaces import Namespaces
from wikibias.records import ChangedLine, ReadRevision


def source(*intents: Intent) -> RuledIntents:
    language = load_language("en")
    return intent_source(intents, "robust", language, Namespaces.of({}, language.namespaces))


def revision(number: int, text: str, comment: str = "") -> ReadRevision:
    time = datetime(2020, 1, number, tzinfo=UTC)
    return ReadRevision(number, time, text, None, comment, "Orla", "registered")


def by_summary(name: str, pattern: str) -> Intent:
    rule = Rule("the summary says so", "summary", matches=pattern)
    return Intent(name, "a case", robust=(rule,))


def test_an_edit_may_have_several_intents_in_the_order_asked_for() -> None:
    found = source(by_summary("b", "typo"), by_summary("a", "spelling"))
    judged = found.judge(revision(1, "a"), revision(2, "b", "typo and spelling"))
    assert judged is not None
    assert judged.intents == ("b", "a")
    assert found.judge(revision(1, "a"), revision(2, "b", "more")) is None


def test_what_changes_nothing_has_no_intent() -> None:
    found = source(by_summary("a", "typo"))
    assert found.judge(revision(1, "a"), revision(2, "a", "typo")) is None
    lost = replace(revision(1, "a"), text=None)
    assert found.judge(lost, revision(2, "b", "typo")) is None


def test_the_page_for_authors_of_rules_names_every_fact() -> None:
    page = (ROOT / "docs" / "how-to" / "add-an-intent.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `(\w+)` \| (edit|line|segment) \| (\w+) \|", page, re.MULTILINE)
    assert listed == [(name, form.of, form.type) for name, form in FACTS.items()]


def test_of_very_long_lines_no_elements_are_told() -> None:
    namespaces = Namespaces.of({}, {})
    assert elements_of([ChangedLine("", "A mill.<ref>Fenwick</ref>")], namespaces)
    assert elements_of([ChangedLine("", "A mill. " * 3_000)], namespaces) == ()
