"""The stage `diff`: transitions to edits, the differences of their sentences."""

from __future__ import annotations

from functools import partial

from wikibias.pipeline.enrichment import Task, batches, compare_rows
from wikibias.pipeline.stage import PartJob, Stage
from wikibias.storage.schemas import DIFFS_TABLE, TRANSITIONS_TABLE


def run(job: PartJob) -> None:
    """Compare the revisions of the transitions that are asked for."""
    declared = job.facts_of(TRANSITIONS_TABLE).get("namespaces", {})
    task = Task.of(job.settings, {int(n): name for n, name in declared.items()}, compare=True)
    rows = batches(job.read(TRANSITIONS_TABLE))
    for _, edits in job.pool.in_order(partial(compare_rows, task), rows):
        for edit in edits:
            if edit is not None:
                job.write(DIFFS_TABLE, edit)


STAGE = Stage(
    name="diff",
    title="compare the sentences",
    description="Compare the sentences before and after each removal",
    reads=(TRANSITIONS_TABLE,),
    writes=(DIFFS_TABLE,),
    settings=("detect", "diff"),
    run=run,
    progress="comparing",
    joins="detect",
)
