"""Runs stages over parts: which part is done, what is left, and the corpus at the end."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from wikibias.config.choices import LabelsBy
from wikibias.dumps.parts import Part
from wikibias.errors import UsageError, WikibiasError
from wikibias.execution.pool import WorkerPool
from wikibias.execution.progress import ProgressCallback, no_progress
from wikibias.kits.folders import locked, refuse_foreign, shard_locked
from wikibias.messages import counted
from wikibias.pipeline import manifest, outputs, stages
from wikibias.pipeline.dispatch import Failed, PartTask, Workers, run_tasks
from wikibias.pipeline.loaded_settings import labels_of
from wikibias.pipeline.manifest import Manifest, RunRecord
from wikibias.pipeline.manifest_facts import OTHER_EDITS
from wikibias.pipeline.opening import (
    NoteCallback,
    is_result,
    no_note,
    open_folder,
    refuse_request,
)
from wikibias.pipeline.settings import Settings
from wikibias.pipeline.shard import Shard
from wikibias.pipeline.stage import Stage

_log = logging.getLogger(__name__)
# A part that failed, and the traceback.
FailureCallback = Callable[[Part, str], None]


def no_failure(part: Part, traceback: str) -> None:
    """Show nothing but what the manifest says of it."""


def run(
    folder: Path,
    parts: Sequence[Part],
    settings: Settings,
    chosen: Sequence[Stage] | None = None,
    *,
    restart: bool = False,
    shard: Shard | None = None,
    workers: Workers | None = None,
    command: Sequence[str] = (),
    on_progress: ProgressCallback = no_progress,
    on_failure: FailureCallback = no_failure,
    on_note: NoteCallback = no_note,
) -> Manifest:
    """Do some stages on `parts`, or all, and return the manifest; do only what is missing.

    A part that fails does not end the others. Without its output, no corpus is built.

    Args:
        folder: of the result.
        parts: all parts of the result, in order; see `additions.with_recorded`.
        settings: those of the stages that are not chosen are taken from the manifest.
        chosen: stages that follow one another.
        restart: remove what they have written, and what follows from it.
        shard: do only these parts, and no stage over all parts; other shards may run meanwhile.
        workers: one, in this process, where nothing is said.
        command: what a user types to get this; the manifest keeps it for `wikibias status`.
        on_progress: takes the progress.
        on_failure: takes the traceback of a part that failed.
        on_note: takes a line that says which parts are added.

    Raises:
        UsageError: the folder holds the result of other settings, inputs or wikis, or another run
            is at work there.
        DiskError: the folder cannot be written to.
        WikibiasError: workers cannot be started; the same call does what is left.
    """
    workers, chosen = workers or Workers(), chosen or stages.STAGES
    refuse_request(folder, parts, chosen, workers, restart=restart, is_shard=shard is not None)
    if shard is not None:
        return _run_shard(
            folder,
            parts,
            settings,
            chosen,
            shard,
            workers,
            command,
            on_progress,
            on_failure,
            on_note,
        )
    refuse_foreign(folder, is_result)
    with locked(folder):
        if chosen[0].files:
            refuse_build(folder, parts, settings)
        before, settings = open_folder(
            folder, parts, settings, chosen, restart=restart, on_note=on_note
        )
        todo = missing(folder, parts, settings, chosen)
        record = RunRecord(
            folder,
            parts,
            settings,
            commands=_commands(before, chosen, command, restart=restart),
            corpus=None if todo else kept_corpus(folder, before, parts, labels_of(settings)),
            seconds=float((before or {}).get("duration_seconds", 0)),
            before=before,
        )
        record.save()
        failed = _run_parts(folder, parts, settings, todo, record, workers, on_progress, on_failure)
        if not failed:
            _supersede(folder, parts, settings, record)
            _build(folder, parts, settings, chosen, record)
        return record.save()


def refuse_build(folder: Path, parts: Sequence[Part], settings: Settings) -> None:
    """Refuse a corpus that cannot be built, before the one that is there is removed.

    Raises:
        UsageError: the edits that it takes were not looked for, or none is kept.
    """
    from wikibias.pipeline.build import refuse  # noqa: PLC0415 (see `_do_stages`)
    from wikibias.pipeline.jobs import CorpusJob  # noqa: PLC0415

    if all(outputs.recorded(folder, stage, p.name) for stage in stages.per_part() for p in parts):
        refuse(CorpusJob(folder, parts, settings, {}))


def kept_corpus(
    folder: Path, before: Manifest | None, parts: Sequence[Part], labels: LabelsBy | None = None
) -> dict[str, Any] | None:
    """Return what a manifest says of the corpus, where it was made of these parts as they are.

    It has such labels as are asked for, too.
    A run that was killed may have taken rows out of their tables since.
    """
    entries = {entry["part"]: entry for entry in (before or {}).get("inputs", ())}
    if [part.name for part in parts] != [*entries]:
        return None
    labelled = ((before or {}).get("corpus") or {}).get("labelled") or {}
    if labelled.get("by") != labels:
        return None
    for part in parts:
        facts = outputs.recorded(folder, stages.STAGES[0], part.name) or {}
        if facts.get("superseded", {}) != entries[part.name].get("superseded", {}):
            return None
    return manifest.corpus_of(folder, before, compare=True)


def _supersede(folder: Path, parts: Sequence[Part], settings: Settings, record: RunRecord) -> None:
    """Take out of the tables of older dumps what newer ones hold as well."""
    if len(parts) == 1:
        return
    from wikibias.pipeline.superseding import supersede  # noqa: PLC0415 (see `_do_stages`)

    found = supersede(folder, parts, record.as_dict(), with_editors=settings.detect.with_editors)
    record.compared(found)
    if found.rewritten:
        record.corpus = None


def _build(
    folder: Path,
    parts: Sequence[Part],
    settings: Settings,
    chosen: Sequence[Stage],
    record: RunRecord,
) -> None:
    """Do the chosen stages over all parts, unless what they have made is there."""
    for stage in chosen:
        if stage.files and record.corpus is None:
            _log.info("builds the corpus in %s", folder)
            from wikibias.pipeline.jobs import CorpusJob  # noqa: PLC0415 (see `_do_stages`)

            made = stage.do(CorpusJob(folder, parts, settings, record.as_dict()))
            record.corpus = {**made, "files": outputs.checksums(folder, stage)}
            _log.info("the corpus has %d sentences", sum(record.corpus["splits"].values()))


def _run_shard(
    folder: Path,
    parts: Sequence[Part],
    settings: Settings,
    chosen: Sequence[Stage],
    shard: Shard,
    workers: Workers,
    command: Sequence[str],
    on_progress: ProgressCallback,
    on_failure: FailureCallback,
    on_note: NoteCallback,
) -> Manifest:
    """Do a share of the parts; return a manifest of these alone.

    The folder's own manifest gets the settings from the first shard, and the rest from the run
    without a shard: several would overwrite each other's.
    """
    own = shard.of_parts(parts)
    chosen = [stage for stage in chosen if stage.is_per_part]
    refuse_foreign(folder, is_result)
    with locked(folder, shared=True), shard_locked(folder, shard.number, shard.of):
        before, settings = open_folder(
            folder, parts, settings, chosen, restart=False, own=own, on_note=on_note
        )
        if before is None or before["settings"] != settings.as_dict():
            commands = _commands(before, chosen, command, restart=False)
            RunRecord(folder, parts, settings, commands=commands).save()
        todo = missing(folder, own, settings, chosen)
        if todo:
            # What was made of all parts is out of date; the run without a shard makes it again.
            outputs.remove_all(folder, [stage for stage in stages.STAGES if stage.files])
        record = RunRecord(folder, own, settings)
        _run_parts(
            folder, own, settings, todo, record, workers, on_progress, on_failure, save=False
        )
        return record.as_dict()


def _commands(
    before: Manifest | None, chosen: Sequence[Stage], command: Sequence[str], *, restart: bool
) -> dict[str, list[str]]:
    """Return the recorded commands, with this one for the chosen stages.

    A restart of a stage makes those of the stages after it void.
    """
    earlier = (before or {}).get("commands", {})
    last = stages.STAGES.index(chosen[-1])
    void = {stage.name for stage in stages.STAGES[last:]} if restart else set()
    kept = {name: words for name, words in earlier.items() if name not in void}
    return {**kept, **{stage.name: list(command) for stage in chosen}}


def missing(
    folder: Path, parts: Sequence[Part], settings: Settings, chosen: Sequence[Stage]
) -> dict[str, list[Stage]]:
    """Return the stages to be done, by the name of each part that is not done yet.

    Raises:
        UsageError: a part has not been through an earlier stage.
    """
    todo: dict[str, list[Stage]] = {}
    for part in parts:
        missing = outputs.first_missing(folder, part.name, stages.per_part(), settings, chosen)
        wanted = [stage for stage in missing if stage in chosen]
        if missing and missing[0] not in chosen and _follows(chosen[-1], missing[0]):
            raise UsageError(
                f"{part.name} has not been through `wikibias {missing[0].name}` yet; run that first"
            )
        if wanted:
            todo[part.name] = wanted
    return todo


def _follows(stage: Stage, other: Stage) -> bool:
    return stages.STAGES.index(stage) > stages.STAGES.index(other)


def _run_parts(
    folder: Path,
    parts: Sequence[Part],
    settings: Settings,
    todo: dict[str, list[Stage]],
    record: RunRecord,
    workers: Workers,
    on_progress: ProgressCallback,
    on_failure: FailureCallback,
    *,
    save: bool = True,
) -> set[str]:
    """Do what is missing; return the names of the parts that failed without an output."""
    for part in parts:
        wanted = todo.get(part.name, [])
        if not wanted or wanted[0].reads:
            _post_done(folder, part, on_progress)
        # Here and not in the workers: a cluster may give a part to a second worker while the first,
        # which it takes for dead, goes on; both write the same bytes, and neither may remove the
        # other's.
        if wanted:
            following = stages.per_part()[stages.per_part().index(wanted[0]) :]
            outputs.remove_of_part(folder, following, part.name)
    tasks = [
        PartTask(folder, part, partial(_do_stages, tuple(todo[part.name]), settings))
        for part in parts
        if part.name in todo
    ]
    failed: set[str] = set()
    _log.info("%d of %s to do, in %s", len(tasks), counted(len(parts), "part"), folder)
    try:
        for done, (part, result) in enumerate(run_tasks(tasks, workers, on_progress), 1):
            if isinstance(result, Failed):
                _log.error("%s %s", part.name, result.reason)
                failed.add(part.name)
                record.fail(part, result.reason)
                on_failure(part, result.traceback)
                continue
            _post_done(folder, part, on_progress)
            _log_done(folder, part, f"{done} of {len(tasks)}")
            if save:
                record.update(part)
                record.save_now_and_then()
    finally:
        outputs.remove_unfinished(folder, stages.per_part(), [task.part for task in tasks])
    # At the end, because a network file system may show what other machines wrote a while later.
    for task in tasks:
        if task.part.name not in failed:
            _make_sure(folder, task.part, settings, todo[task.part.name])
            record.update(task.part)
    return failed


def _do_stages(
    wanted: Sequence[Stage],
    settings: Settings,
    folder: Path,
    part: Part,
    post: ProgressCallback,
    pool: WorkerPool,
) -> None:
    """Do stages on a part; a worker that is to share it starts while this process loads pyarrow."""
    if wanted[0].prepare is not None:
        pool.start(wanted[0].prepare, settings)
    from wikibias.pipeline.jobs import run_on_part  # noqa: PLC0415 (as said)

    run_on_part(wanted, settings, folder, part, post, pool)


def _post_done(folder: Path, part: Part, on_progress: ProgressCallback) -> None:
    """Report a part that has been read, now or in an earlier run."""
    first = stages.STAGES[0]
    found = outputs.recorded(folder, first, part.name)
    if found is not None:
        size = (found["input"] or {}).get("size") or 0
        on_progress(part.name, first.name, size, found["pages"], found["removed"] + found["added"])


def _log_done(folder: Path, part: Part, which: str) -> None:
    found = outputs.recorded(folder, stages.STAGES[0], part.name) or {}
    if found.get("error"):
        _log.error("%s %s", part.name, found["error"])
    words = {"pages": "page", "revisions": "revision"}
    words |= {"removed": "tag removal", "added": "addition"}
    words |= {name: word for name, word in OTHER_EDITS.items() if found.get(name)}
    said = ", ".join(counted(found.get(name, 0), word) for name, word in words.items())
    _log.info("%s is done (%s): %s", part.name, which, said)


def _make_sure(folder: Path, part: Part, settings: Settings, wanted: Sequence[Stage]) -> None:
    """Look for what a worker says it has done, with these settings.

    Raises:
        WikibiasError: it writes elsewhere, or another run writes here too.
    """
    missing = outputs.first_missing(folder, part.name, stages.per_part(), settings)
    if any(stage in wanted for stage in missing):
        raise WikibiasError(
            f"{part.name} was done, but its output is not in {folder}; another run may be at work "
            "there, or jobs of an earlier run, or the workers may not share this folder"
        )
