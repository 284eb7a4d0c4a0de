"""Documents about subjects that are told, in sentences of our own words."""

from collections.abc import Mapping, Sequence

import numpy as np

from wikibias.research.selection_bias.documents import Documents

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
