"""Does work on parts: on any engine, with progress, and with what a user can do when it fails."""

from __future__ import annotations

import logging
import re
import traceback
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from queue import SimpleQueue
from threading import Lock
from typing import Any, TypeVar

from wikibias import __version__
from wikibias.dumps.compression.streams import STDIN, is_ours_alone, is_url
from wikibias.dumps.parts import Part, local_size
from wikibias.errors import DiskError, UsageError, WikibiasError, cause_of
from wikibias.execution import engines, processes
from wikibias.execution.pool import PartWorkers, Trace, WorkerPool, places, remove, trace_path
from wikibias.execution.processes import ProgressCallback, connect, post, progress_channel
from wikibias.kits.folders import hold_as_worker
from wikibias.kits.plugins import blamed
from wikibias.mediawiki import AT_A_TIME

# So begins the reason of a part that has no output.
FAILED = "failed: "
_log = logging.getLogger(__name__)
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

    @property
    def trace(self) -> Path:
        """Where a worker of its own notes what it is at."""
        return trace_path(self.folder, self.part.name)


@dataclass(frozen=True, slots=True)
class Failed:
    """Why a part could not be done, in one line, and the traceback."""

    reason: str
    traceback: str

    @classmethod
    def by(cls, error: Exception) -> Failed:
        """Return what to say of an exception: whose fault it is."""
        said = cause_of(error)
        whose = "" if isinstance(error, WikibiasError) else f" {blamed(error)}"
        return cls(f"{FAILED}{said}{whose}", "".join(traceback.format_exception(error)))


# What would fail each part alike.
_ENDS_THE_RUN = (UsageError, DiskError)
_FEWER = "perhaps for want of memory; run the same command again with fewer --workers"


def run_tasks(
    tasks: Sequence[PartTask], workers: Workers, on_progress: ProgressCallback
) -> Iterator[tuple[Part, Any]]:
    """Do the tasks, and yield each part with what came of it, in the order in which they finish.

    Several workers begin with the largest parts.
    What one part raises comes as `Failed`, and the others go on. A part whose worker process ends
    is done again; what ends it twice is passed over, as its `Trace` tells.

    Raises:
        UsageError: the engine cannot read an input, or is not there.
        DiskError: the result cannot be written.
        WikibiasError: worker processes end as soon as they start.
    """
    if not tasks:
        return
    if workers.number > 1:
        # No long part is left for the end; what is written does not depend on the order.
        tasks = sorted(tasks, key=lambda task: _size(task.part), reverse=True)
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


def _size(part: Part) -> int:
    """Return the bytes of a part, as far as they are known; a file may not be looked at."""
    with suppress(OSError):
        return local_size(part)
    return 0


