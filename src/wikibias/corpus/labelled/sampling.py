"""Chooses the sentences of a corpus with several labels: balance, near-duplicates, splits.

The finds are read three times, as edits are for a corpus of two classes (`corpus.sampling`): for
numbers, of which 60 bytes a sentence are kept, and a kilobyte a page where featured articles are
there; for the signatures of those that may be chosen, 80
bytes each; and to write the rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from wikibias.config.choices import SPLITS, SplitBy
from wikibias.config.thresholds import Build
from wikibias.corpus import featured, near_duplicate_groups
from wikibias.corpus.candidates import Candidates, Flags, Ints
from wikibias.corpus.composition import LabelledComposition
from wikibias.corpus.featured import NONE, in_turn, negatives
from wikibias.corpus.labelled.evidence import Find
from wikibias.corpus.labelled.sentences import KINDS, MOST_LABELS, Sentences, labels_in, read
from wikibias.corpus.rows import edit_id
from wikibias.corpus.splits import PageSplits, builds_of, dealt_pages, main_split, split_of
from wikibias.records import Block, LabelledSentence, NegativeKind

# How many more negatives are looked at than needed, in case near-duplicates fall out.
_RESERVE = 1.1


@dataclass(frozen=True, slots=True)
class LabelledChoice:
    """Which sentences may go into a corpus with several labels.

    Attributes:
        labels: all there may be, in order.
        lengths: how many words a sentence may have.
        blocks: lines of an article to take sentences from.
        negatives: what negatives may be taken from; of several as many of each, as far as there
            are.
        split_by: "page" puts all sentences of a page into one split.
        seed: of all random choices.
    """

    labels: tuple[str, ...]
    lengths: range = range(6, 300)
    blocks: tuple[Block, ...] = ("paragraph",)
    negatives: tuple[NegativeKind, ...] = KINDS
    split_by: SplitBy = "page"
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Labelled:
    """A corpus that has been chosen: what it is made of, and its rows in document order."""

    composition: LabelledComposition
    splits: PageSplits
    rows: Callable[[], Iterator[LabelledSentence]]


def build_labelled(
    finds: Callable[[], Iterable[Find]],
    choice: LabelledChoice,
    shares: Build,
    by: str,
    known: PageSplits | None = None,
) -> Labelled:
    """Choose all positives, and of each label as many negatives that are judged for it.

    Args:
        finds: gives the finds, each time it is called.
        choice: which sentences may be chosen.
        shares: of train, dev and test.
        by: what the labels are: "intents" or "tags".
        known: splits of pages that are dealt already, where they stay.
    """
    found = read(finds(), choice.labels, choice.lengths, choice.blocks)
    rng = np.random.Generator(np.random.PCG64(choice.seed))
    order = _order(found, choice.negatives, rng)
    taken = _balanced(found, order, len(choice.labels), _RESERVE)
    members = found.only(np.sort(np.concatenate([np.flatnonzero(found.positive), taken])))
    split, splits = _split(members, choice, shares, known or {}, rng)
    group = near_duplicate_groups.groups(
        near_duplicate_groups.signatures(_norms(finds(), members), len(members.number))
    )
    stays = split.of == main_split(split.of, group, split.build)
    strays = int(np.count_nonzero(~stays))
    kept = members.only(stays)
    # In the order in which they were drawn, so that balance takes those of the first draw.
    place = np.argsort(_places(found, order)[np.searchsorted(found.number, kept.number)])
    drawn = place[~kept.positive[place]]
    fair = _balanced(kept, drawn, len(choice.labels), 1.0)
    last = np.sort(np.concatenate([np.flatnonzero(kept.positive), fair]))
    chosen = kept.only(last)
    names = _names(chosen, group[stays][last], members)
    of_split = split.of[stays][last]
    composition = _described(chosen, of_split, names, choice, by)
    if strays:
        composition.left_out["near_duplicate"] = strays
    return Labelled(
        composition,
        splits,
        lambda: _rows(finds(), choice.labels, chosen, of_split, names),
    )


def _order(found: Sentences, kinds: Sequence[NegativeKind], rng: np.random.Generator) -> Ints:
    """Return the negatives in the order in which they are taken: by turns of each kind."""
    drawn = rng.permutation(len(found.number))
    drawn = drawn[~found.positive[drawn]]
    matched = _matched(found, rng) if len(found.topics) and "featured" in kinds else None
    if matched is not None:
        # Those of featured articles come as they match, and only those that do.
        drawn = np.concatenate([matched, drawn[found.kind[drawn] != KINDS.index("featured")]])
    allowed = np.array([KINDS.index(kind) for kind in kinds], np.int64)
    drawn = drawn[np.isin(found.kind[drawn], allowed)]
    turn = np.zeros(len(drawn), np.int64)
    for kind in allowed.tolist():
        of_kind = found.kind[drawn] == kind
        turn[of_kind] = np.arange(np.count_nonzero(of_kind))
    ordered: Ints = drawn[np.argsort(turn, kind="stable")]
    return ordered


def _matched(found: Sentences, rng: np.random.Generator) -> Ints:
    """Return sentences of featured articles as long as positives, and of pages like theirs.

    Each label gets one for each of its positives, of those that are judged for it; labels take
    turns.
    """
    left = np.flatnonzero(found.kind == KINDS.index("featured"))
    taken: list[Ints] = []
    for label in range(MOST_LABELS):
        own = rng.permutation(np.flatnonzero(found.labels >> label & 1))
        there = left[(found.judged[left] >> label & 1).astype(np.bool_)]
        if not len(own) or not len(there):
            continue
        number = negatives(_numbers(found, own), _numbers(found, there), found.topics, rng)
        of_label = there[number[number != NONE]]
        taken.append(of_label)
        left = np.setdiff1d(left, of_label)
    return in_turn(taken)


def _numbers(found: Sentences, which: Ints) -> featured.Sentences:
    return featured.Sentences(found.words[which], found.page[which], found.section[which])


def _balanced(found: Sentences, order: Ints, labels: int, share: float) -> Ints:
    """Return the first negatives in an order that some label still lacks.

    A label lacks negatives until as many are judged for it, times `share`, as have it.
    """
    of_positives = found.labels[found.positive]
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


def _places(found: Sentences, order: Ints) -> Ints:
    """Return the place of each sentence in an order; those that are not in it come last."""
    places = np.full(len(found.number), len(order), np.int64)
    places[order] = np.arange(len(order))
    return places


@dataclass(frozen=True, slots=True)
class _Split:
    """Of each sentence the number of its split, and in which build its page was dealt."""

    of: Ints
    build: Ints | None


def _split(
    members: Sentences,
    choice: LabelledChoice,
    shares: Build,
    known: PageSplits,
    rng: np.random.Generator,
) -> tuple[_Split, PageSplits]:
    candidates = _candidates(members)
    every = np.arange(len(members.number))
    split = split_of(candidates, every, shares, choice.split_by, rng, known)
    if choice.split_by == "sentence":
        return _Split(split, None), {}
    splits = dealt_pages(candidates, every, split, known)
    return _Split(split, builds_of(candidates, splits)), splits


def _candidates(members: Sentences) -> Candidates:
    """Return the sentences as what splits are dealt for, which asks for pages alone."""
    none = np.zeros(len(members.number), np.int8)
    return Candidates(
        form=members.form,
        page=members.page.astype(np.int32),
        edit=none.astype(np.int32),
        role=none,
        fate=none,
        tier=none,
        relation=none,
        pages=members.pages,
    )


def _chosen(finds: Iterable[Find], numbers: Ints) -> Iterator[tuple[int, Find]]:
    """Yield the finds with some numbers, each with its place among these; both are in order."""
    place, wanted = 0, numbers.tolist()
    for number, find in enumerate(finds):
        if place == len(wanted):
            return
        if number == wanted[place]:
            yield place, find
            place += 1


def _norms(finds: Iterable[Find], members: Sentences) -> Iterator[str]:
    return (find.sentence.norm for _, find in _chosen(finds, members.number))


def _names(chosen: Sentences, group: Ints, members: Sentences) -> list[str | None]:
    """Return, for each sentence, the name of its group, if that is of several pages."""
    order = np.lexsort((chosen.page, group))
    first = np.searchsorted(group[order], group[order])
    several: Flags = np.zeros(len(members.number), np.bool_)
    several[group[order[chosen.page[order] != chosen.page[order[first]]]]] = True
    named = members.form.view(np.uint64)
    return [f"{int(named[of]):016x}" if several[of] else None for of in group.tolist()]


def _described(
    chosen: Sentences,
    of_split: Ints,
    names: Sequence[str | None],
    choice: LabelledChoice,
    by: str,
) -> LabelledComposition:
    """Return what is known before the rows pass by."""
    there = [name for name in names if name is not None]
    found = LabelledComposition(
        by,
        pages=len(np.unique(chosen.page)),
        labels={label: dict.fromkeys(SPLITS, 0) for label in choice.labels},
        negatives={label: {} for label in choice.labels},
        splits=dict.fromkeys(SPLITS, 0),
        left_out=dict(chosen.left_out),
        near_duplicates=len(there),
        near_duplicate_groups=len(set(there)),
    )
    of_labels, judged = chosen.labels[chosen.positive], chosen.judged[~chosen.positive]
    for place, label in enumerate(choice.labels):
        have = int(np.count_nonzero(of_labels >> place & 1))
        against = int(np.count_nonzero(judged >> place & 1))
        if against < have:
            found.notes.append(
                f"{label}: only {against:,} negatives for {have:,} positives; more dump parts, or "
                "negatives of other kinds, would balance it"
            )
    empty = [split for place, split in enumerate(SPLITS) if not np.any(of_split == place)]
    if len(chosen.number) and empty:
        found.notes.append(
            f"{' and '.join(empty)} empty: too few pages ({found.pages:,}) to split by page; add "
            "dump parts, or use --split sentence"
        )
    if not len(chosen.number):
        found.notes.append(f"no sentence with labels by {by} could be chosen")
    return found


def _rows(
    finds: Iterable[Find],
    labels: Sequence[str],
    chosen: Sentences,
    split: Ints,
    names: Sequence[str | None],
) -> Iterator[LabelledSentence]:
    for place, find in _chosen(finds, chosen.number):
        yield LabelledSentence(
            sentence_id=f"{edit_id(find.provenance)}-{find.name}",
            text=find.sentence.text,
            norm=find.sentence.norm,
            labels=labels_in(int(chosen.labels[place]), labels),
            judged=labels_in(int(chosen.judged[place]), labels),
            negative=find.negative,
            split=SPLITS[split[place]],
            section=find.context.section,
            previous=find.context.previous,
            next=find.context.next,
            has_reference=find.context.has_reference,
            follows_reference=find.context.follows_reference,
            counterpart=find.counterpart,
            relation=find.relation,
            changed_spans=None if find.link is None else find.link.changed_spans,
            days_stood=find.days_stood,
            near_duplicates=names[place],
            provenance=find.provenance,
        )
