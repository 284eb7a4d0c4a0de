"""The stage `diff`: transitions to edits, the differences of their sentences."""

from __future__ import annotations

from functools import partial

from wikibias.pipeline.enrichment import EnrichmentTask, batches, compare_rows
from wikibias.pipeline.stage import PartJob
from wikibias.storage.schemas import DIFFS_TABLE, TRANSITIONS_TABLE


def run(job: PartJob) -> None:
    """Compare the revisions of the transitions that are asked for."""
    declared = job.facts_of(TRANSITIONS_TABLE).get("namespaces", {})
    task = EnrichmentTask.of(
        job.settings, {int(n): name for n, name in declared.items()}, compare=True
    )
    rows = batches(job.read(TRANSITIONS_TABLE))
    for _, edits in job.pool.in_order(partial(compare_rows, task), rows):
        for edit in edits:
            if edit is not None:
                job.write(DIFFS_TABLE, edit)
