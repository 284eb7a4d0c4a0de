"""Sentences of a corpus, drawn from its candidates: two classes, or several labels.

The evidence is read three times. First whole, for numbers to choose by: of a sentence 20 bytes are
kept, of one of several labels 60, and there a kilobyte a page where featured articles are there.
Then the normal forms, for near-duplicates among what is chosen, or among all that may be where
there are labels: 80 bytes a sentence are kept. Of two classes that is done once more where so many
fall out that they are not equal. Then whole, to write the rows of the chosen sentences in order.
For aligned pairs it is read once more.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from wikibias.config.choices import SPLITS, SplitBy
from wikibias.config.thresholds import Tiers
from wikibias.corpus import candidates as pool
from wikibias.corpus import rows
from wikibias.corpus.candidates import Candidates, Choice, Flags, Ints, ranks
from wikibias.corpus.composition import Composition, LabelledComposition
from wikibias.corpus.evidence import ADDED, FEATURED, REMOVED, ROLES, UNCHANGED, EvidenceSource
from wikibias.corpus.rows import Chosen, group_names, near_duplicate_groups
from wikibias.corpus.splits import PageSplits, main_split, split_of
from wikibias.edits.confidence import TIERS
from wikibias.records import CorpusSentence, LabelledSentence

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
    changed_forms = (candidates.form[pool.edited(candidates, r)] for r in (REMOVED, ADDED))
    removed, added = map(np.unique, changed_forms)
    both = np.intersect1d(removed, added, assume_unique=True)
    eligible = candidates.exclusion == pool.ELIGIBLE
    changed = [np.count_nonzero(eligible & (candidates.role == role)) for role in (REMOVED, ADDED)]
    composition.duplicates = int(sum(changed)) - len(best[REMOVED]) - len(best[ADDED])
    composition.in_both_classes = int(
        np.count_nonzero(np.isin(both, np.concatenate([forms[REMOVED], forms[ADDED]])))
    )
    for number, name in enumerate(pool.EXCLUSIONS):
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
    return pool.in_turn(found)


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
        found.append(chosen[chosen != pool.NONE])
        featured = np.setdiff1d(featured, found[-1], assume_unique=True)
    return np.concatenate(found)


def _best_of_form(candidates: Candidates, role: int) -> Ints:
    """Return one candidate for each form: of the surest, of these the first one."""
    of_role = np.flatnonzero((candidates.role == role) & (candidates.exclusion == pool.ELIGIBLE))
    ranked = of_role[np.lexsort((of_role, candidates.rank[of_role]))]
    _, first = np.unique(candidates.form[ranked], return_index=True)
    return np.sort(ranked[first])


def _by_role(candidates: Candidates, roles: np.ndarray[Any, Any]) -> dict[str, int]:
    """Count the sentences of each role that there may be."""
    counts = np.bincount(roles, minlength=len(candidates.roles)).tolist()
    return dict(zip(candidates.roles, counts, strict=True))


def _capped(candidates: Candidates, biased: Ints, choice: Choice, composition: Composition) -> Ints:
    """Return what is left when no edit gives more than it may: its surest, then the first."""
    few = biased
    if choice.max_per_edit is not None:
        rank = ranks((candidates.edit[biased],), candidates.rank[biased])
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
    surest stands. No group of near-duplicates stands in two splits.

    Args:
        source: the evidence of the kept edits.
        choice: which sentences may be chosen, and how.
        known: splits of pages that earlier builds have dealt, where they stay.
    """
    candidates = pool.read(source(), choice)
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
    _describe(composition, candidates.only(numbers), split[numbers], names, choice.tiers)
    _note(composition, choice.split_by, is_empty=not len(candidates.role))
    of_split = [SPLITS[number] for number in split[numbers].tolist()]
    return Chosen(
        composition,
        splits,
        lambda: rows.corpus_sentences(source, choice.tiers, numbers, of_split, names),
        lambda: rows.edit_pairs(source, choice.tiers, numbers, of_split),
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
    composition: Composition,
    chosen: Candidates,
    split: Ints,
    names: Sequence[str | None],
    tiers: Tiers,
) -> None:
    is_biased = chosen.role == REMOVED
    counts = np.bincount(chosen.role, minlength=len(ROLES)).tolist()
    composition.removed, composition.added, composition.unchanged, composition.featured = counts
    composition.pages = len(np.unique(chosen.page))
    _, of_edits = np.unique(chosen.edit[is_biased], return_counts=True)
    composition.edits = len(of_edits)
    largest = int(of_edits.max(initial=0)) / max(1, composition.removed)
    composition.largest_share = round(largest, 4)
    in_splits = np.bincount(split, minlength=len(SPLITS)).tolist()
    composition.splits = dict(zip(SPLITS, in_splits, strict=True))
    tier = pool.tier_of_rank(chosen.rank, tiers)
    for name in TIERS:
        of_tier = tier == name
        number = int(np.count_nonzero(is_biased & of_tier))
        composition.tiers[name] = {"biased": number, "neutral": int(of_tier.sum()) - number}
    became = np.bincount(chosen.relation[is_biased] + 1, minlength=len(pool.RELATIONS) + 1)
    named = zip(pool.RELATIONS, became[1:].tolist(), strict=True)
    composition.relations = {name: count for name, count in named if count}
    composition.count_groups(names)


