"""Synthetic labelled sentences, the same for the same seed, also as models learn from them."""

import random
from pathlib import Path

import numpy as np

from wikibias.models.examples import Examples

_NEUTRAL = "the a of in town river year school album built opened north member".split()
_BIASED = "truly brilliant greatest shameful obviously".split()


def made_up(count: int, seed: int) -> list[tuple[str, str]]:
    """Return labels and sentences; three of four biased sentences contain a biased word."""
    draw = random.Random(seed)
    rows = []
    for i in range(count):
        words = draw.choices(_NEUTRAL, k=10) + [f"name{draw.randrange(400)}" for _ in range(4)]
        biased = i % 2 == 0
        if biased and draw.random() < 0.75:
            words.insert(draw.randrange(len(words)), draw.choice(_BIASED))
        rows.append(("biased" if biased else "neutral", " ".join(words)))
    return rows


def written(folder: Path, **splits: tuple[int, int]) -> dict[str, Path]:
    """Write a file of label<TAB>sentence lines for each split, by count and seed."""
    for name, split in splits.items():
        lines = [f"{label}\t{text}\n" for label, text in made_up(*split)]
        (folder / f"{name}.tsv").write_text("".join(lines), encoding="utf-8")
    return {name: folder / f"{name}.tsv" for name in splits}


def examples(name: str, count: int, seed: int) -> Examples:
    """Return `made_up` sentences as a split."""
    return as_examples(name, made_up(count, seed))


def as_examples(name: str, rows: list[tuple[str, str]]) -> Examples:
    """Return label and sentence of each row as a split."""
    biased = np.array([label == "biased" for label, _ in rows])
    return Examples(name, [text for _, text in rows], biased, np.arange(1, len(rows) + 1))
