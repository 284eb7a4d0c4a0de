"""Why an aligned pair of sentences is no example of a neutral rewrite.

A filter returns its verdict or None; the first one counts. Those of WNC stand in their order
(Pryzant et al. 2020, as their scripts have it). The scripts count pieces of words, from the
vocabulary of a language model that may not be shipped. Here words and marks are counted instead,
and the limits are such that no published pair falls; see docs/experiments.md. A new filter is a
function here, a line in a list, and a case in tests/cases/pair_filters.toml.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from wikibias.config.languages import Language
from wikibias.config.patterns import word_pattern
from wikibias.edits.word_diff import Gap, gaps, smoothed_bleu
from wikibias.text import segmentation
from wikibias.text.similarity import edit_distance

NEUTRAL = "neutral"
_LEAST_BLEU = 12
_LEAST_DISTANCE = 4
_MOST_CHANGED = 0.6
_TOKEN = re.compile(r"\w+|[^\w\s]")
# So many letters of a word are a piece.
_PIECE = 3
# A word with fewer letters may be an abbreviation, of which the points come and go.
_ABBREVIATED = 5
# Words as NLTK has them: what a hyphen or a slash joins is one, what an apostrophe joins is two.
_WORD = re.compile(
    r"\.\.+|--+|'(?:s|re|ve|ll|d|m)\b|\w(?:[^\s\"(){}\[\]<>?!;@#$%&,:*]*[\w/-])?|[^\w\s]"
)
_CLITIC = re.compile(r"(?<=\w)(?:'(?:s|re|ve|ll|d|m)|n't)\Z")
_LATIN = re.compile("[a-z]", re.IGNORECASE)
# What "neutral" is said of in chemistry, as the authors list it.
_CHEMISTRY = (" molecules", " ions", " ionic", " atoms")


def tokens(text: str) -> list[str]:
    """Return the words and the single marks of a text, in lower case.

    In a script without spaces each letter is a word.
    """
    return list(_apart(_TOKEN.findall(text.lower())))


def pieces(found: Iterable[str]) -> str:
    """Return tokens with spaces between them, and within long ones, as word pieces are written."""
    return " ".join(
        " ##".join(each[at : at + _PIECE] for at in range(0, len(each), _PIECE)) for each in found
    )


def words(text: str) -> list[str]:
    """Return the words and marks of a text as they count for the word set, in lower case."""
    found: list[str] = []
    for word in _apart(_WORD.findall(text.lower())):
        clitic = _CLITIC.search(word)
        found += [word[: clitic.start()], clitic[0]] if clitic else [word]
    return found


def _apart(found: Iterable[str]) -> Iterator[str]:
    """Yield words with the letters of scripts without spaces one by one."""
    for word in found:
        at = 0
        for letter in () if word.isascii() else segmentation.letters(word):
            yield from filter(None, (word[at:letter], word[letter]))
            at = letter + 1
        if at < len(word):
            yield word[at:]


@dataclass(frozen=True)
class AlignedTexts:
    """A sentence and its counterpart on the other side of an edit.

    Attributes:
        source: the sentence before the edit.
        target: what it is aligned with.
        other_meaning: finds words that tell that neutral means something else; see
            `other_meanings`.
    """

    source: str
    target: str
    other_meaning: re.Pattern[str] | None = None

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

    @cached_property
    def removed(self) -> list[str]:
        """The tokens that are gone."""
        return [word for gap in self.gaps for word in self.source_tokens[slice(*gap.source)]]

    @cached_property
    def inserted(self) -> list[str]:
        """The tokens that have come."""
        return [word for gap in self.gaps for word in self.target_tokens[slice(*gap.target)]]

    @cached_property
    def gaps_of_one_word(self) -> list[Gap]:
        """Where the words differ, if just one word of the source is gone; else nothing."""
        found = gaps(words(self.source), words(self.target))
        return found if sum(end - start for (start, end), _ in found) == 1 else []


def other_meanings(language: Language) -> re.Pattern[str]:
    """Return what finds, in a folded text, a language's words of `other_meaning`."""
    return word_pattern(language.summaries.get("other_meaning", ()))


PairFilter = Callable[[AlignedTexts], str | None]


def unchanged(pair: AlignedTexts) -> str | None:
    """Take a pair whose tokens are the same for an example of a neutral sentence."""
    return NEUTRAL if pair.source_tokens == pair.target_tokens else None


def unlike(pair: AlignedTexts) -> str | None:
    """Drop two sentences that have little in common: BLEU, smoothed as they are short, below 12.

    The scripts have 15 of the pieces, which is the same for sentences that are not short.
    """
    like = smoothed_bleu(pair.source_tokens, pair.target_tokens)
    return "unlike" if like < _LEAST_BLEU else None


def few_letters(pair: AlignedTexts) -> str | None:
    """Drop a change of fewer than four characters, as pieces of words are written."""
    sides = pieces(pair.source_tokens), pieces(pair.target_tokens)
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
    """Drop a pair of whose source more than three tokens of five are gone; half of the pieces."""
    much = len(pair.removed) > _MOST_CHANGED * len(pair.source_tokens)
    return "half_changed" if much else None


def respelled(pair: AlignedTexts) -> str | None:
    """Drop a pair of which one word is written in another way: "worldto" for "world to".

    The scripts ask a dictionary whether the word was misspelt; what slips change is mostly too
    little for `few_letters`, and this is what is left. A hyphen that comes may be meant.
    """
    if len(pair.removed) != 1 or len(pair.removed[0]) < _ABBREVIATED:
        return None
    has_come = "".join(pair.inserted).replace("'", "")
    return "respelled" if has_come == pair.removed[0] else None


def of_chemistry(pair: AlignedTexts) -> str | None:
    """Drop a sentence in which neutral is said of molecules or ions."""
    return "other_meaning" if any(word in pair.source for word in _CHEMISTRY) else None


def other_meaning(pair: AlignedTexts) -> str | None:
    """Drop a sentence with a word that tells that neutral means something else."""
    found = pair.other_meaning is not None and pair.other_meaning.search(pair.source.casefold())
    return "other_meaning" if found else None


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
    return len(pair.gaps_of_one_word) == 1


def is_one_word_elsewhere(pair: AlignedTexts) -> bool:
    """Return whether one word was taken out, and something put in at one other place.

    The authors' scripts take such a pair for a neutral sentence, by a slip.
    """
    found = pair.gaps_of_one_word
    return len(found) == 2 and any(start == end for _, (start, end) in found)
