"""How often editors for neutrality changed each word where it stood: the least of all taggers.

A pair counts as one change, divided among the words that the edit took out or replaced, so that an
edit of a whole sentence says as little of each word as it knows.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from wikibias.corpus.log_odds import MOST_WORDS
from wikibias.corpus.sentence_pairs.reading import PairText
from wikibias.edits.edited_spans import adjacent_edits
from wikibias.edits.word_diff import tokens

SMOOTHING = 2.0
"""As if each word had stood in so many sources more, changed as often as words are on average."""


@dataclass(slots=True)
class ChangedWords:
    """How often each lower-cased word was changed, and how often it stood in a source at all.

    Of more than `most` different words the rarest are forgotten.
    """

    of: dict[str, tuple[float, float]] = field(default_factory=dict)
    changed: float = 0.0
    total: float = 0.0
    most: int = MOST_WORDS

    def add(self, words: Sequence[str], changed: Sequence[bool]) -> None:
        """Count the words of a source, each with whether it was changed."""
        weight = 1 / max(1, sum(changed))
        for word, was in zip(words, changed, strict=True):
            key = word.casefold()
            before, stood = self.of.get(key, (0.0, 0.0))
            self.of[key] = (before + weight * was, stood + (weight if was else 1.0))
        self.changed += weight * sum(changed)
        self.total += weight * sum(changed) + len(words) - sum(changed)
        if len(self.of) > self.most:
            self._forget()

    def share(self, word: str) -> float:
        """Return how likely a word is to be changed, smoothed: 0 to 1."""
        changed, stood = self.of.get(word.casefold(), (0.0, 0.0))
        overall = self.changed / self.total if self.total else 0.0
        return (changed + SMOOTHING * overall) / (stood + SMOOTHING)

    def likeliest(self, words: Sequence[str]) -> int | None:
        """Return the place of the word that is likeliest to be changed; None where none is a word.

        Of several the first.
        """
        places = [place for place, word in enumerate(words) if any(map(str.isalnum, word))]
        return max(places, key=lambda place: self.share(words[place]), default=None)

    def _forget(self) -> None:
        """Keep the more frequent half."""
        least = sorted(stood for _, stood in self.of.values())[len(self.of) // 2]
        self.of = {word: counts for word, counts in self.of.items() if counts[1] > least}


def source_words(source: str, target: str) -> tuple[list[str], list[bool]]:
    """Return the words and marks of a source, and whether the edit took out or replaced each."""
    first, second = ([text[start:end] for start, end in tokens(text)] for text in (source, target))
    changed = [False] * len(first)
    for edit in adjacent_edits([w.casefold() for w in first], [w.casefold() for w in second]):
        for place in range(*edit.source):
            changed[place] = True
    return first, changed


def changed_words(pairs: Iterable[PairText]) -> ChangedWords:
    """Count the words of the sources of pairs."""
    found = ChangedWords()
    for pair in pairs:
        found.add(*source_words(pair.source, pair.target))
    return found
