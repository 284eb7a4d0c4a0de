"""What a corpus with several labels is made of, in numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from statistics import median

from wikibias.corpus.tally import MOST_SITES, site
from wikibias.records import LabelledSentence

# Of so many tags the median of the days is that of a sample that nobody need tell from it.
_MOST_DAYS = 100_000


@dataclass(slots=True)
class LabelledComposition:
    """The rows of `labelled`, counted.

    Attributes:
        by: what the labels are: "intents" or "tags".
        sentences: how many there are.
        positives: how many have a label.
        pages: how many pages they are from.
        labels: of each label, how many positives each split has.
        several: how many positives have so many labels, the number as a text.
        negatives: of each label, how many negatives of each kind are judged for it.
        kinds: how many negatives of each kind there are.
        splits: how many sentences each split has.
        relations: how many positives became what; "not known" where that is so.
        median_days: of each label, how long the tags stood that are known to; halves to the day.
        left_out: why sentences were left out: how many.
        near_duplicates: sentences with a near-duplicate on another page.
        near_duplicate_groups: how many groups these form.
        first_day: when the oldest of the revisions was saved, as "2006-08-23".
        last_day: the same of the newest one.
        sites: the servers of the wikis, by the addresses of the edits.
        notes: in words, what a user should know.
        about: of each intent, what its sentences were found wanting in.
    """

    by: str
    sentences: int = 0
    positives: int = 0
    pages: int = 0
    labels: dict[str, dict[str, int]] = field(default_factory=dict)
    several: dict[str, int] = field(default_factory=dict)
    negatives: dict[str, dict[str, int]] = field(default_factory=dict)
    kinds: dict[str, int] = field(default_factory=dict)
    splits: dict[str, int] = field(default_factory=dict)
    relations: dict[str, int] = field(default_factory=dict)
    median_days: dict[str, float] = field(default_factory=dict)
    left_out: dict[str, int] = field(default_factory=dict)
    near_duplicates: int = 0
    near_duplicate_groups: int = 0
    first_day: str | None = None
    last_day: str | None = None
    sites: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    about: dict[str, str] = field(default_factory=dict)


def tallied(
    rows: Iterable[LabelledSentence], composition: LabelledComposition
) -> Iterator[LabelledSentence]:
    """Yield the rows, and count them in `composition`; complete when all have passed."""
    days: dict[str, list[float]] = {}
    sites: dict[str, None] = {}
    for row in rows:
        _count(row, composition)
        if len(sites) < MOST_SITES and (server := site(row.provenance.diff_url)):
            sites[server] = None
        for label in row.labels:
            known = days.setdefault(label, [])
            if row.days_stood is not None and len(known) < _MOST_DAYS:
                known.append(row.days_stood)
        yield row
    composition.sites = sorted(sites)
    composition.median_days = {
        label: round(median(known), 1) for label, known in sorted(days.items()) if known
    }
    for name in ("several", "kinds", "relations"):
        setattr(composition, name, dict(sorted(getattr(composition, name).items())))


def _count(row: LabelledSentence, found: LabelledComposition) -> None:
    found.sentences += 1
    found.splits[row.split] += 1
    for time in (row.provenance.before_timestamp, row.provenance.after_timestamp):
        if time is not None:
            day = time.date().isoformat()
            found.first_day = min(found.first_day or day, day)
            found.last_day = max(found.last_day or day, day)
    if row.negative is not None:
        _add(found.kinds, row.negative)
        for label in row.judged:
            _add(found.negatives[label], row.negative)
        return
    found.positives += 1
    _add(found.several, str(len(row.labels)))
    _add(found.relations, row.relation or "not known")
    for label in row.labels:
        found.labels[label][row.split] += 1


def _add(counts: dict[str, int], name: str) -> None:
    counts[name] = counts.get(name, 0) + 1
