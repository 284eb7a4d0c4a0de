"""Explanations why an edit has an intent or not: what each rule says of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wikibias.config.choices import RuleSet
from wikibias.config.intents import Intent, Rule, intents
from wikibias.config.languages import Language, load_language
from wikibias.config.signals import names_of_intents, signal_of
from wikibias.edits.intents.edit_facts import Edit, Value, facts_of
from wikibias.edits.intents.markup_elements import names_of
from wikibias.edits.intents.rules import Answer, IntentRules, StoredEdit
from wikibias.errors import UsageError
from wikibias.kits.document import Table
from wikibias.kits.schemas import TRANSITIONS_TABLE
from wikibias.pipeline.settings import Detect, language_of, load_intents, version_of_rules
from wikibias.records import ChangedLine, Transition
from wikibias.reports.result_folder import ResultTables

_LONGEST = 80  # characters of a value


@dataclass(frozen=True, slots=True)
class Judged:
    """What the rules of one intent say of an edit, in order; `holds` whether it has the intent."""

    intent: str
    holds: bool
    answers: tuple[Answer, ...]


@dataclass(frozen=True, slots=True)
class Explanation:
    """What the rules of some intents say of an edit.

    `revision` is the one that it made, None of two files; `page` the title of its page, or "".
    `rules_changed` tells that the result was made with other rules than those of today.
    """

    lang: str
    rules: RuleSet
    page: str
    revision: int | None
    summary: str
    lines: tuple[ChangedLine, ...]
    judged: tuple[Judged, ...]
    rules_changed: bool = False

    def as_dict(self) -> dict[str, Any]:
        """Return it for programs; `wikibias docs output` explains the keys."""
        return {
            "lang": self.lang,
            "rules": self.rules,
            "rules_changed": self.rules_changed,
            "page": self.page,
            "revision": self.revision,
            "summary": self.summary,
            "lines": [line._asdict() for line in self.lines],
            "intents": [
                {
                    "intent": each.intent,
                    "holds": each.holds,
                    "rules": [_as_dict(answer, self.lang) for answer in each.answers],
                }
                for each in self.judged
            ],
        }


def _as_dict(answer: Answer, lang: str) -> dict[str, Any]:
    rule = answer.rule
    return {
        "name": rule.name,
        "of": rule.of,
        "fact": rule.fact,
        "test": _test_in_words(rule, lang),
        "value": answer.value,
        "holds": answer.held,
    }


def explain_texts(
    before: str, after: str, summary: str, lang: str, signal: Sequence[str], rules: RuleSet
) -> Explanation:
    """Explain the edit that made one text of another.

    Args:
        before: the wikitext before it.
        after: the wikitext after it.
        summary: its summary.
        lang: the language of the wiki.
        signal: the intents; none stands for all that have these rules.
        rules: which of their rules.

    Raises:
        UsageError: an unknown language or intent, or one without these rules.
    """
    names = _intents_among(signal)
    asked = load_intents(names or None, rules)
    language = load_language(lang)
    edit = facts_of(before, after, summary, names_of(language))
    judged = tuple(_judged(edit, intent, rules, language) for intent in asked)
    return Explanation(lang, rules, "", None, summary, edit.lines_in_sections, judged)


def explain_row(
    folder: Path, revision: int, signal: Sequence[str], rules: RuleSet | None
) -> Explanation:
    """Explain the edit of a result folder that made a revision.

    A row of an intent holds the lines that tell it. So an intent is judged by its own row where
    there is one, and by what all rows of the edit hold where there is none.

    Args:
        folder: the result.
        revision: the newer revision of the edit.
        signal: the intents; none stands for those that the folder was made with, or else for all.
        rules: which of their rules; None for those that it was made with.

    Raises:
        UsageError: no row of the folder is of that revision, or none tells what the edit changed.
        WikibiasError: a table is damaged.
    """
    result = ResultTables(folder)
    detect = result.settings.detect
    rules = rules or detect.rules
    found = list(result.find(TRANSITIONS_TABLE, "after_rev_id", [revision]))
    names = _intents_among(signal) or names_of_intents(detect.signal)
    asked = load_intents(names or None, rules)
    language = language_of(result.settings)
    edits = {row.provenance.signal: edit for row in found if (edit := _edit_of(row, language))}
    if edits:
        made = found[0].provenance
        whole = _whole(edits, made.comment, language)
        judged = [
            _judged(edits.get(intent.name, whole), intent, rules, language) for intent in asked
        ]
        return Explanation(
            lang=detect.lang,
            rules=rules,
            page=made.page_title,
            revision=revision,
            summary=made.comment,
            lines=whole.lines_in_sections,
            judged=tuple(judged),
            rules_changed=rules == detect.rules and _changed(detect),
        )
    raise UsageError(
        f"{folder} {'does not tell what' if found else 'has no row of an edit that made'} revision "
        f"{revision}{' changed' if found else ''}: rows are of edits that have an intent, or whose "
        "texts are known; give the two texts with --lang, --before and --after"
    )


def _changed(detect: Detect) -> bool:
    """Return whether the rules that a folder was made with are others than those of today."""
    try:
        today = version_of_rules(
            load_intents(names_of_intents(detect.signal), detect.rules), detect.rules
        )
    except UsageError:
        return True
    return bool(detect.intents_version) and today != detect.intents_version


def _intents_among(signal: Sequence[str]) -> list[str]:
    """Return the names asked for, each of which must be an intent.

    Raises:
        UsageError: one is a signal of another kind.
    """
    found = names_of_intents(signal)
    for name in signal:
        if name not in found:
            raise UsageError(
                f"{name!r} is no intent and has no rules; take one of {', '.join(intents())}"
            )
    return found


def _edit_of(row: Transition, language: Language) -> Edit | None:
    """Return the edit of a row; None where its texts are not known, or it is no single edit."""
    made = row.provenance
    if not signal_of(made.signal).keeps_texts:
        return StoredEdit(row.lines, made.comment, names_of(language))
    one_edit = made.pairing in ("removal-edit", "addition-edit", "summary-edit")
    if not one_edit or row.before_text is None or row.after_text is None:
        return None
    return facts_of(row.before_text, row.after_text, made.comment, names_of(language))


def _whole(edits: Mapping[str, Edit], summary: str, language: Language) -> Edit:
    """Return what is known of an edit as a whole: its texts, or the lines of all its intents."""
    for edit in edits.values():
        if not isinstance(edit, StoredEdit):
            return edit
    lines = dict.fromkeys(line for edit in edits.values() for line in edit.lines_in_sections)
    return StoredEdit(tuple(lines), summary, names_of(language))


def _judged(edit: Edit, intent: Intent, rules: RuleSet, language: Language) -> Judged:
    of_intent = IntentRules(intent, rules, language)
    answers = tuple(of_intent.answers(edit))
    return Judged(intent.name, of_intent.hold(edit), answers)


def _test_in_words(rule: Rule, lang: str) -> str:
    """Return what a rule asks of its fact, in a few words, in wikis of a language."""
    if rule.equals is not None:
        return "yes" if rule.equals else "no"
    if rule.of_texts:
        return _text_test_in_words(rule, lang)
    if rule.min is None or rule.max is None:
        return f"at most {rule.max:g}" if rule.min is None else f"at least {rule.min:g}"
    return f"{rule.min:g} to {rule.max:g}"


def _text_test_in_words(rule: Rule, lang: str) -> str:
    pattern = rule.by_language.get(lang)
    if pattern is None and rule.words is not None:
        return f"has a word of [summaries] {rule.words}"
    pattern = pattern or rule.matches
    return f"has no pattern for {lang}" if pattern is None else f"matches {pattern}"


def _value_in_words(value: Value | None) -> str:
    """Return the value of a fact as a person reads it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "nothing to ask"
    text = f"{value:.2g}" if isinstance(value, float) else str(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def rules_tables(found: Explanation) -> list[Table]:
    """Return a table for each intent: what each of its rules asks, and what it found."""
    tables = []
    for judged in found.judged:
        rows = []
        for answer in judged.answers:
            rule, asked = answer.rule, _test_in_words(answer.rule, found.lang)
            asked = asked if rule.of == "edit" else f"{rule.of}: {asked}"
            held, value = "yes" if answer.held else "NO", _value_in_words(answer.value)
            rows.append([held, rule.name, rule.fact, asked, value])
        title = f"{judged.intent} ({found.rules} rules): {'yes' if judged.holds else 'no'}"
        tables.append(Table(["Holds", "Rule", "Fact", "Asked", "Found"], rows, 5, title=title))
    return tables
