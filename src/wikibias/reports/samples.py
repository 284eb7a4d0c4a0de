"""Samples of the rows of a folder, and sampled edits and sentence pairs as sections of a page."""

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple, TypeVar, get_args

from wikibias.config.choices import FEATURED, SPLITS, names_of_intents
from wikibias.errors import counted
from wikibias.kits import document, parquet, schemas
from wikibias.records import KeptEdit, Label, Provenance, RejectedEdit, SentencePair
from wikibias.records import Link as Aligned

LABELS: tuple[Label, ...] = get_args(Label)
MOST_CHANGES, MOST_CHARACTERS = 12, 700
"""Of one edit, and of one side of a change: what is more is left to the diff on the wiki."""
_MOST_OF_REJECTED = 3
_SIDES = {"addition-edit": ("tagged revision", "untagged revision")}
R = TypeVar("R")


class Place(NamedTuple):
    """Where a row stands: the file, and its number in it."""

    path: Path
    row: int


def files(folder: Path, table: str) -> list[Path]:
    """Return the files of a table, in order; of the corpus those of its splits."""
    if table == schemas.CORPUS_TABLE.name:
        paths = [folder / table / f"{split}.parquet" for split in SPLITS]
        return [path for path in paths if path.is_file()]
    return sorted((folder / table).glob("*.parquet"))


def rows(folder: Path, table: str, columns: Sequence[str]) -> Iterator[tuple[Place, schemas.Row]]:
    """Yield the rows of a table with some of its columns, and where they stand.

    Raises:
        WikibiasError: a file cannot be read.
    """
    for path in files(folder, table):
        for number, row in enumerate(parquet.read_table(path, list(columns))):
            yield Place(path, number), row


def records_at(places: Iterable[Place], table: schemas.Table[R]) -> Iterator[R]:
    """Yield the records that stand in some places, by file and number.

    Raises:
        WikibiasError: a file cannot be read.
    """
    by_file: dict[Path, list[int]] = {}
    for path, row in places:
        by_file.setdefault(path, []).append(row)
    for path in sorted(by_file):
        yield from parquet.read_records(path, table, sorted(by_file[path]))


class Reservoir:
    """A sample of fixed size of rows that come one by one, each as likely as any other."""

    def __init__(self, size: int, seed: str) -> None:
        self._size, self._rng = size, random.Random(seed)  # noqa: S311 (chooses what is shown)
        self.seen = 0
        self.places: list[Place] = []

    def add(self, place: Place) -> None:
        """Take the next one, or pass it over."""
        self.seen += 1
        if len(self.places) < self._size:
            self.places.append(place)
        elif (instead := self._rng.randrange(self.seen)) < self._size:
            self.places[instead] = place


def kept_edits(places: Iterable[Place]) -> list[document.Section]:
    """Return the kept edits that stand in some places.

    Raises:
        WikibiasError: a file cannot be read.
    """
    return [_kept(each) for each in records_at(places, schemas.EDITS_TABLE)]


def rejected_edits(places: Iterable[Place]) -> list[document.Section]:
    """Return the rejected edits that stand in some places; their sentences are not aligned.

    Raises:
        WikibiasError: a file cannot be read.
    """
    return [_rejected(each) for each in records_at(places, schemas.REJECTS_TABLE)]


def sentence_pairs(places: Iterable[Place]) -> list[document.Section]:
    """Return the sentence pairs that stand in some places.

    Raises:
        WikibiasError: the table cannot be read.
    """
    return [_pair(each) for each in records_at(places, schemas.SENTENCE_PAIRS_TABLE)]


def aligned_changes(
    sentences: Iterable[tuple[bool, document.Passage, Aligned | None]],
) -> list[document.Change]:
    """Return the removed sentences of an edit, each with what it became; then what is only added.

    A counterpart that is no sentence of the edit, as where it stands outside of the tagged part,
    is shown too.

    Args:
        sentences: whether it was added, its text, and its link to the other side.
    """
    found: dict[
        str, tuple[tuple[list[document.Passage], list[document.Passage]], Aligned | None]
    ] = {}
    for number, (is_added, passage, link) in enumerate(sentences):
        name = link.pair_id if link and link.pair_id else f"alone {number}"
        found.setdefault(name, (([], []), link))[0][is_added].append(passage)
    changes = []
    for sides, link in found.values():
        note: str = link.relation if link else ""
        if link and link.pair_id:
            if not all(sides):
                sides[not sides[1]].append(
                    document.Passage(document.pieces(_excerpt(link.counterpart), ""))
                )
            note += f", similarity {link.similarity:.0f}"
        changes.append(document.Change(*sides, note))
    return changes


