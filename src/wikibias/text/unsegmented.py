"""Scripts that are written without spaces: where their sentences end, and how many words they have.

Chinese and Japanese (ideographs and kana); Thai, Lao, Khmer and Burmese. Korean has spaces.
"""

import math
import re
from collections.abc import Iterator

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
STOPS = "。｡．！？"
_OPENING, _CLOSING = "「『（“‘《〈【〔｢", "」』）”’》〉】〕｣"
_QUOTED = "|".join(f"{a}[^{a}{b}]*+{b}" for a, b in zip(_OPENING, _CLOSING, strict=True))
# A full-width number or abbreviation has a full stop inside: ３．５.
_STOP = rf"(?:[。｡！？]|(?<={_ANY})．)"
_SOME_STOP = re.compile(f"[{STOPS}]")
_END = re.compile(rf"(?:{_QUOTED}|{_STOP})(?:[{STOPS}{_CLOSING}])*+")
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
        if said.rstrip(_CLOSING)[-1:] not in STOPS or (
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
