"""The sentences that edits tell of as numbers, one a page and normal form, with all their labels.

The form is a 64-bit hash, as in `corpus.candidates`; labels are bits of a number.
"""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import get_args
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from wikibias.corpus.candidates import Flags, Ints
from wikibias.corpus.labelled.evidence import Find
from wikibias.corpus.topics import Topics, Vectors
from wikibias.errors import UsageError
from wikibias.records import Block, NegativeKind
from wikibias.text.unsegmented import words

KINDS: tuple[NegativeKind, ...] = get_args(NegativeKind)
POSITIVE = -1
MOST_LABELS = 62
"""The bits of a number, less those that a sign and a carry take."""
_BLOCKS: tuple[Block, ...] = get_args(Block)
_FATES = ("", *_BLOCKS, "too_short", "too_long")


@dataclass(frozen=True, slots=True)
class Sentences:
    """One entry a sentence, in the order of the finds that tell most of them.

    Attributes:
        number: of that find, counted from the first of all.
        form: a hash of its normal form.
        page: the number of its page, which `pages` names by wiki and id.
        labels: bits; 0 of a negative.
        judged: bits.
        kind: what a negative was taken from, in KINDS; POSITIVE.
        words: how many words it has.
        section: a hash of the heading it stands under.
        topics: what each page is about; empty where no featured article is there to choose from.
        left_out: why finds fell out: how many.
    """

    number: Ints
    form: Ints
    page: Ints
    labels: Ints
    judged: Ints
    kind: Ints
    words: Ints
    section: Ints
    topics: Vectors
    pages: tuple[tuple[str, int], ...]
    left_out: dict[str, int]

    @property
    def positive(self) -> Flags:
        """Which of them have a label."""
        found: Flags = self.kind == POSITIVE
        return found

    def only(self, which: Flags | Ints) -> Sentences:
        """Return some of them."""
        return Sentences(
            self.number[which],
            self.form[which],
            self.page[which],
            self.labels[which],
            self.judged[which],
            self.kind[which],
            self.words[which],
            self.section[which],
            self.topics,
            self.pages,
            self.left_out,
        )


@dataclass(frozen=True, slots=True)
class _Finds:
    """The finds of sentences that may be chosen, as arrays."""

    number: Ints
    form: Ints
    page: NDArray[np.int32]
    labels: Ints
    judged: Ints
    kind: NDArray[np.int8]
    rank: NDArray[np.int8]
    words: NDArray[np.int32]
    section: NDArray[np.int32]
    topics: Vectors


def read(
    finds: Iterable[Find], labels: Sequence[str], lengths: range, blocks: Sequence[Block]
) -> Sentences:
    """Read all finds, and join those of one sentence on one page.

    It gets the labels of all of them, and stands where the find stands that tells most. A sentence
    that is a positive is no negative anywhere, and the same negative stands once.

    Args:
        finds: in order.
        labels: all there may be, in the order of their bits.
        lengths: how many words a sentence may have.
        blocks: lines of an article to take sentences from.

    Raises:
        UsageError: there are too many labels.
    """
    if len(labels) > MOST_LABELS:
        raise UsageError(f"{len(labels)} labels are more than {MOST_LABELS}; choose some of them")
    bits = {label: 1 << place for place, label in enumerate(labels)}
    numbers, forms, pages, of_labels, judged = (array(code) for code in "qqiqq")
    kinds, ranks, lengths_of, sections = (array(code) for code in "bbii")
    topics, is_featured = Topics(), False
    page_numbers: dict[tuple[str, int], int] = {}
    left_out: dict[str, int] = {}
    for number, find in enumerate(finds):
        if why := _fate(find, lengths, blocks):
            left_out[why] = left_out.get(why, 0) + 1
            continue
        source = find.provenance
        numbers.append(number)
        forms.append(_form(find.sentence.norm))
        pages.append(page_numbers.setdefault((source.wiki, source.page_id), len(page_numbers)))
        of_labels.append(sum(bits[label] for label in find.labels))
        judged.append(sum(bits[label] for label in find.judged))
        kinds.append(POSITIVE if find.negative is None else KINDS.index(find.negative))
        ranks.append(find.rank)
        lengths_of.append(words(find.sentence.norm))
        sections.append(crc32(find.context.section.encode(errors="surrogatepass")) >> 1)
        is_featured |= find.negative == "featured"
        topics.add(pages[-1], find.sentence.norm)
    found = _Finds(
        np.frombuffer(numbers, np.int64),
        np.frombuffer(forms, np.int64),
        np.frombuffer(pages, np.int32),
        np.frombuffer(of_labels, np.int64),
        np.frombuffer(judged, np.int64),
        np.frombuffer(kinds, np.int8),
        np.frombuffer(ranks, np.int8),
        np.frombuffer(lengths_of, np.int32),
        np.frombuffer(sections, np.int32),
        topics.vectors(len(page_numbers)) if is_featured else Topics().vectors(0),
    )
    left_out = {name: left_out[name] for name in _FATES if name in left_out}
    return _without_doubles(_joined(found, tuple(page_numbers), left_out))


def labels_in(bits: int, labels: Sequence[str]) -> tuple[str, ...]:
    """Return the labels of a number."""
    return tuple(label for place, label in enumerate(labels) if bits >> place & 1)


def _fate(find: Find, lengths: range, blocks: Sequence[Block]) -> str:
    """Return why a sentence may not be chosen, or ""."""
    if find.sentence.block not in blocks:
        return find.sentence.block
    length = words(find.sentence.norm)
    if length in lengths:
        return ""
    return "too_short" if length < lengths.start else "too_long"


def _form(norm: str) -> int:
    digest = hashlib.blake2b(norm.encode(errors="surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, signed=True)


def _joined(
    found: _Finds, pages: tuple[tuple[str, int], ...], left_out: dict[str, int]
) -> Sentences:
    """Join the finds of one sentence on one page; in each group the first tells most."""
    is_negative = found.kind != POSITIVE
    order = np.lexsort((found.number, found.rank, is_negative, found.form, found.page))
    form, page = found.form[order], found.page[order]
    begins = np.ones(len(order), np.bool_)
    begins[1:] = (form[1:] != form[:-1]) | (page[1:] != page[:-1])
    first = np.flatnonzero(begins)
    if not len(first):
        none = np.zeros(0, np.int64)
        return Sentences(*(none,) * 8, found.topics, pages, left_out)
    kind = found.kind[order][first].astype(np.int64)
    # What a negative of the same sentence is judged for does not tell of the positive.
    of_group = np.repeat(kind == POSITIVE, np.diff(np.append(first, len(order))))
    judged = np.where(of_group & is_negative[order], 0, found.judged[order])
    joined = Sentences(
        found.number[order][first],
        form[first],
        page[first].astype(np.int64),
        np.bitwise_or.reduceat(found.labels[order], first),
        np.bitwise_or.reduceat(judged, first),
        kind,
        found.words[order][first].astype(np.int64),
        found.section[order][first].astype(np.int64),
        found.topics,
        pages,
        left_out,
    )
    return joined.only(np.argsort(joined.number, kind="stable"))


def _without_doubles(found: Sentences) -> Sentences:
    wanting = np.isin(found.form, found.form[found.positive]) & ~found.positive
    _, first = np.unique(found.form, return_index=True)
    again = np.ones(len(found.form), np.bool_)
    again[first] = False
    again &= ~found.positive & ~wanting
    for name, which in (("wanting_elsewhere", wanting), ("duplicate", again)):
        if number := int(np.count_nonzero(which)):
            found.left_out[name] = number
    return found.only(~(wanting | again))
