"""Sentences that a tagger learns from, or is scored on: of pairs, or of words and labels."""

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from wikibias.corpus.sentence_pairs.reading import PairText, read_pairs
from wikibias.errors import WikibiasError
from wikibias.kits.tables import Tally
from wikibias.models.examples import LONGEST as LONGEST_TEXT
from wikibias.models.examples import Warn, key
from wikibias.research.spans import labels
from wikibias.research.spans.labels import Tagged, of_neutral, of_pair

TABLES = (".tsv", ".csv", ".jsonl", ".ndjson", ".json", ".parquet", ".gz")
"""Endings of files of pairs; a file with another one has a word and its labels a line."""
MOST = 50_000
"""Biased sentences that are learnt from at most, and as many without a span; chosen by the seed."""
Examples = dict[str, list[Tagged]]
"""Sentences of `train`, and of `dev`, by which settings are chosen."""
_DEV = 0.1


@dataclass(frozen=True, slots=True)
class Source:
    """Where sentences come from, and how to read them.

    Attributes:
        path: a folder that `wikibias pairs` made, a file of pairs, or one of words and labels.
        source: column of the biased sentences of a file of pairs.
        target: that of the neutral ones.
        columns: what the columns of a file of words hold; see `labels.read`.
    """

    path: Path
    source: str | None = None
    target: str | None = None
    columns: tuple[str, ...] | None = None

    @property
    def holds_pairs(self) -> bool:
        """Whether it is of pairs."""
        return self.path.is_dir() or self.path.suffix.lower() in TABLES

    def pairs(self, warn: Warn | None = None, *, neutral: bool = True) -> Iterator[PairText]:
        """Yield its pairs."""
        columns = {"source": self.source, "target": self.target}
        return read_pairs(self.path, **columns, neutral=neutral, warn=warn)


def names_of_sources(sources: Sequence[Source]) -> str:
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
        of_source = _sentences_of_pairs if source.holds_pairs else _learnable_words
        for split, sentence in of_source(source, warn):
            (biased if sentence.biased else plain).add(split, sentence)
    if not biased.kept:
        raise WikibiasError(f"{names_of_sources(sources)}: no biased span to learn from")
    if any(source.holds_pairs for source in sources):
        plain.shrink(round(neutral * len(biased.kept)))
    for sample in (biased, plain):
        if sample.seen > MOST:
            warn(
                f"{names_of_sources(sources)}: learns from {MOST:,} of {sample.seen:,} sentences, "
                "by the seed"
            )
    rows = [*biased.kept, *plain.kept]
    has_dev = any(split == "dev" for split, _ in rows)
    found: Examples = {"train": [], "dev": []}
    for split, sentence in rows:
        is_dev = split == "dev" if has_dev else _in_dev(sentence, seed)
        found["dev" if is_dev else "train"].append(sentence)
    return found


def sentences_to_score(source: Source, warn: Warn) -> Iterator[Tagged]:
    """Yield the biased sides of pairs, or all sentences of a file of words."""
    if source.holds_pairs:
        for pair in source.pairs(warn, neutral=False):
            yield of_pair(pair.source, pair.target, pair.group)
    else:
        yield from _labelled_words(source, warn)


def texts(source: Source, warn: Warn) -> Iterator[tuple[str, ...]]:
    """Yield the words of all sentences of a file, of both sides where it holds pairs."""
    if source.holds_pairs:
        for pair in source.pairs():
            yield of_neutral(pair.source).words
            yield of_neutral(pair.target).words
    else:
        for sentence in labels.read(source.path, source.columns, warn):
            yield tuple(_column(source, sentence.words, "word"))


def _sentences_of_pairs(source: Source, warn: Warn) -> Iterator[tuple[str | None, Tagged]]:
    left_out = Tally(source.path, warn, "pair")
    for pair in source.pairs(warn):
        if pair.split == "test":
            left_out.add("of the split test", pair.row)
        elif max(len(pair.source), len(pair.target)) > LONGEST_TEXT:
            left_out.add(f"of over {LONGEST_TEXT:,} characters", pair.row)
        else:
            sentence = of_pair(pair.source, pair.target, pair.group)
            if sentence.biased:
                yield pair.split, sentence
            elif pair.label == "biased" and pair.source != pair.target:
                left_out.add("whose edit only added words", pair.row)
            yield pair.split, of_neutral(pair.target, pair.group)
    left_out.report()


def _learnable_words(source: Source, warn: Warn) -> Iterator[tuple[None, Tagged]]:
    for sentence in _labelled_words(source, warn):
        if len(sentence.words) <= labels.LONGEST:
            yield None, sentence


def _labelled_words(source: Source, warn: Warn) -> Iterator[Tagged]:
    for sentence in labels.read(source.path, source.columns, warn):
        words = _column(source, sentence.words, "word")
        gold = _column(source, sentence.gold, "gold")
        # Kinds, as in B-framing, are not learnt.
        plain = (label if label == "O" else f"{label[0]}-bias" for label in gold)
        yield Tagged(tuple(words), tuple(plain))


def _column(source: Source, column: Sequence[str] | None, name: str) -> Sequence[str]:
    if column is None:
        raise WikibiasError(f"{source.path}: no column {name}; name the columns with --columns")
    return column


def _in_dev(sentence: Tagged, seed: int) -> bool:
    """Decide by what a sentence shares with those that must stay with it."""
    shared = sentence.group or key(" ".join(sentence.words))
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
        digest = sha256(key(" ".join(sentence.words)).encode()).digest()[:8]
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


def without_near_duplicates(
    sentences: Sequence[Tagged], held: Iterable[Sequence[str]]
) -> tuple[list[Tagged], int, int]:
    """Return sentences that are not among those held out, nor near-duplicates of one.

    The same means the same letters and digits. Near-duplicates are those of `audit leakage`: a
    cosine of character 5-grams of at least 0.5.

    Returns:
        The sentences, how many were the same, and how many nearly.
    """
    words = [tuple(each) for each in held]
    keys = {key(" ".join(each)) for each in words}
    different = [each for each in sentences if key(" ".join(each.words)) not in keys]
    same = len(sentences) - len(different)
    if not words or not different:
        return different, same, 0
    both = [each.words for each in different], words
    sides = ([" ".join(each).lower() for each in side] for side in both)
    from wikibias.corpus import near_duplicates  # scikit-learn, which marking words can do without

    ours, theirs = near_duplicates.vectors("char", *sides)
    near = set(near_duplicates.similar(ours, theirs)[0].tolist())
    return [each for number, each in enumerate(different) if number not in near], same, len(near)
