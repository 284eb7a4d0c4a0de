"""Synthetic labelled sentences, the same for the same seed."""

import random

_NEUTRAL = [
    "the",
    "a",
    "of",
    "in",
    "town",
    "river",
    "year",
    "school",
    "album",
    "built",
    "opened",
    "north",
    "member",
]
_BIASED = ["truly", "brilliant", "greatest", "shameful", "obviously"]


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
