"""How well lexicons point at the words that editors changed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from wikibias.corpus.sentence_pairs.changed_words import source_words
from wikibias.corpus.sentence_pairs.reading import PairText
from wikibias.models.lexicons import Lexicon


@dataclass(slots=True)
class LexiconScore:
    """What a lexicon marks in the sources of pairs.

    Attributes:
        name: of the lexicon.
        entries: how many words and phrases it has.
        pairs: how many pairs were looked at.
        hit: of them, those where it marks a word that the edit took out or replaced.
        silent: those where it marks nothing.
        marked: how many words it marks in all.
        right: of them, those that were taken out or replaced.
        changed: how many words were taken out or replaced in all.
    """

    name: str
    entries: int
    pairs: int = 0
    hit: int = 0
    silent: int = 0
    marked: int = 0
    right: int = 0
    changed: int = 0

    def add(self, marks: Sequence[bool], changed: Sequence[bool]) -> None:
        """Count a source: what the lexicon marks there, and what was changed."""
        right = sum(a and b for a, b in zip(marks, changed, strict=True))
        self.pairs += 1
        self.hit += right > 0
        self.silent += not any(marks)
        self.marked += sum(marks)
        self.right += right
        self.changed += sum(changed)


def score_lexicons(pairs: Iterable[PairText], lexicons: Sequence[Lexicon]) -> list[LexiconScore]:
    """Return what each lexicon marks in the sources of pairs."""
    found = [LexiconScore(each.name, len(each)) for each in lexicons]
    for pair in pairs:
        words, changed = source_words(pair.source, pair.target)
        for score, lexicon in zip(found, lexicons, strict=True):
            score.add(lexicon.marks(words), changed)
    return found
