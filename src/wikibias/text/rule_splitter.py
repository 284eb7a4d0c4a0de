"""Paragraphs to sentences by rules, with the facts of a language.

Three screens: one regular expression finds the candidates, stops with what belongs to them; what
follows a stop says whether it can end a sentence; the word before it says whether it does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from wikibias.config.languages import Language
from wikibias.text import unsegmented
from wikibias.text.abbreviations import OPENING, Abbreviations, Kind, follows_number
from wikibias.text.enclosures import Enclosures, opens_sentence
from wikibias.text.sentence_starters import WORD, SentenceStarters

# Ends of sentences in scripts that have stops of their own, from Devanagari to Tibetan. They need
# neither a space behind them nor a look at what follows.
_FIRM = "।॥։۔።፧፨။៕។᠃᠉꯫᱾᱿᙮༎།⸼"
# A Greek question mark looks like a semicolon, and is mostly typed as one.
_GREEK_MARK = ";\u037e"
_DOTS = ".…‥"
_STRONG = "!?؟‽⁇⁈⁉‼"
_STOPS = f"{_DOTS}{_STRONG}{_FIRM}{_GREEK_MARK}"
_CLOSING = "\"')]}>»«›‹”“’‘⟩¹²³⁴⁵⁶⁷⁸⁹⁰"
_SPACE = "[ \u00a0\u202f\u2009]"
_CANDIDATE = re.compile(
    # Beginning with one character, which is looked for quickly.
    rf"([{_STOPS}][{_STOPS}]*+)"
    # What belongs to the stop: quotation marks, brackets, references ([3]), further stops.
    rf"((?:[{re.escape(_CLOSING)}{_STOPS}]|{_SPACE}[»”](?=[\s.,;:!?)\]]|\Z)|{_SPACE}?\[\d{{1,3}}\]"
    r"|\[[^\[\]]{1,40}\])*+)"
    rf"(?=(\s*+)((?:[{re.escape(OPENING)}\[]{_SPACE}?|[–—―]{_SPACE}?|[-−•*]{_SPACE})*+)(.?))",
    re.DOTALL,
)
# An article that has lost its vowel, before a capital: 's Avonds, 't Was.
_CLITIC = re.compile(r"\w{1,2}[ -](\w)")
# With what a sentence begins, not ends: 1., IV., J.-C. Petit.
_ENUMERATION = re.compile(r"\W?(?:\d{1,3}|(?:[^\W\d_]\.[ -]?){0,4}[^\W\d_]|[IVX]{1,5})")
_GREEK = re.compile("[\u0370-\u03ff\u1f00-\u1fff]")
_LONE_LETTER = re.compile(r"(?<![^\W\d_]\.)(?<![^\W\d_]\. )\b[^\W\d_]\Z")
# A name, and a word in quotation marks behind it: H. "Doc.
_NICKNAME = re.compile(r"(?:\b[^\W\d_]\.|\b[^\W\d_]{2,20}) [\"'“„«‘”][^\W\d_]{1,12}\Z")
_QUOTES = frozenset("\"'”“’»«")
# What goes on a sentence after a stop and a space.
_CONTINUING = frozenset(",;:)]}%،؛、，；：·/&=+…‥.!?؟")
# Characters that are looked at before a stop, and the length of brackets that hold sentences.
_WINDOW = 40
_LONGEST_BRACKET = 300
_LONGEST_PART = 8
# After these no sentence begins behind an abbreviation: a bracket, a dash.
_DIGRESSING = re.compile(r"[(\[–—―•*-]")
_WITHIN_ADDRESSES = frozenset("./@_:")
_AFTER_WORDS = frozenset(')]"»”’%')
_CLOSING_WIDE = frozenset('」』）”’》〉】〕｣)"')


class RuleSplitter:
    """Splits paragraphs of one language by rules; those of any language, if more plainly."""

    def __init__(self, language: Language) -> None:
        self._abbreviations = Abbreviations(language)
        self._full_width_stops = language.full_width_stops
        self._starters = SentenceStarters(language)
        self._title_words = frozenset(language.title_words)

    def __call__(self, paragraph: str) -> Iterator[str]:
        """Yield the sentences of a paragraph."""
        for piece in unsegmented.pieces(paragraph):
            start, enclosures = 0, Enclosures(piece)
            for found in _CANDIDATE.finditer(piece):
                if self._ends(piece, start, found) and not enclosures.hold(start, found):
                    yield piece[start : found.end()].strip()
                    start = found.end()
            if rest := piece[start:].strip():
                yield rest

    def _ends(  # noqa: PLR0911 (rule by rule)
        self, text: str, start: int, found: re.Match[str]
    ) -> bool:
        """Return whether the sentence that begins at `start` ends at a candidate."""
        run, closing, gap, opening, following = found.groups()
        at, place = found.start(), found.end(4)
        before = text[max(start, at - _WINDOW) : at]
        if not following or not before or before.isspace():
            return False
        stops = [mark for mark in closing if mark in _STOPS] if closing else []
        last = stops[-1] if stops else run[-1]
        if last in _FIRM:
            return run != "፡"
        if last in _GREEK_MARK and not (_GREEK.match(before[-1]) and following.isupper()):
            return False
        if not gap:
            return self._ends_unspaced(text, before, found)
        if following in _CONTINUING:
            return False
        if _is_lower(following) and not _begins_in_lower_case(text, place, opening):
            return False
        if closing and before[-1] in "([{":
            return False  # [...], (?)
        if self._full_width_stops or unsegmented.is_unspaced(following):
            answer = self._ends_among_ideographs(before, last, following)
            if answer is not None:
                return answer
        if run == "." and not stops:
            enumerates = at - start < _WINDOW and _ENUMERATION.fullmatch(before.strip())
            return not enumerates and self._ends_after_word(text, start, before, found)
        return self._ends_after_mark(text, start, before, found)

    def _ends_after_word(  # noqa: PLR0911 (as above)
        self, text: str, start: int, before: str, found: re.Match[str]
    ) -> bool:
        """Return whether a sentence ends at a full stop, by the word before it."""
        opening, following = found[4], found[5]
        place = found.end(4)
        kind = self._abbreviations.kind(before)
        if kind is Kind.NEVER:
            return False
        word = before[-_LONGEST_PART:].rsplit(None, 1)[-1].lstrip(OPENING)
        if len(word) < _LONGEST_PART and self._abbreviations.begins(word):
            coming = WORD.match(text, place)
            if coming and self._abbreviations.goes_on(word, coming[0]):
                return False
        if kind is Kind.WORD:
            return not self._is_nickname(before, found)
        coming = WORD.match(text, place)
        if coming and self._abbreviations.continues(kind, before, coming[0]):
            return False
        if kind is Kind.RULER:
            return True
        length = found.start() - start
        if kind is Kind.NOT_BEFORE_NUMBER:
            number = following.isdigit() or self._starters.number_at(text, place)
            return not (number or self._starters.only_say_when(before, length))
        if _DIGRESSING.search(opening):
            return False
        if self._starters.stand_at(text, place, initial=kind is Kind.INITIAL):
            return True
        if kind is not Kind.MAY_END or (following.isdigit() and _is_named(before, word)):
            return False
        dotted = coming and text[coming.end() : coming.end() + 1] == "."
        if coming and dotted and self._abbreviations.names_a_firm(coming[0]):
            return False
        return not self._starters.only_say_when(before, length)

    def _is_title(self, sentence: str) -> bool:
        return sentence.split(None, 1)[0].lstrip(OPENING) in self._title_words

    def _is_nickname(self, before: str, found: re.Match[str]) -> bool:
        """Return whether a stop belongs to a quoted name between two others: H. "Doc." Pike."""
        if found[2][:1] not in _QUOTES or not found[5].isupper():
            return False
        nickname = _NICKNAME.search(before)
        return (
            nickname is not None
            and nickname[0][0].isupper()
            and not self._starters.stand_at(found.string, found.end(4))
        )

    def _ends_after_mark(self, text: str, start: int, before: str, found: re.Match[str]) -> bool:
        """Return whether a sentence ends at ? or !, an ellipsis, or several stops."""
        run, closing, place = found[1], found[2], found.end(4)
        doubtful = False
        # The film Who Is There? was made: where no capitals tell.
        short = found.start() - start <= _WINDOW
        if short and not (closing or _is_cased(found[5])) and self._is_title(before):
            return False
        if ")" in closing and closing[-1] not in _STOPS:  # a bracket within a sentence
            opened = text.rfind("(", max(start, found.start() - _LONGEST_BRACKET), found.start())
            doubtful = opened >= 0 and not opens_sentence(text, start, opened)
        elif not closing:
            word = before.rsplit(None, 1)[-1].lstrip(OPENING)
            doubtful = (
                self._abbreviations.lists(word + run)
                or (run[0] in _DOTS and before[-1].isspace())
                or (run == "!" and _is_name(before))
            )
        return not doubtful or self._starters.stand_at(text, place)

    def _ends_unspaced(  # noqa: PLR0911 (as above)
        self, text: str, before: str, found: re.Match[str]
    ) -> bool:
        """Return whether a sentence ends at a stop that sticks to the next word (end.The)."""
        run, closing, _, _, following = found.groups()
        place = found.end(4)
        coming = WORD.match(text, place)
        if unsegmented.is_unspaced(following):  # only ellipses can end a sentence there
            return run in ("……", "⋯⋯") and self._starters.ideographs_at(text, place)
        if coming is None:
            return False
        after = text[coming.end() : coming.end() + 2]
        if after[:1] in _WITHIN_ADDRESSES and after[1:].isalnum():
            return False
        if _is_cased(following):
            rest = coming[0][1:] or after[:1]
            if not following.isupper() or not (rest[:1].islower() or rest[:1] in " '’"):
                return False
        if run == "." and self._abbreviations.kind(before) is not Kind.WORD:
            return False
        if closing or before[-1] in _AFTER_WORDS:
            return True
        word = before.rsplit(None, 1)[-1].lstrip(OPENING)
        if not word.isalpha():
            return len(word) == 4 and word.isdigit()
        if not _is_cased(word[-1]) or not _is_cased(following):
            return len(word) > 2 and _is_cased(word[-1]) == _is_cased(following)
        if word.islower():
            return len(word) > 2 and word != "www"
        return len(word) > 2 and self._starters.stand_at(text, place)

    def _ends_among_ideographs(self, before: str, last: str, following: str) -> bool | None:
        """Return whether a half-width stop ends a sentence without spaces; None: ask further."""
        after_ideograph = unsegmented.is_unspaced(before[-1]) or before[-1] in _CLOSING_WIDE
        if unsegmented.is_unspaced(following):
            if not self._full_width_stops and not unsegmented.is_unspaced(before):
                return None
            return after_ideograph and last not in "…‥"
        if after_ideograph and last == ".":
            return None
        return False


def _is_named(before: str, word: str) -> bool:
    """Return whether a number behind an abbreviation goes on: S. 300, az Alfa Kft. 1991-ben."""
    return _LONE_LETTER.search(before) is not None or (
        word[:1].isupper() and not follows_number(before)
    )


def _is_name(before: str) -> bool:
    """Return whether the last word may be a name with its mark: the magazine Oh!"""
    words = before.rsplit(None, 2)[-2:]
    return len(words) > 1 and words[0].islower() and words[1].istitle() and words[1].isalpha()


def _is_cased(letter: str) -> bool:
    return letter.lower() != letter.upper() and not "\u10d0" <= letter <= "\u10ff"


def _is_lower(letter: str) -> bool:
    """Return whether a letter is a small one; those of Georgian begin sentences too."""
    return letter.islower() and _is_cased(letter)


def _begins_in_lower_case(text: str, place: int, opening: str) -> bool:
    """Return whether a small letter may begin a sentence: iPhone, 's Avonds."""
    if text[place + 1 : place + 2].isupper():
        return True
    clitic = _CLITIC.match(text, place) if opening[-1:] in ("'", "’") else None
    return clitic is not None and clitic[1].isupper()
