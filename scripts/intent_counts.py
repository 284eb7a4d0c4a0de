"""Counts the edits of a dump that have an intent, by rule set, and where rule sets differ.

Usage: python scripts/intent_counts.py DUMP [LANG]

Prints for each intent and rule set how many edits have it: all, and those not reverted within 15
revisions and 2 days. Then, for citation, why the robust rules and those of the released code
differ. Edits right after a revision without a known text are passed over, as is the first revision
of a page.
"""

import sys
from collections import Counter
from collections.abc import Iterator
from typing import get_args

from wikibias import read_pages
from wikibias.config.choices import RuleSet
from wikibias.config.intents import intents, load_intent
from wikibias.config.languages import load_language
from wikibias.config.thresholds import Reverts
from wikibias.edits.intents.edit_facts import FACTS, Edit, Line, facts_between
from wikibias.edits.intents.markup_elements import names_of
from wikibias.edits.intents.rules import IntentRules
from wikibias.transitions.pending import RevertDetector

Rules = dict[tuple[str, RuleSet], IntentRules]
_RULE_SETS: tuple[RuleSet, ...] = get_args(RuleSet)


def main() -> None:
    """Print both tables of a dump."""
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    lang = sys.argv[2] if len(sys.argv) > 2 else "en"
    language, found = load_language(lang), Counter[tuple[str, RuleSet]]()
    rules: Rules = {
        (name, rule_set): IntentRules(load_intent(name, rule_set, FACTS), rule_set, language)
        for name in intents()
        for rule_set in _RULE_SETS
    }
    kept, reasons = found.copy(), Counter[tuple[str, str]]()
    for edit, reverted in edits(sys.argv[1], lang):
        held = {key for key, asked in rules.items() if asked.hold(edit)}
        found.update(held)
        kept.update(set() if reverted else held)
        released, robust = (("citation", which) in held for which in ("released", "robust"))
        if released != robust:
            which = "released" if released else "robust"
            reasons[which, "; ".join(sorted(set(why(edit)))) or "a tag cut by another token"] += 1
    print(f"{'':16}{''.join(f'{name:>18}' for name in _RULE_SETS)}")
    for name in intents():
        cells = (f"{found[name, which]:,}/{kept[name, which]:,}" for which in _RULE_SETS)
        print(f"{name:16}{''.join(f'{cell:>18}' for cell in cells)}")
    print("\ncitation, in one rule set alone:")
    for (which, reason), number in reasons.most_common():
        print(f"{number:6,} {which:9} {reason}")


def edits(dump: str, lang: str) -> Iterator[tuple[Edit, bool]]:
    """Yield the edits of the articles of a dump, and whether each was reverted."""
    names = names_of(load_language(lang))
    for page in read_pages(dump, lang):
        detector, before = RevertDetector(Reverts()), None
        waiting: dict[int, Edit] = {}
        for revision in page.revisions:
            for undone in detector.undone_by(revision):
                if undone in waiting:
                    yield waiting.pop(undone), True
            edit = None if before is None else facts_between(before, revision, names)
            if edit is not None:
                waiting[revision.id] = edit
            while len(waiting) > Reverts().radius:
                yield waiting.pop(next(iter(waiting))), False
            before = revision
        for edit in waiting.values():
            yield edit, False


def why(edit: Edit) -> Iterator[str]:
    """Yield how references came into what an edit inserted, line by line, but for new ones."""
    gone = {line.before for line in edit.lines if line.line_action == "deleted"}
    for line in edit.lines:
        if any(segment.inserts_any_reference for segment in line.segments):
            if line.line_action == "edited":
                if line.line_references_added <= 0:
                    yield in_an_edited_line(line)
            elif line.after in gone:
                yield "a line with a reference moved"
            else:
                yield "a line with a reference was inserted whole"


def in_an_edited_line(line: Line) -> str:
    """Return how a reference came into an insertion in a line that has no more than before."""
    gone = any("<ref" in segment.deleted.lower() for segment in line.segments)
    return "a reference was changed or moved in its line" if gone else "a reference that repeats"


if __name__ == "__main__":
    main()
