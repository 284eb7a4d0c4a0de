"""Runs stages over parts: which part is done, what is left, and the corpus at the end."""

import logging
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from functools import partial
from pathlib import Path

from wikibias.dumps.parts import Part
from wikibias.errors import WikibiasError, counted
from wikibias.execution.processes import ProgressCallback, no_progress
from wikibias.kits.folders import locked, shard_locked
from wikibias.pipeline import jobs, stages
from wikibias.pipeline.dispatch import Failed, PartTask, Workers, run_tasks
from wikibias.pipeline.manifest import OTHER_EDITS, Manifest, RunRecord
from wikibias.pipeline.plan import Plan, Request, plan_run, refuse_request
from wikibias.pipeline.settings import Settings
from wikibias.pipeline.stages import Stage

_log = logging.getLogger(__name__)
# A part that failed, and the traceback.
FailureCallback = Callable[[Part, str], None]
NoteCallback = Callable[[str], None]
_Report = tuple[ProgressCallback, FailureCallback]


def say_nothing(*told: object) -> None:
    """Show nothing but what the manifest says of it."""


def run(
    asked: Request,
    workers: Workers | None = None,
    *,
    command: Sequence[str] = (),
    on_progress: ProgressCallback = no_progress,
    on_failure: FailureCallback = say_nothing,
    on_note: NoteCallback = say_nothing,
) -> Manifest:
    """Do what is asked for, and return the manifest; do only what is missing.

    A part that fails does not end the others. Without its output, no corpus is built.

    Args:
        asked: stages of some parts, in a result folder.
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
    workers = workers or Workers()
    refuse_request(asked, workers)
    report = on_progress, on_failure
    folder, shard = asked.folder, asked.shard
    own = nullcontext() if shard is None else shard_locked(folder, shard.number, shard.of)
    with locked(folder, shared=shard is not None), own:
        plan = plan_run(asked)
        for note in plan.notes:
            on_note(note)
        plan.prepare()
        if shard is not None:
            return _run_shard(plan, workers, command, report)
        record = RunRecord(
            asked.folder,
            asked.parts,
            plan.settings,
            commands=_commands(plan, command),
            corpus=plan.corpus,
            before=plan.before,
        )
        record.save()
        if not _run_parts(plan, record, workers, report):
            _supersede(plan, record)
            _build(plan, record)
        return record.save()


def _supersede(plan: Plan, record: RunRecord) -> None:
    """Take out of the tables of older dumps what newer ones hold as well."""
    asked = plan.request
    if len(asked.parts) == 1:
        return
    from wikibias.pipeline.dump_dedup import supersede  # noqa: PLC0415 (as in `jobs`)

    with_editors = plan.settings.detect.with_editors
    found = supersede(asked.folder, asked.parts, record.as_dict(), with_editors=with_editors)
    record.compared(found)
    if found.rewritten:
        record.corpus = None


def _build(plan: Plan, record: RunRecord) -> None:
    """Do the chosen stages over all parts, unless what they have made is there."""
    asked = plan.request
    for stage in asked.chosen:
        if stage.files and record.corpus is None:
            _log.info("builds the corpus in %s", asked.folder)
            job = jobs.CorpusJob(asked.folder, asked.parts, plan.settings, record.as_dict())
            record.corpus = {**stage.do(job), "files": jobs.checksums(asked.folder, stage)}
            _log.info("the corpus has %d sentences", sum(record.corpus["splits"].values()))


def _run_shard(plan: Plan, workers: Workers, command: Sequence[str], report: _Report) -> Manifest:
    """Do a share of the parts; return a manifest of these alone.

    The folder's own manifest gets the settings from the first shard, and the rest from the run
    without a shard: several would overwrite each other's.
    """
    asked, before = plan.request, plan.before
    if before is None or before["settings"] != plan.settings.as_dict():
        commands = _commands(plan, command)
        RunRecord(asked.folder, asked.parts, plan.settings, commands=commands).save()
    if plan.todo:
        # What was made of all parts is out of date; the run without a shard makes it again.
        jobs.remove_all(asked.folder, [stage for stage in stages.STAGES if stage.files])
    record = RunRecord(asked.folder, asked.own, plan.settings)
    _run_parts(plan, record, workers, report)
    return record.as_dict()


def _commands(plan: Plan, command: Sequence[str]) -> dict[str, list[str]]:
    """Return the recorded commands, with this one for the chosen stages.

    A restart of a stage makes those of the stages after it void.
    """
    asked = plan.request
    chosen = asked.chosen if asked.shard is None else asked.per_part
    last = stages.STAGES.index(chosen[-1])
    void = {stage.name for stage in stages.STAGES[last:]} if asked.restart else set()
    earlier = (plan.before or {}).get("commands", {})
    kept = {name: words for name, words in earlier.items() if name not in void}
    return {**kept, **{stage.name: list(command) for stage in chosen}}


def _run_parts(plan: Plan, record: RunRecord, workers: Workers, report: _Report) -> set[str]:
    """Do what is missing; return the names of the parts that failed without an output."""
    asked, (on_progress, on_failure) = plan.request, report
    folder, todo = asked.folder, plan.todo
    for part in asked.own:
        wanted = todo.get(part.name, [])
        if not wanted or wanted[0].reads:
            _post_done(folder, part, on_progress)
        # Here and not in the workers: a cluster may give a part to a second worker while the first,
        # which it takes for dead, goes on; both write the same bytes, and neither may remove the
        # other's.
        if wanted:
            following = stages.per_part()[stages.per_part().index(wanted[0]) :]
            jobs.remove_of_part(folder, following, part.name)
    tasks = [
        PartTask(folder, part, partial(jobs.run_on_part, tuple(todo[part.name]), plan.settings))
        for part in asked.own
        if part.name in todo
    ]
    failed: set[str] = set()
    _log.info("%d of %s to do, in %s", len(tasks), counted(len(asked.own), "part"), folder)
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
            if asked.shard is None:
                record.update(part)
                record.save_now_and_then()
    finally:
        jobs.remove_unfinished(folder, stages.per_part(), [task.part for task in tasks])
    # At the end, because a network file system may show what other machines wrote a while later.
    for task in tasks:
        if task.part.name not in failed:
            _make_sure(folder, task.part, plan.settings, todo[task.part.name])
            record.update(task.part)
    return failed


def _post_done(folder: Path, part: Part, on_progress: ProgressCallback) -> None:
    """Report a part that has been read, now or in an earlier run."""
    first = stages.STAGES[0]
    found = jobs.recorded(folder, first, part.name)
    if found is not None:
        size = (found["input"] or {}).get("size") or 0
        on_progress(part.name, first.name, size, found["pages"], found["removed"] + found["added"])


def _log_done(folder: Path, part: Part, which: str) -> None:
    found = jobs.recorded(folder, stages.STAGES[0], part.name) or {}
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
    missing = jobs.first_missing(folder, part.name, settings)
    if any(stage in wanted for stage in missing):
        raise WikibiasError(
            f"{part.name} was done, but its output is not in {folder}; another run may be at work "
            "there, or jobs of an earlier run, or the workers may not share this folder"
        )
