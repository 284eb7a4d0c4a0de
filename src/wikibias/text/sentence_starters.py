"""The words that sentences of a language often begin with: articles, pronouns, prepositions."""

from __future__ import annotations

import re

from wikibias.config.languages import Language

WORD = re.compile(r"[^\W\d_]++['’]?")
_CENTURY = re.compile(r"\b[IVX]{1,5}(?:\b|er?\b)")
_ROMAN = re.compile(r"[IVXLCDM]+\b")
# Beginnings of names that are also articles or prepositions: J. Le Goff, A. De Vries.
_PARTICLES = frozenset(
    "A As D Da Das De Del Della Den Der Des Di Do Dos Du El L La Las Le Les Li Lo Los O Os Te "
    "Ter Till Van Von Zu".split()
)
# Pronouns and articles, which begin no such adverbial: "Den föll 146 f.Kr."
_SUBJECTS = frozenset(
    "Az Bu Das Den Der Det Die El Ela Ele Eles Ella Elle Elles Er Es Ez Gli Han He Het Hij Hon Hun "
    "Hän Il Ils It Las Le Les Lo Los Ona Oni Ono She Sie Ten The They This Zij Вона Воно Вони Він "
    "Он Она Они Оно Те То Той Тя Это Ő Ők".split()
)
_LONGEST_ADVERBIAL = 5  # words
_LONGEST_PREPOSITION = 4  # letters


class SentenceStarters:
    """Tells whether a word, behind an abbreviation, is likely to begin a sentence."""

    def __init__(self, language: Language) -> None:
        self._words = frozenset(
            form
            for word in language.sentence_starters
            for form in (word, word[:1].upper() + word[1:])
        )

    def stand_at(self, text: str, place: int, *, initial: bool = False) -> bool:
        """Return whether one of the words stands at a place.

        Behind an initial, a particle before a capital is part of a name.
        """
        coming = WORD.match(text, place)
        if coming is None or text[coming.end() : coming.end() + 1] in (".", "-"):
            return False
        bare = coming[0].rstrip("'’")
        if coming[0].replace("’", "'") not in self._words and bare not in self._words:
            return False
        if not initial or bare not in _PARTICLES:
            return True
        return not text[coming.end() : coming.end() + 2].strip()[:1].isupper()

    def ideographs_at(self, text: str, place: int) -> bool:
        """Return whether one of the words stands at a place in a text without spaces."""
        return any(text[place : place + length] in self._words for length in (1, 2))

    def number_at(self, text: str, place: int) -> bool:
        """Return whether a Roman number stands at a place; English I is a word."""
        found = _ROMAN.match(text, place)
        return found is not None and found[0] not in self._words

    def only_say_when(self, before: str, length: int) -> bool:
        """Return whether a sentence has said no more than when: "В 1990 г.", "En 44 av. J.-C.".

        Args:
            before: the end of what it has said.
            length: how long that is.
        """
        clause = before if length <= len(before) else ""
        comma = max(before.rfind(","), before.rfind(";"))
        if comma >= 0 and before[comma + 2 : comma + 3].islower():
            clause = before[comma + 1 :]
        words = clause.split()
        dated = any(map(str.isdigit, clause)) or _CENTURY.search(clause)
        if not dated or words[0].capitalize() not in self._words:
            return False
        if len(words[0]) > _LONGEST_PREPOSITION or words[0] in _SUBJECTS:
            return False
        known = [word for word in words if word[-1] != "."]
        numbered = words[1:] and (words[1][0].isdigit() or _CENTURY.match(words[1]))
        return len(known) <= _LONGEST_ADVERBIAL - (not numbered)
