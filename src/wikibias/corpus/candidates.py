"""The sentences of the kept edits as numbers: which may be chosen, and what counts for it."""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import repeat
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from wikibias.config.choices import Negatives
from wikibias.config.signals import signal_of
from wikibias.config.thresholds import Tiers
from wikibias.corpus.topics import DIMENSIONS, Topics, Vectors
from wikibias.edits.positives import TIERS, UNCHANGING, Confidence, confidence, evidence
from wikibias.records import Block, Edit, Link, Relation, Role, Sentence, Tier
from wikibias.text.unsegmented import words

ROLES: tuple[Role, ...] = get_args(Role)
REMOVED, ADDED, UNCHANGED, FEATURED = range(len(ROLES))
# The choices that take sentences of featured articles.
WITH_FEATURED = frozenset({"featured", "mixed"})
RELATIONS: tuple[Relation, ...] = get_args(Relation)
NO_RELATION = -1
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]
Topic = NDArray[np.int8]
"""The main topic of each candidate; -1 of those that may not be chosen."""

# Why a sentence may not be chosen; its number, from 1, is its fate. The first two say that nothing
# was edited there.
_UNCHANGING = tuple(sorted(UNCHANGING))
_BLOCKS: tuple[Block, ...] = get_args(Block)
FATES = ("", *_UNCHANGING, *_BLOCKS, "too_short", "too_long", "tag_stands", "below_min_tier")
_FATE = {name: number for number, name in enumerate(FATES)}
ELIGIBLE = 0
# Reasons of a tier that say that the page after the edit was tagged.
_STILL_TAGGED = frozenset({"tags_left", "tag_swapped", "tag_back"})


@dataclass(frozen=True, slots=True)
class Choice:
    """Which sentences may go into a corpus.

    Attributes:
        lengths: how many words a sentence may have, as `text.unsegmented.words` counts them.
        blocks: lines of an article to take sentences from.
        min_tier: the lowest tier to take.
        max_per_edit: how many biased sentences one edit may give.
        max_share: what share of the biased sentences one edit may give.
        tiers: what sets the tiers apart.
        negatives: what neutral sentences are taken from; None for those that edits added, filled up
            with those that they left alone.
    """

    lengths: range = range(6, 300)
    blocks: tuple[Block, ...] = ("paragraph",)
    min_tier: Tier = "low"
    max_per_edit: int | None = None
    max_share: float | None = None
    tiers: Tiers = field(default_factory=Tiers)
    negatives: Negatives | None = None

    @property
    def takes_featured(self) -> bool:
        """Whether sentences of featured articles may be chosen."""
        return self.negatives in WITH_FEATURED


@dataclass(frozen=True, slots=True)
class Candidates:
    """One entry a sentence of an edit, in order, of 20 bytes.

    The form is a 64-bit hash: among ten million sentences, two different ones share it with a
    probability of three in a million. `tier` counts from the best, `fate` in FATES, `relation` in
    RELATIONS; page and edit are numbered as they come, and `pages` holds wiki and id of each page.
    Where sentences of featured articles may be chosen, there are 12 bytes more: how many words it
    has, and a hash of its section; and a kilobyte a page, `topics`.
    """

    form: Ints
    page: NDArray[np.int32]
    edit: NDArray[np.int32]
    role: NDArray[np.int8]
    fate: NDArray[np.int8]
    tier: NDArray[np.int8]
    relation: NDArray[np.int8]
    pages: tuple[tuple[str, int], ...] = ()
    words: NDArray[np.int32] = field(default_factory=lambda: np.zeros(0, np.int32))
    section: Ints = field(default_factory=lambda: np.zeros(0, np.int64))
    topics: Vectors = field(default_factory=lambda: np.zeros((0, DIMENSIONS), np.float32))

    @property
    def roles(self) -> tuple[Role, ...]:
        """The roles that there may be: that of featured articles only where one is there."""
        return ROLES if len(self.topics) else ROLES[:FEATURED]


