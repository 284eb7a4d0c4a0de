"""The engine of SLURM: an executor that submits job arrays."""

from __future__ import annotations

import math
import re
import shutil
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from wikibias.errors import UsageError, WikibiasError

P = ParamSpec("P")
T = TypeVar("T")
# What a job gets where the site's SBATCH_* variables say nothing else.
_HOURS, _MEMORY_GB = 24, 4
_POLL = 1.0
# How often to ask which jobs there still are. A job that is twice not among them, and has left no
# result, was killed: its result may come late over a network file system.
_LOOK = 30.0
_ARRAY = 1000


@contextmanager
def slurm(workers: int, jobs: int, folder: Path, scheduler: str | None) -> Iterator[Executor]:
    """Give an executor that submits `jobs` jobs as SLURM arrays, `workers` of them at a time.

    Raises:
        UsageError: submitit is not installed, or this machine cannot submit jobs.
    """
    if not shutil.which("sbatch"):
        raise UsageError("--engine slurm needs `sbatch`; run it on a login node of the cluster")
    with submitted("slurm", workers, jobs, folder, array_limit()) as executor:
        yield executor


@contextmanager
def submitted(
    cluster: str, workers: int, jobs: int, folder: Path, limit: int
) -> Iterator[Executor]:
    """Give an executor on one of submitit's clusters, in arrays of at most `limit` jobs.

    Raises:
        UsageError: submitit is not installed.
    """
    try:
        import submitit  # noqa: PLC0415 (an extra)
    except ImportError as error:
        raise UsageError("--engine slurm needs submitit: pip install 'wikibias[slurm]'") from error
    inner = submitit.AutoExecutor(folder.resolve() / "slurm", cluster)
    inner.update_parameters(
        name="wikibias", timeout_min=_HOURS * 60, mem_gb=_MEMORY_GB, cpus_per_task=1
    )
    if cluster == "slurm":
        arrays = math.ceil(jobs / limit)
        inner.update_parameters(slurm_array_parallelism=max(1, workers // arrays))
    executor = _Arrays(inner, jobs, limit, _queued if cluster == "slurm" else None)
    try:
        yield executor
    finally:
        executor.shutdown(wait=False, cancel_futures=True)


def array_limit() -> int:
    """Return how many jobs an array of this site may have."""
    found = re.search(r"MaxArraySize\s*=\s*(\d+)", _told("scontrol", "show", "config") or "")
    return max(1, int(found[1])) if found else _ARRAY


def _queued() -> set[str] | None:
    """Return the jobs of this user that SLURM has not ended; None when it does not answer."""
    told = _told("squeue", "--me", "--noheader", "--array", "--format=%i")
    return None if told is None else set(told.split())


def _told(*command: str) -> str | None:
    """Return what a program of SLURM prints; None when it is not there, or fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603 (no word of the user's)
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout


class _Arrays(Executor):
    """Gathers calls, submits them as job arrays, and watches over them.

    submitit's jobs are no futures, and are made an array at a time; so the calls wait until an
    array is full, or until all that are to come are here. It learns of a job that was killed from
    SLURM's accounting, which many a site has not; so we ask the queue, by `queued`.
    """

    def __init__(
        self, inner: Any, jobs: int, limit: int, queued: Callable[[], set[str] | None] | None
    ) -> None:
        self._inner = inner
        self._to_come = jobs
        self._limit = limit
        self._queued = queued
        self._missed: set[str] = set()
        self._waiting: list[tuple[Callable[[], Any], Future[Any]]] = []
        self._running: list[tuple[Any, Future[Any]]] = []
        self._over = threading.Event()
        self._watcher = threading.Thread(target=self._watch, daemon=True)

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Take a call; the last of an array submits them all."""
        future: Future[T] = Future()
        self._waiting.append((partial(_carried, fn, *args, **kwargs), future))
        self._to_come -= 1
        if len(self._waiting) == self._limit or self._to_come <= 0:
            calls, futures = zip(*self._waiting, strict=True)
            self._running += zip(self._submitted(calls), futures, strict=True)
            self._waiting = []
        if self._to_come <= 0 and not self._watcher.ident:
            self._watcher.start()
        return future

    def _submitted(self, calls: Sequence[Callable[[], Any]]) -> list[Any]:
        try:
            return list(self._inner.submit_array(calls))
        except Exception as error:
            raise WikibiasError(f"the jobs cannot be submitted: {error}") from error

    def _watch(self) -> None:
        looked = time.monotonic()
        while self._running and not self._over.wait(_POLL):
            for job, future in self._done():
                self._running.remove((job, future))
                _settle(job, future)
            if self._queued is not None and time.monotonic() - looked >= _LOOK:
                looked = time.monotonic()
                self._give_up(self._queued())

    def _done(self) -> list[tuple[Any, Future[Any]]]:
        if self._queued is None:
            return [pair for pair in self._running if pair[0].done()]
        # A network file system may say for long that a file is not there, but lists it. submitit
        # names it by the job and its task, of which there is but one.
        ended = set[str]()
        with suppress(OSError):  # it may be away for a moment
            for path in self._running[0][0].paths.folder.iterdir():
                ended.add(path.name.removesuffix("_result.pkl"))
        return [pair for pair in self._running if f"{pair[0].job_id}_0" in ended]

    def _give_up(self, queued: set[str] | None) -> None:
        """Settle the jobs that are missing from the queue for the second time."""
        if queued is None:
            return
        missing = {job.job_id for job, _ in self._running} - queued
        for job, future in [p for p in self._running if p[0].job_id in missing & self._missed]:
            self._running.remove((job, future))
            reason = "ended without a result: killed, or out of time or memory"
            future.set_exception(_lost(job, reason))
        self._missed = missing

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Wait for the jobs, or cancel them."""
        if wait and self._watcher.ident:
            self._watcher.join()
        self._over.set()
        if self._watcher.ident:
            # So that it settles no future that is cancelled here.
            self._watcher.join()
        for job, future in self._running if cancel_futures else ():
            with suppress(OSError, subprocess.CalledProcessError):
                job.cancel()
            future.cancel()


def _carried(fn: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Bring an error that a user can mend home as a value; submitit makes text of exceptions."""
    try:
        return fn(*args, **kwargs)
    except WikibiasError as error:
        return error


def _lost(job: Any, reason: str) -> WikibiasError:
    return WikibiasError(f"job {job.job_id}: {reason} (see {job.paths.stderr})")


def _settle(job: Any, future: Future[Any]) -> None:
    try:
        result = job.result()
    except Exception as error:
        reason = str(error).strip().splitlines() or [type(error).__name__]
        future.set_exception(_lost(job, reason[0]))
        return
    if isinstance(result, Exception):
        future.set_exception(result)
    else:
        future.set_result(result)
