"""Candidates: the sentences that edits tell of as numbers, and which of them may be chosen.

Of sentences of featured articles those are found that are as long as positives, and on like topics.
"""

from __future__ import annotations

import hashlib
import math
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import chain
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from wikibias.config.choices import Negatives, SplitBy
from wikibias.config.thresholds import Build, Tiers
from wikibias.corpus.evidence import FEATURED, NEGATIVES, REMOVED, ROLES, UNCHANGED, LabelEvidence
from wikibias.edits.confidence import TIERS, UNCHANGING, Confidence, tier_of
from wikibias.errors import UsageError
from wikibias.records import Block, Relation, Role, Tier
from wikibias.text.scripts import is_foreign
from wikibias.text.segmentation import is_unspaced, words

Ints = NDArray[np.int64]
Integers = NDArray[np.integer[Any]]
Flags = NDArray[np.bool_]
Vectors = NDArray[np.float32]
DIMENSIONS = 256
_REMEMBERED = 1 << 16


class Topics:
    """Collects the words of pages, which are numbered from 0."""

    def __init__(self) -> None:
        self._rows: list[NDArray[np.float32]] = []

    def add(self, page: int, norm: str) -> None:
        """Add a sentence of a page, in its normal form."""
        while len(self._rows) <= page:
            self._rows.append(np.zeros(DIMENSIONS, np.float32))
        places = [_place(word) for word in _words(norm)]
        if places:
            numbers, signs = zip(*places, strict=True)
            self._rows[page] += np.bincount(numbers, signs, DIMENSIONS).astype(np.float32)

    def vectors(self, pages: int) -> Vectors:
        """Return a row of length 1 for each of so many pages, of zeros for one without words."""
        rows = np.zeros((pages, DIMENSIONS), np.float32)
        for page, row in enumerate(self._rows):
            rows[page] = row
        rows = _unit(rows)
        known = np.any(rows, axis=1)
        if known.sum() > 1:
            rows[known] -= rows[known].mean(axis=0)
        return _unit(rows)


def _unit(rows: Vectors) -> Vectors:
    length = np.linalg.norm(rows, axis=1, keepdims=True)
    found: Vectors = np.divide(rows, length, out=np.zeros_like(rows), where=length > 0)
    return found


def _words(norm: str) -> Sequence[str]:
    """Return the words of a sentence; pairs of letters where a script has no spaces."""
    if is_unspaced(norm):
        return [norm[at : at + 2] for at in range(len(norm) - 1)]
    return norm.split()


@lru_cache(_REMEMBERED)
def _place(word: str) -> tuple[int, int]:
    """Return which number of the vector a word counts in, and its sign."""
    digest = int.from_bytes(hashlib.blake2b(word.encode(), digest_size=4).digest())
    return (digest >> 1) % DIMENSIONS, 1 if digest & 1 else -1


NONE = -1
"""Stands for a positive without a negative."""
# Two lengths are the same where they differ by less than this factor.
_SAME_LENGTH = 1.1
# How many such steps a negative may be from its positive.
_STEPS = 4
# An article gives at most so many times an equal share, unless others run out.
_TIMES_A_SHARE = 2
# So many of the most similar articles are asked in turn, then any.
_NEAREST = 50
# Pages to compare with the featured ones at once.
_AT_ONCE = 1024


@dataclass(frozen=True, slots=True)
class Sentences:
    """Sentences as numbers, one entry each.

    Attributes:
        words: how many words it has, as `text.segmentation.words` counts them.
        page: the number of its page: a row of the topics.
        section: any number that tells the sections of a page apart; not needed of positives.
    """

    words: Integers
    page: Integers
    section: Integers | None = None


def negatives(
    positives: Sentences, candidates: Sentences, topics: Vectors, rng: np.random.Generator
) -> Ints:
    """Return for each positive the number of the candidate that is its negative, or NONE.

    No candidate is taken twice. Takes memory for each sentence and for each page, not for pairs.

    Args:
        positives: for which negatives are wanted.
        candidates: sentences of featured articles that may be taken; for citation, those without
            a reference (Asthana et al. 2021, section 5.2).
        topics: a row for each page, see `topics.Topics`.
        rng: decides among those that are alike, and in which order positives choose.
    """
    found = np.full(len(positives.words), NONE, np.int64)
    if not len(candidates.words):
        return found
    stock = _Stock(candidates, rng)
    near = _nearest(positives, candidates, topics)
    lengths, left = _bins(positives.words), rng.permutation(len(found))
    for length in _tried(lengths):
        most = max(1, math.ceil(_TIMES_A_SHARE * len(found) / stock.pages))
        while len(left):
            for number in left.tolist():
                around = near[int(positives.page[number])]
                found[number] = stock.taken(int(length[number]), around, most)
            left = left[found[left] == NONE]
            if most >= len(found):
                break
            most *= 2
    return found


