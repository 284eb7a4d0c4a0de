"""Sampled sentence pairs as a page shows them: what the editor made of the sentence, and facts."""

from __future__ import annotations

import heapq
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import blake2b
from pathlib import Path
from typing import Any

from wikibias.edits.edited_spans import edited_spans
from wikibias.errors import UsageError, WikibiasError
from wikibias.kits.document import Change, Piece, Section, change, pieces
from wikibias.kits.parquet import read_table
from wikibias.kits.schemas import SENTENCE_PAIRS_FILE, Row
from wikibias.kits.tables import decoded_lines
from wikibias.messages import counted
from wikibias.reports.corpus_statistics import Place, at, text, texts
from wikibias.reports.edit_samples import cut_pieces, edit_section

SIDES = ("before", "after")
COLUMNS = [
    "pair_id", "source", "target", "label", "relation", "similarity", "edit_type", "edit_source",
    "edit_target", "tier", "tier_reasons", "lang", "page_title", "page_id", "after_timestamp",
    "after_rev_id", "comment", "diff_url", "signal",
]  # fmt: skip


def sampled(places: Iterable[Place]) -> list[Section]:
    """Return the pairs that stand in some places.

    Raises:
        WikibiasError: the table cannot be read.
    """
    return [shown(row, [by_editor(row)]) for row in at(places, COLUMNS)]