def _note(composition: Composition, split_by: SplitBy, *, is_empty: bool) -> None:
    neutral = composition.total - composition.removed
    if neutral < composition.removed:
        composition.notes.append(
            f"only {neutral:,} neutral sentences for {composition.removed:,} biased ones: "
            f"{_WHY_FEW[composition.negatives]}; more dump parts would balance it"
        )
    if is_empty:
        composition.notes.append(
            "no edit of a tag or summary was kept, so the corpus of biased and neutral is empty"
        )
    elif not composition.total:
        composition.notes.append(
            'no sentence could be chosen, so the corpus is empty; under "left out" its README.md '
            "counts why"
        )
    empty = [name for name, count in composition.splits.items() if not count]
    if composition.total:
        _note_empty(composition, empty, "pages with kept edits", split_by)


def _note_empty(
    found: Composition | LabelledComposition, empty: Sequence[str], pages: str, split_by: SplitBy
) -> None:
    if empty and split_by == "sentence":
        found.notes.append(f"{' and '.join(empty)} empty: too few sentences to split")
    elif empty:
        folds = ", or cross-validate (--cv page)" if found.pages > 1 else ""
        found.notes.append(
            f"{' and '.join(empty)} empty: too few {pages} ({found.pages:,}) to split by page; add "
            f"dump parts{folds}"
        )


# How many more negatives are looked at than needed, in case near-duplicates fall out.
_RESERVE_OF_LABELS = 1.1


def build_labelled(
    source: EvidenceSource,
    labels: Sequence[str],
    choice: Choice,
    by: str,
    known: PageSplits | None = None,
) -> Chosen[LabelledComposition, LabelledSentence]:
    """Choose all positives, and of each label as many negatives that are judged for it.

    Args:
        source: the evidence.
        labels: all there may be, in order.
        choice: which sentences may be chosen, and how.
        by: what the labels are: "intents" or "tags".
        known: splits of pages that are dealt already, where they stay.

    Raises:
        UsageError: there are too many labels.
    """
    found = without_doubles(pool.read(source(), choice, labels))
    rng = np.random.Generator(np.random.PCG64(choice.seed))
    order = _order(found, choice.negative_roles, len(labels), rng)
    taken = _balanced(found, order, len(labels), _RESERVE_OF_LABELS)
    members = found.only(np.sort(np.concatenate([np.flatnonzero(found.role == REMOVED), taken])))
    every = np.arange(len(members.number))
    split, splits, build = split_of(members, every, choice, rng, known)
    group = near_duplicate_groups(source, members.number)
    stays = split == main_split(split, group, build)
    kept = members.only(stays)
    # In the order in which they were drawn, so that balance takes those of the first draw.
    place = np.argsort(_places(found, order)[np.searchsorted(found.number, kept.number)])
    drawn = place[kept.role[place] != REMOVED]
    fair = _balanced(kept, drawn, len(labels), 1.0)
    last = np.sort(np.concatenate([np.flatnonzero(kept.role == REMOVED), fair]))
    chosen = kept.only(last)
    names = group_names(group[stays][last], chosen.page, members.form)
    of_split = [SPLITS[number] for number in split[stays][last].tolist()]
    composition = _described(chosen, of_split, names, labels, by, choice.split_by)
    if strays := int(np.count_nonzero(~stays)):
        composition.left_out["near_duplicate"] = strays
    return Chosen(
        composition,
        splits,
        lambda: rows.labelled_sentences(source, labels, chosen, of_split, names),
    )


def without_doubles(found: Candidates) -> Candidates:
    """Return each sentence once a page, with all its labels; negatives once, if never a positive.

    The positives are left as they are where they stand on several pages.
    """
    found = _joined(found)
    is_positive = found.role == REMOVED
    wanting = np.isin(found.form, found.form[is_positive]) & ~is_positive
    _, first = np.unique(found.form, return_index=True)
    again = np.ones(len(found.form), np.bool_)
    again[first] = False
    again &= ~is_positive & ~wanting
    for name, which in (("wanting_elsewhere", wanting), ("duplicate", again)):
        if number := int(np.count_nonzero(which)):
            found.left_out[name] = number
    return found.only(~(wanting | again))


