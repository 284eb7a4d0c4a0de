"""Topic 5: runs that are killed at random moments give the same bytes when they are resumed."""

import os
import random
import shutil
import signal
import time
from collections.abc import Iterator
from pathlib import Path

from fault_checks.checks import Check, Place, Try
from fault_checks.commands import EXTRACT, Running
from fault_checks.damages import TOPIC, compressed, sample
from fault_checks.results import tree
from wikibias.kits.parquet import read_meta

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGKILL)


def run(out: Path, parts: Path, workers: int) -> Running:
    """Start an extraction."""
    return Running(*EXTRACT[:-2], "--workers", workers, "-o", out, parts)


def kills(place: Place) -> Iterator[Try]:
    """Kill a run at a random moment, then resume it; 20 times."""
    chance, xml = random.Random(f"{place.seed} kill"), sample()
    count, workers = (2, 1) if place.quick else (place.kills, 2)
    parts = place.folder / "killed"
    parts.mkdir()
    for number in range(2 if place.quick else 3):
        (parts / f"part{number}.xml.bz2").write_bytes(compressed(xml, "bz2"))
    durations = []
    for name in ("whole",) if place.quick else ("first", "whole"):
        began = time.monotonic()
        if run(place.folder / name, parts, workers).wait(300).code:
            yield Try(name, "the undisturbed run failed", held=False)
            return
        durations.append(time.monotonic() - began)
    # The first run takes longer, because nothing is in the file cache yet.
    lasted, expected = min(durations), tree(place.folder / "whole")
    for number in range(count):
        out, how = place.folder / "resumed", SIGNALS[-1 - number % len(SIGNALS)]
        # One random moment in each of `count` equal parts of the duration.
        moment = lasted * (number + chance.random()) / count
        running = run(out, parts, workers)
        time.sleep(moment)
        os.kill(running.process.pid, how)
        status = running.wait(60).code
        broken = bad_tables(out)
        again = run(out, parts, workers).wait(300).code
        same = again == 0 and tree(out) == expected and not list(out.rglob("*.tmp"))
        ended = "had ended" if status == 0 else "stopped"
        came = f"{ended}, then the same bytes" if same else "other bytes after resuming"
        yield Try(how.name, "an incomplete table" if broken else came, same and not broken)
        shutil.rmtree(out)


def bad_tables(out: Path) -> list[str]:
    """Return the tables of a stopped run that cannot be read."""
    found = [path for path in out.rglob("*.parquet") if not path.name.startswith(".")]
    return [path.name for path in found if read_meta(path) is None]


CHECKS = [Check(TOPIC, "killed and resumed", kills, quick=True)]