def read(edits: Iterable[Edit], choice: Choice) -> Candidates:
    """Read all sentences of the kept edits."""
    forms, pages, edit_numbers = array("q"), array("i"), array("i")
    roles, fates, tiers, relations = array("b"), array("b"), array("b"), array("b")
    page_numbers: dict[tuple[str, int], int] = {}
    matching = _Matching() if choice.takes_featured else None
    for number, edit in enumerate(edits):
        source = edit.provenance
        page = page_numbers.setdefault((source.wiki, source.page_id), len(page_numbers))
        found, count = evidence(edit, choice.tiers), 0
        for role, sentence, link in sentences_of(edit):
            judged = confidence(found, ROLES[role], sentence, link, choice.tiers)
            forms.append(_form(sentence.norm))
            roles.append(role)
            fates.append(_fate(role, sentence, link, judged, choice))
            tiers.append(TIERS.index(judged.tier))
            relations.append(NO_RELATION if link is None else RELATIONS.index(link.relation))
            count += 1
            if matching is not None:
                matching.add(page, edit, count - 1, sentence, is_eligible=not fates[-1])
        pages.extend(repeat(page, count))
        edit_numbers.extend(repeat(number, count))
    return Candidates(
        np.frombuffer(forms, np.int64),
        np.frombuffer(pages, np.int32),
        np.frombuffer(edit_numbers, np.int32),
        np.frombuffer(roles, np.int8),
        np.frombuffer(fates, np.int8),
        np.frombuffer(tiers, np.int8),
        np.frombuffer(relations, np.int8),
        tuple(page_numbers),
        **({} if matching is None else matching.arrays(len(page_numbers))),
    )


class _Matching:
    """Collects what sentences of featured articles are chosen by."""

    def __init__(self) -> None:
        self._words, self._sections, self._topics = array("i"), array("q"), Topics()

    def add(self, page: int, edit: Edit, at: int, sentence: Sentence, *, is_eligible: bool) -> None:
        """Take the next sentence, which is the one at a place of all of its edit."""
        if is_eligible:
            self._topics.add(page, sentence.norm)
        self._words.append(words(sentence.norm) if is_eligible else 0)
        has_context = signal_of(edit.provenance.signal).gives == "negatives" and edit.contexts
        self._sections.append(_form(edit.contexts[at].section) if has_context else 0)

    def arrays(self, pages: int) -> dict[str, Any]:
        """Return the fields of `Candidates` that they are."""
        return {
            "words": np.frombuffer(self._words, np.int32),
            "section": np.frombuffer(self._sections, np.int64),
            "topics": self._topics.vectors(pages),
        }


def sentences_of(edit: Edit) -> Iterator[tuple[int, Sentence, Link | None]]:
    """Yield the sentences of an edit in order, with the role and the link of each."""
    left = FEATURED if signal_of(edit.provenance.signal).gives == "negatives" else UNCHANGED
    sides: tuple[tuple[int, tuple[Sentence, ...], Iterable[Link | None]], ...] = (
        (REMOVED, edit.removed, edit.links or repeat(None)),
        (ADDED, edit.added, edit.added_links or repeat(None)),
        (left, edit.unchanged, repeat(None)),
    )
    for role, sentences, links in sides:
        for sentence, link in zip(sentences, links, strict=False):
            yield role, sentence, link


def _form(norm: str) -> int:
    digest = hashlib.blake2b(norm.encode(), digest_size=8).digest()
    return int.from_bytes(digest, signed=True)


def _fate(
    role: int, sentence: Sentence, link: Link | None, judged: Confidence, choice: Choice
) -> int:
    """Return the number of why a sentence may not be chosen, or ELIGIBLE."""
    if link is not None and link.relation in UNCHANGING:
        return _FATE[link.relation]
    if sentence.block not in choice.blocks:
        return _FATE[sentence.block]
    if (length := words(sentence.norm)) not in choice.lengths:
        return _FATE["too_short" if length < choice.lengths.start else "too_long"]
    if role != REMOVED and not _STILL_TAGGED.isdisjoint(judged.reasons):
        return _FATE["tag_stands"]
    if TIERS.index(judged.tier) > TIERS.index(choice.min_tier):
        return _FATE["below_min_tier"]
    return ELIGIBLE


def edited(candidates: Candidates, role: int) -> Flags:
    """Return which candidates of a role say something else than the other side of their edit."""
    same = (candidates.fate != ELIGIBLE) & (candidates.fate <= len(_UNCHANGING))
    found: Flags = (candidates.role == role) & ~same
    return found
