"""Made-up sentence pairs whose editors took out one of a few words, and taggers of them."""

import random
from pathlib import Path

from wikibias.models.examples import Warn
from wikibias.research.spans.labels import Source, Tagged, of_neutral, of_pair
from wikibias.research.spans.training import Task, train

PRAISE = ("truly", "famously", "glorious", "visionary")
_NAMES = ("mill", "bridge", "market", "abbey", "harbour", "school", "theatre", "canal")
_PLACES = ("valley", "county", "province", "borough", "parish", "district")
_VERBS = ("opened", "burned", "closed", "moved", "stood", "grew")


def made_pairs(count: int, seed: int = 0) -> list[tuple[str, str]]:
    """Return pairs (source, target); the source has one word of praise more."""
    rng = random.Random(seed)
    found = []
    for number in range(count):
        words = [
            *("the", rng.choice(_NAMES), "of", "the", rng.choice(_PLACES)),
            *(rng.choice(_VERBS), "in", f"{1700 + number}", "."),
        ]
        place = rng.choice((1, 4))
        praised = [*words[:place], rng.choice(PRAISE), *words[place:]]
        found.append((" ".join(praised), " ".join(words)))
    return found


def made_sentences(count: int, seed: int = 0) -> list[Tagged]:
    """Return sources and targets of such pairs."""
    pairs = made_pairs(count, seed)
    return [
        *(of_pair(source, target) for source, target in pairs),
        *(of_neutral(target) for _, target in pairs),
    ]


def pairs_file(folder: Path, count: int = 120, seed: int = 0, name: str = "pairs.tsv") -> Path:
    """Write such pairs as TSV with a header."""
    path = folder / name
    lines = [f"{source}\t{target}\n" for source, target in made_pairs(count, seed)]
    path.write_text("source\ttarget\n" + "".join(lines), encoding="utf-8")
    return path


def trained(folder: Path, tagger: str = "frequent", warn: Warn = print) -> Path:
    """Train a tagger on such pairs; return its folder."""
    folder.mkdir(exist_ok=True)
    out = folder / f"tagger-{tagger}"
    train(Task(tagger=tagger, sources=[Source(pairs_file(folder))], out=out), warn)
    return out
