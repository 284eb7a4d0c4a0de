"""Pools of worker processes, and what the death of one tells of its cause."""

import os
import signal
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import AbstractContextManager, suppress
from functools import partial
from pathlib import Path
from pkgutil import resolve_name
from typing import Any, TypeVar

from wikibias.errors import WikibiasError
from wikibias.execution.processes import processes_of, shielded_from_interrupts, spawned, stop

# Of what ended its process twice, wikibias says this.
DEADLY = "ended the process that worked on it, twice"
# Each attempt has a record in the file, which says where it is.
_RECORD = 64  # bytes
# Never through a link that somebody has laid there.
_FLAGS = os.O_WRONLY | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
_MOST_ATTEMPTS = 24


class Trace(AbstractContextManager["Trace"]):
    """A small file that says where an attempt to work on a part is, and where earlier ones ended.

    What two attempts ended at is passed over. Without a path, nothing is written and nothing is
    passed over. Use it in a `with` block: an attempt that ends by itself, well or not, removes the
    file.

    Raises:
        WikibiasError: earlier attempts ended again at what was passed over, or twice outside of
            any page and item.
    """

    def __init__(self, path: Path | None) -> None:
        self.is_on = path is not None
        self.place = ""
        self._path, self._stage, self._file = path, "", -1
        self._deadly: set[str] = set()
        if path is not None:
            self._begin(path)

    def __exit__(self, *error: object) -> None:
        if self._file >= 0:
            os.close(self._file)
            self._file = -1
        if self._path is not None:
            remove(self._path)

    def enter(self, stage: str) -> None:
        """Note the stage, in which pages and items have numbers of their own."""
        self._stage = stage
        self.at("")

    def at(self, place: str) -> bool:
        """Note a place, such as "page 3", before the work on it; return whether to do the work."""
        self.place = place
        if not self.is_on:
            return True
        known = f"{self._stage} {place}".strip()
        if self._file >= 0:
            # A full disk ends the run elsewhere.
            with suppress(OSError):
                os.lseek(self._file, self._offset, os.SEEK_SET)
                os.write(self._file, known.ljust(_RECORD).encode())
        return known not in self._deadly

    def _begin(self, path: Path) -> None:
        ended = Counter(places(path))
        self._deadly = {place for place, times in ended.items() if times >= _TWICE}
        hopeless = any(ended[place] > _TWICE or " " not in place for place in self._deadly)
        if hopeless or ended.total() >= _MOST_ATTEMPTS:
            remove(path)
            raise WikibiasError(f"its worker process ended {ended.total()} times")
        self._offset = ended.total() * _RECORD
        with suppress(OSError):
            self._file = os.open(path, _FLAGS, 0o600)
        self.at("")


def trace_path(folder: Path, part: str) -> Path:
    """Return where the trace of a part lies in a result folder."""
    return folder / f".{part}.trace"


def places(path: Path) -> list[str]:
    """Return where the attempts ended that have left a trace."""
    try:
        content = path.read_bytes()
    except OSError:
        return []
    records = (content[at : at + _RECORD] for at in range(0, len(content), _RECORD))
    return [record.decode("ascii", "replace").strip() for record in records]


def remove(path: Path) -> None:
    """Remove a trace, if there is one."""
    with suppress(OSError):
        path.unlink()


T = TypeVar("T")
R = TypeVar("R")
Batch = tuple[Sequence[T], Sequence[R]]
Work = Callable[[Sequence[T]], Sequence[R]]
Lost = Callable[[T], R]
_Waiting = deque[tuple[Sequence[T], Future[Sequence[R]]]]
_TWICE = 2
# So many batches may wait besides two for each worker: as many as are found while one starts.
_AHEAD = 4


