"""Sentence pairs for rewriters: loaded words that editors take out or replace."""

from itertools import product
from pathlib import Path

from put import put
from wikibias.research.neutralising.rewriters import Pair

DELETED = "notorious famous hideous lovely terrible awful truly grand".split()
THINGS = "mill bridge council school harbour library".split()
PLACES = ("of the town", "in the north", "by the river")


def pairs() -> list[Pair]:
    """Return 144 pairs in which a word is gone and 18 in which one is replaced."""
    found = [
        Pair(
            f"The {word} {thing} {place} was closed in 1961.",
            f"The {thing} {place} was closed in 1961.",
        )
        for word, thing, place in product(DELETED, THINGS, PLACES)
    ]
    return found + [
        Pair(
            f"The {thing} {place} claimed that costs rose.",
            f"The {thing} {place} said that costs rose.",
        )
        for thing, place in product(THINGS, PLACES)
    ]


def pairs_file(folder: Path) -> Path:
    """Write such pairs as TSV with a header."""
    rows = [f"{pair.source}\t{pair.target}\n" for pair in pairs()]
    return put(folder / "pairs.tsv", "source\ttarget\n" + "".join(rows))
