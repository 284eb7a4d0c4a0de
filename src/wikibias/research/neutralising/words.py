"""Words of a sentence as a rewriter sees them, the repair of an edited text, and what it learns of.

Of a text as people read it, of tokens that stand apart, and of word pieces (## goes on with a word)
the keys are the same, so that a rewriter trained on one can rewrite the others.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from wikibias.edits.word_diff import gaps, tokens

_PIECE = "##"
_ASCII = re.compile(r"\w+(?: ?##\w+)*|[^\w\s]")
# A stop that closes up with a word: then the text is no row of tokens.
_CLOSED_UP = re.compile(r"\S[.,;](?:\s|$)")


class Word(NamedTuple):
    """A word or mark: what it is compared by, and where it stands in the text, in characters."""

    key: str
    start: int
    end: int


def words(text: str) -> list[Word]:
    """Return the words of a text, and each mark between them, in order.

    Words with hyphens are one word: "well-known", and in a row of tokens "well - known", too. In a
    script without spaces each letter is a word.
    """
    return _hyphenated(text, list(_ascii(text) if text.isascii() else _others(text)))


def _ascii(text: str) -> Iterator[Word]:
    for found in _ASCII.finditer(text):
        shown = found.group()
        key = shown.replace(f" {_PIECE}", "").replace(_PIECE, "") if _PIECE in shown else shown
        yield Word(key.lower(), found.start(), found.end())


def _others(text: str) -> Iterator[Word]:
    waiting: Word | None = None
    for start, end in tokens(text):
        if text.startswith(_PIECE, start) and waiting is not None and start - waiting.end <= 1:
            key = waiting.key + text[start + len(_PIECE) : end].lower()
            waiting = Word(key, waiting.start, end)
            continue
        for first, last in _apart(text, start, end):
            if waiting is not None:
                yield waiting
            waiting = Word(text[first:last].lower(), first, last)
    if waiting is not None:
        yield waiting


def _apart(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the runs of letters of a word, and the marks in it by themselves."""
    at = start
    for place in range(start, end):
        if not is_letter(text[place]):
            if at < place:
                yield at, place
            yield place, place + 1
            at = place + 1
    if at < end:
        yield at, end


def is_letter(char: str) -> bool:
    """Return whether a character belongs to a word: letters, digits and their marks."""
    return char.isalnum() or char == "_" or unicodedata.category(char)[0] in "LMN"


def _hyphenated(text: str, found: list[Word]) -> list[Word]:
    """Join words that a hyphen joins."""
    if "-" not in text:
        return found
    most = 0 if _CLOSED_UP.search(text) else 1
    joined: list[Word] = []
    at = 0
    while at < len(found):
        word = found[at]
        while at + 2 < len(found) and _is_joined(word, found[at + 1], found[at + 2], most):
            word = Word(f"{word.key}-{found[at + 2].key}", word.start, found[at + 2].end)
            at += 2
        joined.append(word)
        at += 1
    return joined


def _is_joined(left: Word, hyphen: Word, right: Word, most: int) -> bool:
    gaps = hyphen.start - left.end, right.start - hyphen.end
    return (
        hyphen.key == "-"
        and gaps[0] == gaps[1] <= most
        and is_letter(left.key[-1])
        and is_letter(right.key[0])
    )


LANGUAGES = ("en",)
"""Codes of the languages with rules for the words beside an edit."""
# What may not stand alone between nothing: opening and closing marks of one kind.
_EMPTY = re.compile(r"(?:\(\s*\)|\[\s*\]|\"\s*\"|«\s*»|“\s*”|„\s*“|「\s*」|『\s*』|（\s*）)$")
_COMMAS = ",،、，;；"
_CLOSING = ".,;:!?)]}%»”’،؛؟。、，！？；：）」』"
_ARTICLE = re.compile(r"(?:^|(?<=[\s(\"“]))(an?)(\s+)$", re.IGNORECASE)
_BARE_ARTICLE = re.compile(r"(?:^|\s)(?:an?|the)\s*$", re.IGNORECASE)
# Begin with another sound than their letter says.
_SOUNDS_VOWEL = re.compile(r"hono(?:u?r|rar)|hour|honest|heir|[fhlmnrsx]-?(?=\d|\b)", re.IGNORECASE)
_SOUNDS_CONSONANT = re.compile(
    r"uni(?!n|m)|u[stn]i|use|usual|usu|eu|ewe|one\b|once|ubiq|u-?\b", re.IGNORECASE
)
_WORD = re.compile(r"\w")


