"""The stage `diff`: transitions to edits, the differences of their sentences."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING

from wikibias.dumps.iteration import Tally
from wikibias.kits.parquet import RowError
from wikibias.kits.schemas import DIFFS_TABLE, TRANSITIONS_TABLE
from wikibias.pipeline.enrichment_task import EnrichmentTask, batches, unreadable
from wikibias.pipeline.jobs import PartJob

if TYPE_CHECKING:
    from wikibias.edits.sentence_diff import Comparison
    from wikibias.pipeline.filter import Verdicts


def run(job: PartJob) -> None:
    """Compare the revisions of the transitions that are asked for."""
    from wikibias.pipeline.enrichment import (  # noqa: PLC0415 (see `enriching`)  # noqa: PLC0415 (loads what cleans and splits)
        compare_rows,
        compared_in_vain,
    )

    declared = job.facts_of(TRANSITIONS_TABLE).get("namespaces", {})
    task = EnrichmentTask.of(
        job.settings, {int(n): name for n, name in declared.items()}, compare=True
    )
    edits = Edits(job)
    rows = batches(job.read(TRANSITIONS_TABLE))
    lost = partial(compared_in_vain, task)
    for _, comparisons in job.pool.in_order(partial(compare_rows, task), rows, lost):
        for comparison in comparisons:
            edits.write(comparison)
    edits.end()


class Edits:
    """Writes the edits of a part, counts and names what could not be compared, and has all judged.

    The job is that of the stage `diff`; with it goes the stage `filter`, where that is asked for.
    """

    def __init__(self, job: PartJob) -> None:
        self._job, self._tally = job, Tally()
        self._verdicts: Verdicts | None = None
        if "filter" in job.joined:
            from wikibias.pipeline.filter import Verdicts  # noqa: PLC0415 (no filters, no need)

            self._verdicts = Verdicts(job.joined["filter"])

    def write(self, comparison: Comparison | None) -> None:
        """Write one edit; None where none is asked for."""
        if comparison is None:
            return
        edit, cause = comparison.edit, comparison.cause
        try:
            self._job.write(DIFFS_TABLE, edit)
        except RowError as error:
            from wikibias.edits.sentence_diff import without_sentences  # noqa: PLC0415 (as above)

            edit, cause = without_sentences(edit), cause or str(error)
            self._job.write(DIFFS_TABLE, edit)
        if cause is not None:
            self._tally.skip(unreadable(edit.provenance, cause))
        if self._verdicts is not None:
            self._verdicts.give(edit)

    def end(self) -> None:
        """Note what could not be compared. The facts of `detect` have other names, and stay."""
        first = [asdict(what) for what in self._tally.first_unreadable]
        self._job.facts |= {
            "unreadable_edits": self._tally.unreadable,
            "first_unreadable_edits": first,
        }
        if self._verdicts is not None:
            self._verdicts.end()