class WorkerPool(AbstractContextManager["WorkerPool"]):
    """Worker processes of this machine that share the work on one part.

    The first starts where there is work to come, and one more each time that this process, which
    has work of its own, would have to wait for those that there are. A pool of size 1 is this
    process, whose `trace` says what it is at.
    """

    def __init__(self, size: int, trace: Trace | None = None) -> None:
        self.size = size
        self.trace = trace or Trace(None)
        self._workers: list[_Worker] = []
        self._prepare: Callable[[], object] = os.getpid

    def __exit__(self, *error: object) -> None:
        self._stop()

    def start(self, prepare: str, *arguments: Any) -> None:
        """Start a worker, so that it is ready when there is work.

        Each calls first what `prepare`, a `module:function`, names; this process need not load it.
        """
        self._prepare = partial(call, prepare, *arguments)
        if self.size > 1 and not self._workers:
            self._start_another()

    def in_order(
        self, function: Work[T, R], batches: Iterable[Sequence[T]], lost: Lost[T, R]
    ) -> Iterator[Batch[T, R]]:
        """Yield each batch of items with the results of `function`, in order.

        Takes batches ahead of those that it yields, as many as keep the workers busy. An item
        whose work ends its process twice gets the result `lost`; the others are done again.
        """
        if self.size == 1:
            yield from self._here(function, batches, lost)
            return
        waiting: _Waiting[T, R] = deque()
        for batch in batches:
            waiting.append((batch, self._submit(function, batch)))
            while waiting and waiting[0][1].done():
                yield self._first(function, waiting, lost)
            if len(waiting) > 2 * self.size + _AHEAD:
                self._start_another()
                yield self._first(function, waiting, lost)
        while waiting:
            yield self._first(function, waiting, lost)

    def _here(
        self, function: Work[T, R], batches: Iterable[Sequence[T]], lost: Lost[T, R]
    ) -> Iterator[Batch[T, R]]:
        """Do the work in this process, item by item where its death is traced."""
        number, trace = 0, self.trace
        for batch in batches:
            if not trace.is_on:
                yield batch, function(batch)
                continue
            page, results = trace.place, list[R]()
            for item in batch:
                number += 1
                results += function([item]) if trace.at(f"item {number}") else [lost(item)]
            trace.at(page)
            yield batch, results

    def _first(
        self, function: Work[T, R], waiting: _Waiting[T, R], lost: Lost[T, R]
    ) -> Batch[T, R]:
        """Return the first of the batches that wait; after a death, do all that wait again."""
        batch, future = waiting[0]
        try:
            results = future.result()
        except BrokenExecutor:
            self._redo(function, waiting, lost)
            return self._first(function, waiting, lost)
        waiting.popleft()
        return batch, results

    def _redo(self, function: Work[T, R], waiting: _Waiting[T, R], lost: Lost[T, R]) -> None:
        """Do again what a death has undone, item by item in one process, to find what caused it."""
        undone = [isinstance(future.exception(), BrokenExecutor) for _, future in waiting]
        self._stop()
        for place, (batch, _) in enumerate(waiting):
            if undone[place]:
                again: Future[Sequence[R]] = Future()
                try:
                    again.set_result([self._alone(function, item, lost) for item in batch])
                except Exception as error:
                    again.set_exception(error)
                waiting[place] = (batch, again)

    def _alone(self, function: Work[T, R], item: T, lost: Lost[T, R]) -> R:
        for _ in range(_TWICE):
            if not self._workers:
                self._start_a_living_one()
            try:
                (result,) = self._submit(function, [item]).result()
            except BrokenExecutor:
                self._stop()
            else:
                return result
        return lost(item)

    def _submit(self, function: Work[T, R], batch: Sequence[T]) -> Future[Sequence[R]]:
        if not self._workers:
            self._start_another()
        return min(self._workers, key=_Worker.load).ask(function, batch)

    def _start_another(self) -> None:
        """Start one more worker, unless one is starting already."""
        if len(self._workers) < self.size and all(worker.ready.done() for worker in self._workers):
            with shielded_from_interrupts():
                self._workers.append(_Worker(self._prepare))

    def _start_a_living_one(self) -> None:
        """Start a worker and see that it lives.

        Raises:
            WikibiasError: it ends by itself, so that no item can be blamed.
        """
        with shielded_from_interrupts():
            self._workers = [_Worker(os.getpid)]
        try:
            self._workers[0].ready.result()
        except BrokenExecutor as error:
            self._stop()
            raise WikibiasError(
                "worker processes end as soon as they start; try --workers 1"
            ) from error

    def _stop(self) -> None:
        stop(*(worker.executor for worker in self._workers))
        self._workers = []


