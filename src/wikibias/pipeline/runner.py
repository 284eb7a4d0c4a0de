"""Runs stages over parts: which part is done, what is left, and the corpus at the end."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import BrokenExecutor, Future, as_completed
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock
from typing import Any

from wikibias import __version__
from wikibias.dumps.compression.streams import STDIN, is_ours_alone
from wikibias.dumps.parts import Part
from wikibias.dumps.web.remote import AT_A_TIME, is_url
from wikibias.errors import DiskError, UsageError, WikibiasError
from wikibias.execution import engines, pool, processes
from wikibias.execution.progress import ProgressCallback, connect, post, progress_channel
from wikibias.messages import counted
from wikibias.pipeline import manifest, resume
from wikibias.pipeline.build import build, corpus_files, recorded_corpus
from wikibias.pipeline.layout import OUTPUTS, output, state
from wikibias.pipeline.manifest import Manifest
from wikibias.pipeline.settings import STAGES, Settings
from wikibias.pipeline.stages import run_stages
from wikibias.storage.atomic import remove_unfinished
from wikibias.storage.locks import hold_as_worker, locked


@dataclass(frozen=True, slots=True)
class Job:
    """Some stages to do on one part, by a crew of so many processes."""

    folder: Path
    part: Part
    settings: Settings
    stages: tuple[str, ...]
    crew: int = 1


def run(
    folder: Path,
    parts: Sequence[Part],
    settings: Settings,
    stages: Sequence[str] = STAGES,
    *,
    restart: bool = False,
    workers: int = 1,
    engine: str = engines.LOCAL,
    scheduler: str | None = None,
    report: ProgressCallback = lambda part, stage, done, pages, transitions: None,
) -> Manifest:
    """Do `stages` on `parts`, and return the manifest; do only what is missing.

    Raises:
        UsageError: the folder holds the result of other settings or inputs, or another run is
            at work there.
        DiskError: the folder cannot be written to.
    """
    engines.check(engine, scheduler)
    with locked(folder):
        remove_unfinished(folder)
        before = manifest.load(folder) if not restart else None
        if restart:
            _refuse_lost_inputs(folder, parts, stages)
            _clear(folder, stages)
        if before is not None:
            resume.refuse_changes(folder, before, settings, parts, stages)
            for name in resume.dropped(before, parts):
                _remove_outputs(folder, name, list(OUTPUTS))
            settings = resume.merged(folder, before, settings, stages)
        began = time.monotonic() - float((before or {}).get("duration_seconds", 0))
        corpus = recorded_corpus(folder, before)

        def save() -> Manifest:
            now = manifest.summarise(folder, settings, parts, corpus)
            manifest.save(folder, now, time.monotonic() - began)
            return now

        jobs = _jobs(folder, parts, settings, stages)
        if jobs:
            corpus = None
        save()
        _tell_done(folder, parts, jobs, report)
        _remove_stale(jobs)
        done = (
            _done(jobs, workers, report)
            if engine == engines.LOCAL
            else _done_elsewhere(jobs, workers, engine, scheduler, report)
        )
        for _ in done:
            save()
        _make_sure(folder, jobs, settings)
        if "build" in stages and corpus is None:
            corpus = build(folder, parts, settings)
        return save()


def recorded(folder: Path) -> Manifest:
    """Return the manifest of a folder in which a later stage is to go on.

    Raises:
        UsageError: there is none.
    """
    found = manifest.load(folder)
    if found is None:
        raise UsageError(f"{folder} holds no result; run `wikibias detect` or `extract` first")
    return found


def _refuse_lost_inputs(folder: Path, parts: Sequence[Part], stages: Sequence[str]) -> None:
    """Throw nothing away for an input that is not there: a mistyped name, a disk not mounted."""
    lost = resume.lost(parts)
    if lost and stages[0] == STAGES[0] and (folder / manifest.NAME).exists():
        raise UsageError(f"{lost[0]}: no such file; {folder} is left as it was")


def _clear(folder: Path, stages: Sequence[str]) -> None:
    """Remove the outputs of the first of `stages` and of all that follow from it."""
    for stage in STAGES[STAGES.index(stages[0]) :]:
        for kind in OUTPUTS.get(stage, ("corpus",)):
            made = (
                [*corpus_files(folder)] if kind == "corpus" else (folder / kind).glob("*.parquet")
            )
            for path in made:
                path.unlink(missing_ok=True)
            with suppress(OSError):
                (folder / kind).rmdir()
    if stages[0] == STAGES[0]:
        (folder / manifest.NAME).unlink(missing_ok=True)


def _jobs(
    folder: Path, parts: Sequence[Part], settings: Settings, stages: Sequence[str]
) -> list[Job]:
    jobs = []
    for part in parts:
        missing = _missing(folder, part, settings, stages)
        todo = tuple(stage for stage in stages if stage in missing)
        if missing and missing[0] not in stages and _comes_after(stages[-1], missing[0]):
            raise UsageError(
                f"{part.name} is not through `wikibias {missing[0]}` yet; run that first"
            )
        if todo:
            jobs.append(Job(folder, part, settings, todo))
    return jobs


def _tell_done(
    folder: Path, parts: Sequence[Part], jobs: Sequence[Job], report: ProgressCallback
) -> None:
    """Count in the parts that earlier runs have read."""
    again = {job.part.name for job in jobs if "detect" in job.stages}
    for part in parts:
        found = None if part.name in again else state(folder, "detect", part.name)
        if found is not None:
            size = (found["input"] or {}).get("size") or 0
            report(part.name, "detect", size, found["pages"], found["removed"] + found["added"])


def _comes_after(stage: str, other: str) -> bool:
    return STAGES.index(stage) > STAGES.index(other)


def _missing(folder: Path, part: Part, settings: Settings, stages: Sequence[str]) -> list[str]:
    """Return the stages of a part that are not done with these settings; all from the first.

    What a damaged part held is done, but for a run that is to read it again.
    """
    per_part = list(OUTPUTS)
    for number, stage in enumerate(per_part):
        found = state(folder, stage, part.name)
        whole = found is not None and found.get("settings") == settings.fingerprint(stage)
        if not whole or (stage in stages and (found or {}).get("error")):
            return per_part[number:]
    return []


def _done(jobs: Sequence[Job], workers: int, report: ProgressCallback) -> Iterator[Part]:
    """Do the jobs and yield each part when it is done, in the order in which they finish."""
    if not jobs:
        return
    jobs = [replace(job, crew=max(1, workers // len(jobs))) for job in jobs]
    workers = min(workers, len(jobs))
    if any(is_ours_alone(path) for job in jobs for path in job.part.files):
        workers = 1
    if any(is_url(path) for job in jobs for path in job.part.files):
        workers = min(workers, AT_A_TIME)
    with progress_channel(report, inline=workers == 1) as channel:
        executor = processes.local(workers, _begin, channel, jobs[0].folder)
        try:
            if workers == 1:
                for job in jobs:
                    executor.submit(_do, job).result()
                    yield job.part
                return
            with processes.shielded_from_interrupts():
                waiting: dict[Future[None], Part] = {executor.submit(_do, j): j.part for j in jobs}
            for future in as_completed(waiting):
                future.result()
                yield waiting[future]
        except BrokenExecutor as error:
            raise WikibiasError(
                "a worker process was killed, perhaps for want of memory; run the same command "
                "again with fewer --workers: it goes on where it stopped"
            ) from error
        finally:
            processes.stop(executor)
            remove_unfinished(jobs[0].folder)


def _remove_outputs(folder: Path, part: str, stages: Sequence[str]) -> None:
    for stage in stages:
        for kind in OUTPUTS[stage]:
            output(folder, kind, part).unlink(missing_ok=True)


def _remove_stale(jobs: Sequence[Job]) -> None:
    """Remove what the jobs will make anew, and what was made from that.

    Here and not in the workers: a cluster may give a job to a second worker while the first, which
    it takes for dead, goes on; both write the same bytes, and neither may remove the other's.
    """
    for job in jobs:
        first = list(OUTPUTS).index(next(stage for stage in OUTPUTS if stage in job.stages))
        _remove_outputs(job.folder, job.part.name, list(OUTPUTS)[first:])


def _make_sure(folder: Path, jobs: Sequence[Job], settings: Settings) -> None:
    """Look for what the workers say they have done, with these settings.

    Raises:
        WikibiasError: they write elsewhere, or jobs of another run write here too.
    """
    for job in jobs:
        left = set(_missing(folder, job.part, settings, ())) & set(job.stages)
        if left:
            raise WikibiasError(
                f"{job.part.name} was done, but its output is not in {folder}; see that all "
                "workers share this folder, and that no jobs of an earlier run are left"
            )


def _done_elsewhere(
    jobs: Sequence[Job], workers: int, engine: str, scheduler: str | None, report: ProgressCallback
) -> Iterator[Part]:
    """Do the jobs on other machines, and yield each part when it is done."""
    if not jobs:
        return
    if any(STDIN in job.part.files for job in jobs):
        raise UsageError(f"--engine {engine} cannot read standard input; give the name of a file")
    folder, lost = jobs[0].folder, list[str]()
    workers = min(workers, len(jobs))
    with engines.elsewhere(engine, workers, len(jobs), folder, scheduler) as executor:
        try:
            waiting = {executor.submit(_do_there, _placed(j), __version__): j.part for j in jobs}
            for future in as_completed(waiting):
                part = waiting[future]
                try:
                    future.result()
                except DiskError:
                    raise
                except Exception as error:  # as many kinds as there are clusters
                    lost.append(f"{part.name}: {error or type(error).__name__}")
                    continue
                _tell_done(folder, [part], (), report)
                yield part
        finally:
            executor.shutdown(wait=False)
            remove_unfinished(folder)
    if lost:
        raise WikibiasError(
            f"{len(lost)} of {counted(len(jobs), 'part')} came to nothing, the first: {lost[0]}; "
            "run the same command again: it goes on where it stopped"
        )


def _placed(job: Job) -> Job:
    """Return a job with absolute paths: workers elsewhere have working folders of their own."""
    files = (path if is_url(path) else str(Path(path).resolve()) for path in job.part.files)
    part = replace(job.part, files=tuple(files))
    return replace(job, folder=job.folder.resolve(), part=part)


# Sentences are split by one segmenter a process, which is no place for two threads.
_one_at_a_time = Lock()


def _do_there(job: Job, version: str) -> None:
    if version != __version__:
        raise WikibiasError(f"the worker has wikibias {__version__}, and not {version}")
    with _one_at_a_time:
        _do(job)


def _do(job: Job) -> None:
    with pool.WorkerPool(job.crew) as crew:
        run_stages(job.stages, job.folder, job.part, job.settings, post, crew)


_hold: Any = None


def _begin(channel: Any, folder: Path) -> None:
    global _hold  # noqa: PLW0603 (a process pool has no other place for it)
    connect(channel)
    _hold = None if callable(channel) else hold_as_worker(folder)
