"""Edits to a corpus: labels, duplicates, balance, split. The one stage that needs all of them.

The edits are read three times: first whole, of which 20 bytes a sentence are kept to choose what
goes into the corpus; then the normal forms, for near-duplicates among what is chosen, of which 80
bytes a sentence are kept, once more where so many fall out that the classes are not equal; then
whole, for the chosen sentences in order. For aligned pairs they are read once more.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from wikibias.config.choices import SPLITS, SplitBy
from wikibias.config.thresholds import Build
from wikibias.corpus import near_duplicate_groups
from wikibias.corpus.balance import (
    Classes,
    classes,
    pools,
    within_share,
)
from wikibias.corpus.candidates import (
    RELATIONS,
    REMOVED,
    ROLES,
    Candidates,
    Choice,
    Flags,
    Ints,
    read,
)
from wikibias.corpus.composition import Composition
from wikibias.corpus.rows import Rows, pairs, sentences
from wikibias.corpus.splits import (
    PageSplits,
    builds_of,
    dealt_pages,
    main_split,
    split_of,
)
from wikibias.edits.positives import TIERS
from wikibias.records import AlignedPair, CorpusSentence, Edit, NormalForms

# What there are no more of, by what was asked for as neutral.
_WHY_FEW: Mapping[str | None, str] = {
    None: "these pages have no more unchanged sentences that may be chosen",
    "edited": "the edits added no more sentences that may be chosen",
    "unchanged": "these pages have no more unchanged sentences that may be chosen",
    "featured": "the featured articles have no more sentences that are as long",
    "mixed": "there are no more sentences of any kind that may be chosen",
}
# How many more neutral sentences are looked at than needed, in case near-duplicates fall out; and
# how many times as many if it was not enough.
_RESERVE, _MORE = 0.1, 5


@dataclass(frozen=True, slots=True)
class Corpus:
    """A corpus that has been chosen: what it is made of, and its rows in document order.

    `splits` are those of its pages, and of all that were known; none by sentence.
    """

    composition: Composition
    splits: PageSplits
    sentences: Callable[[], Iterator[CorpusSentence]]
    pairs: Callable[[], Iterator[AlignedPair]]


@dataclass(frozen=True, slots=True)
class _OfPage:
    """Of each candidate, the split of its page, and in which build it was dealt."""

    split: Ints
    build: Ints


def build_corpus(
    edits: Callable[[], Iterable[Edit]],
    forms: Callable[[], Iterable[NormalForms]],
    choice: Choice,
    shares: Build,
    *,
    split_by: SplitBy,
    seed: int,
    known: PageSplits | None = None,
) -> Corpus:
    """Choose and label the sentences of a balanced corpus (2019 paper, sections 3.3 and 6).

    Biased are the removed sentences. Neutral are the added ones, filled up with unchanged ones
    of the same pages, first of the very page that lacks some, until the classes are equal.
    A sentence that was both removed and added is in neither class; of duplicates the one of the
    best tier stands. No group of near-duplicates stands in two splits.

    Args:
        edits: gives the kept edits, each time it is called.
        forms: gives the normal forms of their sentences, in the same order.
        choice: which sentences may be chosen.
        shares: of train, dev and test.
        split_by: "page" puts all sentences of a page into one split; "sentence" is the paper's.
        seed: of the choice of unchanged sentences and of the split.
        known: splits of pages that earlier builds have dealt, where they stay.
    """
    candidates = read(edits(), choice)
    composition = Composition(negatives=choice.negatives)
    rng = np.random.Generator(np.random.PCG64(seed))
    there = pools(candidates, choice, composition)
    strata = [classes(candidates, choice, there, composition, rng)]
    fair, unfair = _fair(candidates, strata, choice.max_share, composition)
    wanted = np.sort(np.concatenate([each.taken() for each in fair]))
    split = split_of(candidates, wanted, shares, split_by, rng, known)
    splits: PageSplits = {}
    if split_by == "sentence":
        members, group, left_out = wanted, _groups(forms(), wanted), {"max_share": unfair}
        chosen = np.ones(len(members), np.bool_)
        split[members] = main_split(split[members], group)
    else:
        splits = dealt_pages(candidates, wanted, split, known or {})
        of_page = _OfPage(split, builds_of(candidates, splits))
        members, group, chosen, left_out = _without_strays(
            candidates, strata, forms, of_page, choice.max_share, composition
        )
    numbers = members[chosen]
    rows = Rows(numbers, split[numbers], _names(candidates, members, group, chosen))
    seen = np.concatenate([wanted, there.biased])
    for name, which in left_out.items():
        _count(composition, name, candidates, np.intersect1d(which, seen))
    _describe(composition, candidates, rows)
    return Corpus(
        composition,
        splits,
        lambda: sentences(edits(), choice, rows),
        lambda: pairs(edits(), choice, rows),
    )


def _norms(forms: Iterable[NormalForms], members: Ints) -> Iterator[str]:
    """Yield the normal forms of members, which are in order."""
    number = 0
    for edit in forms:
        norms = (*edit.removed_norm, *edit.added_norm, *edit.unchanged_norm)
        first, number = number, number + len(norms)
        low, high = np.searchsorted(members, (first, number))
        yield from (norms[member - first] for member in members[low:high])


def _groups(forms: Iterable[NormalForms], members: Ints) -> Ints:
    """Return the group of near-duplicates of each member, as the place of the first one of it."""
    return near_duplicate_groups.groups(
        near_duplicate_groups.signatures(_norms(forms, members), len(members))
    )


def _without_strays(
    candidates: Candidates,
    strata: Sequence[Classes],
    forms: Callable[[], Iterable[NormalForms]],
    of_page: _OfPage,
    max_share: float | None,
    composition: Composition,
) -> tuple[Ints, Ints, Flags, dict[str, Ints]]:
    """Choose sentences of both classes without those that stray; the classes stay equal.

    Returns:
        The numbers of the sentences looked at, in order; the group of each; whether it is chosen;
        and by reason those that are left out.
    """
    reserve = _RESERVE
    while True:
        looked = [_first(each, reserve) for each in strata]
        members = np.sort(np.concatenate([np.concatenate([e.biased, e.neutral]) for e in looked]))
        group = _groups(forms(), members)
        stray = _strays(members, group, of_page)
        left = [each.of(~_flags(candidates, stray)) for each in looked]
        fair, unfair = _fair(candidates, left, max_share, composition)
        if all(map(_is_enough, left, fair, looked, strata)):
            chosen = np.isin(members, np.concatenate([each.taken() for each in fair]))
            return members, group, chosen, {"near_duplicate": stray, "max_share": unfair}
        reserve *= _MORE


def _first(found: Classes, reserve: float) -> Classes:
    """Return all biased ones, and as many neutral ones with a reserve."""
    need = len(found.biased)
    return replace(found, neutral=found.neutral[: need + math.ceil(reserve * need)])


def _fair(
    candidates: Candidates,
    strata: Sequence[Classes],
    max_share: float | None,
    composition: Composition,
) -> tuple[list[Classes], Ints]:
    """Return what is left when no edit gives more than its share of all, and what is not left."""
    biased = np.concatenate([each.biased for each in strata])
    kept = within_share(candidates, biased, max_share, composition)
    flags = _flags(candidates, kept)
    fair = [replace(each, biased=each.biased[flags[each.biased]]) for each in strata]
    return fair, np.setdiff1d(biased, kept)


def _flags(candidates: Candidates, which: Ints) -> Flags:
    """Return a flag for each candidate, set of some."""
    flags = np.zeros(len(candidates.form), np.bool_)
    flags[which] = True
    return flags


def _is_enough(left: Classes, fair: Classes, looked: Classes, every: Classes) -> bool:
    """Return whether no more neutral ones are needed, or none are there."""
    need = fair.biased
    return len(fair.neutral) >= len(need) or len(looked.neutral) == len(every.neutral)


def _strays(members: Ints, group: Ints, of_page: _OfPage) -> Ints:
    """Return the members that stand in another split than most of their group."""
    split, build = of_page.split[members], of_page.build[members]
    stray: Ints = members[split != main_split(split, group, build)]
    return stray


def _names(candidates: Candidates, members: Ints, group: Ints, chosen: Flags) -> list[str | None]:
    """Return, for each chosen member, the name of its group, if that is of several pages.

    It is named after the first of it, whose form is there once in each class.
    """
    groups, page = group[chosen], candidates.page[members[chosen]]
    order = np.lexsort((page, groups))
    first = np.searchsorted(groups[order], groups[order])
    several = np.zeros(len(group), np.bool_)
    several[groups[order[page[order] != page[order[first]]]]] = True
    named = candidates.form[members[groups]].view(np.uint64)
    return [
        f"{name:016x}" if linked else None
        for name, linked in zip(named.tolist(), several[groups].tolist(), strict=True)
    ]


def _count(composition: Composition, name: str, candidates: Candidates, which: Ints) -> None:
    if len(which):
        roles = candidates.roles
        counted = composition.left_out.setdefault(name, dict.fromkeys(roles, 0))
        counts = np.bincount(candidates.role[which], minlength=len(roles)).tolist()
        for role, count in zip(roles, counts, strict=True):
            counted[role] += count


def _describe(composition: Composition, candidates: Candidates, rows: Rows) -> None:
    role, tier = candidates.role[rows.number], candidates.tier[rows.number]
    counts = np.bincount(role, minlength=len(ROLES)).tolist()
    composition.removed, composition.added, composition.unchanged, composition.featured = counts
    composition.pages = len(np.unique(candidates.page[rows.number]))
    biased = rows.number[role == REMOVED]
    _, of_edits = np.unique(candidates.edit[biased], return_counts=True)
    composition.edits = len(of_edits)
    composition.largest_share = round(int(of_edits.max(initial=0)) / max(1, len(biased)), 4)
    in_splits = np.bincount(rows.split, minlength=len(SPLITS)).tolist()
    composition.splits = dict(zip(SPLITS, in_splits, strict=True))
    for number, name in enumerate(TIERS):
        of_tier = int(np.count_nonzero((role == REMOVED) & (tier == number)))
        all_of_tier = int(np.count_nonzero(tier == number))
        composition.tiers[name] = {"biased": of_tier, "neutral": all_of_tier - of_tier}
    relations = np.bincount(candidates.relation[biased] + 1, minlength=len(RELATIONS) + 1)
    composition.relations = {
        name: count for name, count in zip(RELATIONS, relations[1:].tolist(), strict=True) if count
    }
    named = [name for name in rows.near_duplicates if name is not None]
    composition.near_duplicates, composition.near_duplicate_groups = len(named), len(set(named))
    _note(composition, candidates)


def _note(composition: Composition, candidates: Candidates) -> None:
    neutral = composition.total - composition.removed
    if neutral < composition.removed:
        composition.notes.append(
            f"only {neutral:,} neutral sentences for {composition.removed:,} biased ones: "
            f"{_WHY_FEW[composition.negatives]}; more dump parts would balance it"
        )
    if not len(candidates.role):
        composition.notes.append(
            "no edit of a tag or summary was kept, so the corpus of biased and neutral is empty; "
            "`wikibias inspect` tells why of each, and `wikibias filter --restart "
            "--filters` leaves filters out"
        )
    elif not composition.total:
        composition.notes.append(
            "no sentence could be chosen, so the corpus is empty; its README.md tells why"
        )
    empty = [name for name, count in composition.splits.items() if not count]
    if composition.total and empty:
        composition.notes.append(
            f"{' and '.join(empty)} empty: too few pages with kept edits "
            f"({composition.pages}) to split by page; add dump parts, or use --split sentence"
        )