class _Worker:
    """A process, and what it is asked to do, one after the other; `ready` when it has started."""

    def __init__(self, prepare: Callable[[], object]) -> None:
        self.executor = spawned(1)
        self._asked: list[Future[Any]] = []
        self.ready = self.ask(prepare)

    def load(self) -> int:
        """Return how much it has still to do."""
        self._asked = [future for future in self._asked if not future.done()]
        return len(self._asked)

    def ask(self, function: Callable[..., R], *arguments: Any) -> Future[R]:
        """Ask for a call; of a process that has ended, the result is that it has."""
        try:
            with shielded_from_interrupts():
                future = self.executor.submit(function, *arguments)
        except BrokenExecutor as error:
            future = Future()
            future.set_exception(error)
        self._asked.append(future)
        return future


def call(name: str, *arguments: Any) -> Any:
    """Call what a `module:function` names, which the process that asks for it need not load."""
    return resolve_name(name)(*arguments)


# A worker that ends so often on one part is not started again for it.
_MOST_DEATHS = 30
_MOST_FALSE_STARTS = 3
# What the system does where memory is short; Windows has no such signal.
_SIGKILL = getattr(signal, "SIGKILL", 9)


class PartWorkers:
    """Worker processes, started where there is work for them; each calls `start` first.

    `idle` are those without work. `killed` names the parts whose worker was killed, as it is where
    memory is short.
    """

    def __init__(self, start: Callable[..., None], *arguments: Any) -> None:
        self.idle: list[Executor] = []
        self.killed: set[str] = set()
        self._start, self._arguments = start, arguments
        self._busy: dict[Future[Any], tuple[Executor, list[Any]]] = {}
        self._deaths: Counter[str] = Counter()
        self._false_starts = 0

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Give work to a worker that has none."""
        while True:
            with shielded_from_interrupts():
                worker = self.idle.pop() if self.idle else spawned(1, self._start, *self._arguments)
                try:
                    future = worker.submit(function, *arguments)
                except BrokenExecutor:
                    # It was killed while it had nothing to do.
                    stop(worker)
                    continue
                # An executor forgets its processes when one of them ends.
                self._busy[future] = worker, processes_of(worker)
                return future

    def has_died(self, future: Future[Any], part: str, trace: Path) -> bool:
        """Return whether work that is done is to be done again, because its worker has ended.

        Args:
            future: of the work.
            part: its name.
            trace: where a worker notes what it is at, once it has begun.

        Raises:
            WikibiasError: workers end before they begin to work.
        """
        worker, processes = self._busy.pop(future)
        error = future.exception()
        if not isinstance(error, BrokenExecutor):
            self.idle.append(worker)
            self._false_starts = 0
            return False
        # Waits for the executor's thread, which reads the exit code.
        worker.shutdown()
        code = processes[0].exitcode if processes else None
        if code == -_SIGKILL:
            self.killed.add(part)
        self._deaths[part] += 1
        self._false_starts += not places(trace)
        if self._false_starts >= _MOST_FALSE_STARTS:
            raise WikibiasError(
                f"worker processes end before they begin to work (exit code {code}); "
                "try --workers 1"
            ) from error
        return self._deaths[part] < _MOST_DEATHS

    def stop(self) -> None:
        """End all of them at once."""
        stop(*self.idle, *(worker for worker, _ in self._busy.values()))
