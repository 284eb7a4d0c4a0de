"""Intents of edits, from `configs/intents/NAME.toml`: why an edit was made, told by rules.

A rule tests one fact of an edit; an edit has the intent when all rules of a set hold. Which facts
there are is told by who computes them (`edits.intents`).
"""

import hashlib
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Literal, get_args

from wikibias.config import languages, patterns, resources
from wikibias.config.choices import NAMED, Positive, RuleSet, names_of_intents
from wikibias.errors import UsageError, nearest
from wikibias.kits.checked import ConflictError, NonEmpty, TomlFile, conform_file
from wikibias.kits.files import to_json

Scope = Literal[
    "edit",
    "any line",
    "every line",
    "any segment",
    "every segment",
    "any segment of the line",
    "every segment of the line",
]
"""What a rule is asked of. The rules of "any line" hold on one and the same line, on which "the
line" stands for it, and those of "any segment" of one and the same segment. "every" also holds
where there is none."""
FactScope = Literal["edit", "line", "segment"]
FactType = Literal["number", "truth", "text"]
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_FOLDER = "intents"
_TESTS = ("equals", "min", "max", "matches", "words", "by_language")


@dataclass(frozen=True, slots=True)
class FactForm:
    """What a fact that rules test is: of what, and of which type."""

    of: FactScope
    type: FactType


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule: a fact, and what it must be.

    Attributes:
        name: what `explain` calls it.
        fact: the name of the fact.
        of: what it is asked of.
        equals: the truth that the fact must be.
        min: the least that a number may be.
        max: the most that it may be.
        matches: a regular expression that a text must match somewhere, letter case aside.
        words: instead, the list of `[summaries]` in the file of the language of which a word must
            be in the text.
        by_language: by the code of a language, a regular expression in place of these two.
    """

    name: NonEmpty
    fact: NonEmpty
    of: Scope = "edit"
    equals: bool | None = None
    min: float | None = None
    max: float | None = None
    matches: NonEmpty | None = None
    words: languages.SummaryKind | None = None
    by_language: Mapping[str, NonEmpty] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        if self.equals is not None and (self.of_numbers or self.of_texts):
            raise ConflictError(_TESTS, f"{self._who}: equals stands alone, without another test")
        if self.of_numbers and self.of_texts:
            raise ConflictError(_TESTS, f"{self._who}: a number and a text are tested at once")
        if self.equals is None and not (self.of_numbers or self.of_texts):
            raise ConflictError(
                ("fact",), f"{self._who} tests nothing: give it equals, min, max, matches or words"
            )
        if self.matches is not None and self.words is not None:
            raise ConflictError(("words",), f"{self._who}: give matches or words, not both")
        if self.min is not None and self.max is not None and self.min > self.max:
            raise ConflictError(("min", "max"), f"{self._who}: min is higher than max")
        own = {"matches": self.matches} if self.matches else {}
        for key, pattern in [*own.items(), *self.by_language.items()]:
            at = "matches" if key == "matches" else "by_language"
            if _CONTROLS.search(pattern):
                raise ConflictError(
                    (at,),
                    f"{self._who}: the pattern {pattern[:60]!r} holds a control character, which a "
                    "backslash makes in \"double quotes\"; write it in 'single quotes'",
                )
            try:
                patterns.bounded_pattern(pattern)
            except ValueError as error:
                raise ConflictError(
                    (at,), f"{self._who}: the pattern {pattern[:60]!r} {error}"
                ) from error

    @property
    def of_numbers(self) -> bool:
        """Whether it tests a number."""
        return self.min is not None or self.max is not None

    @property
    def of_texts(self) -> bool:
        """Whether it tests a text."""
        return bool(self.matches or self.words or self.by_language)

    def is_mute(self, language: languages.Language) -> bool:
        """Return whether it can hold nowhere, as it has neither pattern nor words of a language."""
        words = self.words is not None and language.summaries.get(self.words)
        return self.of_texts and not (self.matches or words or language.code in self.by_language)

    @property
    def _who(self) -> str:
        return f"the rule {self.name!r}"


@dataclass(frozen=True, slots=True)
class Intent:
    """An intent with its sets of rules; `about` says what its sentences were found wanting in.

    `positive` says which sentences these are: those whose words changed, or that got a reference.
    """

    name: NonEmpty
    about: NonEmpty
    positive: Positive = "changed"
    printed: tuple[Rule, ...] = ()
    released: tuple[Rule, ...] = ()
    robust: tuple[Rule, ...] = ()

    def rules(self, rule_set: RuleSet) -> tuple[Rule, ...]:
        """Return the rules of a set, in order; none where the intent lacks it."""
        found: tuple[Rule, ...] = getattr(self, rule_set)
        return found


def intents() -> list[str]:
    """Return the names of the intents that have a `configs/intents/NAME.toml`, sorted."""
    return resources.known(_FOLDER)


def signals() -> list[str]:
    """Return all that edits can be found by."""
    return [*NAMED, *intents()]


def check_signals(wanted: Iterable[str]) -> list[str]:
    """Return those of some signals that are intents.

    Raises:
        UsageError: one is unknown; the message names the nearest.
    """
    found = names_of_intents(wanted)
    known = intents() if found else []
    # Such as "pov" of "point-of-view".
    of_initials = {"".join(word[0] for word in each.split("-")): each for each in known}
    for name in found:
        if name not in known:
            hint = nearest(of_initials.get(name.lower(), name), [*NAMED, *known])
            raise UsageError(
                f"unknown signal {name!r}{hint}. To add an intent: wikibias docs intents"
            )
    return found


def load_intent(name: str, rule_set: RuleSet | None, facts: Mapping[str, FactForm]) -> Intent:
    """Read `configs/intents/NAME.toml`, the user's own or the one shipped.

    Args:
        name: of the intent.
        rule_set: the rules that it must have; None for any.
        facts: those that rules may test, by name.

    Raises:
        UsageError: there is none, or it is broken; the message names file, line and key.
    """
    path = resources.find("configs", f"{_FOLDER}/{name}.toml")
    if path is None:
        check_signals([name])
        raise UsageError(f"{name!r} is no intent, but a signal of its own")
    return read_intent(path, rule_set, facts)


def read_intent(path: Path, rule_set: RuleSet | None, facts: Mapping[str, FactForm]) -> Intent:
    """Read the file of an intent; see `load_intent`.

    Raises:
        UsageError: it is broken; the message names file, line and key.
    """
    file = TomlFile.read(path)
    _check_form(file)
    intent = conform_file(Intent, file.table, file)
    if intent.name != path.stem or not resources.is_name(path.stem) or path.stem in NAMED:
        raise UsageError(
            f"{file.at(('name',))}: name must be {path.stem!r}, as the file is named, in small "
            f"letters, digits and hyphens, and none of {', '.join(NAMED)}"
        )
    for each in get_args(RuleSet):
        _check_rules(file, each, intent.rules(each), facts)
    there = [each for each in get_args(RuleSet) if intent.rules(each)]
    if not there:
        raise UsageError(
            f"{path}: the intent {intent.name!r} has no rules; write at least one [[robust]]"
        )
    if rule_set is not None and rule_set not in there:
        raise UsageError(
            f"{path}: the intent {intent.name!r} has no [[{rule_set}]] rules; it has "
            f"{' and '.join(there)}: choose with --rule-set"
        )
    return intent


def _check_form(file: TomlFile) -> None:
    """Refuse what is easily taken for a rule, before types are looked at."""
    sets = get_args(RuleSet)
    for key, value in file.table.items():
        is_set = isinstance(value, list) and value and isinstance(value[0], Mapping)
        if is_set and key not in sets:
            named = ", ".join(f"[[{each}]]" for each in sets)
            raise UsageError(f"{file.at((key,))}: no set of rules is called {key!r}; write {named}")
        for number, rule in enumerate(value if is_set else ()):
            text = rule.get("equals") if isinstance(rule, Mapping) else None
            if isinstance(text, str):
                raise UsageError(
                    f"{file.at((key, number, 'equals'))}: equals is true or false; for a text "
                    f"write matches = '^{text[:40]}$'"
                )


def _check_rules(
    file: TomlFile, rule_set: str, rules: Collection[Rule], facts: Mapping[str, FactForm]
) -> None:
    seen = set[str]()
    for number, rule in enumerate(rules):
        at = file.at((rule_set, number, "fact"))
        who = f"[[{rule_set}]] {rule.name!r}"
        if rule.name in seen:
            raise UsageError(f"{at}: {who} is there twice; give each rule a name of its own")
        seen.add(rule.name)
        form = facts.get(rule.fact)
        if form is None:
            hint, _, _ = nearest(rule.fact, facts).partition(" Known:")
            raise UsageError(
                f"{at}: {who}: unknown fact {rule.fact!r}{hint} All facts: wikibias docs intents"
            )
        here = languages.languages() if rule.by_language else []
        for code in sorted(rule.by_language.keys() - here):
            if code not in languages.wikipedia_languages():
                hint, _, _ = languages.nearest_language(code, here).partition(" Known:")
                raise UsageError(
                    f"{file.at((rule_set, number, 'by_language'))}: {who}: by_language names the "
                    f"unknown language {code!r}{hint}"
                )
        tests = "number" if rule.of_numbers else "text" if rule.of_texts else "truth"
        if form.type != tests:
            how = {"number": "min and max", "text": "matches or words", "truth": "equals"}
            raise UsageError(
                f"{at}: {who}: the fact {rule.fact!r} is a {form.type}; test it by {how[form.type]}"
            )
        allowed = [each for each in get_args(Scope) if form.of in each.split()[:2]]
        if rule.of not in allowed:
            scopes = " or ".join(f'"{each}"' for each in allowed)
            what = "an edit" if form.of == "edit" else f"a {form.of}"
            raise UsageError(
                f"{file.at((rule_set, number, 'of'))}: {who}: the fact {rule.fact!r} is that of "
                f"{what}; write of = {scopes}"
            )


def version_of(intents: Iterable[Intent], rule_set: RuleSet) -> str:
    """Return a hash of some intents with a set of their rules; "" of none."""
    rules = {
        each.name: [each.positive, *(asdict(rule) for rule in each.rules(rule_set))]
        for each in intents
    }
    content = to_json(rules, sort_keys=True)
    return hashlib.sha256(content.encode()).hexdigest()[:12] if rules else ""
