"""Sampled edits as a page shows them: their facts, and the two sides of each change."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import zip_longest

from wikibias.config.signals import FEATURED, names_of_intents
from wikibias.kits.document import (
    Block,
    Change,
    Link,
    Piece,
    Quote,
    Section,
    Styled,
    Text,
    change,
    pieces,
    whole,
)
from wikibias.kits.schemas import Row
from wikibias.reports.corpus_statistics import Place, at, in_days, text, texts

MOST_CHANGES, MOST_CHARACTERS = 12, 700
"""Of one edit, and of one side of a change: what is more is left to the diff on the wiki."""
_FACTS = [
    "page_id", "page_title", "lang", "tags", "comment", "after_timestamp", "diff_url", "pairing",
    "verdict", "removed", "added", "days_tagged", "after_rev_id", "signal",
]  # fmt: skip
_LINKS = [
    "pair_id", "counterpart", "relation", "changed_spans",
    "added_pair_id", "added_counterpart", "added_relation", "added_changed_spans",
]  # fmt: skip
_SIDES = {"addition-edit": ("tagged revision", "untagged revision")}
_USUAL_SIDES = ("removed", "added")
_ALONE = "without a counterpart"


@dataclass(slots=True)
class _Side:
    """The sentences of one side of an edit, and what an older version does not tell of each."""

    texts: list[str]
    pairs: list[str]
    counterparts: list[str]
    relations: list[str]
    spans: list[str]
    shown: set[int] = field(default_factory=set)

    def alone(self) -> list[str]:
        """Return the sentences without a partner."""
        return [sentence for sentence, pair in zip(self.texts, self.pairs, strict=True) if not pair]


def kept(places: Iterable[Place]) -> list[Section]:
    """Return the kept edits that stand in some places.

    Raises:
        WikibiasError: a file cannot be read.
    """
    return [_shown(row, list(_changes(row))) for row in at(places, [*_FACTS, *_LINKS])]


def rejected(places: Iterable[Place]) -> list[Section]:
    """Return the rejected edits that stand in some places; their sentences are not aligned.

    Raises:
        WikibiasError: a file cannot be read.
    """
    return [_shown(row, list(_unaligned(row)), most=3) for row in at(places, _FACTS)]


def edit_section(
    row: Row,
    facts: Iterable[str],
    changes: Sequence[Change],
    sides: tuple[str, str] = _USUAL_SIDES,
    *,
    title: str = "",
    most: int = MOST_CHANGES,
) -> Section:
    """Return an edit on a page: facts, the diff on the wiki, the summary, and the first changes.

    Args:
        row: with title and id of the page, language, summary and address of the diff.
        facts: what else is known, in short; empty ones are left out.
        changes: its sentences.
        sides: the names of the two sides.
        title: where the row has no title of a page.
        most: how many changes are shown.
    """
    link = Link("the diff on the wiki", text(row.get("diff_url")))
    blocks: list[Block] = [Text([*(f"{fact} · " for fact in facts if fact), link], "quiet")]
    if summary := text(row.get("comment")):
        blocks.append(Text(["Summary: ", Styled(summary, "q")]))
    if changes:
        blocks.append(Quote(changes[:most], text(row.get("lang")), sides))
    if more := len(changes[most:]):
        blocks.append(Text(f"And {more} more: see the diff.", "quiet"))
    return Section(text(row.get("page_title")) or title or f"page {row.get('page_id')}", blocks)


def _shown(row: Row, changes: list[Change], most: int = MOST_CHANGES) -> Section:
    when, days = row.get("after_timestamp"), row.get("days_tagged")
    facts = [
        f"{when:%Y-%m-%d}" if isinstance(when, datetime) else "",
        ", ".join(texts(row.get("tags"))),
        _found_by(row.get("signal")),
        f"{_stood(row)} for {in_days(days)}" if isinstance(days, float) else "",
        f"revision {revision}" if isinstance(revision := row.get("after_rev_id"), int) else "",
    ]
    sides = _SIDES.get(text(row.get("pairing")), _USUAL_SIDES)
    return edit_section(row, facts, changes, sides, most=most)


def _changes(row: Row) -> Iterator[Change]:
    """Yield the pairs of an edit in the order of the page, then the sentences without a partner."""
    before, after = _side(row, "removed", ""), _side(row, "added", "added_")
    for place, pair in enumerate(before.pairs):
        if pair and place not in before.shown:
            left, right = _members(before, pair), _members(after, pair)
            other = _joined(after, right) or whole(before.counterparts[place])
            yield change(
                cut_pieces(_joined(before, left)), cut_pieces(other), before.relations[place]
            )
    for place, pair in enumerate(after.pairs):
        if pair and place not in after.shown:
            marked = _joined(after, _members(after, pair))
            yield change(
                cut_pieces(whole(after.counterparts[place])),
                cut_pieces(marked),
                after.relations[place],
            )
    yield from _side_by_side(before.alone(), after.alone(), _ALONE)


def _unaligned(row: Row) -> Iterator[Change]:
    return _side_by_side(texts(row.get("removed")), texts(row.get("added")), "")


def _side_by_side(left: list[str], right: list[str], note: str) -> Iterator[Change]:
    for before, after in zip_longest(left, right, fillvalue=""):
        yield change(cut_pieces(whole(before)), cut_pieces(whole(after)), note)


def _side(row: Row, name: str, prefix: str) -> _Side:
    sentences = texts(row.get(name))

    def column(part: str) -> list[str]:
        found = texts(row.get(f"{prefix}{part}"))
        return found if len(found) == len(sentences) else [""] * len(sentences)

    return _Side(
        sentences,
        column("pair_id"),
        column("counterpart"),
        column("relation"),
        column("changed_spans"),
    )


def _members(side: _Side, pair: str) -> list[int]:
    """Return where the sentences of a pair stand, and note that they are shown."""
    found = [place for place, each in enumerate(side.pairs) if each == pair]
    side.shown.update(found)
    return found


def _joined(side: _Side, places: Iterable[int]) -> tuple[Piece, ...]:
    """Return the pieces of sentences one after the other."""
    found: list[Piece] = []
    for place in places:
        if found:
            found.append(Piece(" ", changed=False))
        found += pieces(side.texts[place], side.spans[place])
    return tuple(found)


def cut_pieces(found: tuple[Piece, ...]) -> tuple[Piece, ...]:
    """Return the pieces up to a number of characters; an ellipsis stands for the rest."""
    left, kept_pieces = MOST_CHARACTERS, []
    for piece in found:
        if len(piece.text) > left:
            kept_pieces.append(Piece(f"{piece.text[:left]}…", piece.changed))
            break
        kept_pieces.append(piece)
        left -= len(piece.text)
    return tuple(kept_pieces)


def _found_by(signal: object) -> str:
    """Return what an edit was found by, where that is no change of tags."""
    if signal == "summary":
        return "found by its summary"
    of_intent = isinstance(signal, str) and names_of_intents([signal])
    return f"found by its intent: {signal}" if of_intent else ""


def _stood(row: Row) -> str:
    return "featured" if row.get("signal") == FEATURED.name else "tagged"
