"""Does work on parts: on any engine, with progress, and with what a user can do when it fails."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Future, as_completed
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock
from typing import Any

from wikibias import __version__
from wikibias.dumps.compression.streams import STDIN, is_ours_alone
from wikibias.dumps.parts import Part
from wikibias.dumps.web.remote import AT_A_TIME, is_url
from wikibias.errors import DiskError, UsageError, WikibiasError
from wikibias.execution import engines, processes
from wikibias.execution.pool import WorkerPool
from wikibias.execution.progress import ProgressCallback, connect, post, progress_channel
from wikibias.messages import counted
from wikibias.storage.locks import hold_as_worker

Work = Callable[[Path, Part, ProgressCallback, WorkerPool], Any]


@dataclass(frozen=True, slots=True)
class Workers:
    """How many workers, on which engine, and the address of its scheduler."""

    number: int = 1
    engine: str = engines.LOCAL
    scheduler: str | None = None


@dataclass(frozen=True, slots=True)
class PartTask:
    """Work on one part of a result folder, by so many processes of one machine.

    The work may run in another process: its function must be importable there.
    """

    folder: Path
    part: Part
    work: Work
    processes: int = 1


def run_tasks(
    tasks: Sequence[PartTask], workers: Workers, on_progress: ProgressCallback
) -> Iterator[tuple[Part, Any]]:
    """Do the tasks, and yield each part with what came of it, in the order in which they finish.

    Raises:
        UsageError: the engine cannot read an input, or is not there.
        WikibiasError: a worker ended, or parts failed on other machines; what is done is done.
    """
    if not tasks:
        return
    # The progress that a worker posts may come late, after its result.
    ended: set[str] = set()
    one_at_a_time = Lock()

    def until_ended(part: str, stage: str, done: int, pages: int, found: int) -> None:
        with one_at_a_time:
            if part not in ended:
                on_progress(part, stage, done, pages, found)

    run = _run_here if workers.engine == engines.LOCAL else _run_elsewhere
    for part, result in run(tasks, workers, until_ended):
        with one_at_a_time:
            ended.add(part.name)
        yield part, result


def _run_here(
    tasks: Sequence[PartTask], workers: Workers, on_progress: ProgressCallback
) -> Iterator[tuple[Part, Any]]:
    """Do the tasks in processes of this machine; where there are few, several share one."""
    folder = tasks[0].folder
    number = min(workers.number, len(tasks), _most_workers(tasks))
    tasks = [replace(task, processes=max(1, workers.number // number)) for task in tasks]
    with progress_channel(on_progress, inline=number == 1) as channel:
        executor = processes.local(number, _begin, channel, folder)
        try:
            if number == 1:
                for task in tasks:
                    yield task.part, executor.submit(_do, task).result()
                return
            with processes.shielded_from_interrupts():
                waiting: dict[Future[Any], Part] = {executor.submit(_do, t): t.part for t in tasks}
            for future in as_completed(waiting):
                yield waiting[future], future.result()
        except BrokenExecutor as error:
            raise WikibiasError(
                "a worker process was killed, perhaps for want of memory; run the same command "
                "again with fewer --workers: it goes on where it stopped"
            ) from error
        finally:
            processes.stop(executor)


def _most_workers(tasks: Sequence[PartTask]) -> int:
    """Return how many workers may read the files at a time."""
    files = [path for task in tasks for path in task.part.files]
    if any(map(is_ours_alone, files)):
        return 1
    return AT_A_TIME if any(map(is_url, files)) else len(tasks)


def _run_elsewhere(
    tasks: Sequence[PartTask], workers: Workers, on_progress: ProgressCallback
) -> Iterator[tuple[Part, Any]]:
    """Do the tasks on other machines; a part that fails there does not end the others."""
    if any(STDIN in task.part.files for task in tasks):
        raise UsageError(
            f"--engine {workers.engine} cannot read standard input; give the name of a file"
        )
    folder, failed = tasks[0].folder, list[str]()
    number = min(workers.number, len(tasks))
    with engines.elsewhere(workers.engine, number, folder, workers.scheduler) as executor:
        try:
            waiting = {executor.submit(_do_there, _placed(t), __version__): t.part for t in tasks}
            for future in as_completed(waiting):
                part = waiting[future]
                try:
                    result = future.result()
                except DiskError:
                    raise
                except Exception as error:  # as many kinds as there are clusters
                    failed.append(f"{part.name}: {error or type(error).__name__}")
                    continue
                yield part, result
        finally:
            executor.shutdown(wait=False)
    if failed:
        raise WikibiasError(
            f"{len(failed)} of {counted(len(tasks), 'part')} failed, the first: {failed[0]}; "
            "run the same command again: it goes on where it stopped"
        )


def _placed(task: PartTask) -> PartTask:
    """Return a task with absolute paths: workers elsewhere have working folders of their own."""
    files = (path if is_url(path) else str(Path(path).resolve()) for path in task.part.files)
    part = replace(task.part, files=tuple(files))
    return replace(task, folder=task.folder.resolve(), part=part)


# Sentences are split by one segmenter a process, which is no place for two threads.
_one_at_a_time = Lock()


def _do_there(task: PartTask, version: str) -> Any:
    if version != __version__:
        raise WikibiasError(f"the worker has wikibias {__version__}, and not {version}")
    with _one_at_a_time:
        return _do(task)


def _do(task: PartTask) -> Any:
    with WorkerPool(task.processes) as pool:
        return task.work(task.folder, task.part, post, pool)


_hold: Any = None


def _begin(channel: Any, folder: Path) -> None:
    global _hold  # noqa: PLW0603 (a process pool has no other place for it)
    connect(channel)
    _hold = None if callable(channel) else hold_as_worker(folder)
