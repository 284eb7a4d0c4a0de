"""What of a task reaches the browser: its texts. What would tip an annotator off does not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wikibias.edits.word_diff import changed_spans, words, written
from wikibias.kits.document import Piece, pieces, whole
from wikibias.kits.html import language_code
from wikibias.messages import printable
from wikibias.research.annotation.tasks import Task, sides

_KEPT = "\n\t\u200b"
_STAND_IN = "\ufffd"
_MOST = 40  # other sentences of a side; an edit may have thousands
LONGEST = 20_000
"""Characters of a text that are shown; a browser lays out what is much longer for seconds."""
_LONGEST_AROUND = 2000  # of what stands around it; it may be forty sentences
_CUT = " […]"


def shown(task: Task, *, edit: bool) -> dict[str, Any]:
    """Return what is shown of a task, as the page reads it.

    Only fields that are named here leave this function: no item, whose name may say what it is, no
    kind, label, role, tag, title, revision or probability.

    Args:
        task: what is labelled.
        edit: show the sentence before and after its edit, and the first other sentences of it;
            which side is which is then plain.
    """
    with_edit = edit and bool(task.counterpart or task.kind != "practice")
    text = task.text[:LONGEST]
    longest = max(map(len, (task.text, *(sides(task) if with_edit else ()))))
    return {
        "text": _visible(text),
        "words": [list(span) for span in words(text)],
        "cut": {"shown": LONGEST, "of": longest} if longest > LONGEST else None,
        "previous": _around(task.previous),
        "next": _around(task.next),
        "section": _around(task.section),
        "language": language_code(task.language or ""),
        "edit": _edit(task) if with_edit else None,
    }


def _edit(task: Task) -> dict[str, Any]:
    both = sides(task)
    before, after = (_visible(side[:LONGEST]) for side in both)
    left, right = changed_spans(before, after) if before and after else ((), ())
    return {
        "before": _listed(pieces(before, written(left))) or _listed(whole(before)),
        "after": _listed(pieces(after, written(right))) or _listed(whole(after)),
        "others": {
            side: [_around(text) for text in texts if text not in both][:_MOST]
            for side, texts in (("before", task.before), ("after", task.after))
        },
    }


def _around(text: str | None) -> str:
    text = text or ""
    return (
        _visible(text) if len(text) <= _LONGEST_AROUND else _visible(text[:_LONGEST_AROUND]) + _CUT
    )


def _visible(text: str) -> str:
    """Return a text of the same length without characters that reorder or hide others."""
    if printable(text, keep=_KEPT) == text:
        return text
    return "".join(char if printable(char, keep=_KEPT) == char else _STAND_IN for char in text)


def _listed(found: Sequence[Piece]) -> list[tuple[str, bool]]:
    return [(piece.text, piece.changed) for piece in found]
