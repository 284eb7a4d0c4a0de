"""What a full stop behind a word may mean: the end of a sentence, or of an abbreviation."""

from __future__ import annotations

import re
from enum import Enum, auto

from wikibias.config.languages import Language

OPENING = "\"'([{<«»‹›“”„‟‘’‚‛¿¡"
# Words of more letters are no abbreviations.
_LONGEST = 24
_DOTTED = re.compile(r"(?:[^\W\d_]{1,2}\.[-–’']?)+[^\W\d_]{1,3}")
_ROMAN = re.compile(r"[IVXLC]{1,8}(?:\.?-?(?:er|a|ª|º))?")
_VOWELS = frozenset("aeiouyàáâãäåæèéêëìíîïòóôõöøùúûüýÿāăąēĕėęěīĭįıōŏőœūŭůűųаеёиоуыэюяіїєѝ")
_LONGEST_WITHOUT_VOWELS = 5
_WITHOUT_VOWELS = re.compile(
    "[A-Za-z\u00df-\u017f\u0400-\u045f][a-z\u00df-\u017f\u0430-\u045f]{1,4}"
)
_NUMERAL = re.compile("[IVX]|[IVXLC]{2,8}")
_SCALES = frozenset("bil bln mil mill milj mio mld mln mn mrd tis tys млн млрд тис тыс хил".split())
_NEAR = 3  # words
# What a cardinal number stands behind.
_NUMBERED = frozenset(
    "nr. nr no. č. čp. sz. kap. s. str. bd. vol. abb. fig. obr. rys. tab. pkt. ul. § art.".split()
)
_MONEY = frozenset(
    "BGN CHF CZK DKK DM EUR Euro Ft GBP HUF JPY Kč Kčs NOK PLN RON RUB SEK TL UAH US USD".split()
)
_OTHER_SCRIPT = re.compile("[\u0370-\u06ff]")  # Greek to Arabic: there a Latin letter is a symbol


class Kind(Enum):
    """When a sentence ends at a stop behind a word, if the next word looks like a beginning."""

    WORD = auto()
    """Always: the word is no abbreviation."""
    NEVER = auto()
    """Never: what the word announces follows (Dr.)."""
    MAY_END = auto()
    """Before a capital letter (etc.)."""
    BEFORE_STARTER = auto()
    """Before a word that begins sentences (Inc., World War I.)."""
    NOT_BEFORE_NUMBER = auto()
    """Unless a number follows (No. 7)."""
    RULER = auto()
    """Unless a second name follows (Karel IV. Lucemburský)."""
    INITIAL = auto()
    """As `BEFORE_STARTER`, and the next word is no part of a name (J. Le Goff)."""


def follows_number(before: str) -> bool:
    """Return whether one of the last words is a number."""
    return any(word[-1].isdigit() for word in before.split()[-_NEAR:])


def _is_amount(word: str) -> bool:
    return word[-1:].isdigit() or word.rstrip(".") in _SCALES


def _is_initial(words: list[str], kind: Kind | None) -> bool:
    """Return whether the last two words are no firm's S. A., which stands behind its name."""
    unnamed = len(words) == 2 or words[-3].islower()
    return kind is Kind.MAY_END and unnamed and words[-1].isupper() and len(words[-2]) == 2