def in_turn(kinds: Sequence[Ints]) -> Ints:
    """Return the entries of all kinds, one of each in turn; where one runs out, the others go on.

    So the first ones, however many, are of all kinds in equal shares.
    """
    if not kinds:
        return np.zeros(0, np.int64)
    place = np.concatenate([np.arange(len(each)) for each in kinds])
    return np.concatenate(kinds)[np.argsort(place, kind="stable")]


def _bins(words: Integers) -> Ints:
    """Return the number of each length, such that those that are nearly the same share it."""
    return np.floor(np.log(np.maximum(words, 1)) / math.log(_SAME_LENGTH)).astype(np.int64)


def _tried(lengths: Ints) -> Iterator[Ints]:
    """Yield which length is looked for: the same, then the next ones, by turns on either side."""
    yield lengths
    # As many shorter as longer ones, or the negatives would be shorter on the whole.
    side = np.where(np.arange(len(lengths)) % 2, 1, -1)
    for step in range(1, _STEPS + 1):
        yield lengths + side * step
        yield lengths - side * step


def _nearest(
    positives: Sentences, candidates: Sentences, topics: Vectors
) -> Mapping[int, list[int]]:
    """Return for each page of positives the featured pages that are most like it, best first."""
    own, featured = np.unique(positives.page), np.unique(candidates.page)
    of_featured = topics[featured]
    found: dict[int, list[int]] = {}
    for start in range(0, len(own), _AT_ONCE):
        some = own[start : start + _AT_ONCE]
        # Rounded, as the last digits depend on the machine.
        likeness = np.round(topics[some] @ of_featured.T, 4)
        order = np.argsort(-likeness, axis=1, kind="stable")[:, :_NEAREST]
        found.update(zip(some.tolist(), featured[order].tolist(), strict=True))
    return found


class _Stock:
    """The candidates that are left, by page and length, in the order to take them."""

    def __init__(self, candidates: Sentences, rng: np.random.Generator) -> None:
        lengths, number = _bins(candidates.words), len(candidates.words)
        section = np.zeros(number, np.int64) if candidates.section is None else candidates.section
        drawn = rng.permutation(number)
        # The first of each section of a page, then the second of each, and so on.
        turn = ranks((section, lengths, candidates.page), drawn)
        order = np.lexsort((drawn, turn, lengths, candidates.page))
        self._left: dict[tuple[int, int], list[int]] = {}
        self._pages: dict[int, list[int]] = {}
        # Backwards, because the last one of a list is the one that is taken.
        for at in order[::-1].tolist():
            key = int(candidates.page[at]), int(lengths[at])
            if key not in self._left:
                self._left[key] = []
                self._pages.setdefault(key[1], []).append(key[0])
            self._left[key].append(at)
        for length in sorted(self._pages):
            rng.shuffle(self._pages[length])
        self._given: dict[int, int] = {}
        self.pages = len(np.unique(candidates.page))

    def taken(self, length: int, near: list[int], most: int) -> int:
        """Take a candidate of a length from one of some pages, or of any; NONE if none is left.

        No page gives more than `most`.
        """
        others = self._pages.get(length)
        if not others:
            return NONE
        for page in chain(near, others):
            left = self._left.get((page, length))
            if left and self._given.get(page, 0) < most:
                self._given[page] = self._given.get(page, 0) + 1
                at = left.pop()
                if not left:
                    others.remove(page)
                return at
        return NONE


def ranks(keys: tuple[Integers, ...], *order: Integers) -> Ints:
    """Return the place of each entry among those with the same keys, in some order."""
    sorted_, every = np.lexsort((*reversed(order), *keys)), np.arange(len(keys[0]))
    changes = np.zeros(len(every), np.bool_)
    for key in keys:
        changes[1:] |= key[sorted_[1:]] != key[sorted_[:-1]]
    places = np.empty(len(every), np.int64)
    places[sorted_] = every - np.maximum.accumulate(np.where(changes, every, 0))
    return places


# The choices that take sentences of featured articles.
WITH_FEATURED = frozenset({"featured", "mixed"})
RELATIONS: tuple[Relation, ...] = get_args(Relation)
NO_RELATION = -1
MOST_LABELS = 62
"""The bits of a number, less those that a sign and a carry take."""
# Why a sentence may not be chosen, by number. The first two reasons say that nothing was edited.
_UNCHANGING = tuple(sorted(UNCHANGING))
EXCLUSIONS = (
    "", *_UNCHANGING, *get_args(Block), "too_short", "too_long", "other_script", "tag_stands",
    "below_min_tier", "below_min_confidence", "quotes_inside", "little_changed",
)  # fmt: skip
ELIGIBLE = 0
# Reasons of a tier that say that the page after the edit was tagged.
_STILL_TAGGED = frozenset({"tags_left", "tag_swapped", "tag_back"})


