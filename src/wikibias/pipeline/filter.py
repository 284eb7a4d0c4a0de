"""The stage `filter`: edits to those that are kept, and rejects with their reason."""

from __future__ import annotations

from wikibias.edits.filters import REASONS, kept, rejected, verdict
from wikibias.pipeline.stage import KEPT, PartJob, Stage
from wikibias.storage.schemas import DIFFS_TABLE, EDITS_TABLE, REJECTS_TABLE


def run(job: PartJob) -> None:
    """Give each edit its verdict."""
    chosen = job.settings.filter
    for edit in job.read(DIFFS_TABLE):
        reason = verdict(edit, chosen.limits, chosen.reverts)
        if reason is None:
            job.keep(EDITS_TABLE, kept(edit, KEPT))
        else:
            job.reject(REJECTS_TABLE, rejected(edit, reason), reason)
    # Reasons that never held are shown too, in the order of the filters.
    job.facts["verdicts"] = {reason: job.verdicts[reason] for reason in (*REASONS, KEPT)}


STAGE = Stage(
    name="filter",
    title="kept, or why not",
    description="Give each edit its verdict, kept or the reason why not",
    reads=(DIFFS_TABLE,),
    writes=(REJECTS_TABLE, EDITS_TABLE),
    settings=("detect", "diff", "filter"),
    run=run,
    progress="filtering",
    example="--reverts keep ",
)
