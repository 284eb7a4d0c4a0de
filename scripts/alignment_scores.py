"""Compares the alignment with gold, and prints precision and recall.

Usage: python scripts/alignment_scores.py FILE_OR_FOLDER... [--show]

A gold file is TOML: tables `[[edit]]` with `lang`, `removed`, `added`, `links` (lists of numbers of
removed and of added sentences, and their relation) and `changed` (numbers of removed sentences, and
words of them that went).
"""

import sys
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from wikibias.config.languages import load_language
from wikibias.edits.alignment import align
from wikibias.edits.word_diff import words
from wikibias.records import Link, Sentence
from wikibias.text.segmentation import Segmenter

_RELATIONS = ("rewritten", "split", "merged", "moved", "number_only", "deleted", "inserted")
Group = tuple[tuple[int, ...], tuple[int, ...], str]


@dataclass
class Count:
    """What is right, of what was found, and of what the gold has."""

    right: int = 0
    found: int = 0
    gold: int = 0

    def add(self, found: set[Any], gold: set[Any]) -> None:
        """Count two sets."""
        self.right += len(found & gold)
        self.found += len(found)
        self.gold += len(gold)

    def line(self, name: str) -> str:
        """Return a row of a table."""
        precision, recall = (self.right / max(1, n) for n in (self.found, self.gold))
        both = 2 * self.right / max(1, self.found + self.gold)
        return f"| {name} | {precision:.3f} | {recall:.3f} | {both:.3f} | {self.gold} |"


@dataclass
class Scores:
    """The scores of some edits."""

    edits: int = 0
    exact: int = 0
    links: Count = field(default_factory=Count)
    relations: dict[str, Count] = field(
        default_factory=lambda: {name: Count() for name in _RELATIONS}
    )
    words: Count = field(default_factory=Count)


def read(paths: Sequence[Path]) -> Iterator[dict[str, Any]]:
    """Yield the edits of gold files, of folders those named `*.toml` that hold any."""
    for path in paths:
        for file in sorted(path.glob("*.toml")) if path.is_dir() else [path]:
            yield from tomllib.loads(file.read_text(encoding="utf-8")).get("edit", [])


def groups(links: Sequence[Link], added: Sequence[Link]) -> set[Group]:
    """Return links as groups of numbers with their relation."""
    found: set[Group] = set()
    for pair in {link.pair_id for link in links if link.pair_id}:
        left, right = (
            tuple(n for n, link in enumerate(side) if link.pair_id == pair)
            for side in (links, added)
        )
        found.add((left, right, links[left[0]].relation))
    found |= {((n,), (), "deleted") for n, link in enumerate(links) if not link.pair_id}
    return found | {((), (n,), "inserted") for n, link in enumerate(added) if not link.pair_id}


def score(edit: dict[str, Any], scores: Scores) -> tuple[set[Group], set[Group]]:
    """Add an edit to the scores; return what was found, and the gold."""
    segmenter = Segmenter(load_language(edit["lang"]))
    removed, gone_to = (
        [Sentence(text, segmenter.normalise(text)) for text in edit[side]]
        for side in ("removed", "added")
    )
    links, added = align(removed, gone_to)
    found = groups(links, added)
    gold = {(tuple(left), tuple(right), name) for left, right, name in edit["links"]}
    scores.edits += 1
    scores.exact += found == gold
    scores.links.add(*({(i, j) for a, b, _ in g for i in a for j in b} for g in (found, gold)))
    for name, count in scores.relations.items():
        count.add(*({one for one in side if one[2] == name} for side in (found, gold)))
    _score_words(edit, links, scores)
    return found, gold


def _score_words(edit: dict[str, Any], links: Sequence[Link], scores: Scores) -> None:
    for number, phrases in edit.get("changed", ()):
        text = edit["removed"][number]
        spans = [tuple(map(int, s.split(":"))) for s in links[number].changed_spans.split()]
        ours = {at for at in words(text) for start, end in spans if start <= at[0] < end}
        theirs = set()
        for phrase in phrases:
            start = text.index(phrase)
            theirs |= {at for at in words(text) if start <= at[0] < start + len(phrase)}
        scores.words.add(ours, theirs)


def main() -> None:
    """Print the tables."""
    names = [name for name in sys.argv[1:] if name != "--show"]
    everything: dict[str, Scores] = {}
    edits = list(read([Path(name) for name in names]))
    for name in (*dict.fromkeys(edit["lang"] for edit in edits), "all"):
        everything[name] = Scores()
    for edit in edits:
        score(edit, everything[edit["lang"]])
        found, gold = score(edit, everything["all"])
        if "--show" in sys.argv and found != gold:
            _show(edit, found, gold)
    print("| edits | exact | links: precision | recall | F1 | number |")
    print("| --- " * 6 + "|")
    for lang, scores in everything.items():
        print(f"| {lang} {scores.edits} | {scores.exact} {scores.links.line('')[3:]}")
    scores = everything["all"]
    print("\n| | precision | recall | F1 | number |\n" + "| --- " * 5 + "|")
    for name, count in scores.relations.items():
        print(count.line(name))
    print(scores.words.line("changed words (the gold names only some)"))


def _show(edit: dict[str, Any], found: set[Group], gold: set[Group]) -> None:
    for mark, some in (("-", gold - found), ("+", found - gold)):
        for left, right, name in sorted(some):
            print(mark, name)
            for side, numbers in (("removed", left), ("added", right)):
                for number in numbers:
                    print(f"      {side[0]}{number} {edit[side][number]}")
    print()


if __name__ == "__main__":
    main()
