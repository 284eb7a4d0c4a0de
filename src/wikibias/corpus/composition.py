"""Compositions of corpora in numbers, for the manifest, the card and the summary of a run."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from statistics import median
from typing import Annotated, Any
from urllib.parse import urlsplit

from wikibias.edits.filters import SUMMARY_TITLES, UNKNOWN_TEXT, filter_title, filter_words
from wikibias.kits.checked import Meta
from wikibias.kits.document import Facts, Table
from wikibias.kits.files import read_small
from wikibias.kits.folders import DAMAGED
from wikibias.records import KEPT, CorpusSentence, LabelledSentence, Provenance

# Of a corpus from more wikis the first ones tell enough.
MOST_SITES = 100
# Of so many tags the median of the days is that of a sample that nobody need tell from it.
_MOST_DAYS = 100_000
_ALL_OF = {"tag": "tag removals", "summary": "summary edits"}


Count = Annotated[int, Meta(ge=0, lt=1 << 62)]
Counts = dict[str, Count]


_MARK = re.compile(rb"\b(?:corpus|labelled)/(?:[0-9a-f]{8}){2,}\b")
_MADE_OF_CORPORA = ("judged/README.md", "export/*/export.json", "report.html")


def mark(manifest: Mapping[str, Any], table: str) -> str:
    """Return a corpus as its folder and the beginnings of its checksums; "" where there is none."""
    files = (manifest["corpus"] or {}).get("files", {})
    begun = "".join(str(files[name])[:8] for name in files if name.startswith(f"{table}/"))
    return begun and f"{table}/{begun}"


def of_earlier_corpora(
    folder: Path, manifest: Mapping[str, Any], made: Sequence[str] = _MADE_OF_CORPORA
) -> Iterator[str]:
    """Yield what lies in a result folder and bears the mark of a corpus that is not there now.

    Args:
        folder: the result folder.
        manifest: its own.
        made: patterns of the files that bear marks.
    """
    with suppress(*DAMAGED):
        now = {mark(manifest, table).encode() for table in ("corpus", "labelled")}
        for path in (path for each in made for path in sorted(folder.glob(each))):
            if not now.issuperset(_MARK.findall(read_small(path))):
                yield str((path if path.suffix == ".html" else path.parent).relative_to(folder))


@dataclass(kw_only=True)
class _Composition:
    """What all compositions count.

    Attributes:
        pages: how many pages the sentences are from.
        splits: how many sentences each split has.
        relations: how many biased sentences, or positives, became what.
        near_duplicates: sentences of the corpus with a near-duplicate on another page.
        near_duplicate_groups: how many groups these form.
        first_day: when the oldest of the revisions was saved, as "2006-08-23"; None without rows.
        last_day: the same of the newest one.
        sites: the servers of the wikis, by the addresses of the edits.
        notes: in words, what a user should know, such as classes that could not be balanced.
    """

    pages: Count = 0
    splits: Counts = field(default_factory=dict)
    relations: Counts = field(default_factory=dict)
    near_duplicates: Count = 0
    near_duplicate_groups: Count = 0
    first_day: str | None = None
    last_day: str | None = None
    sites: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def count_groups(self, names: Iterable[str | None]) -> None:
        """Count the groups of near-duplicates, by the name of the group of each sentence."""
        named = [name for name in names if name is not None]
        self.near_duplicates, self.near_duplicate_groups = len(named), len(set(named))

    def count_source(self, source: Provenance) -> None:
        """Count when revisions were saved, and on which server; `sites` is to be sorted at last."""
        # Of the pairs of a file neither is known.
        for time in (source.before_timestamp, source.after_timestamp):
            if time is not None:
                day = time.date().isoformat()
                self.first_day = min(self.first_day or day, day)
                self.last_day = max(self.last_day or day, day)
        server = _site(source.diff_url or "")
        if server and len(self.sites) < MOST_SITES and server not in self.sites:
            self.sites.append(server)


@dataclass(kw_only=True)
class Composition(_Composition):
    """Table 3 of the paper for this corpus: how many sentences of which role, and what fell out.

    Attributes:
        removed: biased sentences.
        added: neutral sentences that edits added.
        unchanged: neutral sentences that edits left alone.
        featured: neutral sentences of featured articles.
        negatives: what was asked for as neutral; None where nothing was.
        duplicates: changed sentences whose form is there already.
        in_both_classes: forms that one edit removed and another added, left out of both classes.
        edits: how many edits the biased sentences are from.
        largest_share: of the biased sentences, what the edit that gives most of them gives.
        tiers: how many sentences of each tier, best first: of each label.
        left_out: why sentences were left out: how many of each role.
        pairings: how many sentences of each label are of which pairing.
        pairs: how many aligned pairs were written; 0 where nobody asked for them.
    """

    removed: Count = 0
    added: Count = 0
    unchanged: Count = 0
    featured: Count = 0
    negatives: str | None = None
    duplicates: Count = 0
    in_both_classes: Count = 0
    edits: Count = 0
    largest_share: float = 0.0
    tiers: dict[str, Counts] = field(default_factory=dict)
    left_out: dict[str, Counts] = field(default_factory=dict)
    pairings: dict[str, Counts] = field(default_factory=dict)
    pairs: Count = 0

    @property
    def total(self) -> int:
        """The number of sentences in the corpus."""
        return self.removed + self.added + self.unchanged + self.featured


def tallied(rows: Iterable[CorpusSentence], composition: Composition) -> Iterator[CorpusSentence]:
    """Yield the rows, and note in `composition` what they tell; complete when all have passed."""
    for row in rows:
        composition.count_source(row.provenance)
        no_labels = {"biased": 0, "neutral": 0}
        composition.pairings.setdefault(row.provenance.pairing, no_labels)[row.label] += 1
        yield row
    composition.pairings = dict(sorted(composition.pairings.items()))
    composition.sites.sort()


@lru_cache(64)
def _site(url: str) -> str | None:
    """Return the server of an address; None where it has none."""
    try:
        return urlsplit(url).hostname
    except ValueError:  # such as an address in brackets that is none
        return None


@dataclass(kw_only=True)
class LabelledComposition(_Composition):
    """The rows of `labelled`, counted.

    Attributes:
        by: what the labels are: "intents" or "tags".
        sentences: how many there are.
        positives: how many have a label.
        labels: of each label, how many positives each split has.
        several: how many positives have so many labels, the number as a text.
        negatives: of each label, how many negatives of each kind are judged for it.
        kinds: how many negatives of each kind there are.
        median_days: of each label, how long the tags stood that are known to; halves to the day.
        left_out: why sentences were left out: how many.
        about: of each intent, what its sentences were found wanting in.
    """

    by: str
    sentences: Count = 0
    positives: Count = 0
    labels: dict[str, Counts] = field(default_factory=dict)
    several: Counts = field(default_factory=dict)
    negatives: dict[str, Counts] = field(default_factory=dict)
    kinds: Counts = field(default_factory=dict)
    median_days: dict[str, float] = field(default_factory=dict)
    left_out: Counts = field(default_factory=dict)
    about: dict[str, str] = field(default_factory=dict)


@dataclass
class RecordedComposition(Composition):
    """What a manifest records of a corpus, of an earlier version less.

    Attributes:
        files: the checksums of its files.
        labelled: the corpus with several labels, where there is one.
    """

    files: dict[str, Any] = field(default_factory=dict)
    labelled: LabelledComposition | None = None


def tallied_labels(
    rows: Iterable[LabelledSentence], composition: LabelledComposition
) -> Iterator[LabelledSentence]:
    """Yield the rows, and count them in `composition`; complete when all have passed."""
    days: dict[str, list[float]] = {}
    for row in rows:
        _count(row, composition)
        for label in row.labels:
            known = days.setdefault(label, [])
            if row.days_stood is not None and len(known) < _MOST_DAYS:
                known.append(row.days_stood)
        yield row
    composition.sites.sort()

    composition.median_days = {
        label: round(median(known), 1) for label, known in sorted(days.items()) if known
    }
    for name in ("several", "kinds", "relations"):
        setattr(composition, name, dict(sorted(getattr(composition, name).items())))


def _count(row: LabelledSentence, found: LabelledComposition) -> None:
    found.sentences += 1
    found.splits[row.split] += 1
    found.count_source(row.provenance)
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


def filters_table(verdicts: Mapping[str, int], detect: Mapping[str, Any]) -> Table:
    """Return Table 2 of the paper: what each filter dropped of the edits, and what was kept.

    Args:
        verdicts: how many edits have which verdict.
        detect: the recorded settings of `detect`.
    """
    signals = list(detect.get("signal") or ["tag"])
    every = "all pairs"
    if len(signals) == 1 and signals[0] in _ALL_OF:
        usual = signals != ["tag"] or list(detect["pairing"]) == ["removal-edit"]
        every = _ALL_OF[signals[0]] if usual else every
    # Of an edit without texts no filter is asked.
    order = sorted(verdicts, key=lambda reason: reason != UNKNOWN_TEXT)
    rows = [
        [_title(reason, signals), f"{-verdicts[reason]:,}"] for reason in order if reason != KEPT
    ]
    rows = [[every, f"{sum(verdicts.values()):,}"], *rows, [KEPT, f"{verdicts.get(KEPT, 0):,}"]]
    return Table(["Revision pairs", ""], rows, title="Table 2. What the filters dropped", sums=1)


def _title(reason: str, signals: Sequence[str]) -> str:
    # What goes for edits of several kinds is said of edits, not of the removal of a tag.
    titles = {UNKNOWN_TEXT: SUMMARY_TITLES[UNKNOWN_TEXT]} if signals == ["tag"] else SUMMARY_TITLES
    if "tag" in signals:
        titles = {name: title for name, title in titles.items() if name != "tag_only"}
    return titles.get(reason) or filter_title(reason)


def filter_facts(verdicts: Mapping[str, int], detect: Mapping[str, Any]) -> Facts:
    """Return what each filter of Table 2 drops."""
    signals = list(detect.get("signal") or ["tag"])
    words = [(_title(name, signals), filter_words(name)) for name in verdicts if name != KEPT]
    return Facts([(title, said) for title, said in words if said])


def composition_table(corpus: Mapping[str, Any], unit: str) -> Table:
    """Return Table 3 of the paper: sentences by role and label, and the total.

    Args:
        corpus: what a manifest says of the corpus.
        unit: what a row of it is.
    """
    roles = ["removed", "added", "unchanged", *(["featured"] if corpus.get("featured") else [])]
    counts = {role: corpus.get(role, 0) for role in roles}
    rows = [
        [role, "biased" if role == "removed" else "neutral", f"{number:,}"]
        for role, number in counts.items()
    ]
    rows.append(["total", "", f"{sum(counts.values()):,}"])
    splits = ", ".join(f"{name} {count:,}" for name, count in corpus.get("splits", {}).items())
    header, title = (f"{unit.capitalize()}s", "Label", ""), "Table 3. The corpus"
    return Table(header, rows, 2, title=title, sums=1, caption=splits)


def labels_table(made: Mapping[str, Any]) -> Table:
    """Return how many positives each label has in each split, and how many negatives of each kind.

    Args:
        made: what a manifest says of the corpus of labels.
    """
    splits, kinds, days = [*made["splits"]], [*made["kinds"]], made.get("median_days", {})
    rows = []
    for label, of_splits in made["labels"].items():
        against = made["negatives"].get(label, {})
        numbers = [of_splits.get(split, 0) for split in splits]
        numbers += [against.get(kind, 0) for kind in kinds]
        stood = [f"{days[label]:,.1f}" if label in days else "–"] if days else []
        rows.append([label, *(f"{number:,}" for number in numbers), *stood])
    header = [
        "Label",
        *splits,
        *(f"not, {kind}" for kind in kinds),
        *(["median days"] * bool(days)),
    ]
    caption = f"{made['sentences']:,} sentences, {made['positives']:,} with a label"
    return Table(header, rows, title="Sentences with labels", caption=caption)
