"""Sentences about two subjects, and vectors in which the words of each are alike."""

import random
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

Vectors = Mapping[str, Sequence[float]]


def as_array(path: Path, vectors: Vectors) -> Path:
    """Write an array, and its words beside it, one a line."""
    np.save(path, np.array(list(vectors.values()), np.float32))
    path.with_suffix(".txt").write_text("\n".join(vectors) + "\n", "utf-8")
    return path


WATER = "river lake stream bridge harbour fish boat island rain shore valley marsh".split()
WAR = "army battle siege general soldiers regime tyrant cannon fortress raid treaty empire".split()
SEARCHED = ["army", "siege", "regime"]


def sentences(number: int, seed: int = 0) -> list[tuple[str, str]]:
    """Return sentences with a label: those of war are mostly biased, those of water neutral."""
    rng = random.Random(seed)
    found = []
    for place in range(number):
        of_war = place % 2 == 0
        words = rng.choices(WAR if of_war else WATER, k=7)
        is_biased = of_war if rng.random() < 0.9 else not of_war
        found.append((f"The {' '.join(words)} of it.", "biased" if is_biased else "neutral"))
    return found


def write_table(path: Path, number: int = 320, seed: int = 0) -> Path:
    """Write sentences as CSV, with columns sentence, label and split."""
    lines = [
        f"{text},{label},{'test' if place % 3 else 'train'}"
        for place, (text, label) in enumerate(sentences(number, seed))
    ]
    path.write_text("\n".join(["sentence,label,split", *lines]) + "\n", encoding="utf-8")
    return path


def write_vectors(path: Path) -> Path:
    """Write a vector of each word: those of war point one way, those of water another."""
    rng = random.Random(7)
    ways = ((WATER, (1.0, 0.2)), (WAR, (0.2, 1.0)))
    return as_array(
        path,
        {
            word: [*(each + rng.uniform(-0.2, 0.2) for each in way), rng.uniform(-0.2, 0.2)]
            for words, way in ways
            for word in words
        },
    )


def write_keywords(path: Path) -> Path:
    """Write the words that the sentences might have been searched with."""
    path.write_text("\n".join(SEARCHED) + "\n", encoding="utf-8")
    return path
