"""Work on parts that fails in many ways, for worker processes, which load no more than this."""

import os
import signal
import time
from pathlib import Path

from wikibias.dumps.parts import Part
from wikibias.errors import DumpError, UsageError
from wikibias.execution.pool import WorkerPool
from wikibias.execution.processes import ProgressCallback


def raising(folder: Path, part: Part, post: ProgressCallback, pool: WorkerPool) -> str:
    if part.name == "b":
        raise ZeroDivisionError("by nought")
    return part.name


def damaged(folder: Path, part: Part, post: ProgressCallback, pool: WorkerPool) -> str:
    if part.name == "b":
        raise DumpError("is cut off")
    return part.name


def misused(folder: Path, part: Part, post: ProgressCallback, pool: WorkerPool) -> str:
    raise UsageError("no such thing")


def counting(folder: Path, part: Part, post: ProgressCallback, pool: WorkerPool) -> list[int]:
    """Work on pages 1 to 4, of which 3 kills the worker of part b."""
    counted = []
    for number in (1, 2, 3, 4):
        if pool.trace.at(f"page {number}"):
            if (part.name, number) == ("b", 3):
                os.kill(os.getpid(), signal.SIGKILL)
            counted.append(number)
    return counted


def killed_once(folder: Path, part: Part, post: ProgressCallback, pool: WorkerPool) -> list[int]:
    """Work on pages 1 to 4; the workers of parts a and b are killed once."""
    for number in (1, 2, 3, 4):
        assert pool.trace.at(f"page {number}")
        mark = folder / f"{part.name}.killed"
        if number == 2 and part.name != "c" and not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
    return [1, 2, 3, 4]


def hopeless(folder: Path, part: Part, post: ProgressCallback, pool: WorkerPool) -> str:
    """End the worker of part b outside of any page."""
    if part.name == "b":
        os.kill(os.getpid(), int((folder / "signal").read_text()))
    return part.name


def noted(folder: Path, part: Part, post: ProgressCallback, pool: WorkerPool) -> str:
    """Note that the part has begun, and wait until all workers have a part."""
    with (folder / "begun").open("a") as file:
        file.write(f"{part.name}\n")
    while len((folder / "begun").read_text().split()) < 2:
        time.sleep(0.01)
    return part.name
