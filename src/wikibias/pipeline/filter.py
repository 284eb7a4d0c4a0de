"""The stage `filter`: edits to those that are kept, and rejects with their reason."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from wikibias.config.thresholds import Filter
from wikibias.dumps.iteration import Tally
from wikibias.edits.filters import UNREADABLE, EditFilter, kept, rejected, verdict
from wikibias.execution.trace import DEADLY
from wikibias.kits.schemas import DIFFS_TABLE, EDITS_TABLE, REJECTS_TABLE
from wikibias.messages import cause_of
from wikibias.pipeline.enrichment_task import unreadable
from wikibias.pipeline.intent_settings import filter_lists
from wikibias.pipeline.jobs import PartJob
from wikibias.pipeline.stage import KEPT
from wikibias.records import Edit


def run(job: PartJob) -> None:
    """Give each edit its verdict."""
    verdicts = Verdicts(job)
    for edit in job.read(DIFFS_TABLE):
        verdicts.give(edit)
    verdicts.end()


class Verdicts:
    """Gives edits their verdicts, and counts and names those that no filter can take."""

    def __init__(self, job: PartJob) -> None:
        chosen = job.settings.filter
        self._lists = filter_lists(job.settings)
        # Filters that drop nothing are counted too.
        job.reasons = self._lists.announced(job.settings.detect.signal)
        self._job, self._limits = job, chosen.limits
        self._tally, self._number = Tally(), 0

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
            self._tally.skip(unreadable(edit.provenance, cause))
        if reason is None:
            self._job.keep(EDITS_TABLE, kept(edit, KEPT))
        else:
            self._job.reject(REJECTS_TABLE, rejected(edit, reason), reason)

    def end(self) -> None:
        """Note what could not be judged."""
        named = [asdict(what) for what in self._tally.first_unreadable]
        self._job.facts["unreadable_verdicts"] = self._tally.unreadable
        self._job.facts["first_unreadable_verdicts"] = named


def judged(
    edit: Edit, limits: Filter, filters: Sequence[EditFilter]
) -> tuple[str | None, str | None]:
    """Return the verdict, and why it is not known if it is not."""
    try:
        return verdict(edit, limits, filters), None
    except Exception as error:  # of whoever wrote the filter
        return UNREADABLE, cause_of(error)
