"""The stages on one part: detect, diff, filter. Each reads one kind of file and writes the next.

An output appears only when it is whole. Its metadata tells the settings it was made with, what
was counted, and, for a damaged part, the damage; so a later run knows what is left to do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from typing import Any

from wikibias.dumps.parts import Part
from wikibias.edits.filters import KEPT, REASONS, verdict
from wikibias.errors import WikibiasError
from wikibias.execution.pool import WorkerPool
from wikibias.execution.progress import ProgressCallback
from wikibias.pipeline import detect
from wikibias.pipeline.detect import Findings
from wikibias.pipeline.enrichment import Task, batches, enrich
from wikibias.pipeline.layout import OUTPUTS, output, state
from wikibias.pipeline.settings import Settings
from wikibias.records import Edit
from wikibias.storage import parquet, schemas


def run_stages(
    stages: Collection[str],
    folder: Path,
    part: Part,
    settings: Settings,
    report: ProgressCallback,
    crew: WorkerPool,
) -> None:
    """Do some stages on one part, the costly work in a crew.

    Raises:
        DiskError: the output cannot be written.
    """
    if "detect" in stages:
        report(part.name, "detect", 0, 0, 0)
        detect_part(folder, part, settings, report, crew, with_diff="diff" in stages)
    elif "diff" in stages:
        report(part.name, "diff", 0, 0, 0)
        diff(folder, part, settings, crew)
    if "filter" in stages:
        report(part.name, "filter", 0, 0, 0)
        filter_edits(folder, part, settings)


def detect_part(
    folder: Path,
    part: Part,
    settings: Settings,
    report: ProgressCallback,
    crew: WorkerPool,
    *,
    with_diff: bool,
) -> None:
    """Dump part to `transitions` and, if asked, in the same go to `diffs`."""
    findings = Findings()
    found = _writing(folder, part, settings, "detect", schemas.TRANSITIONS, findings.meta)
    diffs = _writing(folder, part, settings, "diff", schemas.DIFFS) if with_diff else None
    detect.detect(part, settings, found, diffs, findings, report, crew)


def diff(folder: Path, part: Part, settings: Settings, crew: WorkerPool) -> None:
    """`transitions` to `diffs`: the pairs asked for, as differences of sentences."""
    declared = (state(folder, "detect", part.name) or {}).get("namespaces", {})
    task = Task.of(settings, {int(n): name for n, name in declared.items()}, compare=True)
    found = map(schemas.transition_of, parquet.read_table(output(folder, "transitions", part.name)))
    with _writing(folder, part, settings, "diff", schemas.DIFFS) as file:
        for _, worked_out in crew.in_order(partial(enrich, task), batches(found)):
            for done in worked_out:
                if done.edit is not None:
                    file.write(schemas.edit_row(done.edit))


def _writing(
    folder: Path,
    part: Part,
    settings: Settings,
    stage: str,
    columns: parquet.Columns,
    more: Callable[[], Mapping[str, Any]] = dict,
) -> AbstractContextManager[parquet.TableWriter]:
    """Give the writer of the output of a stage that has one."""
    return parquet.writing(
        output(folder, OUTPUTS[stage][0], part.name),
        columns,
        lambda: {"settings": settings.fingerprint(stage), **more()},
        with_editors=settings.detect.with_editors,
    )


def filter_edits(folder: Path, part: Part, settings: Settings) -> None:
    """`diffs` to `rejects` and `edits`, each with its verdict."""
    verdicts: Counter[str] = Counter()

    def writing(kind: str, columns: parquet.Columns) -> AbstractContextManager[parquet.TableWriter]:
        return parquet.writing(
            output(folder, kind, part.name),
            columns,
            lambda: {
                "settings": settings.fingerprint("filter"),
                "verdicts": {reason: verdicts[reason] for reason in (*REASONS, KEPT)},
            },
            with_editors=settings.detect.with_editors,
        )

    # What is entered first ends last: `edits` tells that both are whole.
    with writing("edits", schemas.EDITS) as edits, writing("rejects", schemas.REJECTS) as rejects:
        for edit in _edits(output(folder, "diffs", part.name)):
            reason = verdict(edit, settings.filter.limits, settings.filter.reverts)
            verdicts[reason] += 1
            (edits if reason == KEPT else rejects).write(schemas.edit_row(edit, reason))


def _edits(path: Path) -> Iterator[Edit]:
    return (schemas.edit_of(row) for row in parquet.read_table(path))


def kept_edits(folder: Path, parts: Iterable[Part]) -> Iterator[Edit]:
    """Yield the kept edits of all parts, in order.

    Raises:
        WikibiasError: a part's file is gone.
    """
    for part in parts:
        path = output(folder, "edits", part.name)
        if not path.is_file():
            raise WikibiasError(f"{path} is gone; run the same command again")
        yield from _edits(path)