def edited(text: str, start: int, end: int, replacement: str, lang: str | None = None) -> str:
    """Return a text whose characters from `start` to `end` are replaced, or gone.

    What is left is mended as the text around is written: a space that was one of two goes, and so
    do a comma beside another mark, brackets and quotation marks around nothing, and marks at the
    beginning. A sentence that began with a capital begins with one. In English (`lang` is "en") the
    article before the place becomes "a" or "an" by the word that now follows.
    """
    before, after = text[:start], text[end:]
    if replacement:
        if text[start : start + 1].isupper():
            replacement = replacement[:1].upper() + replacement[1:]
        after = replacement + after
    else:
        before, after = _closed_up(before, after)
        if not before.strip() and text[: start + 1].strip()[:1].isupper():
            after = after[:1].upper() + after[1:]
    if lang == "en":
        if not replacement and _BARE_ARTICLE.search(before) and after[:1] == ",":
            before, after = f"{before.rstrip()} ", after[1:].lstrip()
        before = _with_article(before, after)
    return before + after


def _closed_up(before: str, after: str) -> tuple[str, str]:
    """Return the two sides of a deletion without what it leaves behind."""
    before, after = _spaced(before, after)
    while after.strip():
        both = _EMPTY.search(before + after.lstrip()[0])
        if both is None or both.start() >= len(before):
            break
        before, after = _spaced(before[: both.start()], after.lstrip()[1:])
    bare, first = before.rstrip(), after.lstrip()[:1]
    if first and first in _CLOSING and bare and bare[-1] in _COMMAS:
        before = bare[:-1].rstrip() + before[len(bare) :]
    if not bare and first and first in _CLOSING:
        after = after.lstrip()[1:].lstrip()
    return before, after


def _spaced(before: str, after: str) -> tuple[str, str]:
    """Keep of the spaces on both sides of a deletion those that the text needs."""
    bare = before.rstrip()
    if not bare:
        return before, after.lstrip()
    if before[-1:].isspace():
        if after[:1].isspace() or _WORD.match(after):
            return before, after.lstrip()
        return bare, after  # a stop that stood at the word now stands at the word before it
    return before, after


def _with_article(before: str, after: str) -> str:
    """Return the text before a place with the article that the word behind it wants."""
    found = _ARTICLE.search(before)
    word = after.lstrip()
    if found is None or not word[:1].isalpha():
        return before
    is_vowel = word[0].lower() in "aeiou" and not _SOUNDS_CONSONANT.match(word)
    article = "an" if is_vowel or _SOUNDS_VOWEL.match(word) else "a"
    if found[1].isupper() and len(found[1]) > 1:
        article = article.upper()
    elif found[1][0].isupper():
        article = article.capitalize()
    return before[: found.start()] + article + found[2]


_JOINED_PIECE = re.compile(r"\s+##")
_BEFORE = re.compile(r"\s+([.,;:!?%)\]}»”’…،؛؟。、])")
_BEHIND = re.compile(r"([(\[{«“‘¿¡])\s+")
_JOINED = re.compile(r"(?<=\w) ([-–/'’]) (?=\w)")
_QUOTED = re.compile(r'" ([^"]*?) "')
_SPACES = re.compile(r"\s+")


def detokenise(tokens: str) -> str:
    """Return a text of tokens between spaces as people write it.

    Pieces that begin with ## join what stands before them. Stops and closing brackets go to the
    word before, opening ones to the word behind, hyphens and apostrophes to both; what stands
    between two straight quotation marks is closed up with them.
    """
    text = _JOINED_PIECE.sub("", _SPACES.sub(" ", tokens).strip())
    text = _QUOTED.sub(r'"\1"', text)
    text = _BEHIND.sub(r"\1", _BEFORE.sub(r"\1", text))
    return _JOINED.sub(r"\1", text)


