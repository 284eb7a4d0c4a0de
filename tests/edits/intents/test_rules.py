"""Rules over facts: which held, on which line, and whether the edit has the intent."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, cast

import pytest

from paths import CASES
from wikibias.config.intents import Intent, Rule
from wikibias.config.languages import load_language
from wikibias.edits.intents.edit_facts import Fact
from wikibias.edits.intents.rules import IntentRules
from wikibias.kits.checked import conform

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
