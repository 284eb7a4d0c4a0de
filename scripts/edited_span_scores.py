"""Compares the edited spans that the rule finds with gold, and prints precision and recall.

Usage: python scripts/edited_span_scores.py FILE [--half dev|test] [--show]

The file is TOML: tables `[[pair]]` with `half`, `lang`, `source`, `target` and `edits`, what is
gone and what has come in its place, in document order. The intervals are of 95 %, by drawing the
pairs again.
"""

import random
import re
import sys
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from wikibias.config.languages import load_language
from wikibias.edits.word_diff import edited_spans
from wikibias.records import EditedSpan

_DRAWN = 2000


class Counts(NamedTuple):
    """What is right, found and in the gold, for some definition."""

    right: int
    found: int
    gold: int


def gold_of(pair: dict[str, Any]) -> tuple[EditedSpan, ...]:
    """Return the edits of a pair of the gold, as the rule writes them."""
    at = [0, 0]
    return tuple(
        EditedSpan(
            _type(*words), *(_place(pair, side, text, at) for side, text in enumerate(words))
        )
        for words in pair["edits"]
    )


def _type(gone: str, come: str) -> Any:
    return "substitution" if gone and come else "deletion" if gone else "addition"


def _place(pair: dict[str, Any], side: int, words: str, at: list[int]) -> str:
    """Return where words stand: the first place behind the edit before, else the first of all."""
    if not words:
        return ""
    text = pair[("source", "target")[side]]
    edge = "" if pair["lang"] == "ja" else r"\w"
    around = (rf"(?<!{edge})", rf"(?!{edge})") if edge else ("", "")
    places = [m.span() for m in re.finditer(around[0] + re.escape(words) + around[1], text)]
    if not places:
        raise SystemExit(f"{words!r} does not stand in {text!r}")
    start, at[side] = next((place for place in places if place[0] >= at[side]), places[0])
    return f"{start}:{at[side]}"


def compared(pair: dict[str, Any]) -> dict[str, Counts]:
    """Return the counts of one pair, by definition."""
    determiners = load_language(pair["lang"]).determiners
    found = set(edited_spans(pair["source"], pair["target"], determiners))
    gold = set(gold_of(pair))
    both: dict[str, tuple[set[Any], set[Any]]] = {
        "edits: both sides and type": (found, gold),
        "source spans": ({e.source for e in found} - {""}, {e.source for e in gold} - {""}),
    }
    for kind in ("substitution", "deletion", "addition"):
        both[kind] = ({e for e in found if e.type == kind}, {e for e in gold if e.type == kind})
    return {name: Counts(len(a & b), len(a), len(b)) for name, (a, b) in both.items()}


def _rates(counts: Sequence[Counts]) -> tuple[float, float]:
    right, found, gold = (sum(column) for column in zip(*counts, strict=True))
    return 100 * right / max(1, found), 100 * right / max(1, gold)


def _intervals(counts: Sequence[Counts]) -> Iterator[str]:
    draw = random.Random(0)
    drawn = [_rates(draw.choices(counts, k=len(counts))) for _ in range(_DRAWN)]
    for column in zip(*drawn, strict=True):
        ordered = sorted(column)
        yield f"{ordered[_DRAWN // 40]:.1f} to {ordered[-_DRAWN // 40]:.1f}"


def main() -> None:
    """Print a table."""
    given = sys.argv[1:]
    half = given[given.index("--half") + 1] if "--half" in given else None
    pairs = tomllib.loads(Path(given[0]).read_text(encoding="utf-8"))["pair"]
    pairs = [pair for pair in pairs if half in (None, pair["half"])]
    counts = [compared(pair) for pair in pairs]
    print(f"| {len(pairs)} pairs | precision | 95 % | recall | 95 % | number |")
    print("| --- " * 6 + "|")
    for name in counts[0]:
        of_pairs = [count[name] for count in counts]
        precision, recall = _rates(of_pairs)
        first, second = _intervals(of_pairs)
        number = sum(count.gold for count in of_pairs)
        print(f"| {name} | {precision:.1f} | {first} | {recall:.1f} | {second} | {number} |")
    if "--show" in given:
        _show(pairs)


def _show(pairs: Sequence[dict[str, Any]]) -> None:
    for pair in pairs:
        determiners = load_language(pair["lang"]).determiners
        found = edited_spans(pair["source"], pair["target"], determiners)
        gold = gold_of(pair)
        if set(found) != set(gold):
            print(f"\n{pair['source']}\n{pair['target']}")
            for mark, some in (("-", set(gold) - set(found)), ("+", set(found) - set(gold))):
                for edit in sorted(some):
                    print(mark, edit.type, *(_cut(pair, edit)), sep=" | ")


def _cut(pair: dict[str, Any], edit: EditedSpan) -> Iterator[str]:
    for text, span in ((pair["source"], edit.source), (pair["target"], edit.target)):
        yield text[slice(*map(int, span.split(":")))] if span else ""


if __name__ == "__main__":
    main()
