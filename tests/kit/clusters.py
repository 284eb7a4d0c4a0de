"""Folders of parts, and waiting for what other processes do."""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing import forkserver
from pathlib import Path

from exports import export, history, split_page, temporary_files


def write_parts(folder: Path) -> None:
    """Write four parts of a dump, of which the last is one page split over three files."""
    for part in range(3):
        page = history(f"Village {part}", 15, topic=part)
        (folder / f"part{part}.xml").write_bytes(export([page], first_id=1 + 10_000 * part))
    mill = export([history("Mill", 4, topic=3)], first_id=50_000)
    for name, content in split_page(mill, [0, 0, 0, 1, 1, 1, 2, 2]).items():
        (folder / name).write_bytes(content)


@contextmanager
def forking_workers() -> Iterator[None]:
    """Let Dask fork workers from a process that has loaded what they work with."""
    import dask  # noqa: PLC0415 (an extra)

    stages = ("detect", "filter", "dispatch")
    forkserver.set_forkserver_preload(["distributed", *(f"wikibias.pipeline.{s}" for s in stages)])
    forkserver.ensure_running()
    with dask.config.set({"distributed.worker.multiprocessing-method": "forkserver"}):
        yield


def wait_for(condition: Callable[[], object]) -> None:
    """Wait until something is so."""
    # A job that was submitted while its run was interrupted ends after 60 seconds by itself.
    deadline = time.monotonic() + 120
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def writer(out: Path) -> int:
    """Wait until a process writes a table into a result, and return its number."""
    found: list[Path] = []

    def writers() -> list[Path]:
        found.extend(path for path in temporary_files(out) if path.parent.name == "transitions")
        return found

    wait_for(writers)
    return int(found[0].name.split(".")[-2])


def alive(group: int) -> bool:
    """Tell whether a group of processes is there, such as that of a job."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True
