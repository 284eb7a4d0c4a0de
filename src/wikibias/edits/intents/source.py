"""Finds the intents of the edits of a wiki, for the detection of transitions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress

from wikibias.config.choices import RuleSet
from wikibias.config.intents import FactForm, FactType, Intent
from wikibias.config.languages import Language
from wikibias.edits.intents import edit_facts
from wikibias.edits.intents.edit_facts import facts_between
from wikibias.edits.intents.elements import edit_elements
from wikibias.edits.intents.markup_names import STOP_WORDS, MarkupNames
from wikibias.edits.intents.rules import IntentRules, rules_of
from wikibias.mediawiki.namespaces import Namespaces
from wikibias.records import ChangedLine, EditFact, Page, Revision

_TYPES: Mapping[type, FactType] = {bool: "truth", int: "number", float: "number", str: "text"}
FACTS: Mapping[str, FactForm] = {
    name: FactForm(fact.scope, _TYPES[fact.type], fact.about)
    for name, fact in edit_facts.FACTS.items()
}
"""The facts that rules may test, by name."""


@dataclass(frozen=True, slots=True)
class IntentsFound:
    """The intents of one edit, in order, each with the changed lines that tell it; its facts."""

    intents: Mapping[str, tuple[ChangedLine, ...]]
    facts: tuple[EditFact, ...]


class RuledIntents:
    """Finds intents by their rules; one serves all pages of a wiki."""

    def __init__(
        self, rules: Sequence[IntentRules], names: MarkupNames, namespaces: Namespaces
    ) -> None:
        self._rules = rules
        self._names = names
        self._namespaces = namespaces

    def of(self, page: Page) -> RuledIntents:
        """Return what finds the intents of a page."""
        return self

    def judge(self, before: Revision, after: Revision) -> IntentsFound | None:
        """Return the intents of an edit; None without any, or where a text is not known.

        Raises:
            DumpError: a text is not well-formed.
        """
        edit = facts_between(before, after, self._names)
        if edit is None:
            return None
        held = [each for each in self._rules if each.hold(edit)]
        if not held:
            return None
        lines = edit.changed_lines
        return IntentsFound(
            {each.name: tuple(compress(lines, each.lines(edit))) for each in held},
            edit_elements(before.text or "", after.text or "", self._namespaces),
        )


def intent_source(
    intents: Iterable[Intent],
    rule_set: RuleSet,
    language: Language,
    namespaces: Namespaces | None = None,
) -> RuledIntents:
    """Return what finds some intents by a set of their rules, in wikis of one language.

    `namespaces` are those of the wiki; without them, those that the language's file names.
    """
    return RuledIntents(
        rules_of(intents, rule_set, language),
        names_of(language),
        namespaces or Namespaces.of({}, language.namespaces),
    )


def names_of(language: Language) -> MarkupNames:
    """Return what references and citation templates are called in a language.

    Citation templates keep their English names on most wikis, beside those of the language.
    """
    default, names = MarkupNames(), language.intents
    begin = tuple(name.rstrip("* ") for name in names.citation if name.endswith("*"))
    own_words = frozenset(word.casefold() for word in language.stopwords)
    return MarkupNames(
        citation_templates=tuple(dict.fromkeys((*default.citation_templates, *begin))),
        citation_names=tuple(name for name in names.citation if not name.endswith("*")),
        asking_templates=tuple(dict.fromkeys((*default.asking_templates, *names.citation_needed))),
        stop_words=STOP_WORDS if language.code == "en" else own_words or STOP_WORDS,
    )
