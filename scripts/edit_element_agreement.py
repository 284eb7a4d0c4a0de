"""Compares what we say an edit changed with what mwedittypes says, and what either costs.

    python scripts/edit_element_agreement.py [--edits 1000] [--structured 100] DUMP [DUMP ...]

Edits are taken at equal distances from the dumps. mwedittypes is no dependency; without it the
script says so and ends: pip install mwedittypes

Its simple form counts what stands on one side only, as we do; "changed" is the smaller of both
numbers there. So the first table compares, for each element, how many have come and how many have
gone, whatever they are called. The second compares the actions with its structured form, which
matches trees and knows moves; it is slow, so it gets fewer edits, and each ten seconds.
"""

from __future__ import annotations

import argparse
import importlib
import signal
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from types import FrameType
from typing import Any

from wikibias import read_pages, read_site
from wikibias.config.languages import load_language
from wikibias.edits.intents.elements import ACTIONS, edit_elements
from wikibias.mediawiki.namespaces import Namespaces

# What it calls ours.
_NAMES = {
    "Reference": "reference",
    "Template": "template",
    "Wikilink": "wikilink",
    "ExternalLink": "external_link",
    "Category": "category",
    "Media": "media",
    "Table": "table",
    "List": "list",
    "Heading": "heading",
    "Section": "section",
    "Comment": "comment",
    "Text Formatting": "formatting",
    "Gallery": "gallery",
    "Other Tag": "tag",
    "Paragraph": "paragraph",
    "Sentence": "sentence",
    "Word": "word",
    "Character": "character",
    "Punctuation": "punctuation",
    "Whitespace": "whitespace",
}
_ACTIONS = {"insert": "inserted", "remove": "removed", "change": "changed", "move": "moved"}
_SECONDS = 10

Told = Counter[tuple[str, str]]


@dataclass
class Tally:
    """In how many edits we, it, or both tell of something; and in how many the numbers agree."""

    ours: int = 0
    its: int = 0
    both: int = 0
    same: int = 0

    def add(self, ours: Sequence[int], its: Sequence[int]) -> None:
        """Count one edit."""
        self.ours += any(ours)
        self.its += any(its)
        self.both += any(ours) and any(its)
        self.same += any(ours) and tuple(ours) == tuple(its)

    def row(self, name: str) -> str:
        """Return a row of a table."""
        either = self.ours + self.its - self.both
        shares = (f"{part / either:.0%}" if either else "" for part in (self.both, self.same))
        cells = (name, self.ours, self.its, self.both, *shares)
        return f"| {' | '.join(map(str, cells))} |"


@dataclass
class Comparison:
    """The tallies of one form of mwedittypes, and the CPU seconds that both took."""

    tallies: defaultdict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    edits: int = 0
    failed: int = 0
    seconds: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))


class _TooLongError(Exception):
    pass


def main() -> None:
    """Print both tables and the costs."""
    arguments = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    arguments.add_argument("dumps", nargs="+")
    arguments.add_argument("--lang", default="en")
    arguments.add_argument("--edits", type=int, default=1000)
    arguments.add_argument("--structured", type=int, default=100)
    chosen = arguments.parse_args()
    try:
        library = importlib.import_module("mwedittypes")
    except ImportError:
        sys.exit("mwedittypes is not installed; to compare with it: pip install mwedittypes")
    signal.signal(signal.SIGALRM, _stop)
    for number, form in ((chosen.edits, "Simple"), (chosen.structured, "Structured")):
        found = Comparison()
        lang = read_site(chosen.dumps[0]).lang or chosen.lang
        differ = partial(getattr(library, f"{form}EditTypes"), "wikitext", lang=lang)
        for before, after, namespaces in edits(chosen.dumps, number, chosen.lang):
            compare(found, before, after, namespaces, differ)
        print_table(found, form)


def edits(dumps: Sequence[str], number: int, lang: str) -> Iterator[tuple[str, str, Namespaces]]:
    """Yield texts before and after, at equal distances, and the namespaces of the wiki."""
    total = sum(sum(1 for _ in page.revisions) for page in read_pages(dumps, lang))
    every = max(1, total // number) if number else total + 1
    local = load_language(lang).namespaces
    names = Namespaces.of(read_site(dumps[0]).namespaces, local)
    index = 0
    for page in read_pages(dumps, lang):
        before = None
        for after in page.revisions:
            index += 1
            if before and index % every == 0:
                old, new = before.text, after.text
                if old is not None and new is not None and old != new:
                    yield old, new, names
            before = after


def compare(found: Comparison, before: str, after: str, names: Namespaces, differ: Any) -> None:
    """Count one edit; none that takes the library too long, or on which it fails."""
    signal.alarm(_SECONDS)
    began = time.process_time()
    try:
        told = differ(before, after).get_diff()
        its = structured(told) if "node-edits" in told else simple(told)
    except (_TooLongError, ValueError, IndexError, KeyError, RecursionError):
        found.failed += 1
        return
    finally:
        signal.alarm(0)
    found.seconds["its"] += time.process_time() - began
    began = time.process_time()
    facts = edit_elements(before, after, names)
    found.seconds["ours"] += time.process_time() - began
    found.edits += 1
    ours: Told = Counter({(fact.element, fact.action): fact.number for fact in facts})
    for name in _NAMES.values():
        if "node-edits" in told:
            for action in ACTIONS:
                key = (name, action)
                found.tallies[f"{name} {action}"].add([ours[key]], [its[key]])
        else:
            found.tallies[name].add(_come_and_gone(ours, name), _come_and_gone(its, name))


def _come_and_gone(told: Told, name: str) -> tuple[int, int]:
    changed = told[name, "changed"]
    return told[name, "inserted"] + changed, told[name, "removed"] + changed


def simple(told: Mapping[str, Mapping[str, int]]) -> Told:
    """Return what the simple form tells, in our words."""
    return Counter(
        {
            (_NAMES[name], _ACTIONS[action]): number
            for name, actions in told.items()
            if name in _NAMES
            for action, number in actions.items()
        }
    )


def structured(told: Mapping[str, Sequence[Any]]) -> Told:
    """Return what the structured form tells, in our words."""
    counts: Told = Counter()
    for kind in ("node-edits", "text-edits", "context"):
        for edit in told[kind]:
            if edit.type in _NAMES:
                key = _NAMES[edit.type], _ACTIONS[edit.edittype]
                counts[key] += 1 if kind == "node-edits" else edit.count
    for name in ("paragraph", "sentence", "word", "character", "punctuation", "whitespace"):
        both = min(counts[name, "inserted"], counts[name, "removed"])
        counts.update({(name, "changed"): both})
        counts.subtract({(name, "inserted"): both, (name, "removed"): both})
    return counts


def print_table(found: Comparison, form: str) -> None:
    """Print what was found as a table of Markdown."""
    print(f"\n{form}: {found.edits} edits; it failed or took too long on {found.failed}\n")
    print("| what | ours | its | both | same presence | same numbers |")
    print("| --- | --- | --- | --- | --- | --- |")
    for name, tally in found.tallies.items():
        if tally.ours or tally.its:
            print(tally.row(name))
    ours, its = (1000 * found.seconds[key] / max(1, found.edits) for key in ("ours", "its"))
    print(
        f"\nCPU per edit: {ours:.2f} ms ours, {its:.2f} ms its: {its / max(ours, 1e-9):.0f} times"
    )


def _stop(_: int, __: FrameType | None) -> None:
    raise _TooLongError


if __name__ == "__main__":
    main()