def _kept(edit: KeptEdit) -> document.Section:
    sides = (False, edit.removed, edit.links), (True, edit.added, edit.added_links)
    sentences = [
        (
            is_added,
            document.Passage(
                document.pieces(_excerpt(sentence.text), link.changed_spans if link else "")
            ),
            link,
        )
        for is_added, side, links in sides
        for sentence, link in zip_longest(side, links)
    ]
    return _edit_section(edit.provenance, aligned_changes(sentences))


def _rejected(edit: RejectedEdit) -> document.Section:
    changes = [
        _change(before, after)
        for before, after in zip_longest(edit.removed, edit.added, fillvalue="")
    ]
    return _edit_section(edit.provenance, changes, most=_MOST_OF_REJECTED)


def _pair(pair: SentencePair) -> document.Section:
    kinds = Counter(edit.type for edit in pair.edits)
    why = ", ".join(reason.replace("_", " ") for reason in pair.tier_reasons)
    facts = [
        "" if pair.confidence is None else f"confidence {pair.confidence:.2f}",
        f"tier {pair.tier}{f' ({why})' if why else ''}" if pair.tier else "",
        ", ".join(counted(number, kind) for kind, number in kinds.items()),
        f"{int(pair.similarity)} % alike" if kinds else "",
    ]
    if pair.label == "neutral":
        changes = [_change(pair.source, "", "left alone")]
    else:
        spans = (" ".join(getattr(edit, side) for edit in pair.edits) for side in _PAIR_SIDES)
        relation = "" if pair.relation in (None, "rewritten") else f"{pair.relation}"
        changes = [_change(pair.source, pair.target, relation, *spans)]
    return _edit_section(
        pair.provenance, changes, facts, sides=("before", "after"), title=f"pair {pair.pair_id}"
    )


_PAIR_SIDES = ("source", "target")


def _edit_section(
    made: Provenance,
    changes: Sequence[document.Change],
    facts: Sequence[str] = (),
    *,
    sides: tuple[str, str] | None = None,
    title: str = "",
    most: int = MOST_CHANGES,
) -> document.Section:
    """Return an edit: facts, the diff on the wiki, the summary, and the first changes.

    Args:
        made: by which edit.
        changes: its sentences.
        facts: what else is known, in short; empty ones are left out.
        sides: the names of the two sides.
        title: where the page has none.
        most: how many changes are shown.
    """
    known = [
        f"{made.after_timestamp:%Y-%m-%d}" if made.after_timestamp else "",
        ", ".join(made.tags or ()),
        _found_by(made.signal),
        _standing_time(made),
        *facts,
        f"revision {made.after_rev_id}" if made.after_rev_id else "",
    ]
    link = document.Link("the diff on the wiki", made.diff_url or "")
    blocks: list[document.Block] = [
        document.Text([*(f"{fact} · " for fact in known if fact), link], "quiet")
    ]
    if made.comment:
        blocks.append(document.Text(["Summary: ", document.Styled(made.comment, "q")]))
    if changes:
        names = sides or _SIDES.get(made.pairing, ("removed", "added"))
        blocks.append(document.Quote(changes[:most], made.lang or "", names))
    if more := len(changes[most:]):
        blocks.append(document.Text(f"And {more} more: see the diff.", "quiet"))
    return document.Section(made.page_title or title or f"page {made.page_id}", blocks)


def _change(before: str, after: str, note: str = "", *spans: str) -> document.Change:
    sides = zip_longest((before, after), spans, fillvalue="")
    left, right = (document.pieces(_excerpt(text), changed) for text, changed in sides)
    return document.change(left, right, note)


def _excerpt(text: str) -> str:
    return text if len(text) <= MOST_CHARACTERS else f"{text[:MOST_CHARACTERS]}…"


def _found_by(signal: str | None) -> str:
    """Return what an edit was found by, where that is no change of tags."""
    if signal == "summary":
        return "found by its summary"
    return f"found by its intent: {signal}" if signal and names_of_intents([signal]) else ""


def _standing_time(made: Provenance) -> str:
    if made.days_tagged is None:
        return ""
    verb = "featured" if made.signal == FEATURED.name else "tagged"
    return f"{verb} for {in_days(made.days_tagged)}"


def in_days(days: float) -> str:
    """Return a time in whole days, in words."""
    return counted(round(days), "day") if days >= 1 else "less than a day"
