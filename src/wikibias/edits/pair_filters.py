"""Why an aligned pair of sentences is no example of a neutral rewrite.

A filter returns its verdict or None; the first one counts. Those of WNC stand in their order
(Pryzant et al. 2020, as their scripts do it), with words and marks as tokens where the scripts have
the pieces of a language model. A new filter is a function here, a line in a list, and a case in
tests/cases/pair_filters.toml.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from wikibias.edits.bleu import bleu
from wikibias.edits.word_diff import Gap, gaps
from wikibias.text import spelling
from wikibias.text.similarity import edit_distance

NEUTRAL = "neutral"
_LEAST_BLEU = 15
_LEAST_DISTANCE = 4
_MOST_CHANGED = 0.5
_TOKEN = re.compile(r"\w+|[^\w\s]")
_LATIN = re.compile("[a-z]", re.IGNORECASE)
# What "neutral" is said of in chemistry, as the authors list it.
_CHEMISTRY = (" molecules", " ions", " ionic", " atoms")


def tokens(text: str) -> list[str]:
    """Return the words and the single marks of a text, in lower case."""
    return _TOKEN.findall(text.lower())


@dataclass(frozen=True)
class AlignedTexts:
    """A sentence and its counterpart on the other side of an edit.

    Attributes:
        source: the sentence before the edit.
        target: what it is aligned with.
        lang: the code of their language, for its spelling; None for none.
        other_meaning: words that tell that an edit about something neutral is not about a view.
    """

    source: str
    target: str
    lang: str | None = None
    other_meaning: tuple[str, ...] = field(default=(), compare=False)

    @cached_property
    def source_tokens(self) -> list[str]:
        """The tokens of the source."""
        return tokens(self.source)

    @cached_property
    def target_tokens(self) -> list[str]:
        """The tokens of the target."""
        return tokens(self.target)

    @cached_property
    def gaps(self) -> list[Gap]:
        """Where the tokens differ."""
        return gaps(self.source_tokens, self.target_tokens)

    @property
    def removed(self) -> list[str]:
        """The tokens that are gone."""
        return [word for gap in self.gaps for word in self.source_tokens[slice(*gap.source)]]

    @property
    def inserted(self) -> list[str]:
        """The tokens that have come."""
        return [word for gap in self.gaps for word in self.target_tokens[slice(*gap.target)]]


PairFilter = Callable[[AlignedTexts], str | None]


def unchanged(pair: AlignedTexts) -> str | None:
    """Take a pair whose tokens are the same for an example of a neutral sentence."""
    return NEUTRAL if pair.source_tokens == pair.target_tokens else None


def unlike(pair: AlignedTexts) -> str | None:
    """Drop two sentences that have little in common: BLEU below 15."""
    return "unlike" if bleu(pair.source_tokens, pair.target_tokens) < _LEAST_BLEU else None


def few_letters(pair: AlignedTexts) -> str | None:
    """Drop a change of fewer than four characters in the tokens, with a space between two."""
    sides = " ".join(pair.source_tokens), " ".join(pair.target_tokens)
    near = edit_distance(*sides, _LEAST_DISTANCE - 1) < _LEAST_DISTANCE
    return "few_letters" if near else None


def no_latin_letters(pair: AlignedTexts) -> str | None:
    """Drop a change without any letter from a to z, as the authors do, who read English."""
    changed = (*pair.removed, *pair.inserted)
    return None if any(map(_LATIN.search, changed)) else "no_letters"


def no_letters(pair: AlignedTexts) -> str | None:
    """Drop a change without any letter of any script."""
    changed = (*pair.removed, *pair.inserted)
    return None if any(any(map(str.isalpha, word)) for word in changed) else "no_letters"


def half_changed(pair: AlignedTexts) -> str | None:
    """Drop a pair of whose source more than half of the tokens are gone."""
    much = len(pair.removed) > _MOST_CHANGED * len(pair.source_tokens)
    return "half_changed" if much else None


def respelled(pair: AlignedTexts) -> str | None:
    """Drop a pair of which only the spelling of one word was put right.

    The one word that is gone is unknown to the dictionary, and what it would have instead has come
    in its place, which is not the last one. No word counts in a language without a dictionary.
    """
    if pair.lang is None or len(pair.removed) != 1:
        return None
    (word,) = pair.removed
    place = next(gap for gap in pair.gaps if gap.source[0] < gap.source[1])
    has_come = pair.target_tokens[slice(*place.target)]
    if not has_come or place.target[1] == len(pair.target_tokens):
        return None
    right = spelling.corrected(word, pair.lang)
    return "respelled" if right != word and right in has_come else None


def of_chemistry(pair: AlignedTexts) -> str | None:
    """Drop a sentence in which neutral is said of molecules or ions."""
    return "other_meaning" if any(word in pair.source for word in _CHEMISTRY) else None


def other_meaning(pair: AlignedTexts) -> str | None:
    """Drop a sentence with a word that tells that neutral means something else."""
    return "other_meaning" if set(pair.other_meaning) & set(pair.source_tokens) else None


WNC_FILTERS: Sequence[PairFilter] = (
    unchanged,
    unlike,
    few_letters,
    no_latin_letters,
    half_changed,
    respelled,
    of_chemistry,
)
OWN_FILTERS: Sequence[PairFilter] = (
    unchanged,
    unlike,
    few_letters,
    no_letters,
    half_changed,
    respelled,
    other_meaning,
)


def verdict(pair: AlignedTexts, filters: Iterable[PairFilter]) -> str | None:
    """Return the verdict of the first filter that has one, or None: the pair is biased."""
    for each in filters:
        found = each(pair)
        if found is not None:
            return found
    return None


def is_single_word(pair: AlignedTexts) -> bool:
    """Return whether one word was taken out, or replaced in its place: WNC's word set.

    What replaces it may be several words.
    """
    return len(pair.gaps) == 1 and len(pair.removed) == 1
