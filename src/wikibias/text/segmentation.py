"""Text to sentences, each with its normal form (2019 paper, section 3.3); segmenters by name.

Also what is known of scripts that are written without spaces: Chinese and Japanese (ideographs and
kana); Thai, Lao, Khmer and Burmese. Korean has spaces.
"""

import math
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache

from wikibias.config.languages import Language
from wikibias.kits.plugins import Registry
from wikibias.mediawiki import composed
from wikibias.records import Paragraph, Sentence

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
    return closed_up(" ".join(text.split()))


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


# Gives the sentences of one paragraph, in order, however short or long.
Splitter = Callable[[str], Iterable[str]]
SEGMENTERS: Registry[Callable[[Language], Splitter]] = Registry(
    "segmenter",
    "wikibias.segmenters",
    {
        "rules": "wikibias.text.rule_splitter:RuleSplitter",
        "spacy": "wikibias.text.spacy_splitter:SpacySplitter",
    },
)


# A gap behind one of them is in no sentence.
STOPS = tuple(".!?…。！？؟۔।")
# How many paragraphs to remember: two neighbouring revisions share nearly all of theirs.
_REMEMBERED = 4096
_LONGEST_REMEMBERED = 10_000  # characters


class Segmenter:
    """Splits the text of one language into sentences.

    The language names what splits a paragraph, one of `SEGMENTERS`. Remembers paragraphs, because
    two neighbouring revisions share nearly all of theirs.

    Raises:
        UsageError: nobody has registered the segmenter that the language names.
    """

    def __init__(self, language: Language) -> None:
        self._keep_apostrophes = language.keep_apostrophes
        self._splitter = SEGMENTERS[language.segmenter](language)
        self._remembered = lru_cache(_REMEMBERED)(self._split_paragraph)

    def split(self, paragraphs: Iterable[Paragraph]) -> list[Sentence]:
        """Return the sentences of paragraphs, in document order.

        However short or long, but for what has no word at all, such as a row of dots.
        """
        return [s for paragraph in paragraphs for s in self._paragraph(paragraph)]

    def sentences(self, text: str) -> list[str]:
        """Return the texts of all sentences of a text whose paragraphs are lines."""
        return [s for line in text.split("\n") if line for s in self._splitter(line)]

    def normalise(self, text: str) -> str:
        """Return the normal form of a sentence of this language; see `normalise`."""
        return normalise(text, keep_apostrophes=self._keep_apostrophes)

    def _paragraph(self, paragraph: Paragraph) -> tuple[Sentence, ...]:
        short = len(paragraph.text) <= _LONGEST_REMEMBERED
        return self._remembered(paragraph) if short else self._split_paragraph(paragraph)

    def _split_paragraph(self, paragraph: Paragraph) -> tuple[Sentence, ...]:
        texts = list(self._splitter(paragraph.text))
        damaged = _with_gaps(paragraph, texts) if paragraph.gaps else frozenset()
        return tuple(
            Sentence(text, norm, paragraph.block, number in damaged)
            for number, text in enumerate(texts)
            if (norm := self.normalise(text))
        )


def paragraphs_of(text: str) -> list[Paragraph]:
    """Return the paragraphs of a plain text whose paragraphs are lines."""
    return [Paragraph(line) for line in text.split("\n") if line]


def _with_gaps(paragraph: Paragraph, sentences: list[str]) -> frozenset[int]:
    """Return the numbers of the sentences of a paragraph that a gap falls into.

    One at the begin counts, since it may have been the subject; one behind a final stop does not.
    """
    found = set()
    end = 0
    for number, sentence in enumerate(sentences):
        start = max(paragraph.text.find(sentence, end), end)
        end = start + len(sentence)
        stops = sentence.endswith(STOPS)
        if any(start <= gap < end or (gap == end and not stops) for gap in paragraph.gaps):
            found.add(number)
    return frozenset(found)


