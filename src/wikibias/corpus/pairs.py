"""Aligned pairs: what the biased sentences of a corpus became."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from wikibias.edits.positives import TIERS
from wikibias.records import AlignedPair, Edit, KeptEdit, Link, Sentence, Tier


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