def _run_here(
    tasks: Sequence[PartTask], workers: Workers, on_progress: ProgressCallback
) -> Iterator[tuple[Part, Any]]:
    """Do the tasks in processes of this machine; where there are few, several share one."""
    folder = tasks[0].folder
    number = min(workers.number, len(tasks), _most_workers(tasks))
    tasks = [replace(task, processes=max(1, workers.number // number)) for task in tasks]
    with progress_channel(on_progress, inline=number == 1) as channel:
        if number == 1:
            _begin(channel, folder, processes.level())
            for task in tasks:
                # A run that was killed may have left it.
                remove(task.trace)
                yield task.part, _do(task, traced=False)
            return
        part_workers = PartWorkers(_begin, channel, folder, processes.level())
        try:
            for part, result in _each(
                tasks,
                number,
                lambda task: part_workers.submit(_do, task),
                lambda task, future: part_workers.has_died(future, task.part.name, task.trace),
            ):
                if isinstance(result, Failed) and part.name in part_workers.killed:
                    yield part, replace(result, reason=f"{result.reason}, {_FEWER}")
                else:
                    yield part, result
        finally:
            part_workers.stop()


def _each(
    tasks: Sequence[PartTask],
    at_once: int,
    submit: Callable[[PartTask], Future[Any]],
    has_died: Callable[[PartTask, Future[Any]], bool],
) -> Iterator[tuple[Part, Any]]:
    """Do the tasks, so many at once; do those again whose worker has died."""
    waiting, running = deque(tasks), dict[Future[Any], PartTask]()
    done: SimpleQueue[Future[Any]] = SimpleQueue()

    def begin() -> None:
        while waiting and len(running) < at_once:
            future = submit(waiting[0])
            running[future] = waiting.popleft()
            future.add_done_callback(done.put)

    for task in tasks:
        remove(task.trace)
    try:
        begin()
        while running:
            future = done.get()
            task = running.pop(future)
            again = has_died(task, future)
            if again:
                _log.warning("%s: its worker process ended; it is done again", task.part.name)
                waiting.appendleft(task)
            begin()
            if not again:
                yield task.part, _result(task, future)
    finally:
        for task in tasks:
            remove(task.trace)


def _result(task: PartTask, future: Future[Any]) -> Any:
    try:
        return future.result()
    except _ENDS_THE_RUN:
        raise
    except Exception as error:  # as many kinds as there are clusters
        failed, deaths = Failed.by(error), len(places(task.trace))
        said = f"{FAILED}its worker process ended {deaths} times"
        return replace(failed, reason=said) if deaths else failed


def _most_workers(tasks: Sequence[PartTask]) -> int:
    """Return how many workers may read the files at a time."""
    files = [path for task in tasks for path in task.part.files]
    if any(map(is_ours_alone, files)):
        return 1
    return AT_A_TIME if any(map(is_url, files)) else len(tasks)


def _run_elsewhere(
    tasks: Sequence[PartTask], workers: Workers, on_progress: ProgressCallback
) -> Iterator[tuple[Part, Any]]:
    """Do the tasks on other machines, where the engine starts again workers that end."""
    if any(STDIN in task.part.files for task in tasks):
        raise UsageError(
            f"--engine {workers.engine} cannot read standard input; give the name of a file"
        )
    folder = tasks[0].folder
    number = min(workers.number, len(tasks))
    deaths: dict[str, int] = {}

    def has_died(task: PartTask, future: Future[Any]) -> bool:
        """Return whether to ask once more: workers have ended since the last time."""
        if not future.cancelled() and future.exception() is None:
            return False
        before, now = deaths.get(task.part.name, 0), len(places(task.trace))
        deaths[task.part.name] = now
        return now > before

    engine = engines.ELSEWHERE[workers.engine]
    with engine(number, folder, workers.scheduler) as executor:
        try:

            def submit(task: PartTask) -> Future[Any]:
                return executor.submit(_do_there, _placed(task), __version__)

            # All at once: the engine knows best how many workers it has.
            yield from _each(tasks, len(tasks), submit, has_died)
        finally:
            executor.shutdown(wait=False)


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


def _do(task: PartTask, *, traced: bool = True) -> Any:
    """Do a task; `traced` where its process may end without harm to others."""
    _log.info("begins %s", task.part.name)
    try:
        with (
            Trace(task.trace if traced else None) as trace,
            WorkerPool(task.processes, trace) as pool,
        ):
            return task.work(task.folder, task.part, post, pool)
    except _ENDS_THE_RUN:
        raise
    except Exception as error:  # of one part
        return Failed.by(error)


_hold: Any = None


def _begin(channel: Any, folder: Path, least: int) -> None:
    global _hold  # noqa: PLW0603 (a process pool has no other place for it)
    connect(channel, least)
    _hold = None if callable(channel) else hold_as_worker(folder)


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Shard:
    """The parts `number`, `number` + `of`, `number` + 2 `of`, ... of a run, counted from 1."""

    number: int
    of: int

    @classmethod
    def parse(cls, text: str) -> Shard:
        """Return the shard of a text such as "3/16".

        Raises:
            UsageError: it is no such text.
        """
        found = re.fullmatch(r"(\d{1,6})/(\d{1,6})", text.strip(), re.ASCII)
        number, of = map(int, found.groups()) if found else (0, 0)
        if not 1 <= number <= of:
            raise UsageError(
                f"--shard {text}: not a shard; give its number and how many there are, such as 3/16"
            )
        return cls(number, of)

    def of_parts(self, parts: Sequence[T]) -> Sequence[T]:
        """Return the parts of this shard, in order."""
        return parts[self.number - 1 :: self.of]
