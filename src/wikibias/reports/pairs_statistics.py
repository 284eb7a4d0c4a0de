"""What a folder of sentence pairs holds, in numbers: one reading, counts in memory."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, datetime
from pathlib import Path
from typing import get_args

from wikibias.dumps.parts import dump_date
from wikibias.kits.document import pieces
from wikibias.kits.parquet import read_table
from wikibias.kits.schemas import SENTENCE_PAIRS_FILE, Row
from wikibias.records import EditType
from wikibias.reports.corpus_statistics import LABELS, Place, Reservoir, text, texts
from wikibias.text.unsegmented import words

TYPES: tuple[EditType, ...] = get_args(EditType)
MOST_SPANS = 5
"""So many edits in one sentence, and more, are counted together."""
TENS = 10
SAMPLE = 20
_KNOWN = 50_000
_LONGEST = 60  # characters of a change that may be a frequent one
_COLUMNS = [
    "source", "target", "label", "single_word", "relation", "similarity", "edit_type",
    "edit_source", "edit_target", "split", "tier", "wiki", "lang", "part", "after_timestamp",
    "signal",
]  # fmt: skip


@dataclass(slots=True)
class Frequent:
    """How often texts came by; of too many different ones the rarest are forgotten."""

    most: int = _KNOWN
    of: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, item: tuple[str, str]) -> None:
        """Count one more."""
        self.of[item] += 1
        if len(self.of) > self.most:
            least = sorted(self.of.values())[len(self.of) // 2]
            self.of = Counter({each: n for each, n in self.of.items() if n > least})

    def first(self, number: int) -> list[tuple[tuple[str, str], int]]:
        """Return the most frequent that came more than once, the first by letters where equal."""
        found = sorted(self.of.items(), key=lambda entry: (-entry[1], entry[0]))
        return [entry for entry in found[:number] if entry[1] > 1]


def _by_label() -> dict[str, Counter[int]]:
    return {label: Counter() for label in LABELS}


@dataclass(slots=True)
class PairCounts:
    """The pairs of a folder in numbers; what is said of edits is of the biased pairs.

    Attributes:
        splits: of each, how many pairs each label has; so `tiers`, `languages`, `signals`.
        relations: how many biased pairs have which.
        single_word: biased pairs in which one word was taken out or replaced.
        lengths: of each label, how many sources have how many words.
        spans: how many biased pairs have how many edits, up to MOST_SPANS.
        types: how many edits are of which type.
        out: how many biased pairs lost how many words; `into` how many they got.
        similarity: how many biased pairs are how alike, by tens.
        changes: of each type the most frequent, as what was there and what came.
        years: of the edits of biased pairs.
        period: from the first edit to the last.
        dumps: the dates of the dumps.
        sample: where some biased pairs stand, drawn by chance; `neutral_sample` some neutral ones.
    """

    splits: dict[str, Counter[str]] = field(default_factory=dict)
    tiers: dict[str, Counter[str]] = field(default_factory=dict)
    languages: dict[str, Counter[str]] = field(default_factory=dict)
    signals: dict[str, Counter[str]] = field(default_factory=dict)
    wikis: dict[str, Counter[str]] = field(default_factory=dict)
    labels: Counter[str] = field(default_factory=Counter)
    relations: Counter[str] = field(default_factory=Counter)
    single_word: int = 0
    lengths: dict[str, Counter[int]] = field(default_factory=_by_label)
    spans: Counter[int] = field(default_factory=Counter)
    types: Counter[str] = field(default_factory=Counter)
    out: Counter[int] = field(default_factory=Counter)
    into: Counter[int] = field(default_factory=Counter)
    similarity: Counter[int] = field(default_factory=Counter)
    changes: dict[str, Frequent] = field(default_factory=lambda: {t: Frequent() for t in TYPES})
    years: Counter[int] = field(default_factory=Counter)
    period: tuple[date, date] | None = None
    dumps: set[str] = field(default_factory=set)
    sample: list[Place] = field(default_factory=list)
    neutral_sample: list[Place] = field(default_factory=list)

    def add(self, row: Row) -> None:
        """Count a pair."""
        label = text(row.get("label"))
        self.labels[label] += 1
        for name, of in self._groups():
            of.setdefault(text(row.get(name)) or "–", Counter())[label] += 1
        if label in self.lengths:
            self.lengths[label][words(text(row.get("source")))] += 1
        if day := dump_date(text(row.get("part"))):
            self.dumps.add(day)
        self._add_time(row.get("after_timestamp"), biased=label == "biased")
        if label == "biased":
            self._add_biased(row)

    def _groups(self) -> list[tuple[str, dict[str, Counter[str]]]]:
        return [
            ("split", self.splits),
            ("tier", self.tiers),
            ("lang", self.languages),
            ("signal", self.signals),
            ("wiki", self.wikis),
        ]

    def _add_time(self, when: object, *, biased: bool) -> None:
        if not isinstance(when, datetime):
            return
        first, last = self.period or (when.date(), when.date())
        self.period = min(first, when.date()), max(last, when.date())
        self.years[when.year] += biased

    def _add_biased(self, row: Row) -> None:
        self.single_word += row.get("single_word") is True
        self.relations[text(row.get("relation")) or "–"] += 1
        if isinstance(alike := row.get("similarity"), float) and 0 <= alike <= 100:
            self.similarity[min(int(alike) // TENS, TENS - 1)] += 1
        number = out = into = 0
        for kind, before, after in edits(row):
            number += 1
            self.types[kind] += 1
            out, into = out + _words(before), into + _words(after)
            short = len(before) + len(after) <= _LONGEST
            if kind in self.changes and short and any(map(str.isalnum, before + after)):
                self.changes[kind].add((before.casefold(), after.casefold()))
        self.spans[min(number, MOST_SPANS)] += 1
        self.out[out] += 1
        self.into[into] += 1


def of_pairs(folder: Path, seed: int) -> PairCounts:
    """Count the pairs of a folder, and draw samples of them.

    Raises:
        WikibiasError: the table cannot be read.
    """
    path, found = folder / SENTENCE_PAIRS_FILE, PairCounts()
    samples = {label: Reservoir(SAMPLE, f"{label} pairs {seed}") for label in LABELS}
    for number, row in enumerate(read_table(path, _COLUMNS)):
        found.add(row)
        if (label := text(row.get("label"))) in samples:
            samples[label].add(Place(path, number))
    found.sample = samples["biased"].found
    found.neutral_sample = samples["neutral"].found
    return found


def edits(row: Row) -> Iterator[tuple[str, str, str]]:
    """Yield the edits of a pair: type, what was there, what came; pieces are joined with "…"."""
    columns = [texts(row.get(f"edit_{name}")) for name in ("type", "source", "target")]
    sides = text(row.get("source")), text(row.get("target"))
    for kind, *spans in zip(*columns, strict=False):
        before, after = (
            " … ".join(piece.text for piece in pieces(side, span) if piece.changed)
            for side, span in zip(sides, spans, strict=True)
        )
        yield kind, before, after


def _words(changed: str) -> int:
    """Return how many words a change has; marks alone are none."""
    return words(changed) if any(map(str.isalnum, changed)) else 0
