"""The stage `filter`: edits to those that are kept, and rejects with their reason."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from wikibias.config.thresholds import Filter
from wikibias.dumps.iteration import Tally
from wikibias.edits.filters import (
    FILTERS,
    UNREADABLE,
    EditFilter,
    filter_names,
    kept,
    rejected,
    verdict,
)
from wikibias.execution.trace import DEADLY
from wikibias.messages import cause_of
from wikibias.pipeline.enrichment_task import unreadable
from wikibias.pipeline.jobs import PartJob
from wikibias.pipeline.stage import KEPT
from wikibias.records import Edit
from wikibias.storage.schemas import DIFFS_TABLE, EDITS_TABLE, REJECTS_TABLE


def run(job: PartJob) -> None:
    """Give each edit its verdict. An edit that a filter cannot take is unreadable, and named."""
    chosen = job.settings.filter
    # Filters that drop nothing are counted too.
    names = job.reasons = filter_names(chosen.filters)
    off = {"reverted"} if chosen.reverts == "keep" else set()
    filters = [FILTERS[name] for name in names if name not in off]
    tally = Tally()
    for number, edit in enumerate(job.read(DIFFS_TABLE), 1):
        if job.pool.trace.at(f"item {number}"):
            reason, cause = _verdict(edit, chosen.limits, filters)
        else:
            reason, cause = UNREADABLE, DEADLY
        if cause is not None:
            tally.skip(unreadable(edit.provenance, cause))
        if reason is None:
            job.keep(EDITS_TABLE, kept(edit, KEPT))
        else:
            job.reject(REJECTS_TABLE, rejected(edit, reason), reason)
    job.facts["unreadable_verdicts"] = tally.unreadable
    job.facts["first_unreadable_verdicts"] = [asdict(what) for what in tally.first_unreadable]


def _verdict(
    edit: Edit, limits: Filter, filters: Sequence[EditFilter]
) -> tuple[str | None, str | None]:
    """Return the verdict, and why it is not known if it is not."""
    try:
        return verdict(edit, limits, filters), None
    except Exception as error:  # of whoever wrote the filter
        return UNREADABLE, cause_of(error)