class Abbreviations:
    """Tells what a stop behind a word of one language means."""

    def __init__(self, language: Language) -> None:
        self._ordinal_digits = language.ordinal_digits
        self._before_letters = frozenset(language.words_before_letters)
        self._rulers = frozenset(language.rulers)
        self._continuations = _MONEY.union(language.continuations)
        self._kinds: dict[str, Kind] = {}
        self._beginnings: set[str] = set()
        groups = (
            (language.abbreviations, Kind.NEVER),
            (language.abbreviations_may_end, Kind.MAY_END),
            (language.abbreviations_before_starter, Kind.BEFORE_STARTER),
            (language.abbreviations_before_number, Kind.NOT_BEFORE_NUMBER),
        )
        # As they are written first: where "Sat." is listed, "SAT." is not, unless listed itself.
        listed = [
            ("".join(word.split()).rstrip("."), kind) for words, kind in groups for word in words
        ]
        for word, kind in listed:
            self._kinds.setdefault(word, kind)
        for word, kind in listed:
            if len(word) > 1:  # a capital letter is an initial
                for form in (word[:1].upper() + word[1:], word.upper()):
                    self._kinds.setdefault(form, kind)
        self._units = frozenset(language.abbreviations_may_end) & frozenset(language.abbreviations)
        self._units = frozenset(word.rstrip(".") for word in self._units)
        self._endings = {word[1:]: kind for word, kind in listed if word.startswith("-")}
        for word in self._kinds:
            parts = word.split(".")
            self._beginnings.update(".".join(parts[:end]) for end in range(1, len(parts)))

    def lists(self, word: str) -> bool:
        """Return whether a word is listed, which may be a name with its mark (Yahoo!)."""
        return word in self._kinds

    def names_a_firm(self, word: str) -> bool:
        """Return whether a word with a stop may itself end a sentence (Ltda. of Cia. Ltda.)."""
        return self._kinds.get(word) in (Kind.MAY_END, Kind.BEFORE_STARTER)

    def continues(self, kind: Kind, before: str, coming: str) -> bool:
        """Return whether a capital word goes on with a ruler, an hour, a year or an amount."""
        if kind is Kind.RULER:
            return coming in self._rulers or coming in self._continuations
        return coming in self._continuations and follows_number(before)

    def begins(self, word: str) -> bool:
        """Return whether a word begins an abbreviation of several (z. of z. B.)."""
        return word in self._beginnings

    def goes_on(self, word: str, coming: str) -> bool:
        """Return whether a word and the next one are, or begin, such an abbreviation."""
        both = f"{word}.{coming}"
        return both in self._kinds or both in self._beginnings

    def kind(self, before: str) -> Kind:  # noqa: PLR0911 (rule by rule)
        """Return the kind of the last word of `before`, which ends where the stop stands."""
        if before[-1:].isspace():
            return Kind.WORD
        words = before.rsplit(None, 3)
        word = words[-1].lstrip(OPENING)
        if len(word) > _LONGEST:
            return Kind.WORD
        if len(words) > 1 and words[-2][-1] == ".":
            joined = self._joined(words, word)
            if len(word) == 1 and (joined is Kind.BEFORE_STARTER or _is_initial(words, joined)):
                return Kind.INITIAL  # M. A. Le Goff is no master of arts
            if joined is not None:
                return joined
        previous = words[-2] if len(words) > 1 else ""
        known = self._kinds.get(word)
        if known is not None:
            # The same word may be a title and a unit, or end a list: с. Горки, 12 с., и пр.
            if previous[-1:].isdigit() and (len(word) == 1 and word.islower()):
                return Kind.MAY_END
            counted = _is_amount(previous) or (len(previous) == 1 < len(word))
            return Kind.MAY_END if counted and word in self._units else known
        if word.isalpha() and len(word) > _LONGEST_WITHOUT_VOWELS:
            return next((k for end, k in self._endings.items() if word.endswith(end)), Kind.WORD)
        return self._guess(word, previous)

    def _joined(self, words: list[str], word: str) -> Kind | None:
        """Return the kind of the last two or three words, written as one (z. B.)."""
        second = words[-2].lstrip(OPENING) + word
        if len(words) > 2 and words[-3][-1] == ".":
            third = self._kinds.get(words[-3].lstrip(OPENING) + second)
            if third is not None:
                return third
        return self._kinds.get(second)

    def _guess(self, word: str, previous: str) -> Kind:  # noqa: PLR0911 (as above)
        """Return the kind of a word that is not listed."""
        tail = re.split("['’/–(-]", word)[-1]
        if tail != word and tail and (known := self._kinds.get(tail)):
            return known
        number = previous[-1:].isdigit()
        if previous.lstrip(OPENING) in self._rulers and (
            _NUMERAL.fullmatch(word) or (word.isdigit() and len(word) <= self._ordinal_digits)
        ):
            return Kind.RULER if self._ordinal_digits else Kind.WORD
        if word.isdigit():
            ordinal = len(word) <= self._ordinal_digits and previous.lower() not in _NUMBERED
            return Kind.BEFORE_STARTER if ordinal else Kind.WORD
        if len(tail) == 1 and tail.isalpha() and (tail == word or len(word) <= 3):
            return self._letter(tail, previous, number=number)
        if _DOTTED.fullmatch(word):
            return Kind.BEFORE_STARTER
        if self._ordinal_digits and _ROMAN.fullmatch(word):
            return Kind.BEFORE_STARTER
        short = not number and _WITHOUT_VOWELS.fullmatch(word)
        if short and _VOWELS.isdisjoint(word.lower()):
            return Kind.BEFORE_STARTER
        return Kind.WORD

    def _letter(self, letter: str, previous: str, *, number: bool) -> Kind:
        """Return the kind of a letter: a unit, an initial, a word such as French y."""
        if number or previous.lstrip(OPENING) in self._before_letters:
            return Kind.WORD
        if (
            letter.isascii()
            and previous[-1:].isalpha()
            and not previous.isascii()
            and _OTHER_SCRIPT.match(previous[-1])
        ):
            return Kind.WORD
        if letter.islower() and letter in _VOWELS:
            return Kind.WORD
        return Kind.INITIAL
