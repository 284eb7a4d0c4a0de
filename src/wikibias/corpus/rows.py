"""The rows of a corpus: chosen sentences, and the pairs of the biased ones, as records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from wikibias.config.choices import SPLITS
from wikibias.corpus.candidates import REMOVED, ROLES, Choice, Ints, sentences_of
from wikibias.edits.positives import TIERS, confidence, evidence
from wikibias.records import (
    AlignedPair,
    CorpusSentence,
    Edit,
    KeptEdit,
    Link,
    Provenance,
    Sentence,
    Tier,
)


def aligned_pairs(
    edit: Edit | KeptEdit, edit_id: str, chosen: Mapping[int, tuple[str, str, Tier]]
) -> Iterator[AlignedPair]:
    """Yield the pairs of an edit with a removed sentence in the corpus, in their order.

    Where a sentence was split, or several were merged, all of a side are joined with spaces.

    Args:
        edit: the edit.
        edit_id: its name, which that of each pair begins with.
        chosen: id, split and tier of the removed sentences in the corpus, by place.
    """
    before, after = members(edit.links), members(edit.added_links)
    for number, removed in before.items():
        mine = [chosen[place] for place in removed if place in chosen]
        if not mine or number not in after:
            continue
        first = edit.links[removed[0]]
        removed_text, removed_spans = joined(edit.removed, edit.links, removed)
        added_text, added_spans = joined(edit.added, edit.added_links, after[number])
        yield AlignedPair(
            pair_id=f"{edit_id}-{number}",
            removed=removed_text,
            added=added_text,
            relation=first.relation,
            similarity=first.similarity,
            removed_spans=removed_spans,
            added_spans=added_spans,
            split=mine[0][1],
            # A pair is no better than the least of its sentences; the words sort by chance.
            tier=max((tier for _, _, tier in mine), key=TIERS.index),
            sentence_ids=tuple(identity for identity, _, _ in mine),
            provenance=edit.provenance,
        )


def members(links: Sequence[Link]) -> dict[str, list[int]]:
    """Return the places of the sentences of each pair."""
    found: dict[str, list[int]] = {}
    for place, link in enumerate(links):
        if link.pair_id:
            found.setdefault(link.pair_id, []).append(place)
    return found


def joined(
    sentences: Sequence[Sentence], links: Sequence[Link], places: Sequence[int]
) -> tuple[str, str]:
    """Return some sentences as one text, and their changed spans as spans of this text."""
    spans, start = [], 0
    for place in places:
        for span in links[place].changed_spans.split():
            begin, end = span.split(":")
            spans.append(f"{int(begin) + start}:{int(end) + start}")
        start += len(sentences[place].text) + 1
    return " ".join(sentences[place].text for place in places), " ".join(spans)


@dataclass(frozen=True, slots=True)
class Rows:
    """The chosen candidates by number, in order: the split and the near-duplicates of each."""

    number: Ints
    split: Ints
    near_duplicates: list[str | None]

    def between(self, first: int, end: int) -> range:
        """Return the places of those whose numbers lie between two."""
        return range(*np.searchsorted(self.number, (first, end)).tolist())


def sentences(edits: Iterable[Edit], choice: Choice, rows: Rows) -> Iterator[CorpusSentence]:
    """Yield the rows of a corpus in document order, as records."""
    number = 0
    for edit in edits:
        first, number = number, number + _size(edit)
        places = rows.between(first, number)
        if not places:
            continue
        candidates, found = list(sentences_of(edit)), evidence(edit, choice.tiers)
        for place in places:
            at = int(rows.number[place]) - first
            role, sentence, link = candidates[at]
            judged = confidence(found, ROLES[role], sentence, link, choice.tiers)
            paired = link if link is not None and link.pair_id else None
            named = edit_id(edit.provenance)
            yield CorpusSentence(
                sentence_id=sentence_id(edit, role, at),
                text=sentence.text,
                norm=sentence.norm,
                label="biased" if role == REMOVED else "neutral",
                role=ROLES[role],
                split=SPLITS[rows.split[place]],
                provenance=edit.provenance,
                context=edit.context,
                block=sentence.block,
                has_gap=sentence.has_gap,
                tier=judged.tier,
                tier_reasons=judged.reasons,
                pair_id=f"{named}-{paired.pair_id}" if paired else None,
                counterpart=paired.counterpart if paired else None,
                relation=link.relation if link else None,
                similarity=paired.similarity if paired else None,
                changed_spans=paired.changed_spans if paired else None,
                near_duplicates=rows.near_duplicates[place],
                history=edit.history,
                share_of_page=edit.share_of_page,
                policy_words=edit.policy_words,
            )


def pairs(edits: Iterable[Edit], choice: Choice, rows: Rows) -> Iterator[AlignedPair]:
    """Yield the aligned pairs of the biased rows in document order."""
    number = 0
    for edit in edits:
        first, number = number, number + _size(edit)
        places = rows.between(first, first + len(edit.removed))
        # Without links there are no pairs.
        if not (places and edit.links):
            continue
        found, chosen = evidence(edit, choice.tiers), {}
        for place in places:
            at = int(rows.number[place]) - first
            sentence, link = edit.removed[at], edit.links[at]
            tier = confidence(found, ROLES[REMOVED], sentence, link, choice.tiers).tier
            chosen[at] = (sentence_id(edit, REMOVED, at), SPLITS[rows.split[place]], tier)
        yield from aligned_pairs(edit, edit_id(edit.provenance), chosen)


def _size(edit: Edit) -> int:
    return len(edit.removed) + len(edit.added) + len(edit.unchanged)


def sentence_id(edit: Edit, role: int, at: int) -> str:
    """Return the name of a sentence, which is the one at this place of all of its edit."""
    before = (0, len(edit.removed), *[len(edit.removed) + len(edit.added)] * 2)[role]
    return f"{edit_id(edit.provenance)}-{ROLES[role]}-{at - before}"


def edit_id(source: Provenance) -> str:
    """Return what names an edit: its newer revision, and the pairing if it is not the usual one.

    An edit may have several intents.
    """
    if source.pairing == "removal-edit":
        return f"{source.wiki}-{source.after_rev_id}"
    found = (
        f"{source.pairing}-{source.signal}" if source.pairing == "intent-edit" else source.pairing
    )
    return f"{source.wiki}-{found}-{source.before_rev_id}-{source.after_rev_id}"
