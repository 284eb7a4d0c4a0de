"""Sentences to the normal form that is classified (2019 paper, section 3.3), and to their key."""

import re
import unicodedata

from wikibias.mediawiki.titles import composed
from wikibias.records import Sentence
from wikibias.text import unsegmented

_GROUP = r"[.,\u00a0\u202f' ](?=\d{3}(?!\d))"
# A pattern that begins with one character of a set, not with a run of them, is looked for quickly.
_NUMBER = re.compile(rf"(\d\d*(?:{_GROUP}\d{{3}})*)(?:[.,](\d+))?")
_GROUPING = re.compile(_GROUP)
_NUMTKN = "numtkn"
_APOSTROPHES = str.maketrans("\u2019\u02bc\u2018\uff07", "''''")
_LONE_APOSTROPHE = re.compile(r"(?<!\w)'|'(?!\w)")

# Soft hyphens, zero-width marks, marks of direction, variation selectors.
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff"
    "\U000e0100-\U000e01ef]++"
)
# Arabic to Sinhala: here a joiner inside of a word may make another word, as in Persian.
_JOINING = range(0x600, 0xE00)
_JOINERS = "\u200c\u200d"
# A stress mark, which only textbooks and first sentences put on Cyrillic letters.
_STRESS = "\u0301"
_STRESSED = re.compile(rf"[\u0400-\u052f][^\w\s]*?{_STRESS}[^\w\s]*+")

_MOST_LETTERS = 1 << 16


class _Letters(dict[int, str]):
    """A table for str.translate that keeps letters, marks, numbers and apostrophes."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        kept = char if char in f"'{_JOINERS}" or unicodedata.category(char)[0] in "LMN" else " "
        # A million characters, most of which no wiki uses, would take 150 MB.
        if len(self) < _MOST_LETTERS:
            self[code] = kept
        return kept


_LETTERS = _Letters()
# The same for bytes of ASCII, in lower case, with apostrophes and without them.
_WITH_APOSTROPHES = bytes(ord(_LETTERS[code].lower()) if code < 128 else 32 for code in range(256))
_WITHOUT_APOSTROPHES = _WITH_APOSTROPHES.replace(b"'", b" ")


def _plain(text: str) -> str:
    """Return a text in lower case and NFC, without invisible and stress marks."""
    if text.isascii():
        return text.lower()
    text = composed(_INVISIBLE.sub(_needed, text).lower())
    if _STRESS in text:
        unstressed = _STRESSED.sub(lambda run: run.group().replace(_STRESS, ""), text)
        text = composed(unstressed) if unstressed != text else text
    return text.translate(_APOSTROPHES)


def _needed(run: re.Match[str]) -> str:
    """Return the joiner in a run of invisible marks, where it stands in a word that needs it."""
    joiner = next((mark for mark in run.group() if mark in _JOINERS), "")
    if joiner and _joins(run.string, run.start() - 1) and _joins(run.string, run.end()):
        return joiner
    return ""


def _joins(text: str, at: int) -> bool:
    char = text[at] if 0 <= at < len(text) else " "
    return ord(char) in _JOINING and unicodedata.category(char)[0] in "LM"


def normalise(text: str, *, keep_apostrophes: bool = False) -> str:
    """Return the form of section 3.3: lower case, no punctuation, numbers as `numtkn`.

    A run of letters of a script without spaces is one word. Invisible marks are gone, but for
    joiners in words of scripts where these make another word. Applying it twice changes nothing.
    """
    if text.isascii():
        letters = _WITH_APOSTROPHES if keep_apostrophes else _WITHOUT_APOSTROPHES
        text = _NUMBER.sub(f" {_NUMTKN} ", text).encode().translate(letters).decode()
        if "'" in text:
            text = _LONE_APOSTROPHE.sub(" ", text)
        return " ".join(text.split())
    text = _NUMBER.sub(f" {_NUMTKN} ", _plain(text)).translate(_LETTERS)
    text = _LONE_APOSTROPHE.sub(" ", text) if keep_apostrophes else text.replace("'", " ")
    return unsegmented.closed_up(" ".join(text.split()))


def comparison_key(sentence: Sentence) -> str:
    """Return what two sentences share that count as the same: the normal form and the numbers.

    How a number is written does not count: "1,240", "1 240" and "1240" are one, and so are a
    decimal comma and a decimal point, and the digits of all scripts. No joiner counts either.
    """
    text, norm, _, _ = sentence
    if not norm.isascii():
        norm = norm.replace(_JOINERS[0], "").replace(_JOINERS[1], "")
    if _NUMTKN not in norm:
        return norm
    numbers = " ".join(map(_number, _NUMBER.finditer(_plain(text))))
    return f"{norm}\n{numbers}"


def _number(found: re.Match[str]) -> str:
    whole, fraction = found.groups()
    number = _GROUPING.sub("", whole) + (f".{fraction}" if fraction else "")
    if number.isascii():
        return number
    return "".join(c if c == "." else str(unicodedata.decimal(c)) for c in number)
