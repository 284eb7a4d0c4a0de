"""Takes sentences of a test set, and what is nearly the same, out of what is learnt from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from wikibias.corpus import near_duplicates
from wikibias.research.spans.sentences import Tagged, key


@dataclass(frozen=True, slots=True)
class Kept:
    """What is left of sentences, and how many were the same or nearly the same."""

    sentences: list[Tagged]
    same: int
    near: int


def without(sentences: Sequence[Tagged], held: Iterable[Sequence[str]]) -> Kept:
    """Return sentences that are not among those held out, nor near-duplicates of one.

    The same means the same letters and digits. Near-duplicates are those of `audit-split`: a cosine
    of character 5-grams of at least 0.5.
    """
    words = [tuple(each) for each in held]
    keys = {key(each) for each in words}
    different = [each for each in sentences if key(each.words) not in keys]
    same = len(sentences) - len(different)
    if not words or not different:
        return Kept(different, same, 0)
    ours, theirs = near_duplicates.vectors(
        "char", [_text(each.words) for each in different], [_text(each) for each in words]
    )
    near = set(near_duplicates.similar(ours, theirs).left.tolist())
    kept = [each for number, each in enumerate(different) if number not in near]
    return Kept(kept, same, len(near))


def _text(words: Sequence[str]) -> str:
    return " ".join(words).lower()
