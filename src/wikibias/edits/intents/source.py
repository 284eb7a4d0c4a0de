"""Source of edits that intents find, and the stored form of an edit."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import compress

from wikibias.config.choices import RuleSet
from wikibias.config.intents import Intent
from wikibias.config.languages import Language
from wikibias.edits.intents.edit_facts import Edit, Line, facts_between
from wikibias.edits.intents.elements import edit_elements
from wikibias.edits.intents.markup_elements import MarkupNames, names_of
from wikibias.edits.intents.rules import IntentRules, rules_of
from wikibias.mediawiki.titles import Namespaces
from wikibias.records import ChangedLine, EditFact, Revision

_MOST_CHARACTERS = 16_000


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
        lines = edit.lines_in_sections
        return IntentsFound(
            {each.name: tuple(compress(lines, each.lines(edit))) for each in held},
            elements_of(lines, self._namespaces),
        )


def intent_source(
    intents: Iterable[Intent], rule_set: RuleSet, language: Language, namespaces: Namespaces
) -> RuledIntents:
    """Return what finds some intents by a set of their rules, in a wiki with these namespaces."""
    return RuledIntents(rules_of(intents, rule_set, language), names_of(language), namespaces)


def elements_of(lines: Sequence[ChangedLine], namespaces: Namespaces) -> tuple[EditFact, ...]:
    """Return what was done to which elements in the lines that an edit changed.

    Nothing where these are very long, as of vandalism: to look through the longest eighth of them
    takes three times as long as through all others.
    """
    if sum(len(line.before) + len(line.after) for line in lines) > _MOST_CHARACTERS:
        return ()
    before = "\n".join(line.before for line in lines if line.before)
    after = "\n".join(line.after for line in lines if line.after)
    return edit_elements(before, after, namespaces)


class StoredEdit(Edit):
    """An edit of whose page nothing is known but the changed lines; its facts are the same.

    What the lines say of the whole page, such as how many references it has more, they say as well
    as the texts: the rest of both is the same.
    """

    def __init__(self, lines: Sequence[ChangedLine], summary: str, names: MarkupNames) -> None:
        super().__init__(None, lambda: summary, names)
        self._stored = tuple(lines)

    @cached_property
    def lines(self) -> Sequence[Line]:
        """The lines that it changed, in order."""
        return [Line(line.before, line.after, self._names) for line in self._stored]

    @cached_property
    def lines_in_sections(self) -> tuple[ChangedLine, ...]:
        """The same, each with the heading that it stands under."""
        return self._stored
