"""Rows of corpora as records, the pairs of the biased ones, and their files."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import compress, groupby
from pathlib import Path
from typing import IO, Generic, TypeVar

import numpy as np

from wikibias import records
from wikibias.config import choices, thresholds
from wikibias.corpus.candidates import Candidates, Integers, Ints
from wikibias.corpus.evidence import NEGATIVES, REMOVED, ROLES, EvidenceSource, edit_id
from wikibias.corpus.splits import PageSplits, minhash_groups
from wikibias.edits.confidence import NOTHING_KNOWN, Confidence
from wikibias.kits import files, tables
from wikibias.kits.parquet import writing
from wikibias.kits.schemas import CORPUS_TABLE, PAIRS_TABLE, Table

T = TypeVar("T")
C = TypeVar("C")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Chosen(Generic[C, R]):
    """A corpus that has been chosen: what it is made of, and its rows in document order.

    `splits` are those of its pages, and of all that were known; none by sentence.
    """

    composition: C
    splits: PageSplits
    rows: Callable[[], Iterator[R]]
    pairs: Callable[[], Iterator[records.AlignedPair]] = lambda: iter(())


def with_numbers(items: Iterable[T], numbers: Ints) -> Iterator[T]:
    """Yield the items with some numbers, counted from 0; both are in order."""
    flags = np.zeros(int(numbers.max(initial=-1)) + 1, np.uint8)
    flags[numbers] = 1
    return compress(items, flags.tobytes())


def near_duplicate_groups(source: EvidenceSource, numbers: Ints) -> Ints:
    """Return the group of near-duplicates of each sentence, as the place of the first one of it."""
    norms = (each.sentence.norm for each in with_numbers(source(), numbers))
    return minhash_groups(norms, len(numbers))


def group_names(group: Ints, page: Integers, form: Ints) -> list[str | None]:
    """Return, for each sentence, the name of its group, if that is of several pages.

    Args:
        group: of each sentence, the place in `form` of the first of its group, which names it.
        page: of each sentence.
        form: of all sentences of which there are groups.
    """
    order = np.lexsort((page, group))
    first = np.searchsorted(group[order], group[order])
    several = np.zeros(len(form), np.bool_)
    several[group[order[page[order] != page[order[first]]]]] = True
    named = form.view(np.uint64)[group].tolist()
    linked = several[group].tolist()
    return [
        f"{name:016x}" if is_linked else None for name, is_linked in zip(named, linked, strict=True)
    ]


def corpus_sentences(
    source: EvidenceSource,
    tiers: thresholds.Tiers,
    numbers: Ints,
    splits: Sequence[str],
    names: Sequence[str | None],
) -> Iterator[records.CorpusSentence]:
    """Yield the rows of a corpus of two classes.

    Args:
        source: the evidence.
        tiers: what sets the tiers apart.
        numbers: of the chosen evidence, in order.
        splits: of each.
        names: the group of near-duplicates of each.
    """
    chosen = with_numbers(source(), numbers)
    for each, split, name in zip(chosen, splits, names, strict=True):
        edit, sentence, link = each.edit, each.sentence, each.link
        paired = link if link is not None and link.pair_id else None
        value, tier, reasons = each.confidence(tiers) or (None, "low", ())
        yield records.CorpusSentence(
            sentence_id=each.sentence_id,
            text=sentence.text,
            norm=sentence.norm,
            label="biased" if each.role == REMOVED else "neutral",
            role=ROLES[each.role],
            split=split,
            provenance=edit.provenance,
            context=edit.context,
            block=sentence.block,
            has_gap=sentence.has_gap,
            confidence=value,
            tier=tier,
            tier_reasons=reasons,
            pair_id=f"{edit_id(edit.provenance)}-{paired.pair_id}" if paired else None,
            counterpart=paired.counterpart if paired else None,
            relation=link.relation if link else None,
            similarity=paired.similarity if paired else None,
            changed_spans=paired.changed_spans if paired else None,
            near_duplicates=name,
            history=edit.history,
            share_of_page=edit.share_of_page,
            policy_words=edit.policy_words,
        )


def labelled_sentences(
    source: EvidenceSource,
    labels: Sequence[str],
    chosen: Candidates,
    splits: Sequence[str],
    names: Sequence[str | None],
) -> Iterator[records.LabelledSentence]:
    """Yield the rows of a corpus of several labels; for the arguments see `corpus_sentences`."""
    found = with_numbers(source(), chosen.number)
    bits = zip(chosen.labels.tolist(), chosen.judged.tolist(), strict=True)
    for each, (own, judged), split, name in zip(found, bits, splits, names, strict=True):
        link, context = each.link, each.context
        yield records.LabelledSentence(
            sentence_id=each.sentence_id,
            text=each.sentence.text,
            norm=each.sentence.norm,
            labels=labels_of(own, labels),
            judged=labels_of(judged, labels),
            negative=NEGATIVES[each.role],
            split=split,
            section=context.section,
            previous=context.previous,
            next=context.next,
            has_reference=context.has_reference,
            follows_reference=context.follows_reference,
            counterpart=None if link is None else link.counterpart,
            relation=None if link is None else link.relation,
            changed_spans=None if link is None else link.changed_spans,
            days_stood=each.days_stood,
            near_duplicates=name,
            provenance=each.edit.provenance,
        )


def labels_of(bits: int, labels: Sequence[str]) -> tuple[str, ...]:
    """Return the labels of a number."""
    return tuple(label for place, label in enumerate(labels) if bits >> place & 1)


def edit_pairs(
    source: EvidenceSource, tiers: thresholds.Tiers, numbers: Ints, splits: Sequence[str]
) -> Iterator[records.AlignedPair]:
    """Yield the pairs of chosen biased sentences; for the arguments see `corpus_sentences`."""
    found = zip(with_numbers(source(), numbers), splits, strict=True)
    biased = (one for one in found if one[0].role == REMOVED)
    for named, of_edit in groupby(biased, lambda one: edit_id(one[0].edit.provenance)):
        chosen: dict[int, tuple[str, str, Confidence]] = {}
        for each, split in of_edit:
            at = int(each.name.rpartition("-")[2])
            sure = each.confidence(tiers) or NOTHING_KNOWN
            chosen[at] = each.sentence_id, split, sure
        # Without links there are no pairs.
        if each.edit.links:
            yield from aligned_pairs(each.edit, named, chosen)


def aligned_pairs(
    edit: records.Edit | records.KeptEdit,
    edit_id: str,
    chosen: Mapping[int, tuple[str, str, Confidence]],
) -> Iterator[records.AlignedPair]:
    """Yield the pairs of an edit with a removed sentence in the corpus, in their order.

    Where a sentence was split, or several were merged, all of a side are joined with spaces.

    Args:
        edit: the edit.
        edit_id: its name, which that of each pair begins with.
        chosen: id, split and confidence of the removed sentences in the corpus, by place.
    """
    before, after = members(edit.links), members(edit.added_links)
    for number, removed in before.items():
        mine = [chosen[place] for place in removed if place in chosen]
        if not mine or number not in after:
            continue
        first = edit.links[removed[0]]
        # A pair is no better than the least of its sentences.
        least = min((sure for _, _, sure in mine), key=lambda sure: sure.value)
        removed_text, removed_spans = joined(edit.removed, edit.links, removed)
        added_text, added_spans = joined(edit.added, edit.added_links, after[number])
        yield records.AlignedPair(
            pair_id=f"{edit_id}-{number}",
            removed=removed_text,
            added=added_text,
            relation=first.relation,
            similarity=first.similarity,
            removed_spans=removed_spans,
            added_spans=added_spans,
            split=mine[0][1],
            confidence=least.value,
            tier=least.tier,
            sentence_ids=tuple(identity for identity, _, _ in mine),
            provenance=edit.provenance,
        )


def members(links: Sequence[records.Link]) -> dict[str, list[int]]:
    """Return the places of the sentences of each pair."""
    found: dict[str, list[int]] = {}
    for place, link in enumerate(links):
        if link.pair_id:
            found.setdefault(link.pair_id, []).append(place)
    return found


def joined(
    sentences: Sequence[records.Sentence], links: Sequence[records.Link], places: Sequence[int]
) -> tuple[str, str]:
    """Return some sentences as one text, and their changed spans as spans of this text."""
    spans, start = [], 0
    for place in places:
        for span in links[place].changed_spans.split():
            begin, end = span.split(":")
            spans.append(f"{int(begin) + start}:{int(end) + start}")
        start += len(sentences[place].text) + 1
    return " ".join(sentences[place].text for place in places), " ".join(spans)


Written = TypeVar(
    "Written",
    records.CorpusSentence,
    records.LabelledSentence,
    records.AlignedPair,
    records.SentencePair,
)

_PAIRS_TSV = ("split", "tier", "relation", "removed", "added")


def split_files(folder: Path) -> dict[str, Path]:
    """Return the table of each split in the folder of a corpus."""
    return {split: folder / f"{split}.parquet" for split in choices.SPLITS}


def write_corpus(
    folder: Path, sentences: Iterable[records.CorpusSentence], texts: Path, *, with_editors: bool
) -> None:
    """Write each split as Parquet; to `texts` as `label<TAB>norm` (.tsv) and as fastText (.txt).

    Raises:
        DiskError: the folder cannot be written to.
    """
    with ExitStack() as stack:
        tsv, text = (
            {split: _text(stack, texts / f"{split}.{end}") for split in choices.SPLITS}
            for end in ("tsv", "txt")
        )

        def noted() -> Iterator[records.CorpusSentence]:
            for row in sentences:
                tsv[row.split].write(f"{row.label}\t{row.norm}\n")
                text[row.split].write(f"__label__{row.label} {row.norm}\n")
                yield row

        write_splits(split_files(folder), CORPUS_TABLE, noted(), with_editors=with_editors)


def write_splits(
    paths: Mapping[str, Path], table: Table[Written], rows: Iterable[Written], *, with_editors: bool
) -> None:
    """Write each row into the Parquet file of its split.

    Raises:
        DiskError: a file cannot be written.
    """
    with ExitStack() as stack:
        writers = {
            split: stack.enter_context(writing(path, table, dict, with_editors=with_editors))
            for split, path in paths.items()
        }
        for row in rows:
            writers[row.split].write(row)


def write_pairs(folder: Path, pairs: Iterable[records.AlignedPair], *, with_editors: bool) -> int:
    """Write aligned pairs as Parquet, and the columns of `_PAIRS_TSV` as `pairs.tsv`; count them.

    Raises:
        DiskError: the folder cannot be written to.
    """
    with (
        ExitStack() as stack,
        writing(folder / "pairs.parquet", PAIRS_TABLE, dict, with_editors=with_editors) as table,
    ):
        tsv = _text(stack, folder / "pairs.tsv")
        tsv.write("\t".join(_PAIRS_TSV) + "\n")
        count = 0
        for pair in pairs:
            count += 1
            table.write(pair)
            tsv.write("\t".join(tables.one_line(getattr(pair, name)) for name in _PAIRS_TSV) + "\n")
    return count


def _text(stack: ExitStack, path: Path) -> IO[str]:
    temporary = stack.enter_context(files.atomic_file(path))
    return stack.enter_context(temporary.open("w", encoding="utf-8", newline="\n"))
