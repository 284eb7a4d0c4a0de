"""Lexicons: named sets of lower-cased words and phrases that hint at bias.

A file has one a line; a tab and figures may follow. A line that begins with ; or # is a comment.
The lists of the field may not be shipped with wikibias: a user gives the path of his own copy.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from wikibias.edits.word_diff import tokens
from wikibias.errors import UsageError, WikibiasError
from wikibias.kits.files import read_small

_MOST_BYTES = 20_000_000
_LONGEST = 100  # characters of a phrase; a text is no lexicon
_LINE_END = re.compile("\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class Lexicon:
    """A named set of words and phrases.

    Attributes:
        name: of the file, without its ending.
        phrases: first word -> the phrases that begin with it, as words; the longest first.
    """

    name: str
    phrases: Mapping[str, Sequence[tuple[str, ...]]]

    @classmethod
    def of(cls, name: str, entries: Iterable[str]) -> Lexicon:
        """Return a lexicon of words and phrases as they are written."""
        found: dict[str, list[tuple[str, ...]]] = {}
        phrases = {words for entry in entries if (words := _words(entry))}
        for words in sorted(phrases, key=lambda phrase: (-len(phrase), phrase)):
            found.setdefault(words[0], []).append(words)
        return cls(name, found)

    def __iter__(self) -> Iterator[str]:
        """Yield the words and phrases in alphabetical order."""
        yield from sorted(" ".join(each) for group in self.phrases.values() for each in group)

    def marks(self, words: Sequence[str]) -> list[bool]:
        """Return for each word of a sentence whether it stands in a word or phrase of these."""
        lower = [word.casefold() for word in words]
        found = [False] * len(lower)
        for place, word in enumerate(lower):
            for phrase in self.phrases.get(word, ()):
                end = place + len(phrase)
                if tuple(lower[place:end]) == phrase:
                    found[place:end] = [True] * len(phrase)
                    break
        return found


def read_lexicon(path: Path) -> Lexicon:
    """Read a lexicon: UTF-8, with a byte order mark or without, else Latin-1.

    Raises:
        UsageError: it cannot be read.
        WikibiasError: it holds no word, or is no lexicon.
    """
    entries = []
    for number, line in enumerate(_LINE_END.split(_content(path)), 1):
        entry = line.partition("\t")[0].strip()
        if not entry or entry[0] in ";#":
            continue
        if len(entry) > _LONGEST:
            raise WikibiasError(f"{path}:{number}: no word or phrase; a lexicon has one on a line")
        entries.append(entry)
    found = Lexicon.of(path.stem, entries)
    if not found.phrases:
        raise WikibiasError(f"{path}: no word in it")
    return found


def _content(path: Path) -> str:
    try:
        raw = read_small(path, _MOST_BYTES)
    except OSError as error:
        raise UsageError(f"{path}: cannot be read ({error.strerror})") from error
    if b"\0" in raw:
        raise WikibiasError(f"{path}: a NUL byte; a lexicon is a text with a word on each line")
    try:
        return raw.removeprefix(codecs.BOM_UTF8).decode()
    except UnicodeDecodeError:
        return raw.decode("latin-1")  # the opinion lexicon of Hu and Liu (2004)


def _words(text: str) -> tuple[str, ...]:
    return tuple(text[start:end].casefold() for start, end in tokens(text))