# Letters for which two make a word, and those for which four do. In running text a Chinese word
# has 1.62 letters and a Japanese one 1.70 (the frequency lists of wordfreq 3.1), a Thai one 4.1
# with its vowel signs (the list of the Thai National Corpus in PyThaiNLP 5.4). The other three
# scripts are taken to be like Thai; that has not been measured.
_TWO = (
    "\u3005-\u3007\u3021-\u3029\u3031-\u3035\u303b\u3041-\u3096\u309d-\u309f\u30a1-\u30fa"
    "\u30fc-\u30ff\u3105-\u312f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f"
    "\U0001b000-\U0001b16f\U00020000-\U0003fffd"
)
_FOUR = (
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u1000-\u103f\u1050-\u108f\u109a-\u109d"
    "\u1780-\u17d3\u17d7\u17dc\u17dd\ua9e0-\ua9ef\uaa60-\uaa76"
)
_LETTERS_PER_WORD = ((re.compile(f"[{_TWO}]"), 2), (re.compile(f"[{_FOUR}]"), 4))
_ANY = f"[{_TWO}{_FOUR}]"
_LETTER = re.compile(_ANY)
_OTHER = rf"(?!{_ANY})\w"
_MARKS = r"[^\w\s']*+"
# A mark without a letter of its own stays apart: to close up would make another letter of both.
_GAP = re.compile(rf"(?<={_ANY}) (?={_ANY})(?=\w)")
_EDGE = re.compile(rf"(?:{_ANY}{_MARKS}(?={_OTHER})|{_OTHER}{_MARKS}(?={_ANY}))(?=\w)")
WIDE_STOPS = "。｡．！？"
_OPENING, _CLOSING = "「『（“‘《〈【〔｢", "」』）”’》〉】〕｣"
_QUOTED = "|".join(f"{a}[^{a}{b}]*+{b}" for a, b in zip(_OPENING, _CLOSING, strict=True))
# A full-width number or abbreviation has a full stop inside: ３．５.
_STOP = rf"(?:[。｡！？]|(?<={_ANY})．)"
_SOME_STOP = re.compile(f"[{WIDE_STOPS}]")
_END = re.compile(rf"(?:{_QUOTED}|{_STOP})(?:[{WIDE_STOPS}{_CLOSING}])*+")
# What belongs to a stop: references.
_REFERENCES = re.compile(r"(?:\[[^\[\]]{1,40}\])*+")
# What follows a quotation as part of the same sentence: 「…。」と言った。“…。”并下令停工。
_GOING_ON = frozenset("とはがをにのもでへやかなだっ并並而且和与與的等之于於是为為，、；：,;")
# A Chinese quotation and who says it: “去哪儿？”他问。
_SAID = re.compile("[^，。！？：；、]{0,6}[说說问問道喊叫答写寫称稱]")
_SAYING = frozenset("说說问問道喊叫答写寫称稱言云曰呼")
_LONGEST_TITLE = 12
# Japanese names with a stop: 雨女。へ加入した。 No sentence begins so.
_CASE = re.compile("[をへ]|[のはがにとも](?=[\u30a1-\u30fa\u3400-\u9fff])")


def words(norm: str) -> int:
    """Return how many words a text has, in the form that sentences are compared in.

    Words stand between spaces; of scripts without spaces, a word is two letters (ideographs and
    kana) or four (Thai and its like), all of the text taken together and rounded up. So one limit
    means about the same length in every language.
    """
    if norm.isascii() or _LETTER.search(norm) is None:
        return norm.count(" ") + 1
    spaced = len(_LETTER.sub(" ", norm).split())
    return spaced + sum(
        math.ceil(len(letter.findall(norm)) / many) for letter, many in _LETTERS_PER_WORD
    )


def closed_up(norm: str) -> str:
    """Return a text, single-spaced, with each run of letters of these scripts as a word.

    Else a comma put in, which leaves a space behind, would make another sentence of it.
    """
    if norm.isascii() or _LETTER.search(norm) is None:
        return norm
    return _EDGE.sub(r"\g<0> ", _GAP.sub("", norm))


def pieces(paragraph: str) -> Iterator[str]:
    """Yield a paragraph piece by piece, cut behind the full-width stops that end a sentence.

    Such a stop needs no space behind it. One inside of quotation marks or brackets ends nothing,
    unless it is the last thing inside and no Japanese particle follows.
    """
    start = 0
    for found in _END.finditer(paragraph) if _SOME_STOP.search(paragraph) else ():
        end, said = found.end(), found.group()
        if said.rstrip(_CLOSING)[-1:] not in WIDE_STOPS or (
            _quotation_goes_on(paragraph, start, found)
            if said[-1] in _CLOSING
            else _CASE.match(paragraph, end)
        ):
            continue
        if references := _REFERENCES.match(paragraph, end):
            end = references.end()
        yield paragraph[start:end]
        start = end
    if start < len(paragraph):
        yield paragraph[start:]


def _quotation_goes_on(paragraph: str, start: int, found: re.Match[str]) -> bool:
    """Return whether the sentence from `start` goes on behind what ends with a stop and a mark."""
    said, end = found.group(), found.end()
    opens = found.start() - start <= 1
    before = paragraph[found.start() - 1 : found.start()]
    if paragraph[end : end + 1] in _GOING_ON:
        return end < len(paragraph)
    if said[-1] in "》〉":
        return True  # 《春天来了。》于1962年出版。
    if said[-1] in "』）】〕":
        return not opens
    if said[-1] == "”" and _SAID.match(paragraph, end):
        return True
    # A title in a sentence: 節目「誰來了？」隨後停播。
    short = len(said) <= _LONGEST_TITLE and said[-2] in "？！"
    return short and not opens and is_unspaced(before) and before not in _SAYING


def is_unspaced(text: str) -> bool:
    """Return whether a text has a letter of these scripts."""
    return not text.isascii() and _LETTER.search(text) is not None


def letters(text: str) -> Iterator[int]:
    """Yield where the letters of these scripts stand in a text."""
    return (found.start() for found in _LETTER.finditer(text))
