"""The engine of Dask: an executor on a scheduler, or on processes of this machine.

Whoever reaches a port of Dask can run commands as the user who started it: docs/cluster.md.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from wikibias.errors import UsageError
from wikibias.execution import worker_log
from wikibias.kits.plugins import how_to_install

_CONNECT = "20s"


@contextmanager
def dask(workers: int, folder: Path, scheduler: str | None) -> Iterator[Executor]:
    """Give an executor on a Dask scheduler, or on `workers` local processes when none is named.

    Raises:
        UsageError: Dask is not installed, or nobody answers at the address.
    """
    try:
        import distributed  # noqa: PLC0415 (an extra)
    except ImportError as error:
        raise UsageError(f"--engine dask needs Dask; run: {how_to_install('dask')}") from error
    if scheduler is not None:
        with connected(scheduler) as executor:
            yield executor
        return
    start: Any = distributed.LocalCluster
    cluster = start(
        n_workers=workers,
        threads_per_worker=1,
        host="127.0.0.1",
        # No dashboard; what else Dask serves over HTTP takes any port that is free.
        dashboard_address="127.0.0.1:0",
        scheduler_kwargs={"dashboard": False},
        silence_logs=logging.CRITICAL,
    )
    with cluster, connected(cluster) as executor:
        yield executor


def _forward_logs(client: Any) -> None:
    """Let what workers log reach this process; those that come later too."""
    from distributed import WorkerPlugin  # noqa: PLC0415 (an extra)

    least = worker_log.level()

    class Level(WorkerPlugin):
        name = "wikibias-log-level"

        def setup(self, worker: object) -> None:
            logging.getLogger(worker_log.ROOT).setLevel(least)

    client.register_plugin(Level())
    client.forward_logging(worker_log.ROOT)


@contextmanager
def connected(cluster: Any) -> Iterator[Executor]:
    """Give an executor on one of Dask's clusters, or on the scheduler at an address.

    Raises:
        UsageError: nobody answers at the address.
    """
    import distributed  # noqa: PLC0415 (an extra)

    connect: Any = distributed.Client
    try:
        client = connect(cluster, timeout=_CONNECT)
    except (OSError, RuntimeError, TypeError, ValueError) as error:  # without keys: TypeError
        raise UsageError(f"no Dask scheduler answers at {cluster} ({error})") from error
    try:
        _forward_logs(client)
        # Not pure: a part is asked for again where the files that it writes are missing.
        yield client.get_executor(pure=False)
    finally:
        client.close()
