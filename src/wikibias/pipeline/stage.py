"""A stage of the pipeline as a value, and what it works with."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import lru_cache, partial
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

from wikibias.dumps.parts import Part
from wikibias.errors import WikibiasError
from wikibias.execution.pool import WorkerPool
from wikibias.execution.progress import ProgressCallback
from wikibias.pipeline.settings import OUTPUT_VERSION, Settings
from wikibias.storage import parquet
from wikibias.storage.schemas import Table

KEPT = "kept"
# The setting in the section `diff` on which the output of every stage depends.
LANGUAGE = "language_version"
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Stage:
    """One step of the pipeline.

    Args:
        name: its command, and its name in the manifest.
        title: what its command does, in a few words.
        description: the same in a sentence.
        reads: the tables it reads; none where it reads the dump.
        writes: the tables it writes. The last one is complete last, and so says that it is done.
        settings: the sections of the settings on which its output depends.
        run: "module:function", imported when it is run, or the function itself. It gets a
            `PartJob`; or a `CorpusJob`, where the stage has `files`.
        progress: what a progress bar says of it.
        joins: the stage in whose reading of a part it is done as well, where both are asked for.
        example: options in the example of its help.
        files: what a stage over all parts writes, by name in the result folder.
        files_on_request: what it writes besides, where its settings ask for it.
    """

    name: str
    title: str
    description: str
    reads: tuple[Table[Any], ...]
    writes: tuple[Table[Any], ...]
    settings: tuple[str, ...]
    run: str | Callable[[Any], Any]
    progress: str = "working"
    joins: str | None = None
    example: str = ""
    files: tuple[str, ...] = ()
    files_on_request: tuple[str, ...] = ()

    @property
    def is_per_part(self) -> bool:
        """Whether it is done on each part by itself."""
        return not self.files

    def do(self, job: PartJob | CorpusJob) -> Any:
        """Run it."""
        if not isinstance(self.run, str):
            return self.run(job)
        module, _, function = self.run.partition(":")
        return getattr(import_module(module), function)(job)


def output(folder: Path, table: str, part: str) -> Path:
    """Return where a part's rows of a table lie, such as `transitions/x.xml.bz2.parquet`."""
    return folder / table / f"{part}.parquet"


@lru_cache(64)
def fingerprint(stage: Stage, settings: Settings) -> str:
    """Return a hash of the settings that the output of a stage depends on."""
    recorded = settings.as_dict()
    sections = {name: recorded[name] for name in stage.settings}
    content = json.dumps([OUTPUT_VERSION, recorded["diff"][LANGUAGE], sections], sort_keys=True)
    return hashlib.sha256(content.encode()).hexdigest()[:16]


@dataclass(slots=True)
class PartJob:
    """What a stage works with on one part: tables to read and write, and the part itself.

    `facts` go into the metadata of its output, `joined` into that of a stage done in the same
    reading. So do the counts of what it keeps and rejects: of
    the `reasons` that it announces in their order, and of others. The manifest shows what it knows.
    """

    folder: Path
    part: Part
    settings: Settings
    pool: WorkerPool
    post: ProgressCallback
    facts: dict[str, Any] = field(default_factory=dict)
    joined: dict[str, Any] = field(default_factory=dict)
    verdicts: Counter[str] = field(default_factory=Counter)
    reasons: list[str] = field(default_factory=list)
    writers: dict[str, parquet.TableWriter[Any]] = field(default_factory=dict)

    def read(self, table: Table[R]) -> Iterator[R]:
        """Yield the records of this part in a table that an earlier stage has written."""
        return parquet.read_records(output(self.folder, table.name, self.part.name), table)

    def facts_of(self, table: Table[Any]) -> dict[str, Any]:
        """Return what the stage that wrote a table of this part has noted of it."""
        return parquet.read_meta(output(self.folder, table.name, self.part.name)) or {}

    def wants(self, table: Table[Any]) -> bool:
        """Whether the table is asked for: a stage may have to write one of the next stage's."""
        return table.name in self.writers

    def write(self, table: Table[R], record: R) -> None:
        """Write a record; memory stays flat however many there are.

        Raises:
            RowError: it does not fit into the table, and is left out.
        """
        self.writers[table.name].write(record)

    def keep(self, table: Table[R], record: R) -> None:
        """Write a record that no filter drops, and count it."""
        self.verdicts[KEPT] += 1
        self.write(table, record)

    def reject(self, table: Table[R], record: R, reason: str) -> None:
        """Write a record that a filter drops, and count it with the reason."""
        self.verdicts[reason] += 1
        self.write(table, record)


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
    for together in _passes(stages):
        post(part.name, together[0].name, 0, 0, 0)
        pool.trace.enter(together[0].name)
        job = PartJob(folder, part, settings, pool, post)
        with ExitStack() as files:
            # What is entered last is completed first.
            for stage, table in reversed([(s, table) for s in together for table in s.writes]):
                job.writers[table.name] = files.enter_context(
                    parquet.writing(
                        output(folder, table.name, part.name),
                        table,
                        partial(_metadata, stage, job, leads=stage is together[0]),
                        with_editors=settings.detect.with_editors,
                    )
                )
            together[0].do(job)
            if job.reasons or job.verdicts:
                names = dict.fromkeys([*job.reasons, *sorted(job.verdicts.keys() - {KEPT}), KEPT])
                job.facts["verdicts"] = {name: job.verdicts[name] for name in names}


def _metadata(stage: Stage, job: PartJob, *, leads: bool) -> Mapping[str, Any]:
    facts = job.facts if leads else job.joined
    return {"settings": fingerprint(stage, job.settings), **facts}


def _passes(stages: Sequence[Stage]) -> list[list[Stage]]:
    """Return the stages in groups, each done in one reading of its input."""
    passes: list[list[Stage]] = []
    for stage in stages:
        if passes and stage.joins in [s.name for s in passes[-1]]:
            passes[-1].append(stage)
        else:
            passes.append([stage])
    return passes
