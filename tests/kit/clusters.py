"""Folders of parts, and waiting for what other processes do."""

import time
from collections.abc import Callable
from pathlib import Path

from exports import Outcome, export, history, temporary_files, wikibias

PARTS = 4


def write_parts(folder: Path) -> None:
    """Write four parts of a dump."""
    for part in range(PARTS):
        page = history(f"Village {part}", 100, topic=part)
        (folder / f"part{part}.xml").write_bytes(export([page], first_id=1 + 10_000 * part))


def extract(out: Path, folder: Path, *options: object) -> Outcome:
    """Extract the parts in a folder."""
    return wikibias("extract", "--lang", "en", "-o", out, *options, folder)


def wait_for(condition: Callable[[], object]) -> None:
    """Wait until something is so."""
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.002)


def writer(out: Path) -> int:
    """Wait until a process writes a table into a result, and return its number."""

    def writers() -> list[Path]:
        return [path for path in temporary_files(out) if path.parent.name == "transitions"]

    wait_for(writers)
    return int(writers()[0].name.split(".")[-2])