@dataclass(frozen=True, slots=True)
class Choice:
    """Which sentences may go into a corpus, and how they are chosen.

    Attributes:
        lengths: how many words a sentence may have, as `text.segmentation.words` counts them.
        scripts: in which one is written; any where none is named.
        blocks: lines of an article to take sentences from.
        min_tier: the lowest tier to take.
        min_confidence: the lowest confidence to take.
        max_per_edit: how many biased sentences one edit may give.
        tiers: what sets the tiers apart.
        negatives: what neutral sentences are taken from; None for those that edits added, filled up
            with those that they left alone, and of several labels for all kinds.
        shares: of train, dev and test.
        split_by: "page" puts all sentences of a page into one split; "sentence" is the paper's.
        seed: of all random choices.
    """

    lengths: range = range(6, 300)
    scripts: frozenset[str] = frozenset()
    blocks: tuple[Block, ...] = ("paragraph",)
    min_tier: Tier = "low"
    min_confidence: float = 0.0
    max_per_edit: int | None = None
    tiers: Tiers = field(default_factory=Tiers)
    negatives: Negatives | None = None
    shares: Build = field(default_factory=Build)
    split_by: SplitBy = "page"
    seed: int = 0

    @property
    def takes_featured(self) -> bool:
        """Whether sentences of featured articles may be chosen for a corpus of two classes."""
        return self.negatives in WITH_FEATURED

    @property
    def negative_roles(self) -> list[int]:
        """The roles of the negatives of several labels."""
        if self.negatives in (None, "mixed"):
            return [role for role in range(len(ROLES)) if role != REMOVED]
        return [NEGATIVES.index(self.negatives)]


@dataclass(frozen=True, slots=True)
class Candidates:
    """One entry a sentence, in the order of the evidence; of two classes 21 bytes each.

    The form is a 64-bit hash: among ten million sentences, two different ones share it with a
    probability of three in a million. Pages and edits are numbered as they come.

    Attributes:
        number: of the evidence that it stands for, counted from the first of all.
        form: a hash of its normal form.
        page: the number of its page, which `pages` names by wiki and id.
        edit: the number of its edit.
        role: in ROLES.
        exclusion: why it may not be chosen, in EXCLUSIONS; ELIGIBLE.
        rank: the less, the surer: thousandths of doubt in its label; of several labels the rank of
            the evidence.
        relation: in RELATIONS, or NO_RELATION.
        labels: bits; empty where there are two classes.
        judged: bits; the same.
        words: how many words it has; empty where no featured article is to be chosen from.
        section: a hash of the heading it stands under; the same.
        topics: a row for each page; the same.
        left_out: why evidence fell out that is no candidate: how many.
    """

    number: Ints
    form: Ints
    page: NDArray[np.int32]
    edit: NDArray[np.int32]
    role: NDArray[np.int8]
    exclusion: NDArray[np.int8]
    rank: NDArray[np.int16]
    relation: NDArray[np.int8]
    labels: Ints
    judged: Ints
    words: NDArray[np.int32]
    section: Ints
    pages: tuple[tuple[str, int], ...] = ()
    topics: Vectors = field(default_factory=lambda: np.zeros((0, DIMENSIONS), np.float32))
    left_out: dict[str, int] = field(default_factory=dict)

    @property
    def roles(self) -> tuple[Role, ...]:
        """The roles that there may be: that of featured articles only where one is there."""
        return ROLES if len(self.topics) else ROLES[:FEATURED]

    def only(self, which: Flags | Ints, **columns: Any) -> Candidates:
        """Return some of them, with other values in some columns."""
        found = {name: of[which] for name in _CODES if len(of := getattr(self, name))}
        return replace(self, **{**found, **columns})

    def matches(self, own: Ints, there: Ints, rng: np.random.Generator) -> Ints:
        """Return for each of some positives the one of others that is its negative, or NONE."""
        positives, others = (
            Sentences(self.words[which], self.page[which], self.section[which])
            for which in (own, there)
        )
        # NONE is the last place.
        return np.append(there, NONE)[negatives(positives, others, self.topics, rng)]


# The type of each column, as `array` names it.
_CODES = {
    "number": "q", "form": "q", "page": "i", "edit": "i", "role": "b", "exclusion": "b",
    "rank": "h", "relation": "b", "labels": "q", "judged": "q", "words": "i", "section": "q",
}  # fmt: skip
_TIERS = {name: number for number, name in enumerate(TIERS)}
_SURE = 1000


