"""The text that readers see of a piece of wikitext, and its words, sentences and marks."""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Sequence

from wikibias.edits.intents.markup_elements import Element

UNITS = ("paragraph", "sentence", "word", "character", "punctuation", "whitespace")
"""What text is counted in. Scripts that set no spaces between words count characters, not words."""

# Of these a reader sees no running text.
_SILENT = frozenset(
    {"reference", "template", "category", "media", "comment", "gallery", "heading", "list"}
)
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uf900-\ufaff\U00020000-\U0003134f"
)
_CHARACTER = re.compile(f"[{_UNSPACED}]")
_WORD = re.compile(rf"[^\W_{_UNSPACED}]+(?:['’-][^\W_{_UNSPACED}]+)*")
_PUNCTUATION = re.compile(r"\.{3,}|[^\w\s]|_")
_SPACE = re.compile(r"\s")
_SENTENCE_END = re.compile(r"(?<=[.!?…。！？।؟])[\"'”’»)]*\s+|(?<=[。！？])|\n+")
_BLANK_LINES = re.compile(r"\n[ \t]*(?=\n)")
_TABLE_LINE = re.compile(r"^[ \t]*(?:\{\||\|[-}+]|[|!])[^\n]*", re.MULTILINE)
_CELL = re.compile(r"^[ \t]*[|!]+(?:[^|\n\[]*\|(?!\|))?|\|\||!!")
_ENTITY = re.compile(r"&#?\w{1,10};")
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_QUOTES = re.compile(r"'{2,5}")


def visible(text: str, elements: Sequence[Element]) -> str:
    """Return about the running text of a wikitext, given its elements."""
    pieces: list[str] = []
    position = 0
    for one in sorted(elements, key=lambda element: (element.start, -element.end)):
        if one.start < position:
            continue
        shown = _shown(one)
        if shown is not None:
            pieces += (text[position : one.start], shown)
            position = one.end
    pieces.append(text[position:])
    rest = _QUOTES.sub("", _TAG.sub("", "".join(pieces)))
    rest = _ENTITY.sub(lambda match: html.unescape(match[0]), rest)
    return _TABLE_LINE.sub(_cells, rest)


def _shown(element: Element) -> str | None:
    """Return what is seen in the place of an element; None where its content is text itself."""
    if element.kind in _SILENT:
        return ""
    if element.kind == "wikilink":
        inner = element.source[2:-2]
        return inner.rpartition("|")[2].strip() if "|" in inner else inner.lstrip(":")
    if element.kind == "external_link":
        if not element.source.startswith("["):
            return ""
        return element.source[1:-1].partition(" ")[2]
    return None


def _cells(match: re.Match[str]) -> str:
    """Return the text of a line of a table: none of one that opens, closes or parts it."""
    line = match[0].lstrip()
    if line.startswith(("{|", "|-", "|}")):
        return ""
    return "\n".join(_CELL.sub("\n", line.removeprefix("|+")).split("\n"))


def units(text: str) -> dict[str, Counter[str]]:
    """Return the units of a text, by kind: how often each stands in it; `paragraphs` are apart."""
    words = _WORD.findall(text)
    sentences = (piece.strip() for piece in _SENTENCE_END.split(text) if piece)
    return {
        "paragraph": Counter(),
        "sentence": Counter(one for one in sentences if _is_sentence(one)),
        "word": Counter(words),
        "character": Counter(_CHARACTER.findall(text)),
        "punctuation": Counter(_PUNCTUATION.findall(text)),
        "whitespace": Counter(_SPACE.findall(text)),
    }


def paragraphs(text: str) -> Counter[str]:
    """Return the paragraphs of a text, which blank lines part."""
    pieces = (piece.strip() for piece in _BLANK_LINES.split(text))
    return Counter(piece for piece in pieces if _WORD.search(piece) or _has_script(piece))


def _has_script(text: str) -> bool:
    return _CHARACTER.search(text) is not None


def _is_sentence(text: str) -> bool:
    """Return whether a piece has at least two words, as mwedittypes asks of a sentence."""
    words = _WORD.finditer(text)
    return (next(words, None) and next(words, None)) is not None or _has_script(text)
