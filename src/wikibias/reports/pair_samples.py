"""Sampled sentence pairs as a page shows them: what the editor made of the sentence, and facts."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from wikibias.kits.document import Change, Link, Piece, pieces
from wikibias.kits.html import language_code
from wikibias.kits.schemas import Row
from wikibias.messages import counted
from wikibias.reports.edit_samples import ShownEdit, cut_pieces
from wikibias.reports.reading import Place, at, text, texts

SIDES = ("before", "after")
COLUMNS = [
    "pair_id", "source", "target", "label", "relation", "similarity", "edit_type", "edit_source",
    "edit_target", "tier", "tier_reasons", "lang", "page_title", "page_id", "after_timestamp",
    "after_rev_id", "comment", "diff_url", "signal",
]  # fmt: skip


def sampled(places: Iterable[Place]) -> list[ShownEdit]:
    """Return the pairs that stand in some places.

    Raises:
        WikibiasError: the table cannot be read.
    """
    return [shown(row, [by_editor(row)]) for row in at(places, COLUMNS)]


def shown(row: Row, changes: list[Change]) -> ShownEdit:
    """Return a pair with its facts, and the changes to show of it."""
    when, alike = row.get("after_timestamp"), row.get("similarity")
    why = ", ".join(reason.replace("_", " ") for reason in texts(row.get("tier_reasons")))
    tier = text(row.get("tier"))
    kinds = texts(row.get("edit_type"))
    counts = [counted(kinds.count(kind), kind) for kind in dict.fromkeys(kinds)]
    facts = [
        f"{when:%Y-%m-%d}" if isinstance(when, datetime) else "",
        f"found by its {text(row.get('signal'))}" if text(row.get("signal")) else "",
        f"tier {tier}{f' ({why})' if why else ''}" if tier else "",
        ", ".join(counts),
        f"{int(alike)} % alike" if isinstance(alike, float) and kinds else "",
        f"revision {revision}" if isinstance(revision := row.get("after_rev_id"), int) else "",
    ]
    return ShownEdit(
        title=text(row.get("page_title")) or f"pair {text(row.get('pair_id'))}",
        link=Link("the diff on the wiki", text(row.get("diff_url"))),
        facts=[fact for fact in facts if fact],
        summary=text(row.get("comment")),
        lang=language_code(text(row.get("lang"))),
        sides=SIDES,
        changes=changes,
        more=0,
    )


def by_editor(row: Row, note: str = "") -> Change:
    """Return the two sides of a pair, marked what the editor took out and put in."""
    relation = text(row.get("relation"))
    sides = []
    for side in ("source", "target"):
        spans = joined_spans(texts(row.get(f"edit_{side}")))
        sides.append(cut_pieces(pieces(text(row.get(side)), spans)))
    said = ", ".join(part for part in (note, "" if relation == "rewritten" else relation) if part)
    if row.get("label") == "neutral":
        return Change(sides[0], (), note or "left alone")
    return Change(sides[0], sides[1], said)


def joined_spans(spans: Iterable[str]) -> str:
    """Return the spans of several edits as one list, in the order of the text.

    Spans that meet or overlap become one; what is no span does not count.
    """
    found = (span.partition(":") for span in " ".join(spans).split())
    known = [(int(a), int(b)) for a, _, b in found if a.isdecimal() and b.isdecimal()]
    merged: list[tuple[int, int]] = []
    for start, end in sorted(known):
        if merged and start <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((start, end))
    return " ".join(f"{start}:{end}" for start, end in merged)


def plain(content: str) -> tuple[Piece, ...]:
    """Return a text in which nothing changed, no longer than a page shows."""
    return cut_pieces((Piece(content, changed=False),) if content else ())
