"""Numbers of the tables of a result folder, one reading of each."""

import random
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from wikibias.config.choices import SPLITS
from wikibias.corpus.log_odds import Contrast, WordCounts, contrasts, tokens
from wikibias.kits.parquet import read_table
from wikibias.kits.schemas import Row
from wikibias.messages import counted
from wikibias.text.unsegmented import words


class Place(NamedTuple):
    """Where a row stands: the file, and its number in it."""

    path: Path
    row: int


def files(folder: Path, table: str) -> list[Path]:
    """Return the files of a table, in order; of the corpus those of its splits."""
    if table == "corpus":
        paths = [folder / table / f"{split}.parquet" for split in SPLITS]
        return [path for path in paths if path.is_file()]
    return sorted((folder / table).glob("*.parquet"))


def rows(folder: Path, table: str, columns: Sequence[str]) -> Iterator[tuple[Place, Row]]:
    """Yield the rows of a table with some of its columns; those that a file lacks are left out.

    Raises:
        WikibiasError: a file cannot be read.
    """
    for path in files(folder, table):
        for number, row in enumerate(read_table(path, list(columns))):
            yield Place(path, number), row


def at(places: Iterable[Place], columns: Sequence[str]) -> Iterator[Row]:
    """Yield the rows that stand in some places, by file and number.

    Raises:
        WikibiasError: a file cannot be read.
    """
    by_file: dict[Path, list[int]] = {}
    for path, row in places:
        by_file.setdefault(path, []).append(row)
    for path in sorted(by_file):
        yield from read_table(path, list(columns), sorted(by_file[path]))


class Reservoir:
    """A sample of fixed size of things that come one by one, each as likely as any other."""

    def __init__(self, size: int, seed: str) -> None:
        self._size, self._rng = size, random.Random(seed)  # noqa: S311 (chooses what is shown)
        self._seen = 0
        self.found: list[Place] = []

    def add(self, place: Place) -> None:
        """Take the next one, or pass it over."""
        self._seen += 1
        if len(self.found) < self._size:
            self.found.append(place)
        elif (instead := self._rng.randrange(self._seen)) < self._size:
            self.found[instead] = place


def texts(value: object) -> list[str]:
    """Return the texts in a cell or an entry that should hold a list of them."""
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []


def text(value: object) -> str:
    """Return a cell or an entry that should be a text; "" for what is none."""
    return value if isinstance(value, str) else ""


def numbers(value: object) -> dict[str, int]:
    """Return those entries of what should be numbers by name that are."""
    if not isinstance(value, Mapping):
        return {}
    return {str(name): number for name, number in value.items() if is_count(number)}


def is_count(value: object) -> bool:
    """Return whether a value is a number of things."""
    return type(value) is int and 0 <= value < 1 << 62


def section(value: object, *names: str) -> Mapping[str, Any]:
    """Return a part of what a manifest holds; an empty one where it is not there."""
    for name in names:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value if isinstance(value, Mapping) else {}


LABELS = ("biased", "neutral")
BINS = ("1–2", "3–6", "7–15", "16 and more")
"""The 2019 paper, section 4.1: edits by how many sentences they removed."""
_ENDS = (3, 7, 16)
WIDTH_OF_LENGTHS, _LONGEST = 5, 60  # words: of a group of sentence lengths, and the last group
SAMPLE, SAMPLE_OF_REASON = 20, 2
"""How many kept edits are shown, and how many rejected ones for each reason."""


@dataclass(slots=True)
class Transitions:
    """How many edits put tags in and took tags out."""

    added: Counter[int] = field(default_factory=Counter)
    removed: Counter[int] = field(default_factory=Counter)
    tags_added: Counter[str] = field(default_factory=Counter)
    tags_removed: Counter[str] = field(default_factory=Counter)

    @property
    def years(self) -> list[int]:
        """Every year from the first to the last."""
        known = [*self.added, *self.removed]
        return [*range(min(known), max(known) + 1)] if known else []


def transitions(folder: Path) -> Transitions | None:
    """Count the transitions of a folder by year and by tag; None without their table."""
    if not files(folder, "transitions"):
        return None
    found = Transitions()
    for _, row in rows(folder, "transitions", ["kind", "tags", "after_timestamp", "pairing"]):
        # A span is of edits that stand in the table by themselves; the others tell of no tag.
        if row.get("pairing") not in ("removal-edit", "addition-edit"):
            continue
        put_in = row.get("kind") == "added"
        if (at := row.get("after_timestamp")) is not None:
            (found.added if put_in else found.removed)[at.year] += 1
        (found.tags_added if put_in else found.tags_removed).update(set(texts(row.get("tags"))))
    return found


