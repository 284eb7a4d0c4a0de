"""Sentences that a tagger learns from, or is scored on: of pairs, or of words and labels."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from wikibias.corpus import near_duplicates
from wikibias.corpus.sentence_pairs.reading import read_pairs
from wikibias.errors import WikibiasError
from wikibias.messages import counted
from wikibias.models.examples import LONGEST as LONGEST_TEXT
from wikibias.models.examples import Warn
from wikibias.research.spans import labels
from wikibias.research.spans.labels import Tagged, key, of_neutral, of_pair

TABLES = (".tsv", ".csv", ".jsonl", ".ndjson", ".json", ".parquet", ".gz")
"""Endings of files of pairs; a file with another one has a word and its labels a line."""


MOST = 50_000
"""Biased sentences that are learnt from at most, and as many without a span; chosen by the seed."""


_DEV = 0.1


@dataclass(slots=True)
class Examples:
    """Sentences to learn from, and those of dev, by which settings are chosen."""

    train: list[Tagged] = field(default_factory=list)
    dev: list[Tagged] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Source:
    """Where sentences come from, and how to read them.

    Attributes:
        path: a folder that `wikibias pairs` made, a file of pairs, or one of words and labels.
        source: column of the biased sentences of a file of pairs.
        target: that of the neutral ones.
        columns: what the columns of a file of words hold; see `conll.read`.
    """

    path: Path
    source: str | None = None
    target: str | None = None
    columns: tuple[str, ...] | None = None

    @property
    def holds_pairs(self) -> bool:
        """Whether it is of pairs."""
        return self.path.is_dir() or self.path.suffix.lower() in TABLES


def named(sources: Sequence[Source]) -> str:
    """Return what messages and cards call files together."""
    return " + ".join(str(source.path) for source in sources)


def read_examples(sources: Sequence[Source], *, neutral: float, seed: int, warn: Warn) -> Examples:
    """Read the sentences of files; a tenth becomes dev unless the pairs have a split dev.

    The source side of a pair has as spans what the edit took out or replaced; one whose edit only
    added words is left out. Sentences without a span come from neutral pairs and from target
    sides, `neutral` for each with one. A sentence that stands in several places counts once. Pairs
    of the split test are left out.

    Raises:
        UsageError: the file cannot be read, or lacks a column.
        WikibiasError: it has a line that cannot be read, or no span at all.
    """
    biased, plain = _Sample(MOST, seed), _Sample(MOST, seed + 1)
    for source in sources:
        for split, sentence in _labelled(source, warn):
            (biased if sentence.biased else plain).add(split, sentence)
    if not biased.kept:
        raise WikibiasError(f"{named(sources)}: no biased span to learn from")
    if any(source.holds_pairs for source in sources):
        plain.shrink(round(neutral * len(biased.kept)))
    for sample in (biased, plain):
        if sample.seen > MOST:
            warn(
                f"{named(sources)}: learns from {MOST:,} of {sample.seen:,} sentences, by the seed"
            )
    rows = [*biased.kept, *plain.kept]
    has_dev = any(split == "dev" for split, _ in rows)
    found = Examples()
    for split, sentence in rows:
        is_dev = split == "dev" if has_dev else _in_dev(sentence, seed)
        (found.dev if is_dev else found.train).append(sentence)
    return found


def texts(source: Source, warn: Warn) -> Iterator[tuple[str, ...]]:
    """Yield the words of all sentences of a file, of both sides where it holds pairs."""
    if source.holds_pairs:
        for pair in read_pairs(
            source.path, source=source.source, target=source.target, neutral=True
        ):
            yield of_neutral(pair.source).words
            yield of_neutral(pair.target).words
    else:
        for sentence in labels.read(source.path, source.columns, warn):
            yield tuple(_needed(source, sentence.words, "word"))


def labelled_sentences(source: Source, warn: Warn) -> Iterator[Tagged]:
    """Yield the sentences to score on: biased sides of pairs, or all of a file of words."""
    if source.holds_pairs:
        for pair in read_pairs(source.path, source=source.source, target=source.target, warn=warn):
            yield of_pair(pair.source, pair.target, pair.group)
    else:
        yield from (sentence for _, sentence in _of_words(source, warn, learn=False))


def _labelled(source: Source, warn: Warn) -> Iterator[tuple[str | None, Tagged]]:
    if not source.holds_pairs:
        yield from _of_words(source, warn, learn=True)
        return
    added = long = held = 0
    pairs = read_pairs(
        source.path, source=source.source, target=source.target, neutral=True, warn=warn
    )
    for pair in pairs:
        if pair.split == "test":
            held += 1
            continue
        if max(len(pair.source), len(pair.target)) > LONGEST_TEXT:
            long += 1
            continue
        sentence = of_pair(pair.source, pair.target, pair.group)
        if sentence.biased:
            yield pair.split, sentence
        elif pair.label == "biased" and pair.source != pair.target:
            added += 1
        yield pair.split, of_neutral(pair.target, pair.group)
    for number, why in (
        (held, "of the split test"),
        (added, "whose edit only added words"),
        (long, f"of over {LONGEST_TEXT:,} characters"),
    ):
        if number:
            warn(f"{source.path}: left out {counted(number, 'pair')} {why}")


def _of_words(source: Source, warn: Warn, *, learn: bool) -> Iterator[tuple[None, Tagged]]:
    for sentence in labels.read(source.path, source.columns, warn):
        words = _needed(source, sentence.words, "word")
        gold = _needed(source, sentence.gold, "gold")
        if not learn or len(words) <= labels.LONGEST:
            yield None, Tagged(tuple(words), tuple(_plain(label) for label in gold))


def _needed(source: Source, column: Sequence[str] | None, name: str) -> Sequence[str]:
    if column is None:
        raise WikibiasError(f"{source.path}: no column {name}; name the columns with --columns")
    return column


def _plain(label: str) -> str:
    return label if label == "O" else f"{label[0]}-bias"


def _in_dev(sentence: Tagged, seed: int) -> bool:
    """Decide by what a sentence shares with those that must stay with it."""
    shared = sentence.group or key(sentence.words)
    digest = sha256(f"{seed}\0{shared}".encode()).digest()
    return int.from_bytes(digest[:4], "big") < _DEV * 2**32


class _Sample:
    """A sample of different sentences in the order of the file, each as likely as any other."""

    def __init__(self, most: int, seed: int) -> None:
        self._most, self._random = most, random.Random(seed)  # noqa: S311 (no secret)
        self._keys = set[bytes]()
        self.kept: list[tuple[str | None, Tagged]] = []
        self.seen = 0

    def add(self, split: str | None, sentence: Tagged) -> None:
        digest = sha256(key(sentence.words).encode()).digest()[:8]
        if digest in self._keys:
            return
        if len(self._keys) < 10 * self._most:
            self._keys.add(digest)
        self.seen += 1
        if len(self.kept) < self._most:
            self.kept.append((split, sentence))
        elif (place := self._random.randrange(self.seen)) < self._most:
            self.kept[place] = (split, sentence)

    def shrink(self, most: int) -> None:
        if len(self.kept) > most:
            chosen = sorted(self._random.sample(range(len(self.kept)), most))
            self.kept = [self.kept[place] for place in chosen]


@dataclass(frozen=True, slots=True)
class Kept:
    """What is left of sentences, and how many were the same or nearly the same."""

    sentences: list[Tagged]
    same: int
    near: int


def without(sentences: Sequence[Tagged], held: Iterable[Sequence[str]]) -> Kept:
    """Return sentences that are not among those held out, nor near-duplicates of one.

    The same means the same letters and digits. Near-duplicates are those of `audit-split`: a cosine
    of character 5-grams of at least 0.5.
    """
    words = [tuple(each) for each in held]
    keys = {key(each) for each in words}
    different = [each for each in sentences if key(each.words) not in keys]
    same = len(sentences) - len(different)
    if not words or not different:
        return Kept(different, same, 0)
    ours, theirs = near_duplicates.vectors(
        "char", [_text(each.words) for each in different], [_text(each) for each in words]
    )
    near = set(near_duplicates.similar(ours, theirs).left.tolist())
    kept = [each for number, each in enumerate(different) if number not in near]
    return Kept(kept, same, len(near))


def _text(words: Sequence[str]) -> str:
    return " ".join(words).lower()