def _joined(found: Candidates) -> Candidates:
    """Join what is told of one sentence on one page; in each group the first tells most.

    It gets the labels of all of them, and stands where the one stands that tells most.
    """
    is_negative = found.role != REMOVED
    order = np.lexsort((found.number, found.rank, is_negative, found.form, found.page))
    form, page = found.form[order], found.page[order]
    begins = np.ones(len(order), np.bool_)
    begins[1:] = (form[1:] != form[:-1]) | (page[1:] != page[:-1])
    first = np.flatnonzero(begins)
    if not len(first):
        return found
    # What a negative of the same sentence is judged for does not tell of the positive.
    of_positive = np.repeat(~is_negative[order][first], np.diff(np.append(first, len(order))))
    judged = np.where(of_positive & is_negative[order], 0, found.judged[order])
    joined = found.only(
        order[first],
        labels=np.bitwise_or.reduceat(found.labels[order], first),
        judged=np.bitwise_or.reduceat(judged, first),
    )
    return joined.only(np.argsort(joined.number, kind="stable"))


def _order(found: Candidates, roles: Sequence[int], labels: int, rng: np.random.Generator) -> Ints:
    """Return the negatives in the order in which they are taken: by turns of each kind."""
    drawn = rng.permutation(len(found.number))
    drawn = drawn[found.role[drawn] != REMOVED]
    if len(found.topics) and FEATURED in roles:
        # Those of featured articles come as they match, and only those that do.
        matched = _matched_by_label(found, labels, rng)
        drawn = np.concatenate([matched, drawn[found.role[drawn] != FEATURED]])
    drawn = drawn[np.isin(found.role[drawn], roles)]
    ordered: Ints = drawn[np.argsort(ranks((found.role[drawn],)), kind="stable")]
    return ordered


def _matched_by_label(found: Candidates, labels: int, rng: np.random.Generator) -> Ints:
    """Return sentences of featured articles as long as positives, and of pages like theirs.

    Each label gets one for each of its positives, of those that are judged for it; labels take
    turns.
    """
    left = np.flatnonzero(found.role == FEATURED)
    taken: list[Ints] = []
    for label in range(labels):
        own = rng.permutation(np.flatnonzero(found.labels >> label & 1))
        there = left[(found.judged[left] >> label & 1).astype(np.bool_)]
        if not len(own) or not len(there):
            continue
        of_label = found.matches(own, there, rng)
        of_label = of_label[of_label != pool.NONE]
        taken.append(of_label)
        left = np.setdiff1d(left, of_label)
    return pool.in_turn(taken)


def _balanced(found: Candidates, order: Ints, labels: int, share: float) -> Ints:
    """Return the first negatives in an order that some label still lacks.

    A label lacks negatives until as many are judged for it, times `share`, as have it.
    """
    of_positives = found.labels[found.role == REMOVED]
    wanted = [share * int(np.count_nonzero(of_positives >> place & 1)) for place in range(labels)]
    left = sum(1 << place for place, number in enumerate(wanted) if number > 0)
    taken = []
    for place, judged in zip(order.tolist(), found.judged[order].tolist(), strict=True):
        if not left:
            break
        if not judged & left:
            continue
        taken.append(place)
        for label in range(labels):
            if judged >> label & 1:
                wanted[label] -= 1
                if wanted[label] <= 0:
                    left &= ~(1 << label)
    return np.array(sorted(taken), np.int64)


def _places(found: Candidates, order: Ints) -> Ints:
    """Return the place of each sentence in an order; those that are not in it come last."""
    places = np.full(len(found.number), len(order), np.int64)
    places[order] = np.arange(len(order))
    return places


def _described(
    chosen: Candidates,
    of_split: Sequence[str],
    names: Sequence[str | None],
    labels: Sequence[str],
    by: str,
    split_by: SplitBy,
) -> LabelledComposition:
    """Return what is known before the rows pass by."""
    found = LabelledComposition(
        by=by,
        pages=len(np.unique(chosen.page)),
        labels={label: dict.fromkeys(SPLITS, 0) for label in labels},
        negatives={label: {} for label in labels},
        splits=dict.fromkeys(SPLITS, 0),
        left_out=dict(chosen.left_out),
    )
    found.count_groups(names)
    is_positive = chosen.role == REMOVED
    of_labels, judged = chosen.labels[is_positive], chosen.judged[~is_positive]
    for place, label in enumerate(labels):
        have = int(np.count_nonzero(of_labels >> place & 1))
        against = int(np.count_nonzero(judged >> place & 1))
        if against < have:
            found.notes.append(
                f"{label}: only {against:,} negatives for {have:,} positives; more dump parts, or "
                "negatives of other kinds, would balance it"
            )
    empty = [split for split in SPLITS if split not in of_split]
    if len(chosen.number):
        _note_empty(found, empty, "pages", split_by)
    else:
        found.notes.append(f"no sentence with labels by {by} could be chosen")
    return found
