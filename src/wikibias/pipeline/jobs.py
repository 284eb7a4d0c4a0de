"""What stages work with: a part, or all parts of a corpus. They run them on it, too."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from wikibias.dumps.parts import Part
from wikibias.errors import WikibiasError
from wikibias.execution.pool import WorkerPool
from wikibias.execution.processes import ProgressCallback
from wikibias.kits import parquet
from wikibias.kits.schemas import Table
from wikibias.pipeline.outputs import fingerprint, output
from wikibias.pipeline.settings import Settings
from wikibias.pipeline.stages import Stage
from wikibias.records import KEPT, Provenance, Unreadable

if TYPE_CHECKING:
    from wikibias.dumps.iteration import Tally

R = TypeVar("R")


@dataclass(slots=True)
class PartJob:
    """What a stage works with on one part: tables to read and write, and the part itself.

    `facts` go into the metadata of its output. So do the counts of what it keeps and rejects: of
    the `reasons` that it announces in their order, and of others. The manifest shows what it knows.
    `joined` holds, by name, the jobs of the stages that are to be done in the same reading, and
    `lost` counts and names what could not be worked out.
    """

    folder: Path
    part: Part
    settings: Settings
    pool: WorkerPool
    post: ProgressCallback
    lost: Tally
    facts: dict[str, Any] = field(default_factory=dict)
    joined: dict[str, PartJob] = field(default_factory=dict)
    verdicts: Counter[str] = field(default_factory=Counter)
    reasons: list[str] = field(default_factory=list)
    writers: dict[str, parquet.TableWriter[Any]] = field(default_factory=dict)

    def read(self, table: Table[R]) -> Iterator[R]:
        """Yield the records of this part in a table that an earlier stage has written."""
        return parquet.read_records(output(self.folder, table.name, self.part.name), table)

    def facts_of(self, table: Table[Any]) -> dict[str, Any]:
        """Return what the stage that wrote a table of this part has noted of it."""
        return parquet.read_meta(output(self.folder, table.name, self.part.name)) or {}

    def write(self, table: Table[R], record: R) -> None:
        """Write a record; memory stays flat however many there are.

        Raises:
            RowError: it does not fit into the table, and is left out.
        """
        self.writers[table.name].write(record)

    def skip(self, made: Provenance, cause: str) -> None:
        """Count and name a transition or an edit that could not be worked out."""
        self.lost.skip(Unreadable(made.page_title, made.page_id, made.after_rev_id, cause))


@dataclass(frozen=True, slots=True)
class CorpusJob:
    """What a stage over all parts works with; `summary` is the manifest as it stands."""

    folder: Path
    parts: Sequence[Part]
    settings: Settings
    summary: Mapping[str, Any]

    def read(self, table: Table[R], part: Part, rows: Sequence[int] | None = None) -> Iterator[R]:
        """Yield the records of a part in a table, or those with these row numbers, in order.

        Raises:
            WikibiasError: the part's file is gone.
        """
        path = output(self.folder, table.name, part.name)
        if not path.is_file():
            raise WikibiasError(f"{path} is gone; run the same command again")
        return parquet.read_records(path, table, rows)


def run_on_part(
    stages: Sequence[Stage],
    settings: Settings,
    folder: Path,
    part: Part,
    post: ProgressCallback,
    pool: WorkerPool,
) -> None:
    """Do some stages on one part, in order. Each table appears only when it is complete.

    Raises:
        DiskError: the output cannot be written.
    """
    # A build reads what was filtered, and no dump.
    from wikibias.dumps.iteration import Tally  # noqa: PLC0415

    for together in _passes(stages):
        leading = together[0]
        post(part.name, leading.name, 0, 0, 0)
        pool.trace.enter(leading.name)
        jobs = {s.name: PartJob(folder, part, settings, pool, post, Tally()) for s in together}
        with ExitStack() as files:
            # Where several processes share the work, a thread takes the writing off this one.
            beside = files.enter_context(ThreadPoolExecutor(1)) if pool.size > 1 else None
            # What is entered last is completed first.
            for stage in reversed(together):
                job = jobs[stage.name]
                for table in reversed(stage.writes):
                    job.writers[table.name] = files.enter_context(
                        parquet.writing(
                            output(folder, table.name, part.name),
                            table,
                            partial(_metadata, stage, job),
                            with_editors=settings.detect.with_editors,
                            beside=beside,
                        )
                    )
                if stage.joins in jobs:
                    jobs[stage.joins].joined[stage.name] = job
            leading.do(jobs[leading.name])


def _metadata(stage: Stage, job: PartJob) -> Mapping[str, Any]:
    facts = {"settings": fingerprint(stage, job.settings), **job.facts}
    if stage.lost:
        named = [asdict(what) for what in job.lost.first_unreadable]
        facts |= {stage.lost: job.lost.unreadable, f"first_{stage.lost}": named}
    if job.reasons or job.verdicts:
        names = dict.fromkeys([*job.reasons, *sorted(job.verdicts.keys() - {KEPT}), KEPT])
        facts["verdicts"] = {name: job.verdicts[name] for name in names}
    return facts


def _passes(stages: Sequence[Stage]) -> list[list[Stage]]:
    """Return the stages in groups, each done in one reading of its input."""
    passes: list[list[Stage]] = []
    for stage in stages:
        if passes and stage.joins in [s.name for s in passes[-1]]:
            passes[-1].append(stage)
        else:
            passes.append([stage])
    return passes
