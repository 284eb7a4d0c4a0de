"""Work of the tests of pools, for worker processes, which load no more than this."""

import logging
import math
import os
import pickle
import signal
import time
from collections.abc import Sequence
from pathlib import Path


def factorials(numbers: Sequence[int]) -> list[int]:
    return [math.factorial(number) for number in numbers]


def whose(numbers: Sequence[float]) -> list[int]:
    """Take so many seconds for each, and say which process did it."""
    time.sleep(sum(numbers))
    return [os.getpid() for _ in numbers]


def deadly(mark: Path, numbers: Sequence[int]) -> list[int]:
    """End the process at 7 and at 31, and the first time that it comes to 20."""
    for number in numbers:
        if number in (7, 31):
            os.kill(os.getpid(), signal.SIGSEGV)
        if number == 20 and not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
    return factorials(numbers)


def nothing() -> None:
    """Begin."""


def killed(trace: Path, number: int) -> None:
    """Note that the work has begun, and be killed."""
    trace.write_text("begun")
    os.kill(os.getpid(), number)


class Odd:
    """Cannot be pickled, and says so much."""

    def __reduce__(self) -> str:
        raise pickle.PicklingError

    def __str__(self) -> str:
        return "odd"


def log(level: int) -> None:
    """Log in a worker process."""
    logging.getLogger("wikibias.somewhere").log(level, "a thing is %s", Odd())
