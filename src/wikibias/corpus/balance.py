"""Which candidates go into a corpus: each form once, no edit too often, the classes equal."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wikibias.config.choices import Negatives
from wikibias.corpus.candidates import (
    ADDED,
    ELIGIBLE,
    FATES,
    FEATURED,
    REMOVED,
    ROLES,
    UNCHANGED,
    Candidates,
    Choice,
    Flags,
    Ints,
    edited,
)
from wikibias.corpus.composition import Composition
from wikibias.corpus.featured import NONE, Sentences, in_turn, negatives


@dataclass(frozen=True, slots=True)
class Pools:
    """Candidates that may be drawn, without duplicates, by number in order."""

    biased: Ints
    added: Ints
    unchanged: Ints
    featured: Ints

    @property
    def neutral(self) -> Ints:
        """The neutral ones of all kinds."""
        return np.concatenate([self.added, self.unchanged, self.featured])

    def of(self, flags: Flags) -> Pools:
        """Return those of which a flag, one for each candidate, is set."""
        sides = (self.biased, self.added, self.unchanged, self.featured)
        return Pools(*(side[flags[side]] for side in sides))


@dataclass(frozen=True, slots=True)
class Classes:
    """Candidates of both classes, by number, the first ones to take first.

    Attributes:
        biased: all there are: in order.
        neutral: those to take: added ones, then unchanged ones, unless others are asked for.
    """

    biased: Ints
    neutral: Ints

    def of(self, flags: Flags) -> Classes:
        """Return those of which a flag, one for each candidate, is set."""
        biased, neutral = (side[flags[side]] for side in (self.biased, self.neutral))
        return Classes(biased, neutral)

    def taken(self) -> Ints:
        """Return those of both classes that are taken where none falls out."""
        return np.concatenate([self.biased, self.neutral[: len(self.biased)]])


def pools(candidates: Candidates, choice: Choice, composition: Composition) -> Pools:
    """Return the candidates of both classes, without duplicates; count those that fall out."""
    best = {role: _best_of_form(candidates, role) for role in range(len(ROLES))}
    forms = {role: candidates.form[best[role]] for role in best}
    # What is too short to be chosen still tells that a form was edited.
    removed, added = (np.unique(candidates.form[edited(candidates, r)]) for r in (REMOVED, ADDED))
    both = np.intersect1d(removed, added, assume_unique=True)
    eligible = candidates.fate == ELIGIBLE
    changed = [np.count_nonzero(eligible & (candidates.role == role)) for role in (REMOVED, ADDED)]
    composition.duplicates = int(sum(changed)) - len(best[REMOVED]) - len(best[ADDED])
    composition.in_both_classes = int(
        np.count_nonzero(np.isin(both, np.concatenate([forms[REMOVED], forms[ADDED]])))
    )
    _count_fates(candidates, composition)
    biased = best[REMOVED][~np.isin(forms[REMOVED], both)]
    neither = np.concatenate([removed, added])
    return Pools(
        _capped(candidates, biased, choice, composition),
        best[ADDED][~np.isin(forms[ADDED], both)],
        best[UNCHANGED][~np.isin(forms[UNCHANGED], neither)],
        best[FEATURED][~np.isin(forms[FEATURED], neither)],
    )


def classes(
    candidates: Candidates,
    choice: Choice,
    there: Pools,
    composition: Composition,
    rng: np.random.Generator,
) -> Classes:
    """Return all biased candidates, and neutral ones in the order to take them."""
    left = len(there.added) - len(there.biased)
    if choice.negatives is None and left > 0:
        composition.notes.append(
            f"{left:,} of {len(there.added):,} added sentences were left out at random, so "
            "that the classes are equal"
        )
    return Classes(there.biased, _neutral(candidates, choice, there, rng))


def _neutral(
    candidates: Candidates, choice: Choice, there: Pools, rng: np.random.Generator
) -> Ints:
    """Return the neutral sentences of a corpus, in the order to take them."""
    if choice.negatives is not None:
        sides = (there.added, there.unchanged, there.featured)
        return _asked_for(choice.negatives, candidates, there.biased, sides, rng)
    many = len(there.added) > len(there.biased)
    added = rng.permutation(there.added) if many else there.added
    filler = _filler(candidates, there.biased, added, there.unchanged, rng)
    return np.concatenate([added, filler])


def _asked_for(
    kind: Negatives,
    candidates: Candidates,
    biased: Ints,
    neutral: tuple[Ints, Ints, Ints],
    rng: np.random.Generator,
) -> Ints:
    """Return the neutral sentences of a kind, or of all kinds in turn, in the order to take them.

    Args:
        kind: which, or mixed.
        candidates: all sentences.
        biased: the biased ones.
        neutral: added, unchanged and featured ones.
        rng: draws them.
    """
    added, unchanged, featured = neutral
    found: list[Ints] = []
    if kind in ("edited", "mixed"):
        found.append(rng.permutation(added))
    if kind in ("featured", "mixed"):
        found.append(_matched(candidates, biased, featured, rng))
    if kind in ("unchanged", "mixed"):
        found.append(_filler(candidates, biased, added[:0], unchanged, rng))
    return in_turn(found)


def _matched(
    candidates: Candidates, biased: Ints, featured: Ints, rng: np.random.Generator
) -> Ints:
    """Return featured sentences that match the biased ones, then as many in reserve.

    In an order at random, so that the first of them match biased ones at random.
    """
    if not len(candidates.topics):
        return featured
    positives = Sentences(candidates.words[biased], candidates.page[biased])
    found: list[Ints] = []
    for _ in range(2):
        there = Sentences(
            candidates.words[featured], candidates.page[featured], candidates.section[featured]
        )
        chosen = rng.permutation(negatives(positives, there, candidates.topics, rng))
        found.append(featured[chosen[chosen != NONE]])
        featured = np.setdiff1d(featured, found[-1], assume_unique=True)
    return np.concatenate(found)


def _best_of_form(candidates: Candidates, role: int) -> Ints:
    """Return one candidate for each form: of the best tier, of these the first one."""
    of_role = np.flatnonzero((candidates.role == role) & (candidates.fate == ELIGIBLE))
    ranked = of_role[np.lexsort((of_role, candidates.tier[of_role]))]
    _, first = np.unique(candidates.form[ranked], return_index=True)
    return np.sort(ranked[first])


def _count_fates(candidates: Candidates, composition: Composition) -> None:
    roles = candidates.roles
    counted = np.zeros((len(FATES), len(roles)), np.int64)
    np.add.at(counted, (candidates.fate, candidates.role), 1)
    for name, numbers in zip(FATES, counted.tolist(), strict=True):
        if name and any(numbers):
            composition.left_out[name] = dict(zip(roles, numbers, strict=True))


def _capped(candidates: Candidates, biased: Ints, choice: Choice, composition: Composition) -> Ints:
    """Return what is left when no edit gives more than it may: its best tiers, then the first."""
    most = choice.max_per_edit
    few = biased if most is None else biased[_rank_in_edit(candidates, biased) < most]
    fair = within_share(candidates, few, choice.max_share, composition)
    for name, before, after in (("max_per_edit", biased, few), ("max_share", few, fair)):
        if len(after) < len(before):
            composition.left_out[name] = dict.fromkeys(candidates.roles, 0)
            composition.left_out[name]["removed"] = len(before) - len(after)
    return fair


def within_share(
    candidates: Candidates, biased: Ints, share: float | None, composition: Composition
) -> Ints:
    """Return what is left when no edit gives more than its share; all, and a note, if none can."""
    if share is None or not len(biased):
        return biased
    _, counts = np.unique(candidates.edit[biased], return_counts=True)
    # The more each edit may give, the larger is the share of the largest one.
    low, high = 0, int(counts.max())
    while low < high:
        middle = (low + high + 1) // 2
        most = share * int(np.minimum(counts, middle).sum()) + 1e-9
        low, high = (middle, high) if middle <= most else (low, middle - 1)
    if low:
        return biased[_rank_in_edit(candidates, biased) < low]
    note = (
        "--max-share was not applied: there are not enough edits for each to give no more than "
        f"{share:g} of the biased sentences"
    )
    if note not in composition.notes:
        composition.notes.append(note)
    return biased


def _rank_in_edit(candidates: Candidates, biased: Ints) -> Ints:
    """Return the place of each sentence among those of its edit, from 0."""
    edit = candidates.edit[biased]
    order = np.lexsort((biased, candidates.tier[biased], edit))
    rank = np.empty(len(biased), np.int64)
    rank[order] = np.arange(len(biased)) - np.searchsorted(edit[order], edit[order])
    return rank


def _filler(
    candidates: Candidates, biased: Ints, added: Ints, unchanged: Ints, rng: np.random.Generator
) -> Ints:
    """Return the unchanged sentences in the order to take them.

    That is at random; but first those of pages that lack neutral ones, as many as they lack.
    """
    if not len(unchanged):
        return unchanged
    pages = int(candidates.page.max()) + 1
    lacking = np.bincount(candidates.page[biased], minlength=pages) - np.bincount(
        candidates.page[added], minlength=pages
    )
    shuffled = rng.permutation(unchanged)
    page = candidates.page[shuffled]
    by_page = np.argsort(page, kind="stable")
    starts = np.searchsorted(page[by_page], np.arange(pages))
    rank = np.empty(len(shuffled), np.int64)
    rank[by_page] = np.arange(len(shuffled)) - starts[page[by_page]]
    return shuffled[np.argsort(rank >= lacking[page], kind="stable")]
