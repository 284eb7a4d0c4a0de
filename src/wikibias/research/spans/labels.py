"""Sentences whose words are labelled: B begins a span, I goes on with it, O is outside of any.

They come from sentence pairs, or from files with a word and its labels a line.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from wikibias.edits.edited_spans import edited_spans
from wikibias.edits.word_diff import tokens
from wikibias.errors import UsageError, WikibiasError
from wikibias.kits.tables import Tally, text_lines
from wikibias.messages import counted, nearest
from wikibias.models.examples import Warn

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
    return next(
        (
            place
            for place, label in enumerate(labels)
            if label[0] == "I" and (place == 0 or labels[place - 1] == OUTSIDE)
        ),
        None,
    )


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
    found = [
        _words_within(places, start, end)
        for edit in edited_spans(source, target)
        for start, end in _pieces(edit.source)
    ]
    return Tagged(words, tuple(labelled(len(words), found)), group, source != target)


def of_neutral(text: str, group: str | None = None) -> Tagged:
    """Return a sentence without a span."""
    words, _ = split_words(text)
    return Tagged(words, (OUTSIDE,) * len(words), group)


def _pieces(spans: str) -> Iterator[Span]:
    for piece in spans.split():
        start, _, end = piece.partition(":")
        yield int(start), int(end)


def _words_within(places: Sequence[Span], start: int, end: int) -> Span:
    inside = [number for number, (at, to) in enumerate(places) if start <= at and to <= end]
    return (inside[0], inside[-1] + 1) if inside else (0, 0)


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
                new[place + 1] = _begun(new[place + 1])
        elif new[place][0] == "I" and word in ends and new[place + 1] == OUTSIDE:
            new[place] = OUTSIDE
        elif new[place][0] == "I" and place and new[place - 1] == OUTSIDE:
            new[place] = _begun(new[place])
    for place, label in enumerate(new):
        if label[0] == "I" and (place == 0 or new[place - 1] == OUTSIDE):
            new[place] = _begun(label)
    return new


def _begun(label: str) -> str:
    return f"B{label[1:]}"


COLUMNS = ("word", "gold", "prediction")
"""What a column may hold; `-` is one that is not read."""
LONGEST = 1000
"""Words. A longer "sentence" is one whose end is missing; it is scored, but not learnt from."""
_GAP = re.compile(r"[ \t]+")
_SKIPPED = "-"


@dataclass(frozen=True, slots=True)
class LabelledSentence:
    """A sentence of a file, and the number of its first line.

    `words`, `gold` and `predicted` have an entry a word each; one that the file lacks is None.
    """

    line: int
    words: Sequence[str] | None
    gold: Sequence[str] | None
    predicted: Sequence[str] | None

    def __len__(self) -> int:
        return len(self.gold or self.predicted or self.words or ())


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
            raise UsageError(f"--columns: unknown column {name!r}{nearest(name, COLUMNS)}")
        if name != _SKIPPED and names.count(name) > 1:
            raise UsageError(f"--columns: {name} stands there twice")
    return names


def read(path: Path, columns: Sequence[str] | None, warn: Warn) -> Iterator[LabelledSentence]:
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
    odd, blank = (
        Tally(path, warn, "sentence", prefix=""),
        Tally(path, warn, "empty line", prefix=""),
    )
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
        "--columns word,gold,prediction or --columns prediction,gold"
    )


def _check(cells: Sequence[str], names: Sequence[str], place: str) -> None:
    if len(cells) != len(names):
        raise WikibiasError(
            f"{place}: {counted(len(cells), 'column')} where {len(names)} are expected "
            f"({','.join(names)}); mend the line, or name the columns with --columns"
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
    return LabelledSentence(line, of.get("word"), of.get("gold"), of.get("prediction"))
