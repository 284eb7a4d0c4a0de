"""Sentences whose words are labelled: B begins a span, I goes on with it, O is outside of any.

They come from sentence pairs, or from files with a word and its labels a line, to learn from or to
be scored on.
"""

import random
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import chain, pairwise
from pathlib import Path
from typing import NamedTuple

from wikibias.corpus.sentence_pairs.reading import PairText, read_pairs
from wikibias.edits.word_diff import edited_spans, tokens
from wikibias.errors import UsageError, WikibiasError, counted, nearest
from wikibias.kits.tables import Tally, text_lines
from wikibias.models.examples import LONGEST as LONGEST_TEXT
from wikibias.models.examples import Warn, key

OUTSIDE = "O"
BEGIN = "B-bias"
INSIDE = "I-bias"
NAMES = (BEGIN, INSIDE, OUTSIDE)
"""What our taggers give, and the files of WIKIBIAS hold."""
_LABEL = re.compile(r"O|[BI](?:-\S{1,40})?")

Span = tuple[int, int]
"""The number of the first word of a span, and of the first one behind it."""


def is_label(text: str) -> bool:
    """Say whether a text is a label: O, B or I, the last two perhaps with a kind, as B-framing."""
    return _LABEL.fullmatch(text) is not None


def spans(labels: Iterable[str]) -> list[Span]:
    """Return the spans of a sentence, in order. An I behind an O begins one; kinds do not count."""
    found: list[Span] = []
    start, end = None, 0
    for end, label in enumerate(labels):
        if start is not None and label[0] in "OB":
            found.append((start, end))
            start = None
        if start is None and label[0] in "BI":
            start = end
    if start is not None:
        found.append((start, end + 1))
    return found


def labelled(size: int, found: Iterable[Span]) -> list[str]:
    """Return the labels of a sentence of `size` words with these spans."""
    labels = [OUTSIDE] * size
    for start, end in found:
        labels[start:end] = [BEGIN, *[INSIDE] * (end - start - 1)]
    return labels


def first_orphan(labels: Sequence[str]) -> int | None:
    """Return where the first I stands that follows no B or I; None if there is none."""
    for place, (before, label) in enumerate(pairwise([OUTSIDE, *labels])):
        if before == OUTSIDE and label[0] == "I":
            return place
    return None


@dataclass(frozen=True, slots=True)
class Tagged:
    """A sentence to learn from, or to be scored on.

    Attributes:
        words: its words and marks.
        labels: of the words: B-bias, I-bias or O.
        group: what must stay in one split with it: its page or its revision, or None.
        edited: whether an editor is known to have changed it, perhaps by adding words only.
    """

    words: tuple[str, ...]
    labels: tuple[str, ...]
    group: str | None = None
    edited: bool = False

    @property
    def biased(self) -> bool:
        """Whether it has a span."""
        return any(label != OUTSIDE for label in self.labels)


def split_words(text: str) -> tuple[tuple[str, ...], list[Span]]:
    """Return the words and marks of a text, and where they stand in it, in characters.

    In a script without spaces each letter is a word.
    """
    places = tokens(text)
    return tuple(text[start:end] for start, end in places), places


def of_pair(source: str, target: str, group: str | None = None) -> Tagged:
    """Return the source of a pair; what the edit took out or replaced is marked.

    An edit that only added words leaves no span.
    """
    words, places = split_words(source)
    found = []
    for piece in (piece for edit in edited_spans(source, target) for piece in edit.source.split()):
        start, end = map(int, piece.split(":"))
        within = [number for number, (at, to) in enumerate(places) if start <= at and to <= end]
        if within:
            found.append((within[0], within[-1] + 1))
    return Tagged(words, tuple(labelled(len(words), found)), group, source != target)


def of_neutral(text: str, group: str | None = None) -> Tagged:
    """Return a sentence without a span."""
    words, _ = split_words(text)
    return Tagged(words, (OUTSIDE,) * len(words), group)


_FIRST = frozenset(("a", "an", "the", ",", "and"))
_LAST_OF_ALL = frozenset(("a", "an", "the", ","))
GOLD_ENDS = _FIRST
"""Words that leave the end of a gold span."""
PREDICTED_ENDS = _LAST_OF_ALL | {"amd"}
"""Words that leave the end of a predicted span."""


def cleaned(words: Sequence[str], labels: Sequence[str], ends: Collection[str]) -> list[str]:
    """Return the labels of a sentence after the clean-up.

    One pass from left to right: a span gives up its first word if that is one of `a an the , and`,
    once for each such word; then the last if it is one of `ends`; an I that follows no span begins
    one.

    Args:
        words: of the sentence.
        labels: of the words.
        ends: words that leave the end of a span, `GOLD_ENDS` or `PREDICTED_ENDS`.
    """
    new = [*labels]
    last = len(new) - 1
    for place, word in enumerate(map(str.lower, words)):
        if place == last:
            if word in _LAST_OF_ALL:
                new[place] = OUTSIDE
        elif new[place][0] == "B" and word in _FIRST:
            new[place] = OUTSIDE
            if new[place + 1][0] == "I":
                new[place + 1] = f"B{new[place + 1][1:]}"
        elif new[place][0] == "I" and word in ends and new[place + 1] == OUTSIDE:
            new[place] = OUTSIDE
        elif new[place][0] == "I" and place and new[place - 1] == OUTSIDE:
            new[place] = f"B{new[place][1:]}"
    for place, label in enumerate(new):
        if label[0] == "I" and (place == 0 or new[place - 1] == OUTSIDE):
            new[place] = f"B{label[1:]}"
    return new


