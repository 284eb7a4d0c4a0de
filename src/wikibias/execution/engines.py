"""Engines by name: where the parts are worked on.

`local` is this machine: `processes`. Every other engine is a function (workers, folder, scheduler)
that returns a context manager of a `concurrent.futures.Executor`:

- workers: how many parts to work on at a time;
- folder: the result folder, on a file system that all workers share; logs may go below it;
- scheduler: the address given by `--scheduler`, or None.

What is submitted and returned is pickled by the engine. When the block is left, by an error or an
interrupt too, the engine ends what still runs. A package adds an engine by an entry point:

    [project.entry-points."wikibias.engines"]
    mine = "my_package:my_engine"
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING

from wikibias.errors import UsageError
from wikibias.kits.plugins import Registry

if TYPE_CHECKING:
    from concurrent.futures import Executor

    Engine = Callable[[int, Path, str | None], AbstractContextManager[Executor]]

LOCAL = "local"
# Far more than any machine has cores.
MOST_WORKERS = 10_000
ELSEWHERE: Registry[Engine] = Registry(
    "engine",
    "wikibias.engines",
    {
        "dask": "wikibias.execution.clusters:dask",
        "slurm": "wikibias.execution.clusters:slurm",
    },
)


def names() -> tuple[str, ...]:
    """Return the names of all engines, those that other packages add last."""
    return (LOCAL, *ELSEWHERE.names())


def elsewhere(
    name: str, workers: int, folder: Path, scheduler: str | None
) -> AbstractContextManager[Executor]:
    """Return the executor of an engine other than `local`, to be used in a `with` statement.

    Raises:
        UsageError: what it needs is not installed, or not there.
    """
    return ELSEWHERE[name](workers, folder, scheduler)


def check(name: str, scheduler: str | None) -> None:
    """Check that a scheduler is named only for an engine that uses one.

    Raises:
        UsageError: the engine does not.
    """
    if scheduler is not None and name in (LOCAL, "slurm"):
        raise UsageError("--scheduler is for --engine dask; add that, or leave it out")
