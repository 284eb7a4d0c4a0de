"""The corpus of two classes: labels, duplicates, balance and splits.

The evidence is read three times: first whole, of which 20 bytes a sentence are kept to choose what
goes into the corpus; then the normal forms, for near-duplicates among what is chosen, of which 80
bytes a sentence are kept, once more where so many fall out that the classes are not equal; then
whole, for the chosen sentences in order. For aligned pairs it is read once more.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from wikibias.config.choices import SPLITS
from wikibias.corpus.candidates import (
    ELIGIBLE,
    EXCLUSIONS,
    NONE,
    RELATIONS,
    Candidates,
    Choice,
    Flags,
    Ints,
    edited,
    in_turn,
    ranks,
    read,
)
from wikibias.corpus.composition import Composition
from wikibias.corpus.evidence import ADDED, FEATURED, REMOVED, ROLES, UNCHANGED, EvidenceSource
from wikibias.corpus.rows import (
    Chosen,
    corpus_sentences,
    edit_pairs,
    group_names,
    near_duplicate_groups,
)
from wikibias.corpus.splits import PageSplits, main_split, split_of
from wikibias.edits.filters import TIERS
from wikibias.records import CorpusSentence

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


def pools(candidates: Candidates, choice: Choice, composition: Composition) -> list[Ints]:
    """Return the candidates of each role that may be drawn, by number in order.

    Duplicates and forms of both classes fall out, and are counted.
    """
    best = {role: _best_of_form(candidates, role) for role in range(len(ROLES))}
    forms = {role: candidates.form[best[role]] for role in best}
    # What is too short to be chosen still tells that a form was edited.
    removed, added = (np.unique(candidates.form[edited(candidates, r)]) for r in (REMOVED, ADDED))
    both = np.intersect1d(removed, added, assume_unique=True)
    eligible = candidates.exclusion == ELIGIBLE
    changed = [np.count_nonzero(eligible & (candidates.role == role)) for role in (REMOVED, ADDED)]
    composition.duplicates = int(sum(changed)) - len(best[REMOVED]) - len(best[ADDED])
    composition.in_both_classes = int(
        np.count_nonzero(np.isin(both, np.concatenate([forms[REMOVED], forms[ADDED]])))
    )
    for number, name in enumerate(EXCLUSIONS):
        roles = candidates.role[candidates.exclusion == number]
        if name and len(roles):
            composition.left_out[name] = _by_role(candidates, roles)
    biased = best[REMOVED][~np.isin(forms[REMOVED], both)]
    neither = np.concatenate([removed, added])
    return [
        _capped(candidates, biased, choice, composition),
        best[ADDED][~np.isin(forms[ADDED], both)],
        best[UNCHANGED][~np.isin(forms[UNCHANGED], neither)],
        best[FEATURED][~np.isin(forms[FEATURED], neither)],
    ]


def _neutral(
    candidates: Candidates,
    choice: Choice,
    there: Sequence[Ints],
    composition: Composition,
    rng: np.random.Generator,
) -> Ints:
    """Return the neutral candidates, of one kind or of all in turn, in the order to take them."""
    kind, (biased, added, unchanged, featured) = choice.negatives, there
    if kind is None:
        if len(added) > len(biased):
            composition.notes.append(
                f"{len(added) - len(biased):,} of {len(added):,} added sentences were left out at "
                "random, so that the classes are equal"
            )
            added = rng.permutation(added)
        return np.concatenate([added, _filler(candidates, biased, added, unchanged, rng)])
    found: list[Ints] = []
    if kind in ("edited", "mixed"):
        found.append(rng.permutation(added))
    if kind in ("featured", "mixed"):
        found.append(_matched(candidates, biased, featured, rng))
    if kind in ("unchanged", "mixed"):
        found.append(_filler(candidates, biased, added[:0], unchanged, rng))
    return in_turn(found)


def _taken(biased: Ints, neutral: Ints) -> Ints:
    """Return all biased candidates, and the first of as many neutral ones."""
    return np.concatenate([biased, neutral[: len(biased)]])


def _matched(
    candidates: Candidates, biased: Ints, featured: Ints, rng: np.random.Generator
) -> Ints:
    """Return featured sentences that match the biased ones, then as many in reserve.

    In an order at random, so that the first of them match biased ones at random.
    """
    if not len(candidates.topics):
        return featured
    found: list[Ints] = []
    for _ in range(2):
        chosen = rng.permutation(candidates.matches(biased, featured, rng))
        found.append(chosen[chosen != NONE])
        featured = np.setdiff1d(featured, found[-1], assume_unique=True)
    return np.concatenate(found)


def _best_of_form(candidates: Candidates, role: int) -> Ints:
    """Return one candidate for each form: of the best tier, of these the first one."""
    of_role = np.flatnonzero((candidates.role == role) & (candidates.exclusion == ELIGIBLE))
    ranked = of_role[np.lexsort((of_role, candidates.tier[of_role]))]
    _, first = np.unique(candidates.form[ranked], return_index=True)
    return np.sort(ranked[first])


def _by_role(candidates: Candidates, roles: np.ndarray[Any, Any]) -> dict[str, int]:
    """Count the sentences of each role that there may be."""
    counts = np.bincount(roles, minlength=len(candidates.roles)).tolist()
    return dict(zip(candidates.roles, counts, strict=True))


def _capped(candidates: Candidates, biased: Ints, choice: Choice, composition: Composition) -> Ints:
    """Return what is left when no edit gives more than it may: its best tiers, then the first."""
    few = biased
    if choice.max_per_edit is not None:
        rank = ranks((candidates.edit[biased],), candidates.tier[biased])
        few = biased[rank < choice.max_per_edit]
    if len(few) < len(biased):
        over = np.full(len(biased) - len(few), REMOVED)
        composition.left_out["max_per_edit"] = _by_role(candidates, over)
    return few


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
    return shuffled[np.argsort(ranks((page,)) >= lacking[page], kind="stable")]


def build_corpus(
    source: EvidenceSource, choice: Choice, known: PageSplits | None = None
) -> Chosen[Composition, CorpusSentence]:
    """Choose and label the sentences of a balanced corpus (2019 paper, sections 3.3 and 6).

    Biased are the removed sentences. Neutral are the added ones, filled up with unchanged ones
    of the same pages, first of the very page that lacks some, until the classes are equal.
    A sentence that was both removed and added is in neither class; of duplicates the one of the
    best tier stands. No group of near-duplicates stands in two splits.

    Args:
        source: the evidence of the kept edits.
        choice: which sentences may be chosen, and how.
        known: splits of pages that earlier builds have dealt, where they stay.
    """
    candidates = read(source(), choice)
    composition = Composition(negatives=choice.negatives)
    rng = np.random.Generator(np.random.PCG64(choice.seed))
    there = pools(candidates, choice, composition)
    biased = there[REMOVED]
    neutral = _neutral(candidates, choice, there, composition, rng)
    wanted = np.sort(_taken(biased, neutral))
    split, splits, build = split_of(candidates, wanted, choice, rng, known)
    if build is None:
        members, group = wanted, near_duplicate_groups(source, wanted)
        stray, chosen = np.zeros(0, np.int64), np.ones(len(members), np.bool_)
        split[members] = main_split(split[members], group)
    else:
        members, group, chosen, stray = _without_strays(source, biased, neutral, split, build)
    numbers, groups = members[chosen], group[chosen]
    names = group_names(groups, candidates.page[numbers], candidates.form[members])
    seen = np.concatenate([wanted, biased])
    if len(strays := candidates.role[np.intersect1d(stray, seen)]):
        composition.left_out["near_duplicate"] = _by_role(candidates, strays)
    _describe(composition, candidates.only(numbers), split[numbers], names)
    _note(composition, is_empty=not len(candidates.role))
    of_split = [SPLITS[number] for number in split[numbers].tolist()]
    return Chosen(
        composition,
        splits,
        lambda: corpus_sentences(source, choice.tiers, numbers, of_split, names),
        lambda: edit_pairs(source, choice.tiers, numbers, of_split),
    )


def _without_strays(
    source: EvidenceSource, biased: Ints, neutral: Ints, split: Ints, build: Ints
) -> tuple[Ints, Ints, Flags, Ints]:
    """Choose sentences of both classes without those that stray; the classes stay equal.

    Those stray that stand in another split than most of their group of near-duplicates.

    Args:
        source: the evidence.
        biased: the candidates of this class.
        neutral: those of the other, the first ones to take first.
        split: of the page of each candidate.
        build: in which that page was dealt.

    Returns:
        The numbers of the sentences looked at, in order; the group of each; whether it is chosen;
        and the numbers of those that stray.
    """
    reserve, need = _RESERVE, len(biased)
    while True:
        looked = neutral[: need + math.ceil(reserve * need)]
        members = np.sort(np.concatenate([biased, looked]))
        group = near_duplicate_groups(source, members)
        of_page = split[members]
        stray = members[of_page != main_split(of_page, group, build[members])]
        stays = np.ones(len(split), np.bool_)
        stays[stray] = False
        left = biased[stays[biased]], looked[stays[looked]]
        if len(left[1]) >= len(left[0]) or len(looked) == len(neutral):
            return members, group, np.isin(members, _taken(*left)), stray
        reserve *= _MORE


def _describe(
    composition: Composition, rows: Candidates, split: Ints, names: Sequence[str | None]
) -> None:
    is_biased = rows.role == REMOVED
    counts = np.bincount(rows.role, minlength=len(ROLES)).tolist()
    composition.removed, composition.added, composition.unchanged, composition.featured = counts
    composition.pages = len(np.unique(rows.page))
    _, of_edits = np.unique(rows.edit[is_biased], return_counts=True)
    composition.edits = len(of_edits)
    largest = int(of_edits.max(initial=0)) / max(1, composition.removed)
    composition.largest_share = round(largest, 4)
    in_splits = np.bincount(split, minlength=len(SPLITS)).tolist()
    composition.splits = dict(zip(SPLITS, in_splits, strict=True))
    for number, name in enumerate(TIERS):
        of_tier = int(np.count_nonzero(is_biased & (rows.tier == number)))
        all_of_tier = int(np.count_nonzero(rows.tier == number))
        composition.tiers[name] = {"biased": of_tier, "neutral": all_of_tier - of_tier}
    relations = np.bincount(rows.relation[is_biased] + 1, minlength=len(RELATIONS) + 1)
    composition.relations = {
        name: count for name, count in zip(RELATIONS, relations[1:].tolist(), strict=True) if count
    }
    composition.count_groups(names)


def _note(composition: Composition, *, is_empty: bool) -> None:
    neutral = composition.total - composition.removed
    if neutral < composition.removed:
        composition.notes.append(
            f"only {neutral:,} neutral sentences for {composition.removed:,} biased ones: "
            f"{_WHY_FEW[composition.negatives]}; more dump parts would balance it"
        )
    if is_empty:
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
