"""Sampled sentence pairs as a page shows them: what the editor made of the sentence, and facts."""

import heapq
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from wikibias.edits.edited_spans import edited_spans
from wikibias.errors import WikibiasError
from wikibias.kits.document import Change, Section, change, pieces
from wikibias.kits.parquet import read_table
from wikibias.kits.schemas import SENTENCE_PAIRS_FILE, Row
from wikibias.kits.tables import read_rows
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
    return [pair_section(row, [editor_change(row)]) for row in at(places, COLUMNS)]


def pair_section(row: Row, changes: list[Change]) -> Section:
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


def editor_change(row: Row, note: str = "") -> Change:
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


SHOWN = 12
_MOST = 2_000


@dataclass(slots=True)
class Predictions:
    """What one system made of sentences.

    Attributes:
        name: of its file.
        rewrites: whether it rewrites; else it marks.
        of: by sentence, what it made of it, or the spans that it marked, as "12:18 30:34".
    """

    name: str
    rewrites: bool = False
    of: dict[str, str] = field(default_factory=dict)

    def is_silent(self, sentence: str) -> bool:
        """Return whether it marked or changed nothing in a sentence."""
        return self.of[sentence] == (sentence if self.rewrites else "")

    def is_right(self, row: Row) -> bool:
        """Return whether a mark meets what the editor changed, or a rewrite is the editor's."""
        answer = self.of[text(row.get("source"))]
        if self.rewrites:
            return answer == text(row.get("target"))
        changed = _places(joined_spans(texts(row.get("edit_source"))))
        return any(a < d and c < b for a, b in _places(answer) for c, d in changed)

    def change(self, sentence: str) -> Change:
        """Return what it made of a sentence, to be shown."""
        answer = self.of[sentence]
        if not self.rewrites:
            return change(cut_pieces(pieces(sentence, answer)), (), f"marked by {self.name}")
        spans = edited_spans(sentence, answer) if sentence != answer else ()
        sides = (sentence, "source"), (answer, "target")
        before, after = (
            cut_pieces(pieces(side, joined_spans(getattr(span, name) for span in spans)))
            for side, name in sides
        )
        return change(before, after, self.name + (": nothing changed" if not spans else ""))


class Score(NamedTuple):
    """How predictions compare with what editors did.

    Attributes:
        name: of the system.
        rewrites: whether it rewrites; else it marks.
        pairs: how many were looked at.
        silent: in how many it marked or changed nothing.
        right: in how many a mark meets what the editor changed, or the rewrite is the editor's.
    """

    name: str
    rewrites: bool
    pairs: int
    silent: int
    right: int


def read_predictions(path: Path, seed: int) -> Predictions:
    """Read a file of predictions, and keep those of the sentences whose hash is smallest.

    Raises:
        UsageError: the file cannot be read.
        WikibiasError: a line is no prediction; the message names it.
    """
    found = Predictions(path.stem)
    heap: list[tuple[int, str]] = []
    for number, entry in read_rows(path):
        sentence, rewrite, spans = entry.get("text"), entry.get("rewrite"), entry.get("spans")
        found.rewrites = isinstance(rewrite, str)
        if not isinstance(sentence, str) or not (found.rewrites or isinstance(spans, list)):
            raise WikibiasError(
                f'{path}:{number}: no prediction; each line has "text", and "spans" or "rewrite"'
            )
        if sentence in found.of:
            continue
        marks = (f"{m.get('start')}:{m.get('end')}" for m in spans or () if isinstance(m, dict))
        found.of[sentence] = str(rewrite) if found.rewrites else joined_spans(marks)
        heapq.heappush(heap, (-place_of(sentence, seed), sentence))
        if len(heap) > _MOST:
            del found.of[heapq.heappop(heap)[1]]
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
        if row.get("label") == "biased" and any(sentence in each.of for each in systems):
            rows.setdefault(sentence, row)
    scores = []
    for system in systems:
        held = [sentence for sentence in rows if sentence in system.of]
        silent = sum(map(system.is_silent, held))
        right = sum(system.is_right(rows[sentence]) for sentence in held)
        scores.append(Score(system.name, system.rewrites, len(held), silent, right))

    def first(sentence: str) -> tuple[int, int]:
        return -sum(sentence in each.of for each in systems), place_of(sentence, seed)

    sections = []
    for sentence in sorted(rows, key=first)[:SHOWN]:
        row = rows[sentence]
        of_systems = [each.change(sentence) for each in systems if sentence in each.of]
        sections.append(pair_section(row, [editor_change(row, "the editor"), *of_systems]))
    return sections, scores


def _places(spans: str) -> list[tuple[int, int]]:
    pairs = (span.split(":") for span in spans.split())
    return [(int(start), int(end)) for start, end in pairs]
