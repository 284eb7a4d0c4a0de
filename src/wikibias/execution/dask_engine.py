"""The engine of Dask: an executor on a scheduler, or on local processes."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from wikibias.errors import UsageError

_CONNECT = "20s"


@contextmanager
def dask(workers: int, jobs: int, folder: Path, scheduler: str | None) -> Iterator[Executor]:
    """Give an executor on a Dask scheduler, or on `workers` local processes when none is named.

    Raises:
        UsageError: Dask is not installed, or nobody answers at the address.
    """
    try:
        import distributed  # noqa: PLC0415 (an extra)
    except ImportError as error:
        raise UsageError("--engine dask needs Dask: pip install 'wikibias[dask]'") from error
    new: Any = distributed
    if scheduler is None:
        place: Any = new.LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            dashboard_address=None,
            silence_logs=logging.CRITICAL,
        )
    else:
        place = scheduler
    try:
        client = new.Client(place, timeout=_CONNECT)
    except (OSError, ValueError) as error:
        raise UsageError(f"no Dask scheduler answers at {scheduler} ({error})") from error
    try:
        # A part is no pure function: it writes files, and is to be done again when asked again.
        yield client.get_executor(pure=False)
    finally:
        client.close()
        if scheduler is None:
            place.close()
