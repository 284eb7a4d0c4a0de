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

from wikibias import detection, tables
from wikibias.details import Task, details, together
from wikibias.detection import Findings
from wikibias.dumps.parts import Part
from wikibias.engines import Crew
from wikibias.errors import WikibiasError
from wikibias.filters import KEPT, REASONS, verdict
from wikibias.news import Report
from wikibias.records import Edit
from wikibias.settings import Settings

OUTPUTS = {
    "detect": ("transitions",),
    "diff": ("diffs",),
    # The last one is written last, and so says that the stage is done.
    "filter": ("rejects", "edits"),
}


def output(folder: Path, kind: str, part: str) -> Path:
    """Return where a part's output of one kind lies, such as `transitions/x.xml.bz2.parquet`."""
    return folder / kind / f"{part}.parquet"


def state(folder: Path, stage: str, part: str) -> dict[str, Any] | None:
    """Return the metadata of a stage's output of a part, or None when there is none."""
    found = [tables.read_meta(output(folder, kind, part)) for kind in OUTPUTS[stage]]
    return None if None in found else found[-1]


def run_stages(
    stages: Collection[str],
    folder: Path,
    part: Part,
    settings: Settings,
    report: Report,
    crew: Crew,
) -> None:
    """Do some stages on one part, the costly work in a crew.

    Raises:
        DiskError: the output cannot be written.
    """
    if "detect" in stages:
        report(part.name, "detect", 0, 0, 0)
        detect(folder, part, settings, report, crew, with_diff="diff" in stages)
    elif "diff" in stages:
        report(part.name, "diff", 0, 0, 0)
        diff(folder, part, settings, crew)
    if "filter" in stages:
        report(part.name, "filter", 0, 0, 0)
        filter_edits(folder, part, settings)


def detect(
    folder: Path, part: Part, settings: Settings, report: Report, crew: Crew, *, with_diff: bool
) -> None:
    """Dump part to `transitions` and, if asked, in the same go to `diffs`."""
    findings = Findings()
    found = _writing(folder, part, settings, "detect", tables.TRANSITIONS, findings.meta)
    diffs = _writing(folder, part, settings, "diff", tables.DIFFS) if with_diff else None
    detection.detect(part, settings, found, diffs, findings, report, crew)


def diff(folder: Path, part: Part, settings: Settings, crew: Crew) -> None:
    """`transitions` to `diffs`: the pairs asked for, as differences of sentences."""
    declared = (state(folder, "detect", part.name) or {}).get("namespaces", {})
    task = Task.of(settings, {int(n): name for n, name in declared.items()}, compare=True)
    found = map(tables.transition_of, tables.read_table(output(folder, "transitions", part.name)))
    with _writing(folder, part, settings, "diff", tables.DIFFS) as file:
        for _, worked_out in crew.in_order(partial(details, task), together(found)):
            for done in worked_out:
                if done.edit is not None:
                    file.write(tables.edit_row(done.edit))


def _writing(
    folder: Path,
    part: Part,
    settings: Settings,
    stage: str,
    columns: tables.Columns,
    more: Callable[[], Mapping[str, Any]] = dict,
) -> AbstractContextManager[tables.TableWriter]:
    """Give the writer of the output of a stage that has one."""
    return tables.writing(
        output(folder, OUTPUTS[stage][0], part.name),
        columns,
        lambda: {"settings": settings.fingerprint(stage), **more()},
        with_editors=settings.detect.with_editors,
    )


def filter_edits(folder: Path, part: Part, settings: Settings) -> None:
    """`diffs` to `rejects` and `edits`, each with its verdict."""
    verdicts: Counter[str] = Counter()

    def writing(kind: str, columns: tables.Columns) -> AbstractContextManager[tables.TableWriter]:
        return tables.writing(
            output(folder, kind, part.name),
            columns,
            lambda: {
                "settings": settings.fingerprint("filter"),
                "verdicts": {reason: verdicts[reason] for reason in (*REASONS, KEPT)},
            },
            with_editors=settings.detect.with_editors,
        )

    # What is entered first ends last: `edits` tells that both are whole.
    with writing("edits", tables.EDITS) as edits, writing("rejects", tables.REJECTS) as rejects:
        for edit in _edits(output(folder, "diffs", part.name)):
            reason = verdict(edit, settings.filter.limits, settings.filter.reverts)
            verdicts[reason] += 1
            (edits if reason == KEPT else rejects).write(tables.edit_row(edit, reason))


def _edits(path: Path) -> Iterator[Edit]:
    return (tables.edit_of(row) for row in tables.read_table(path))


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
