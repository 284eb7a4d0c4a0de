"""Rules over facts: which held, on which line, and whether the edit has the intent."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, ClassVar, cast

import pytest

from paths import CASES, ROOT
from wikibias.config.intents import Intent, Rule
from wikibias.config.languages import load_language
from wikibias.edits.intents.edit_facts import FACTS, Fact
from wikibias.edits.intents.markup_elements import names_of
from wikibias.edits.intents.rules import IntentRules, RuledIntents, elements_of, intent_source
from wikibias.kits.checked import conform
from wikibias.mediawiki import Namespaces
from wikibias.records import ChangedLine, EditFact, ReadRevision

RULES: list[dict[str, Any]] = tomllib.loads(
    (CASES / "intent_rules.toml").read_text(encoding="utf-8")
)["case"]


class Made:
    """An edit, a line or a segment with the facts that a case gives."""

    def __init__(self, facts: Mapping[str, Any], inside: Sequence[Made] = ()) -> None:
        self.facts = facts
        self.lines = self.segments = inside
        self.lines_of_both = [one for one in inside if one.facts.get("line_action") == "edited"]


def fact(name: str) -> Fact:
    """A fact that is read from the case."""
    return Fact("edit", "number", lambda made: made.facts[name])


def edit_of(case: Mapping[str, Any]) -> Any:
    lines = [Made(line, [Made(each) for each in line["segments"]]) for line in case["lines"]]
    return Made(case["edit"], lines)


def rules_of(case: Mapping[str, Any]) -> IntentRules:
    rules = tuple(conform(Rule, rule) for rule in case["rules"])
    facts = {rule.fact: fact(rule.fact) for rule in rules}
    intent = Intent("made", "a case", robust=rules)
    return IntentRules(intent, "robust", load_language("en"), facts)


@pytest.mark.parametrize("case", RULES, ids=lambda case: case["why"])
def test_which_rules_hold(case: dict[str, Any]) -> None:
    rules, edit = rules_of(case), edit_of(case)
    answers = list(rules.answers(edit))
    assert [answer.held for answer in answers] == case["held"]
    assert [answer.rule.name for answer in answers] == [rule["name"] for rule in case["rules"]]
    assert rules.hold(edit) is case["has"]


def test_an_answer_has_the_value_that_tells() -> None:
    case = next(each for each in RULES if each["why"] == "every segment of all lines")
    (answer,) = rules_of(case).answers(edit_of(case))
    assert answer.value == 6
    case = next(each for each in RULES if each["why"] == "any line, where there is none")
    (answer,) = rules_of(case).answers(edit_of(case))
    assert answer.value is None


def test_what_an_edit_changed_is_not_asked_where_a_rule_of_it_fails() -> None:
    class Costly:
        facts: ClassVar = {"summary": "typo"}

        @property
        def lines(self) -> Sequence[Made]:
            raise AssertionError

        lines_of_both = lines

    rules = [
        {"name": "prose", "fact": "is_prose", "of": "any line", "equals": True},
        {"name": "says so", "fact": "summary", "matches": "pov"},
    ]
    assert not rules_of({"rules": rules}).hold(cast(Any, Costly()))


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
    assert list(judged.intents) == ["b", "a"]
    assert found.judge(revision(1, "a"), revision(2, "b", "more")) is None


def test_each_intent_has_the_lines_that_tell_it() -> None:
    """The other changes of the edit are another matter (Asthana et al. 2021, figure 3)."""
    scopes = ("any line", "any segment", "every segment of the line", "edit")
    rules = (
        Rule("a word", "line_after", of="any line", matches="mill"),
        Rule("a word", "inserted", of="any segment", matches="old"),
        Rule("few words", "words_in", of="every segment of the line", max=2),
        Rule("the summary says so", "summary", matches="typo"),
    )
    found = source(*(Intent(scope.replace(" ", "-"), "a case", robust=(rule,))
                     for scope, rule in zip(scopes, rules, strict=True)))  # fmt: skip
    before = "A mill.\nA pond.\nA weir that fell."
    after = "A mill here.\nAn old pond.\nA weir that fell in the great storm."
    judged = found.judge(revision(1, before), revision(2, after, "typo"))
    assert judged is not None
    first, second, third = after.split("\n")
    told = {name: [line.after for line in lines] for name, lines in judged.intents.items()}
    assert told == {
        "any-line": [first],
        "any-segment": [second],
        "every-segment-of-the-line": [first, second],
        "edit": [first, second, third],
    }


def test_what_changes_nothing_has_no_intent() -> None:
    found = source(by_summary("a", "typo"))
    assert found.judge(revision(1, "a"), revision(2, "a", "typo")) is None
    lost = replace(revision(1, "a"), text=None)
    assert found.judge(lost, revision(2, "b", "typo")) is None


def test_the_elements_that_an_edit_changed_are_told() -> None:
    found = source(by_summary("a", "source"))
    after = "The mill turns.<ref>{{cite web|title=Mill}}</ref>"
    judged = found.judge(revision(1, "The mill turns."), revision(2, after, "source"))
    assert judged is not None
    assert set(judged.facts) >= {
        EditFact("reference", "inserted", 1),
        EditFact("template", "inserted", 1),
    }


def test_citation_templates_have_the_names_of_the_language() -> None:
    french, english = names_of(load_language("fr")), names_of(load_language("en"))
    text = "{{Lien web|url=x}} {{article |titre=y}} {{cite book}} {{Article de qualité}}"
    assert french.count_references(text) == 3
    assert english.count_references(text) == 1
    assert french.count_references("{{Citation nécessaire|z}}") == 0
    polish = names_of(load_language("pl"))
    assert polish.count_references("{{Cytuj stronę|url=x}}{{Cytuj|y}}{{Fakt}}") == 2


def test_the_page_for_authors_of_rules_names_every_fact() -> None:
    page = (ROOT / "docs" / "how-to" / "intents.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `(\w+)` \| (edit|line|segment) \| (\w+) \|", page, re.MULTILINE)
    assert listed == [(name, form.of, form.type) for name, form in FACTS.items()]


def test_of_very_long_lines_no_elements_are_told() -> None:
    namespaces = Namespaces.of({}, {})
    assert elements_of([ChangedLine("", "A mill.<ref>Fenwick</ref>")], namespaces)
    assert elements_of([ChangedLine("", "A mill. " * 3_000)], namespaces) == ()