@dataclass(slots=True)
class Edits:
    """How many kept edits removed how many sentences, and where a sample of them stands."""

    bins: list[int] = field(default_factory=lambda: [0] * len(BINS))
    sentences: list[int] = field(default_factory=lambda: [0] * len(BINS))
    sample: list[Place] = field(default_factory=list)


def edits(folder: Path, seed: int) -> Edits | None:
    """Count the kept edits of a folder, and draw a sample; None without their table."""
    if not files(folder, "edits"):
        return None
    found, sample = Edits(), Reservoir(SAMPLE, f"edits {seed}")
    for place, row in rows(folder, "edits", ["removed"]):
        number = len(texts(row.get("removed")))
        which = bisect_right(_ENDS, number)
        found.bins[which] += 1
        found.sentences[which] += number
        sample.add(place)
    found.sample = sample.found
    return found


Rejects = dict[str, tuple[int, list[Place]]]
"""By reason, how many edits were rejected, and where a sample of them stands."""


def rejects(folder: Path, seed: int) -> Rejects | None:
    """Return by reason how many edits were rejected, and where some stand; None without them."""
    if not files(folder, "rejects"):
        return None
    counts: Counter[str] = Counter()
    samples: dict[str, Reservoir] = {}
    for place, row in rows(folder, "rejects", ["verdict"]):
        reason = text(row.get("verdict"))
        counts[reason] += 1
        if reason not in samples:
            samples[reason] = Reservoir(SAMPLE_OF_REASON, f"{reason} {seed}")
        samples[reason].add(place)
    return {reason: (number, samples[reason].found) for reason, number in counts.items()}


@dataclass(slots=True)
class Sentences:
    """The sentences of a corpus by class: how long they are, their tiers and their words.

    Attributes:
        lengths: of each label, how many sentences have how many words.
        tiers: of each tier, how many sentences each label has.
        contrasts: the words by how much more they are of the biased class.
        forgotten: whether rare words had to be forgotten.
    """

    lengths: dict[str, Counter[int]] = field(
        default_factory=lambda: {label: Counter() for label in LABELS}
    )
    tiers: dict[str, Counter[str]] = field(default_factory=dict)
    contrasts: list[Contrast] = field(default_factory=list)
    sizes: tuple[int, int] = (0, 0)
    forgotten: bool = False

    def median(self, label: str) -> int | None:
        """Return the length of the sentence in the middle; None without one."""
        return quantile(self.lengths[label], 0.5)

    def histogram(self, label: str) -> list[int]:
        """Return how many sentences each group of lengths has; see `groups_of_lengths`."""
        groups = [0] * (_LONGEST // WIDTH_OF_LENGTHS + 1)
        for length, number in self.lengths[label].items():
            groups[min(length, _LONGEST) // WIDTH_OF_LENGTHS] += number
        return groups


def groups_of_lengths() -> list[str]:
    """Return the names of the groups of sentence lengths, such as "5–9"."""
    starts = range(0, _LONGEST, WIDTH_OF_LENGTHS)
    return [*(f"{start}–{start + WIDTH_OF_LENGTHS - 1}" for start in starts), f"{_LONGEST}+"]


def sentences(folder: Path) -> Sentences | None:
    """Count the sentences of a corpus, and find the words that tell its classes apart.

    None without a corpus.
    """
    if not files(folder, "corpus"):
        return None
    found, counts = Sentences(), WordCounts()
    for _, row in rows(folder, "corpus", ["label", "norm", "tier"]):
        label, norm = row.get("label"), text(row.get("norm"))
        if label not in LABELS:
            continue
        found.lengths[label][words(norm)] += 1
        if isinstance(tier := row.get("tier"), str):
            found.tiers.setdefault(tier, Counter())[label] += 1
        counts.add(tokens(norm), LABELS.index(label))
    found.contrasts = contrasts(counts.of, counts.sizes)
    found.sizes, found.forgotten = (counts.sizes[0], counts.sizes[1]), counts.forgotten > 0
    return found


def quantile(counts: Counter[int], share: float) -> int | None:
    """Return the smallest value that at least this share of all does not exceed."""
    left = share * counts.total()
    for value in sorted(counts):
        left -= counts[value]
        if left <= 0:
            return value
    return None


def in_days(days: float) -> str:
    """Return a time in whole days, in words."""
    return counted(round(days), "day") if days >= 1 else "less than a day"
