"""What finds intents: of which edits it is asked, and what it says of them."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from wikibias.config.intents import Intent, Rule
from wikibias.config.languages import load_language
from wikibias.edits.intents.source import RuledIntents, intent_source
from wikibias.mediawiki.namespaces import Namespaces
from wikibias.records import ReadRevision


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
