"""Candidates: the sentences that edits tell of as numbers, and which of them may be chosen."""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from wikibias.config.choices import Negatives, SplitBy
from wikibias.config.thresholds import Build, Tiers
from wikibias.corpus.evidence import FEATURED, NEGATIVES, REMOVED, ROLES, LabelEvidence
from wikibias.corpus.featured import DIMENSIONS, Topics, Vectors
from wikibias.edits.filters import TIERS, UNCHANGING, Confidence
from wikibias.errors import UsageError
from wikibias.records import Block, Relation, Role, Tier
from wikibias.text.segmentation import words

# The choices that take sentences of featured articles.
WITH_FEATURED = frozenset({"featured", "mixed"})
RELATIONS: tuple[Relation, ...] = get_args(Relation)
NO_RELATION = -1
MOST_LABELS = 62
"""The bits of a number, less those that a sign and a carry take."""
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]
# Why a sentence may not be chosen, by number. The first two reasons say that nothing was edited.
_UNCHANGING = tuple(sorted(UNCHANGING))
EXCLUSIONS = (
    "", *_UNCHANGING, *get_args(Block), "too_short", "too_long", "tag_stands", "below_min_tier"
)  # fmt: skip
ELIGIBLE = 0
# Reasons of a tier that say that the page after the edit was tagged.
_STILL_TAGGED = frozenset({"tags_left", "tag_swapped", "tag_back"})


@dataclass(frozen=True, slots=True)
class Choice:
    """Which sentences may go into a corpus, and how they are chosen.

    Attributes:
        lengths: how many words a sentence may have, as `text.segmentation.words` counts them.
        blocks: lines of an article to take sentences from.
        min_tier: the lowest tier to take.
        max_per_edit: how many biased sentences one edit may give.
        tiers: what sets the tiers apart.
        negatives: what neutral sentences are taken from; None for those that edits added, filled up
            with those that they left alone, and of several labels for all kinds.
        shares: of train, dev and test.
        split_by: "page" puts all sentences of a page into one split; "sentence" is the paper's.
        seed: of all random choices.
    """

    lengths: range = range(6, 300)
    blocks: tuple[Block, ...] = ("paragraph",)
    min_tier: Tier = "low"
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
    """One entry a sentence, in the order of the evidence; of two classes 20 bytes each.

    The form is a 64-bit hash: among ten million sentences, two different ones share it with a
    probability of three in a million. Pages and edits are numbered as they come.

    Attributes:
        number: of the evidence that it stands for, counted from the first of all.
        form: a hash of its normal form.
        page: the number of its page, which `pages` names by wiki and id.
        edit: the number of its edit.
        role: in ROLES.
        exclusion: why it may not be chosen, in EXCLUSIONS; ELIGIBLE.
        tier: counted from the best; of several labels the rank of the evidence.
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
    tier: NDArray[np.int8]
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


# The type of each column, as `array` names it.
_CODES = {
    "number": "q", "form": "q", "page": "i", "edit": "i", "role": "b", "exclusion": "b",
    "tier": "b", "relation": "b", "labels": "q", "judged": "q", "words": "i", "section": "q",
}  # fmt: skip
_TIERS = {name: number for number, name in enumerate(TIERS)}
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
    form, page, edit, role, excluded, tier, relation = (
        columns[name].append
        for name in ("form", "page", "edit", "role", "exclusion", "tier", "relation")
    )
    topics, pages, left_out = Topics(), dict[tuple[str, int], int](), [0] * len(EXCLUSIONS)
    last, edits, at = None, -1, -1
    for number, each in enumerate(evidence):
        found = each.confidence(choice.tiers)
        why = exclusion(each, found, choice)
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
        tier(each.rank if found is None else _TIERS[found.tier])
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


def exclusion(each: LabelEvidence, found: Confidence | None, choice: Choice) -> int:
    """Return the number in EXCLUSIONS of why a sentence may not be chosen, or ELIGIBLE.

    Args:
        each: the sentence.
        found: the tier of its label; None where labels have none.
        choice: which may be chosen.
    """
    name, sentence = "", each.sentence
    if found is not None and each.link is not None and each.link.relation in UNCHANGING:
        name = each.link.relation
    elif sentence.block not in choice.blocks:
        name = sentence.block
    elif (length := words(sentence.norm)) not in choice.lengths:
        name = "too_short" if length < choice.lengths.start else "too_long"
    elif found is not None:
        if each.role != REMOVED and not _STILL_TAGGED.isdisjoint(found.reasons):
            name = "tag_stands"
        elif _TIERS[found.tier] > _TIERS[choice.min_tier]:
            name = "below_min_tier"
    return _NUMBERS[name]


_NUMBERS = {name: number for number, name in enumerate(EXCLUSIONS)}


def edited(candidates: Candidates, role: int) -> Flags:
    """Return which candidates of a role say something else than the other side of their edit."""
    same = (candidates.exclusion != ELIGIBLE) & (candidates.exclusion <= len(_UNCHANGING))
    found: Flags = (candidates.role == role) & ~same
    return found
