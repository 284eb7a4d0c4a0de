"""Which intents an edit has: the rules of `configs/intents/`, asked of the facts of the edit.

A rule is asked of the edit, of its changed lines, or of the segments in them. The rules with "any
line" must hold on one and the same line, with those of "the line", and those with "any segment" of
one and the same segment; so a rule that failed elsewhere does not count.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from itertools import compress
from typing import Any, NamedTuple, get_args

from wikibias.config.choices import RuleSet
from wikibias.config.intents import Intent, Rule, Scope
from wikibias.config.languages import Language
from wikibias.config.patterns import bounded_pattern, searched, word_pattern
from wikibias.edits.intents.edit_facts import FACTS, Edit, Fact, Line, Value, facts_between
from wikibias.edits.intents.elements import edit_elements
from wikibias.edits.intents.markup_elements import MarkupNames, names_of
from wikibias.mediawiki import Namespaces
from wikibias.records import ChangedLine, EditFact, IntentsFound, Revision

# The kinds of lines are fewer, and shorter.
_MOST_REMEMBERED = 64
_LONGEST_REMEMBERED = 40  # characters
# A rule that holds of lines that stand in both texts, and of no others: its fact and its pattern.
_EDITED = ("line_action", "^edited$")
Test = Callable[[Value], bool]


@dataclass(frozen=True, slots=True)
class Answer:
    """What a rule says of an edit: whether it held, and the value of its fact that tells.

    `value` is None where there was nothing to ask: no line, no segment.
    """

    rule: Rule
    held: bool
    value: Value | None


class _Asked(NamedTuple):
    """A rule, the fact that it reads, and the test that it makes of the value."""

    rule: Rule
    read: Callable[[Any], Value]
    test: Test

    def holds(self, part: object) -> bool:
        return self.test(self.read(part))


class IntentRules:
    """The rules of one intent, for the wikis of one language.

    Args:
        intent: the intent.
        rule_set: which of its rules.
        language: whose words and patterns count.
        facts: what rules may name.
    """

    def __init__(
        self,
        intent: Intent,
        rule_set: RuleSet,
        language: Language,
        facts: Mapping[str, Fact] = FACTS,
    ) -> None:
        self.name = intent.name
        self._asked = [
            _Asked(each, facts[each.fact].read, test_of(each, language))
            for each in intent.rules(rule_set)
        ]
        of: dict[Scope, list[_Asked]] = {scope: [] for scope in get_args(Scope)}
        for asked in self._asked:
            of[asked.rule.of].append(asked)
        self._of_edit = of["edit"]
        self._any_line, self._every_line = of["any line"], of["every line"]
        self._any_segment, self._every_segment = of["any segment"], of["every segment"]
        self._any_of_line = of["any segment of the line"]
        self._every_of_line = of["every segment of the line"]
        self._needs_a_line = bool(self._any_line or self._any_of_line or self._every_of_line)
        self._asks_of_lines = len(self._of_edit) < len(self._asked)
        # All else that was changed, perhaps the whole page, need not be looked at.
        self._asks_edited_lines = any(
            (each.rule.fact, each.rule.matches) == _EDITED for each in self._any_line
        ) and not (self._every_line or self._any_segment or self._every_segment)

    def hold(self, edit: Edit) -> bool:
        """Return whether all rules hold; those of the edit are asked first, in their order."""
        if not _all(self._of_edit, edit):
            return False
        if self._asks_edited_lines:
            return any(map(self._line_holds, edit.lines_of_both))
        return not self._asks_of_lines or self._hold_inside(edit.lines)

    def lines(self, edit: Edit) -> list[bool]:
        """Return for each changed line of an edit that has the intent whether it is told by it.

        Where no rule asks for a line or a segment that there must be, all lines are.
        """
        return [
            (not self._needs_a_line or self._line_holds(line))
            and (
                not self._any_segment
                or any(_all(self._any_segment, each) for each in line.segments)
            )
            for line in edit.lines
        ]

    def _hold_inside(self, lines: Sequence[Line]) -> bool:
        if self._needs_a_line and not any(map(self._line_holds, lines)):
            return False
        if not _everywhere(self._every_line, lines):
            return False
        if not (self._any_segment or self._every_segment):
            return True
        segments = [segment for line in lines for segment in line.segments]
        return _somewhere(self._any_segment, segments) and _everywhere(
            self._every_segment, segments
        )

    def _line_holds(self, line: Line) -> bool:
        if not _all(self._any_line, line):
            return False
        if not (self._every_of_line or self._any_of_line):
            return True
        segments = line.segments
        return _everywhere(self._every_of_line, segments) and _somewhere(
            self._any_of_line, segments
        )

    def answers(self, edit: Edit) -> Iterator[Answer]:
        """Yield what each rule says, in order.

        Rules that must hold together are asked of the line, or the segment, where most of them do.
        """
        lines = edit.lines
        segments = [segment for line in lines for segment in line.segments]
        line = max(lines, key=self._held_on, default=None)
        segment = max(segments, key=lambda each: _held(self._any_segment, each), default=None)
        of_line = [] if line is None else list(line.segments)
        best_of_line = max(of_line, key=lambda each: _held(self._any_of_line, each), default=None)
        for asked in self._asked:
            scope = asked.rule.of
            if scope == "edit":
                yield _answer(asked, edit)
            elif scope == "any line":
                yield _answer(asked, line)
            elif scope == "any segment":
                yield _answer(asked, segment)
            elif scope == "any segment of the line":
                yield _answer(asked, best_of_line)
            elif scope == "every line":
                yield _answer_of_all(asked, lines)
            else:
                yield _answer_of_all(asked, segments if scope == "every segment" else of_line)

    def _held_on(self, line: Line) -> tuple[bool, int]:
        held = _held(self._any_line, line)
        held += sum(all(map(a.holds, line.segments)) for a in self._every_of_line)
        held += max((_held(self._any_of_line, each) for each in line.segments), default=0)
        return self._line_holds(line), held


def test_of(rule: Rule, language: Language) -> Test:
    """Return the test that a rule makes; words and patterns are those of the language."""
    if rule.equals is not None:
        wanted = rule.equals
        return lambda value: value is wanted
    if rule.of_texts:
        return _text_test(rule, language)
    least = float("-inf") if rule.min is None else rule.min
    most = float("inf") if rule.max is None else rule.max
    return lambda value: least <= float(value) <= most


def _text_test(rule: Rule, language: Language) -> Test:
    own = rule.by_language.get(language.code)
    if own is None and rule.words is not None:
        words = word_pattern(tuple(map(str.casefold, language.summaries.get(rule.words, ()))))
        return lambda value: searched(words, str(value).casefold())
    if own is None and rule.matches is None:
        return lambda value: False
    pattern = bounded_pattern(own or rule.matches or "")
    # The kinds of lines are few, and short.
    remembered = lru_cache(_MOST_REMEMBERED)(partial(searched, pattern))

    def test(value: Value) -> bool:
        text = str(value)
        return remembered(text) if len(text) <= _LONGEST_REMEMBERED else searched(pattern, text)

    return test


def _all(asked: Sequence[_Asked], part: object) -> bool:
    # Asked a million times of a large dump, in which a generator would take as long as the rules.
    for each in asked:  # noqa: SIM110
        if not each.test(each.read(part)):
            return False
    return True


def _everywhere(asked: Sequence[_Asked], parts: Sequence[object]) -> bool:
    return not asked or all(_all(asked, part) for part in parts)


def _somewhere(asked: Sequence[_Asked], parts: Sequence[object]) -> bool:
    return not asked or any(_all(asked, part) for part in parts)


def _held(asked: Sequence[_Asked], part: object) -> int:
    return sum(each.holds(part) for each in asked)


def _answer(asked: _Asked, part: object) -> Answer:
    if part is None:
        return Answer(asked.rule, held=False, value=None)
    value = asked.read(part)
    return Answer(asked.rule, asked.test(value), value)


def _answer_of_all(asked: _Asked, parts: Sequence[object]) -> Answer:
    """Return what a rule says that must hold everywhere, with the first value that it fails on."""
    values = [asked.read(part) for part in parts]
    failed = [value for value in values if not asked.test(value)]
    told = failed or values
    return Answer(asked.rule, not failed, told[0] if told else None)


_MOST_CHARACTERS = 16_000


@dataclass(frozen=True, slots=True)
class RuledIntents:
    """Finds intents by their rules; one serves all pages of a wiki."""

    rules: Sequence[IntentRules]
    names: MarkupNames
    namespaces: Namespaces

    def judge(self, before: Revision, after: Revision) -> IntentsFound | None:
        """Return the intents of an edit; None without any, or where a text is not known.

        Raises:
            DumpError: a text is not well-formed.
        """
        edit = facts_between(before, after, self.names)
        if edit is None:
            return None
        held = [each for each in self.rules if each.hold(edit)]
        if not held:
            return None
        lines = edit.lines_in_sections
        told = {each.name: tuple(compress(lines, each.lines(edit))) for each in held}
        return IntentsFound(told, elements_of(lines, self.namespaces))


def intent_source(
    intents: Iterable[Intent], rule_set: RuleSet, language: Language, namespaces: Namespaces
) -> RuledIntents:
    """Return what finds some intents by a set of their rules, in a wiki with these namespaces."""
    rules = [IntentRules(each, rule_set, language) for each in intents]
    return RuledIntents(rules, names_of(language), namespaces)


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
