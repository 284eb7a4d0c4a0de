"""Quotations and brackets of a paragraph; a stop in one that stands in a sentence ends nothing."""

from __future__ import annotations

import re

# What may close what opens. Which of both a mark is, its spaces tell: German „…“, Swedish ”…”.
_CLOSED_BY = {
    "(": ")",
    '"': '"',
    "“": "”“",
    "”": "”",
    "„": '“”"„',
    "«": "»",
    "»": "«»",
    "‘": "’",
    "'": "'",
    "‚": "‘’",
    "‹": "›",
    "›": "‹",
}
# Not the apostrophe of a word.
_MARK = re.compile(r"""[()"“”„«»‘’‚‹›'](?!(?<=\w['’])\w)""")
_CLOSED_AFTER = frozenset(".!?…,")
_OPENS_AFTER = frozenset("([{-–—―/=:“„«»‘\"'’¿¡")
# What is longer, or nested more deeply, is taken for marks that are not closed.
_LONGEST = 600
_DEEPEST = 6
_SOME_SPACE = 10
# What follows a mark with a space before it that closes, as in French: « Yes », he said.
_CLOSED_BEFORE = re.compile(r"\s|$|[,;:)\]]|[.!?…](?:\s|$)")
_GOES_ON = re.compile(r"[”“\"»’]?(?:\s{0,3}[,;–—]|\s{0,3}-\s|\s{1,3}(\w))")


class Enclosures:
    """The quotations and brackets of a text, asked about place by place from left to right."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._coming = sorted(_spans(text), reverse=True) if _MARK.search(text) else []
        self._open: list[tuple[int, int]] = []

    def hold(self, start: int, found: re.Match[str]) -> bool:
        """Return whether a stop with its closing marks ends nothing in a sentence from `start` on.

        So it is within what opens in the sentence, or opens it and is followed by more of it:
        "It is late. I go," she said. In a script without small letters so it is also at the end of
        a quotation in a sentence, and behind a quoted question.
        """
        at, end = found.span()
        while self._coming and self._coming[-1][0] < at:
            self._open.append(self._coming.pop())
        if not self._open:
            return False
        self._open = [span for span in self._open if span[1] >= at]
        return any(
            start <= opened and self._holds(start, span, found)
            for span in self._open
            for opened, closed in [span]
            if closed >= end or not _has_case(found[5])
        )

    def _holds(self, start: int, span: tuple[int, int], found: re.Match[str]) -> bool:
        opened, closed = span
        within = not opens_sentence(self._text, start, opened)
        if closed >= found.end():
            return within or self._goes_on(closed)
        if self._text[opened] == "(" or self._text[
            max(start, opened - 3) : opened
        ].rstrip().endswith(":"):
            return False
        return within or found[1][0] in "?!؟"

    def _goes_on(self, closed: int) -> bool:
        found = _GOES_ON.match(self._text, closed + 1)
        return found is not None and (found[1] is None or found[1].islower())


def opens_sentence(text: str, start: int, opened: int) -> bool:
    """Return whether nothing but a little space stands before what opens in a sentence."""
    return opened - start < _SOME_SPACE and not text[start:opened].strip()


def _has_case(letter: str) -> bool:
    return letter.lower() != letter.upper() or not letter.isalpha()


def _spans(text: str) -> list[tuple[int, int]]:
    """Return the places of what opens and of what closes it."""
    spans: list[tuple[int, int]] = []
    opened: list[tuple[str, int]] = []
    for found in _MARK.finditer(text):
        mark, place = found[0], found.start()
        before, after = text[place - 1 : place], text[place + 1 : place + 2]
        if mark == "’" and after.isalnum():
            continue  # an apostrophe
        if mark == "'" and not after.isupper() and before not in _CLOSED_AFTER:
            continue  # mostly one as well
        opens = mark in _CLOSED_BY and (not before or before.isspace() or before in _OPENS_AFTER)
        if mark != "«":
            opens = opens and _CLOSED_BEFORE.match(text, place + 1) is None
        if mark == "(":
            opens = True
        last = len(opened)
        if mark != "(" and not (opens and before.isspace()):
            while last and mark not in _CLOSED_BY[opened[last - 1][0]]:
                last -= 1
        else:
            last = 0
        if last:
            if place - opened[last - 1][1] <= _LONGEST:
                spans.append((opened[last - 1][1], place))
            del opened[last - 1 :]
        elif opens:
            opened.append((mark, place))
            del opened[:-_DEEPEST]
    return spans
