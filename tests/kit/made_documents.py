"""Documents about subjects that are told or planted, and made measures of how alike words are."""

from collections.abc import Mapping, Sequence
from functools import cache, partial

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn import decomposition

from wikibias.research.selection_bias import samples, similarity
from wikibias.research.selection_bias.documents import Documents, KeywordList
from wikibias.research.selection_bias.similarity import Similarity

SUBJECTS: Mapping[str, Sequence[str]] = {
    "sea": "harbour sailor anchor tide ferry island lighthouse captain wave reef".split(),
    "farm": "barley tractor orchard harvest cattle meadow plough barn shepherd wheat".split(),
    "music": "violin chorus melody piano opera rhythm concert drummer tune singer".split(),
    "court": "judge verdict lawyer trial appeal jury statute witness prison clerk".split(),
}
OTHERS = (
    "again almost along always among beside early eight enough evening every fourth grey green "
    "inside large later little longer mainly merely middle morning nearly night ninth north often "
    "older orange perhaps quite rather second seldom seven short since small south spring still "
    "summer third today toward twelve under until upper winter without yellow younger"
).split()
"""Words of no subject, without which sentences of one subject would be near-duplicates."""
_LOADED = "shameful glorious brilliant evil stunning".split()
_PLAIN = "reported located published recorded measured".split()
_AT_ONCE = 5


def sentences(subjects: Sequence[str], seed: int) -> list[str]:
    """Return a sentence about each subject, of its words and of words of any subject."""
    rng = np.random.default_rng(seed)
    return [
        " ".join([*rng.choice(SUBJECTS[of], 8), *rng.choice(OTHERS, 6, replace=False)])
        for of in subjects
    ]


def drawn(shares: Mapping[str, float], number: int, seed: int) -> list[str]:
    """Return so many subjects, each as often as its share says, page by page."""
    rng = np.random.default_rng(seed)
    pages = rng.choice([*shares], number // _AT_ONCE, p=[*shares.values()])
    return [str(subject) for subject in np.repeat(pages, _AT_ONCE)]


def corpus(
    name: str, shares: Mapping[str, float], number: int, seed: int, *, pages: bool = True
) -> Documents:
    """Return documents of pages of five sentences, each page about one subject."""
    texts = sentences(drawn(shares, number, seed), seed)
    own = [f"{name} {row // _AT_ONCE}" for row in range(number)]
    return Documents(name, texts, {}, own if pages else None, "en", number)


def labelled(biased: Mapping[str, float], neutral: Mapping[str, float], number: int) -> Documents:
    """Return documents of which half are biased, each class about subjects of its own.

    A word or two of each sentence tell its class too, as a classifier should learn.
    """
    rng = np.random.default_rng(number)
    texts, labels = [], []
    for label, shares, telling in (("biased", biased, _LOADED), ("neutral", neutral, _PLAIN)):
        about = drawn(shares, number // 2, len(label))
        for text in sentences(about, len(label)):
            word = rng.choice(telling if rng.random() < 0.8 else [*_LOADED, *_PLAIN])
            texts.append(f"{text} {word}")
            labels.append(label)
    pages = [f"{row // _AT_ONCE}" for row in range(number)]
    return Documents("made", texts, {"label": labels}, pages, "en", number)


Matrix = NDArray[np.float64]


class Vectors(Similarity):
    """The cosine of vectors; of a word without one there is none."""

    def __init__(self, vectors: Mapping[str, Sequence[float]]) -> None:
        self._vectors = {word: np.array(vector) for word, vector in vectors.items()}
        self.asked = 0
        self.about = {"name": "made", "title": "cosine of made vectors"}

    def matrix(self, words: Sequence[str], keywords: Sequence[str]) -> Matrix:
        """Return the cosines, words by keywords."""
        self.asked += 1
        rows, columns = self._unit(words), self._unit(keywords)
        found: Matrix = rows @ columns.T
        return found

    def knows(self, words: Sequence[str]) -> NDArray[np.bool_]:
        """Return for each word whether it has a vector."""
        return np.array([word in self._vectors for word in words], dtype=bool)

    def _unit(self, words: Sequence[str]) -> Matrix:
        size = len(next(iter(self._vectors.values())))
        none = np.full(size, np.nan)
        found = np.array([self._vectors.get(word, none) for word in words]).reshape(-1, size)
        unit: Matrix = found / np.linalg.norm(found, axis=1, keepdims=True)
        return unit


def random_vectors(words: Sequence[str], seed: int, size: int = 6) -> dict[str, list[float]]:
    """Return a vector for each word, in any direction."""
    drawn = np.random.default_rng(seed).normal(size=(len(words), size))
    return dict(zip(words, drawn.tolist(), strict=True))


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


def fit_quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fit topics in a few steps and keep few pieces of words: enough for made texts."""
    # A fit ends with its perplexity, which takes half of the time and is read by nobody.
    kind = decomposition.LatentDirichletAllocation
    monkeypatch.setattr(kind, "_perplexity_precomp_distr", lambda *_, **__: 0.0, raising=False)
    quick = partial(kind, max_doc_update_iter=10)
    monkeypatch.setattr(decomposition, "LatentDirichletAllocation", quick)
    monkeypatch.setattr(samples, "_PASSES", 2)
    monkeypatch.setitem(similarity._SETTINGS, "bucket", 10_000)


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