BEGIN, END = "<s>", "</s>"
_PRIOR = 3.0  # words of the usual kind, which every count begins with
_GRAMS = (3, 4, 5)
_EDGE = 1e-9
_GRAM = "\x1f"
_WHOLE = _GRAM
_EVIDENCE = ["view", "key", "changed", "seen"]
_NGRAMS = ["words", "seen"]
GRAMS = "letters"
"""The view of runs of letters, of which a word has several."""


class Change(NamedTuple):
    """What an editor did at one place of a sentence: words from a number on up to another."""

    start: int
    end: int
    replacement: tuple[str, ...]


def changes(source: Sequence[Word], target: Sequence[Word]) -> list[Change]:
    """Return what differs between two sentences, in order."""
    left, right = ([word.key for word in side] for side in (source, target))
    return [Change(*gap.source, tuple(right[slice(*gap.target)])) for gap in gaps(left, right)]


def shares(size: int, made: Iterable[Change]) -> list[float]:
    """Return for each word of a sentence how much of a change it is: of a change of two, a half."""
    found = [0.0] * size
    for change in made:
        for place in range(change.start, change.end):
            found[place] = 1 / (change.end - change.start)
    return found


def root(key: str) -> str:
    """Return the beginning of a word, which its forms have in common in many languages."""
    return key[: max(4, len(key) - 3)]


def views(words: Sequence[Word], place: int) -> dict[str, str]:
    """Return what a word is counted as, by view."""
    word = words[place].key
    before = words[place - 1].key if place else BEGIN
    behind = words[place + 1].key if place + 1 < len(words) else END
    return {
        "word": word,
        "root": root(word),
        "before": before,
        "behind": behind,
        "before_end": before[-2:],
        "behind_end": f"{behind[-2:]}{min(len(behind), 5)}",
        "around": f"{before} {behind}",
        "before_word": f"{before} {word}",
        "word_behind": f"{word} {behind}",
        "end2": word[-2:] if len(word) > 2 else "",
        "end3": word[-3:] if len(word) > 3 else "",
        "end4": word[-4:] if len(word) > 4 else "",
        "begin3": word[:3] if len(word) > 3 else "",
        "begin5": word[:5] if len(word) > 5 else "",
        "shape": f"{word[0].isalpha():d}{word[0].isdigit():d}{min(len(word), 12)}",
        "ends": f"{word[-3:]} {behind[-2:]}",
        "before_end2": f"{before} {word[-2:]}",
    }


def letters(key: str) -> list[str]:
    """Return the runs of letters of a word, with its edges."""
    edged = f"^{key[:40]}$"
    return [edged[at : at + size] for size in _GRAMS for at in range(len(edged) - size + 1)]


class FoldCounts:
    """Sums by key, which can be asked as if what was added in a fold were not there."""

    def __init__(self) -> None:
        self.sums: Counter[str] = Counter()
        self._folds: dict[int, Counter[str]] = {}

    def add(self, keys: Iterable[str], fold: int | None = None, amount: float = 1) -> None:
        """Add an amount to each key."""
        tables = [self.sums]
        if fold is not None:
            tables.append(self._folds.setdefault(fold, Counter()))
        for key in keys:
            for table in tables:
                table[key] += amount  # type: ignore[assignment]

    def get(self, key: str, without: int | None = None) -> float:
        """Return the sum of a key, less that of a fold."""
        fold = None if without is None else self._folds.get(without)
        return self.sums[key] - (0 if fold is None else fold[key])