def shown(row: Row, changes: list[Change]) -> Section:
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
    return edit_section(
        row, facts, changes, SIDES, title=f"pair {text(row.get('pair_id'))}", most=len(changes)
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
        return change(sides[0], (), note or "left alone")
    return change(sides[0], sides[1], said)


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


SHOWN = 12
_MOST = 2_000


@dataclass(slots=True)
class Predictions:
    """What one system made of sentences.

    Attributes:
        name: of its file.
        marks: by sentence, the spans that it marked, as "12:18 30:34".
        rewrites: by sentence, what it made of it.
    """

    name: str
    marks: dict[str, str] = field(default_factory=dict)
    rewrites: dict[str, str] = field(default_factory=dict)

    def has(self, sentence: str) -> bool:
        """Return whether it was given this sentence."""
        return sentence in self.marks or sentence in self.rewrites


@dataclass(slots=True)
class Score:
    """How predictions compare with what editors did, in the pairs that were looked at.

    Attributes:
        name: of the system.
        rewrites: whether it rewrites; else it marks.
        pairs: how many were looked at.
        silent: in how many it marked or changed nothing.
        right: in how many a mark meets what the editor changed, or the rewrite is the editor's.
    """

    name: str
    rewrites: bool
    pairs: int = 0
    silent: int = 0
    right: int = 0


def read_predictions(path: Path, seed: int) -> Predictions:
    """Read a file of predictions, and keep those of the sentences whose hash is smallest.

    Raises:
        UsageError: the file cannot be read.
        WikibiasError: a line is no prediction; the message names it.
    """
    found, kept = Predictions(path.stem), dict[str, str | list[Any]]()
    heap: list[tuple[int, str]] = []
    for number, entry in _lines(path):
        sentence, rewrite, spans = entry.get("text"), entry.get("rewrite"), entry.get("spans")
        known = isinstance(rewrite, str) or isinstance(spans, list)
        if not isinstance(sentence, str) or not known:
            raise WikibiasError(
                f'{path}:{number}: no prediction; each line has "text", and "spans" or "rewrite"'
            )
        if sentence in kept:
            continue
        kept[sentence] = rewrite if isinstance(rewrite, str) else spans or []
        heapq.heappush(heap, (-place_of(sentence, seed), sentence))
        if len(heap) > _MOST:
            del kept[heapq.heappop(heap)[1]]
    for sentence, said in kept.items():
        if isinstance(said, str):
            found.rewrites[sentence] = said
        else:
            found.marks[sentence] = joined_spans(filter(None, map(_span, said)))
    return found


def place_of(sentence: str, seed: int) -> int:
    """Return by what number a sentence is chosen: the smaller, the sooner."""
    digest = blake2b(f"{seed} {sentence}".encode("utf-8", "replace"), digest_size=8)
    return int.from_bytes(digest.digest())


def beside_editors(
    folder: Path, systems: Sequence[Predictions], seed: int
) -> tuple[list[Section], list[Score]]:
    """Return some pairs with what systems made of them, and how they compare in all looked at.

    Raises:
        WikibiasError: the table of pairs cannot be read.
    """
    rows: dict[str, Row] = {}
    for row in read_table(folder / SENTENCE_PAIRS_FILE, COLUMNS):
        sentence = text(row.get("source"))
        known = row.get("label") == "biased" and any(each.has(sentence) for each in systems)
        if known and sentence not in rows:
            rows[sentence] = row
    scores = [Score(each.name, bool(each.rewrites)) for each in systems]
    for sentence, row in rows.items():
        for system, score in zip(systems, scores, strict=True):
            _judge(score, system, sentence, row)

    def first(sentence: str) -> tuple[int, int]:
        return -sum(each.has(sentence) for each in systems), place_of(sentence, seed)

    chosen = sorted(rows, key=first)[:SHOWN]
    return [_shown(rows[sentence], systems) for sentence in chosen], scores


def _judge(score: Score, system: Predictions, sentence: str, row: Row) -> None:
    if (rewrite := system.rewrites.get(sentence)) is not None:
        score.pairs += 1
        score.silent += rewrite == sentence
        score.right += rewrite == text(row.get("target"))
    elif (marks := system.marks.get(sentence)) is not None:
        score.pairs += 1
        score.silent += not marks
        changed = _numbers(joined_spans(texts(row.get("edit_source"))))
        score.right += any(a < d and c < b for a, b in _numbers(marks) for c, d in changed)


def _shown(row: Row, systems: Sequence[Predictions]) -> Section:
    sentence = text(row.get("source"))
    changes = [by_editor(row, "the editor")]
    for system in systems:
        if (rewrite := system.rewrites.get(sentence)) is not None:
            changes.append(_rewritten(sentence, rewrite, system.name))
        elif (marks := system.marks.get(sentence)) is not None:
            marked = cut_pieces(pieces(sentence, marks))
            changes.append(change(marked, (), f"marked by {system.name}"))
    return shown(row, changes)


def _rewritten(sentence: str, rewrite: str, name: str) -> Change:
    if sentence == rewrite:
        return change(plain(sentence), plain(rewrite), f"{name}: nothing changed")
    spans = edited_spans(sentence, rewrite)
    before = pieces(sentence, joined_spans(span.source for span in spans))
    after = pieces(rewrite, joined_spans(span.target for span in spans))
    return change(cut_pieces(before), cut_pieces(after), name)


def _span(given: object) -> str:
    """Return a span as "12:18" of [12, 18], {"start": 12, "end": 18} or "12:18"; else ""."""
    if isinstance(given, Mapping):
        given = [given.get("start"), given.get("end")]
    if isinstance(given, list) and len(given) >= 2 and all(type(n) is int for n in given[:2]):
        return f"{given[0]}:{given[1]}"
    return given if isinstance(given, str) else ""


def _numbers(spans: str) -> list[tuple[int, int]]:
    pairs = (span.split(":") for span in spans.split())
    return [(int(start), int(end)) for start, end in pairs]


def _lines(path: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    try:
        with path.open("rb") as stream:
            for number, line in decoded_lines(stream, str(path), "prediction"):
                if line.strip():
                    yield number, _object(path, number, line)
    except OSError as error:
        raise UsageError(f"{path}: cannot be read ({error.strerror})") from error


def _object(path: Path, number: int, line: str) -> Mapping[str, Any]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise WikibiasError(f"{path}:{number}: no JSON ({error!s:.200})") from error
    return found if isinstance(found, dict) else {}
