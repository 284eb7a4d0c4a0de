"""A corpus whose topics are planted, keywords that are near to them, and words near to none."""

from collections.abc import Sequence
from functools import cache

import numpy as np

from made_documents import SUBJECTS
from made_similarity import Vectors, random_vectors
from wikibias.research.selection_bias.documents import Documents, KeywordList

NEAR = [f"{subject}{letter}" for subject in SUBJECTS for letter in "abcd"]
"""Words that are like those of a subject, four for each."""
FILLERS = [f"filler{a}{b}" for a in "abcdefghijklmn" for b in "abcdefghij"]
"""Words as frequent as those, and like no subject."""
NEAR_LIST = KeywordList("near", "made", NEAR)
FILLER_LIST = KeywordList("fillers", "made", FILLERS[40:56])


@cache
def planted(number: int = 320, seed: int = 0) -> Documents:
    """Return documents each about a subject, biased where it is the sea or the farm."""
    rng = np.random.default_rng(seed)
    others = [*NEAR, *FILLERS]
    subjects = [str(name) for name in rng.choice([*SUBJECTS], number)]
    texts = [
        " ".join([*rng.choice(SUBJECTS[name], 8), *rng.choice(others, 4)]) for name in subjects
    ]
    labels = ["biased" if name in ("sea", "farm") else "neutral" for name in subjects]
    return Documents("planted", texts, {"label": labels}, None, "en", number)


def alike(asked: Sequence[str], corpora: Sequence[Documents], seed: int) -> Vectors:
    """Return a measure by which words of a subject, and those near to it, are alike."""
    found = {
        word: [0.0] * 4 + [abs(part) for part in made]
        for word, made in random_vectors(FILLERS, 1, 5).items()
    }
    for place, (subject, words) in enumerate(SUBJECTS.items()):
        for word in (*words, *(near for near in NEAR if near[:-1] == subject)):
            found[word] = [3.0 * (axis == place) + 1.0 for axis in range(9)]
    del corpora, seed
    return Vectors({word: found[word] for word in sorted(set(asked) & set(found))})