COLUMNS = ("word", "gold", "prediction")
"""What a column may hold; `-` is one that is not read."""
LONGEST = 1000
"""Words. A longer "sentence" is one whose end is missing; it is scored, but not learnt from."""
_GAP = re.compile(r"[ \t]+")
_SKIPPED = "-"


class LabelledSentence(NamedTuple):
    """A sentence of a file: each has an entry a word, and one that the file lacks is None."""

    words: Sequence[str] | None
    gold: Sequence[str] | None
    predicted: Sequence[str] | None


def parse_columns(given: str | None) -> tuple[str, ...] | None:
    """Parse names of columns in their order, as "prediction,gold"; None stays None.

    Raises:
        UsageError: a name is unknown, or there twice.
    """
    if given is None:
        return None
    names = tuple(name.strip() for name in given.split(","))
    for name in names:
        if name not in (*COLUMNS, _SKIPPED):
            raise UsageError(f"--fields: unknown column {name!r}{nearest(name, COLUMNS)}")
        if name != _SKIPPED and names.count(name) > 1:
            raise UsageError(f"--fields: {name} stands there twice")
    return names


def read_labelled(
    path: Path, columns: Sequence[str] | None, warn: Warn
) -> Iterator[LabelledSentence]:
    """Yield the sentences of a file of words and labels, separated by spaces or tabs.

    Args:
        path: the file, UTF-8.
        columns: what its columns hold. By default word, gold and prediction where it has three of
            them, and word and gold where it has two and the first is no label.
        warn: takes a line on what is odd and yet can be read: a span that begins with I, empty
            lines side by side, a sentence whose end seems to be missing.

    Raises:
        UsageError: the file cannot be read, or does not tell what its columns hold.
        WikibiasError: a line has more or fewer columns than the first one, or an unknown label;
            there is no sentence. The message names file and line.
    """
    odd = Tally(path, warn, "sentence", prefix="")
    blank = Tally(path, warn, "empty line", prefix="")
    names, rows, start = columns, list[list[str]](), 0
    for number, line in chain(text_lines(path), [(0, "")]):
        if line.strip():
            cells = _GAP.split(line.strip(" \t"))
            names = names or _guessed(cells, f"{path}:{number}")
            _check(cells, names, f"{path}:{number}")
            start = start if rows else number
            rows.append(cells)
        elif rows:
            yield _sentence(rows, start, names or (), odd)
            rows = []
        elif number:
            blank.add("behind no sentence", number)
    if not start:
        raise WikibiasError(f"{path}: no sentence in it; give a word and its labels a line")
    blank.report()
    odd.report()


def _guessed(cells: Sequence[str], place: str) -> tuple[str, ...]:
    if len(cells) == len(COLUMNS):
        return COLUMNS
    if len(cells) == 2 and not is_label(cells[0]):
        return COLUMNS[:2]
    raise UsageError(
        f"{place}: {counted(len(cells), 'column')}; say what they hold, such as "
        "--fields word,gold,prediction or --fields prediction,gold"
    )


def _check(cells: Sequence[str], names: Sequence[str], place: str) -> None:
    if len(cells) != len(names):
        raise WikibiasError(
            f"{place}: {counted(len(cells), 'column')} where {len(names)} are expected "
            f"({','.join(names)}); mend the line, or name the columns with --fields"
        )
    for name, cell in zip(names, cells, strict=True):
        if name in ("gold", "prediction") and not is_label(cell):
            raise WikibiasError(
                f"{place}: unknown label {cell[:40]!r} in column {name}; labels are O, B and I, "
                "such as B-bias"
            )


def _sentence(
    rows: Sequence[Sequence[str]], line: int, names: Sequence[str], odd: Tally
) -> LabelledSentence:
    of = {name: [row[place] for row in rows] for place, name in enumerate(names)}
    for name in ("gold", "prediction"):
        if name in of and (orphan := first_orphan(of[name])) is not None:
            odd.add(f"with a span of the {name} that begins with I", line + orphan)
    if len(rows) > LONGEST:
        odd.add(f"of over {LONGEST:,} words; is an empty line missing?", line)
    return LabelledSentence(of.get("word"), of.get("gold"), of.get("prediction"))


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
        columns: what the columns of a file of words hold; see `read_labelled`.
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
        found: Iterable[tuple[str | None, Tagged]] = (
            _sentences_of_pairs(source, warn)
            if source.holds_pairs
            else ((None, s) for s in _labelled_words(source, warn) if len(s.words) <= LONGEST)
        )
        for split, sentence in found:
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
    examples: Examples = {"train": [], "dev": []}
    for split, sentence in rows:
        is_dev = split == "dev" if has_dev else _in_dev(sentence, seed)
        examples["dev" if is_dev else "train"].append(sentence)
    return examples


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
        for sentence in read_labelled(source.path, source.columns, warn):
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


def _labelled_words(source: Source, warn: Warn) -> Iterator[Tagged]:
    for sentence in read_labelled(source.path, source.columns, warn):
        words = _column(source, sentence.words, "word")
        gold = _column(source, sentence.gold, "gold")
        # Kinds, as in B-framing, are not learnt.
        plain = (label if label == "O" else f"{label[0]}-bias" for label in gold)
        yield Tagged(tuple(words), tuple(plain))


def _column(source: Source, column: Sequence[str] | None, name: str) -> Sequence[str]:
    if column is None:
        raise WikibiasError(f"{source.path}: no column {name}; name the columns with --fields")
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
