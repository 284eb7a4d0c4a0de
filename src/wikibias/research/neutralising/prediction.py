"""Rewrites lines of text, and tells what was changed."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any, BinaryIO

from wikibias.edits.edited_spans import edited_spans
from wikibias.kits.tables import given_sentences
from wikibias.messages import counted
from wikibias.models.examples import LONGEST, Warn
from wikibias.records import EditedSpan
from wikibias.research.neutralising.rewriters import Rewriter

_AT_ONCE = 32


def rewrites(model: Rewriter, lines: BinaryIO, name: str, warn: Warn) -> Iterator[dict[str, Any]]:
    """Yield an answer for each line: `text`, `rewrite` and `edits`, in order; a few at a time.

    A blank line, or one of more characters than a sentence has, stays as it is. Each edit has its
    `type`, the spans of both texts in characters, and what stood and stands there.

    Raises:
        WikibiasError: a line is not text.
    """
    numbered = given_sentences(lines, name)
    long = 0
    while texts := [text for _, text in islice(numbered, _AT_ONCE)]:
        some = [text for text in texts if text.strip() and len(text) <= LONGEST]
        long += sum(len(text) > LONGEST for text in texts)
        made = iter(model.rewrite(some))
        for text in texts:
            new = next(made) if text.strip() and len(text) <= LONGEST else text
            yield {"text": text, "rewrite": new, "edits": [*_edits(text, new)]}
    if long:
        warn(f"left {counted(long, 'line')} of more than {LONGEST:,} characters as they are")


def _edits(text: str, new: str) -> Iterator[dict[str, str]]:
    for edit in edited_spans(text, new) if text != new else ():
        yield {
            "type": edit.type,
            "source": edit.source,
            "target": edit.target,
            **_shown(edit, text, new),
        }


def _shown(edit: EditedSpan, text: str, new: str) -> dict[str, str]:
    return {"before": _at(text, edit.source), "after": _at(new, edit.target)}


def _at(text: str, spans: str) -> str:
    """Return what stands at spans such as "12:18 30:34"."""
    places = (tuple(map(int, span.split(":"))) for span in spans.split())
    return " … ".join(text[start:end] for start, end in places)
