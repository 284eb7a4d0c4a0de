"""The corpus of several labels: which sentences have which, balance, near-duplicates, splits.

The evidence is read three times, as for a corpus of two classes (`corpus.two_classes`): for
numbers, of which 60 bytes a sentence are kept, and a kilobyte a page where featured articles are
there; for the signatures of those that may be chosen, 80 bytes each; and to write the rows.
"""

from collections.abc import Sequence

import numpy as np

from wikibias.config.choices import SPLITS
from wikibias.corpus.candidates import NONE, Candidates, Choice, Flags, Ints, in_turn, ranks, read
from wikibias.corpus.composition import LabelledComposition
from wikibias.corpus.evidence import FEATURED, REMOVED, EvidenceSource
from wikibias.corpus.rows import Chosen, group_names, labelled_sentences, near_duplicate_groups
from wikibias.corpus.splits import PageSplits, main_split, split_of
from wikibias.records import LabelledSentence

# How many more negatives are looked at than needed, in case near-duplicates fall out.
_RESERVE = 1.1


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
    found = without_doubles(read(source(), choice, labels))
    rng = np.random.Generator(np.random.PCG64(choice.seed))
    order = _order(found, choice.negative_roles, len(labels), rng)
    taken = _balanced(found, order, len(labels), _RESERVE)
    members = found.only(np.sort(np.concatenate([np.flatnonzero(_is_positive(found)), taken])))
    every = np.arange(len(members.number))
    split, splits, build = split_of(members, every, choice, rng, known)
    group = near_duplicate_groups(source, members.number)
    stays = split == main_split(split, group, build)
    kept = members.only(stays)
    # In the order in which they were drawn, so that balance takes those of the first draw.
    place = np.argsort(_places(found, order)[np.searchsorted(found.number, kept.number)])
    drawn = place[~_is_positive(kept)[place]]
    fair = _balanced(kept, drawn, len(labels), 1.0)
    last = np.sort(np.concatenate([np.flatnonzero(_is_positive(kept)), fair]))
    chosen = kept.only(last)
    names = group_names(group[stays][last], chosen.page, members.form)
    of_split = [SPLITS[number] for number in split[stays][last].tolist()]
    composition = _described(chosen, of_split, names, labels, by)
    if strays := int(np.count_nonzero(~stays)):
        composition.left_out["near_duplicate"] = strays
    return Chosen(
        composition,
        splits,
        lambda: labelled_sentences(source, labels, chosen, of_split, names),
    )


def _is_positive(found: Candidates) -> Flags:
    flags: Flags = found.role == REMOVED
    return flags


def without_doubles(found: Candidates) -> Candidates:
    """Return each sentence once a page, with all its labels; negatives once, if never a positive.

    The positives are left as they are where they stand on several pages.
    """
    found = _joined(found)
    is_positive = _is_positive(found)
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
    is_negative = ~_is_positive(found)
    order = np.lexsort((found.number, found.tier, is_negative, found.form, found.page))
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
    drawn = drawn[~_is_positive(found)[drawn]]
    if len(found.topics) and FEATURED in roles:
        # Those of featured articles come as they match, and only those that do.
        matched = _matched(found, labels, rng)
        drawn = np.concatenate([matched, drawn[found.role[drawn] != FEATURED]])
    drawn = drawn[np.isin(found.role[drawn], roles)]
    ordered: Ints = drawn[np.argsort(ranks((found.role[drawn],)), kind="stable")]
    return ordered


def _matched(found: Candidates, labels: int, rng: np.random.Generator) -> Ints:
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
        of_label = of_label[of_label != NONE]
        taken.append(of_label)
        left = np.setdiff1d(left, of_label)
    return in_turn(taken)


def _balanced(found: Candidates, order: Ints, labels: int, share: float) -> Ints:
    """Return the first negatives in an order that some label still lacks.

    A label lacks negatives until as many are judged for it, times `share`, as have it.
    """
    of_positives = found.labels[_is_positive(found)]
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
    is_positive = _is_positive(chosen)
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
    if len(chosen.number) and empty:
        found.notes.append(
            f"{' and '.join(empty)} empty: too few pages ({found.pages:,}) to split by page; add "
            "dump parts, or use --split sentence"
        )
    if not len(chosen.number):
        found.notes.append(f"no sentence with labels by {by} could be chosen")
    return found
