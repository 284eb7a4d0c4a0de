"""The engines by name: where the parts are worked on. Each gives a concurrent.futures.Executor."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from contextlib import AbstractContextManager
from pathlib import Path

from wikibias.errors import UsageError
from wikibias.execution import dask_engine, slurm_engine

LOCAL = "local"
ELSEWHERE: dict[str, Callable[[int, int, Path, str | None], AbstractContextManager[Executor]]] = {
    "dask": dask_engine.dask,
    "slurm": slurm_engine.slurm,
}
NAMES = (LOCAL, *ELSEWHERE)


def elsewhere(
    name: str, workers: int, jobs: int, folder: Path, scheduler: str | None
) -> AbstractContextManager[Executor]:
    """Return the executor of an engine of other machines, to be used in a `with` statement.

    Raises:
        UsageError: what it needs is not installed, or not there.
    """
    return ELSEWHERE[name](workers, jobs, folder, scheduler)


def check(name: str, scheduler: str | None) -> None:
    """Make sure that a scheduler is named only where one is used.

    Raises:
        UsageError: it is not used.
    """
    if scheduler is not None and name != "dask":
        raise UsageError("--scheduler is for --engine dask; add that, or leave it out")