def tier_of_rank(rank: Integers, limits: Tiers) -> NDArray[np.object_]:
    """Return the tier of each candidate of two classes."""
    values = (_SURE - rank.astype(np.int64)) / _SURE
    return np.array([tier_of(value, limits) for value in values.tolist()], np.object_)


_RELATIONS = {name: number for number, name in enumerate(RELATIONS)}


def read(
    evidence: Iterable[LabelEvidence], choice: Choice, labels: Sequence[str] = ()
) -> Candidates:
    """Read the sentences that may be chosen, and of two classes all others, too.

    Args:
        evidence: in order.
        choice: which may be chosen.
        labels: all there may be, in the order of their bits; none where there are two classes.

    Raises:
        UsageError: there are too many labels.
    """
    if len(labels) > MOST_LABELS:
        raise UsageError(f"{len(labels)} labels are more than {MOST_LABELS}; choose some of them")
    bits = {label: 1 << place for place, label in enumerate(labels)}
    matches = bool(labels) or choice.takes_featured
    columns = {name: array(code) for name, code in _CODES.items()}
    form, page, edit, role, excluded, rank, relation = (
        columns[name].append
        for name in ("form", "page", "edit", "role", "exclusion", "rank", "relation")
    )
    topics, pages, left_out = Topics(), dict[tuple[str, int], int](), [0] * len(EXCLUSIONS)
    last, edits, at = None, -1, -1
    for number, each in enumerate(evidence):
        why, found = exclusion(each, choice)
        if labels and why:
            left_out[why] += 1
            continue
        if each.edit is not last:
            last, edits = each.edit, edits + 1
            at = pages.setdefault((last.provenance.wiki, last.provenance.page_id), len(pages))
        norm = each.sentence.norm
        form(_form(norm))
        page(at)
        edit(edits)
        role(each.role)
        excluded(why)
        rank(each.rank if found is None else _SURE - round(_SURE * found.value))
        relation(NO_RELATION if each.link is None else _RELATIONS[each.link.relation])
        if labels:
            columns["number"].append(number)
            columns["labels"].append(sum(bits[label] for label in each.labels))
            columns["judged"].append(sum(bits[label] for label in each.judged))
        if matches:
            columns["words"].append(0 if why else words(norm))
            columns["section"].append(_form(each.context.section))
            if not why:
                topics.add(at, norm)
    arrays = {name: np.frombuffer(columns[name], code) for name, code in _CODES.items()}
    has_topics = matches and (not labels or bool(np.any(arrays["role"] == FEATURED)))
    return Candidates(
        **arrays,
        pages=tuple(pages),
        topics=(topics if has_topics else Topics()).vectors(len(pages) if has_topics else 0),
        left_out={name: count for name, count in zip(EXCLUSIONS, left_out, strict=True) if count},
    )


def _form(text: str) -> int:
    digest = hashlib.blake2b(text.encode(errors="surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, signed=True)


def exclusion(each: LabelEvidence, choice: Choice) -> tuple[int, Confidence | None]:
    """Return the number in EXCLUSIONS of why a sentence may not be chosen, or ELIGIBLE.

    And how sure its label is; None where labels have no tiers, or less already excludes it.
    """
    name, sentence, found = "", each.sentence, None
    if each.has_tiers and each.link is not None and each.link.relation in UNCHANGING:
        name = each.link.relation
    elif sentence.block not in choice.blocks:
        name = sentence.block
    elif each.why_not:
        name = each.why_not
    elif (length := words(sentence.norm)) not in choice.lengths:
        name = "too_short" if length < choice.lengths.start else "too_long"
    elif is_foreign(sentence.text, choice.scripts):
        name = "other_script"
    elif each.role == UNCHANGED and not _STILL_TAGGED.isdisjoint(each.reasons):
        name = "tag_stands"
    # Dear, and most sentences of a page are left out before.
    elif (found := each.confidence(choice.tiers)) is not None:
        if _TIERS[found.tier] > _TIERS[choice.min_tier]:
            name = "below_min_tier"
        elif found.value < choice.min_confidence:
            name = "below_min_confidence"
    return _NUMBERS[name], found


_NUMBERS = {name: number for number, name in enumerate(EXCLUSIONS)}


def edited(candidates: Candidates, role: int) -> Flags:
    """Return which candidates of a role say something else than the other side of their edit."""
    same = (candidates.exclusion != ELIGIBLE) & (candidates.exclusion <= len(_UNCHANGING))
    found: Flags = (candidates.role == role) & ~same
    return found