class Evidence:
    """How much of what was seen was changed, by view and key.

    A word is looked at in several views: itself, its ending, the words beside it, runs of its
    letters. For each, the evidence is the log of how much more often than all words such ones were
    changed, smoothed so that what was seen once says little.

    What all views have in common is counted under `_WHOLE`.
    """

    def __init__(self) -> None:
        self._changed, self._seen = FoldCounts(), FoldCounts()

    def add(self, seen: Mapping[str, Iterable[str]], share: float, fold: int | None = None) -> None:
        """Count something by its keys in each view, and how much of it was changed."""
        keys = [_WHOLE, *(view + _GRAM + key for view, of in seen.items() for key in of)]
        self._changed.add(keys, fold, share)
        self._seen.add(keys, fold)

    def base(self, without: int | None = None) -> float:
        """Return how much of all was changed; never none nor all of it."""
        seen = max(self._seen.get(_WHOLE, without), 1.0)
        return min(max(self._changed.get(_WHOLE, without) / seen, _EDGE), 1 - _EDGE)

    def seen(self, view: str, key: str, without: int | None = None) -> float:
        """Return how often something was seen."""
        return self._seen.get(view + _GRAM + key, without)

    def log_odds(self, view: str, key: str, without: int | None = None) -> float:
        """Return how much more than all what has this key was changed, as a logarithm."""
        return math.log(self.share(view, key, without) / self.base(without))

    def share(self, view: str, key: str, without: int | None = None) -> float:
        """Return how much of what has this key was changed, between 0 and 1 and never either."""
        changed = self._changed.get(view + _GRAM + key, without)
        return (changed + self.base(without) * _PRIOR) / (self.seen(view, key, without) + _PRIOR)

    def save(self, path: Path) -> None:
        """Write the counts as Parquet."""
        seen, changed = self._seen.sums, self._changed.sums
        rows = [(*key.split(_GRAM, 1), changed[key], float(seen[key])) for key in sorted(seen)]
        pd.DataFrame(rows, columns=_EVIDENCE).to_parquet(path, index=False)

    @classmethod
    def load(cls, path: Path) -> Evidence:
        """Read counts that `save` wrote."""
        found = cls()
        for view, key, changed, seen in pd.read_parquet(path)[_EVIDENCE].itertuples(index=False):
            found._changed.add([view + _GRAM + key], amount=changed)
            found._seen.add([view + _GRAM + key], amount=seen)
        return found


_LONGEST = 3
_BACK_OFF = 0.4
_UNSEEN = 0.5  # times that a word which was never seen counts as seen


class NgramModel:
    """Counts of words in a row, which can be asked as if the sentences of a fold were not there."""

    def __init__(self) -> None:
        self._counts = FoldCounts()

    def add(self, keys: Sequence[str], fold: int | None = None) -> None:
        """Count the words of a sentence."""
        edged = _edged(keys)
        for size in range(1, _LONGEST + 1):
            grams = [_GRAM.join(edged[at : at + size]) for at in range(len(edged) - size + 1)]
            self._counts.add(grams, fold)
        self._counts.add([""], fold, len(edged))

    def gain(self, keys: Sequence[str], place: int, without: int | None = None) -> float:
        """Return how much more usual a sentence is without a word, as a logarithm.

        Only what stands near is compared, and what a word less costs is made up for: each word
        counts beside its own frequency.
        """
        near = _LONGEST - 1
        edged, at = _edged(keys), place + near
        old = edged[at - near : at + near + 1]
        new = [*edged[at - near : at], *edged[at + 1 : at + near + 1]]
        return self._association(new, without) - self._association(old, without)

    def _association(self, edged: Sequence[str], without: int | None) -> float:
        near = _LONGEST - 1
        return sum(
            self._score(edged[at - near : at + 1], without)
            - self._score(edged[at : at + 1], without)
            for at in range(near, len(edged))
        )

    def _score(self, gram: Sequence[str], without: int | None) -> float:
        """Return the logarithm of how likely the last word is behind those before it."""
        penalty = 0.0
        for first in range(len(gram)):
            seen = self._counts.get(_GRAM.join(gram[first:]), without)
            if seen > 0 or first == len(gram) - 1:
                before = self._counts.get(_GRAM.join(gram[first:-1]), without)
                return penalty + math.log(max(seen, _UNSEEN) / max(before, 1))
            penalty += math.log(_BACK_OFF)
        return penalty

    def save(self, path: Path) -> None:
        """Write the counts as Parquet."""
        rows = sorted(self._counts.sums.items())
        pd.DataFrame(rows, columns=_NGRAMS).to_parquet(path, index=False)

    def read(self, path: Path) -> None:
        """Add counts that `save` wrote."""
        rows = pd.read_parquet(path)
        self._counts.sums.update(dict(zip(rows["words"], rows["seen"].tolist(), strict=True)))


def _edged(keys: Sequence[str]) -> list[str]:
    edge = _LONGEST - 1
    return [*[BEGIN] * edge, *keys, *[END] * edge]
