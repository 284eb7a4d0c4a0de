"""The stage `filter`: edits to those that are kept, and rejects with their reason."""

from __future__ import annotations

from wikibias.edits.filters import FILTERS, filter_names, kept, rejected, verdict
from wikibias.pipeline.stage import KEPT, PartJob
from wikibias.storage.schemas import DIFFS_TABLE, EDITS_TABLE, REJECTS_TABLE


def run(job: PartJob) -> None:
    """Give each edit its verdict."""
    chosen = job.settings.filter
    # Filters that drop nothing are counted too.
    names = job.reasons = filter_names(chosen.filters)
    off = {"reverted"} if chosen.reverts == "keep" else set()
    filters = [FILTERS[name] for name in names if name not in off]
    for edit in job.read(DIFFS_TABLE):
        reason = verdict(edit, chosen.limits, filters)
        if reason is None:
            job.keep(EDITS_TABLE, kept(edit, KEPT))
        else:
            job.reject(REJECTS_TABLE, rejected(edit, reason), reason)
