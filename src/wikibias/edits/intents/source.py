"""Finds the intents of the edits of a wiki, for the detection of transitions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from wikibias.config.choices import RuleSet
from wikibias.config.intents import FactForm, Intent
from wikibias.config.languages import Language
from wikibias.edits.intents.rules import IntentRules, Line, Value, rules_of
from wikibias.records import ChangedLine, EditFact, Page, Revision

FACTS: Mapping[str, FactForm] = {
    "summary": FactForm("edit", "text", "the edit summary"),
}
"""The facts that rules may test, by name."""


@dataclass(frozen=True, slots=True)
class IntentsFound:
    """The intents of one edit, in order; the lines that it changed, and its facts."""

    intents: tuple[str, ...]
    lines: tuple[ChangedLine, ...]
    facts: tuple[EditFact, ...]


class RevisionEdit:
    """An edit between two revisions, of which nothing is computed before it is asked for."""

    def __init__(self, before: Revision, after: Revision) -> None:
        self._before, self._after = before, after

    def fact(self, name: str) -> Value:
        """Return a fact of the edit by its name."""
        return self._after.comment

    @property
    def changed(self) -> Sequence[Line]:
        """The lines that the edit changed."""
        return ()


class RuledIntents:
    """Finds intents by their rules; one serves all pages of a wiki."""

    def __init__(self, rules: Sequence[IntentRules]) -> None:
        self._rules = rules

    def of(self, page: Page) -> RuledIntents:
        """Return what finds the intents of a page."""
        return self

    def judge(self, before: Revision | None, after: Revision) -> IntentsFound | None:
        """Return the intents of an edit, or None: of a page's first revision there are none.

        Raises:
            DumpError: a text is not well-formed.
        """
        if before is None:
            return None
        edit = RevisionEdit(before, after)
        found = tuple(each.name for each in self._rules if each.hold(edit))
        return IntentsFound(found, (), ()) if found else None


def intent_source(intents: Iterable[Intent], rule_set: RuleSet, language: Language) -> RuledIntents:
    """Return what finds some intents by a set of their rules, in wikis of one language."""
    return RuledIntents(rules_of(intents, rule_set, language))
