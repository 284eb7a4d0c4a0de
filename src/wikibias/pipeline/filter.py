"""Verdicts on edits: the stage `filter`, and what reads edits with their verdicts again."""

from array import array
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from wikibias.config.choices import RevertPolicy
from wikibias.config.thresholds import Filter
from wikibias.dumps.parts import Part
from wikibias.edits.filters import UNREADABLE, EditFilter, kept, rejected, verdict
from wikibias.errors import BUG, WikibiasError, cause_of
from wikibias.execution.pool import DEADLY
from wikibias.kits.parquet import read_records
from wikibias.kits.plugins import blamed
from wikibias.kits.schemas import DIFFS_TABLE, EDITS_TABLE, REJECTS_TABLE, TRANSITIONS_TABLE, Table
from wikibias.pipeline import enrichment_task, jobs, stages
from wikibias.pipeline.settings import Settings, filter_lists
from wikibias.records import KEPT, Edit, Transition


def run(job: jobs.PartJob) -> None:
    """Give each edit its verdict."""
    verdicts = Verdicts(job)
    for edit in job.read(DIFFS_TABLE):
        verdicts.give(edit)


class Verdicts:
    """Gives edits their verdicts, and counts and names those that no filter can take."""

    def __init__(self, job: jobs.PartJob) -> None:
        self._lists = filter_lists(job.settings)
        # Filters that drop nothing are counted too.
        job.reasons = self._lists.announced(job.settings.detect.signal)
        self._job, self._limits, self._number = job, job.settings.filter.limits, 0

    def give(self, edit: Edit) -> None:
        """Write an edit with its verdict. One that a filter cannot take is unreadable."""
        self._number += 1
        trace = self._job.pool.trace
        place = trace.place
        if trace.at(f"verdict {self._number}"):
            reason, cause = judged(edit, self._limits, self._lists.of(edit.provenance))
        else:
            reason, cause = UNREADABLE, DEADLY
        trace.at(place)
        if cause is not None:
            self._job.skip(edit.provenance, cause)
        self._job.verdicts[reason or KEPT] += 1
        if reason is None:
            self._job.write(EDITS_TABLE, kept(edit, KEPT))
        else:
            self._job.write(REJECTS_TABLE, rejected(edit, reason))


def judged(
    edit: Edit, limits: Filter, filters: Sequence[EditFilter]
) -> tuple[str | None, str | None]:
    """Return the verdict, and why it is not known if it is not.

    Raises:
        WikibiasError: a filter of another package fails. It may fail on every edit, and the corpus
            would be empty.
    """
    try:
        return verdict(edit, limits, filters), None
    except Exception as error:  # of whoever wrote the filter
        if (whose := blamed(error)) == BUG:
            return UNREADABLE, cause_of(error)
        place = f"revision {edit.provenance.after_rev_id} of {edit.provenance.page_title!r}"
        raise WikibiasError(f"fails on {place}: {cause_of(error)} {whose}") from error


@dataclass(frozen=True, slots=True)
class _Pair:
    """What names an edit in `edits` and in `diffs`: its two revisions, and why they are paired."""

    signal: str
    pairing: str
    page_id: int
    before_rev_id: int
    after_rev_id: int


_EDITS_PAIRS = Table(EDITS_TABLE.name, _Pair)


def kept_edits(job: jobs.CorpusJob, signals: Collection[str]) -> Iterator[Edit]:
    """Yield the kept edits of all parts that were found by one of the `signals`, in order.

    Raises:
        WikibiasError: a part's file is gone, or `edits` and `diffs` do not belong together.
    """
    for part in job.parts:
        if rows := _rows_of_kept(job, part, signals, DIFFS_TABLE):
            yield from job.read(DIFFS_TABLE, part, rows)


def kept_with_texts(
    job: jobs.CorpusJob, part: Part, signals: Collection[str]
) -> Iterator[tuple[Edit, Transition]]:
    """Yield the kept edits of a part as `kept_edits` does, each with its transition."""
    tables = DIFFS_TABLE, TRANSITIONS_TABLE
    rows = [_rows_of_kept(job, part, signals, table) for table in tables]
    if rows[0]:
        edits, texts = job.read(DIFFS_TABLE, part, rows[0]), job.read(tables[1], part, rows[1])
        yield from zip(edits, texts, strict=True)


def _rows_of_kept(
    job: jobs.CorpusJob, part: Part, signals: Collection[str], table: Table[Any]
) -> Sequence[int]:
    """Return the row numbers of the kept edits of a part in one of its tables.

    Raises:
        WikibiasError: it lacks one.
    """
    # All tables hold the edits in one order.
    compared = enumerate(job.read(Table(table.name, _Pair), part))
    rows = array("q")
    last: _Pair | None = None
    for own in job.read(_EDITS_PAIRS, part):
        if own.signal not in signals:
            continue
        last, before = own, last
        if _is_again(own, before):
            continue
        row = next((number for number, pair in compared if pair == own), None)
        if row is None:
            raise WikibiasError(
                f"{part.name}: `edits` holds an edit that `{table.name}` lacks; redo it with "
                f"`wikibias filter --restart {job.folder}`"
            )
        rows.append(row)
    return rows


def _is_again(own: _Pair, before: _Pair | None) -> bool:
    """Return whether an edit found by its summary took tags out as well: then it is there twice.

    The row of the tags comes first, and is the one that counts: it says more of the edit.
    """
    return own.signal == "summary" and before == replace(own, signal="tag", pairing="removal-edit")


def kept_by_signal(job: jobs.CorpusJob) -> Counter[str]:
    """Return how many edits are kept, by what they were found by."""
    edits = (edit for part in job.parts for edit in job.read(_EDITS_PAIRS, part))
    return Counter(edit.signal for edit in edits)


Judged = tuple[Edit, str | None]


def judged_edits(
    folder: Path, settings: Settings, parts: Sequence[str], reverts: RevertPolicy | None = None
) -> Iterator[Judged]:
    """Yield each edit of these parts, and why it is not kept, or None.

    Edits with an intent and featured articles are among them where `diffs` holds them.

    A part that has no `diffs` is compared now, in this process, as the stage `diff` would.

    Args:
        folder: the result folder.
        settings: with which it was made.
        parts: their names, in order.
        reverts: what to do with edits that were undone, instead of what the settings say.

    Raises:
        WikibiasError: a table is damaged.
    """
    lists = filter_lists(settings, reverts)
    for part in parts:
        for edit in _edits(folder, settings, part):
            reason, _ = judged(edit, settings.filter.limits, lists.of(edit.provenance))
            yield edit, reason


def _edits(folder: Path, settings: Settings, part: str) -> Iterator[Edit]:
    if jobs.recorded(folder, stages.named("diff"), part) is not None:
        yield from read_records(jobs.output(folder, DIFFS_TABLE.name, part), DIFFS_TABLE)
        return
    facts = jobs.recorded(folder, stages.named("detect"), part)
    if facts is None:
        return
    # It loads what cleans and splits.
    from wikibias.pipeline.enrichment import compare_rows  # noqa: PLC0415

    task = enrichment_task.EnrichmentTask.of(settings, facts, compare=True)
    rows = read_records(jobs.output(folder, TRANSITIONS_TABLE.name, part), TRANSITIONS_TABLE)
    for some in enrichment_task.batches(rows):
        for comparison in compare_rows(task, some):
            if comparison is not None:
                yield comparison.edit
