"""Topic 9: many parts cost what they are, a straight line."""

from collections.abc import Iterator
from pathlib import Path

from fault_checks.checks import Check, Place, Try
from fault_checks.commands import EXTRACT, wikibias
from make_synthetic_dump import Size, Wiki

TOPIC = "9 parts"
# From 200 to 400 parts costs what from 400 to 800 does, half of it, in a straight line; in the
# square it would be four times as much.
_STEPS = (200, 400, 800)
_MOST = 3.0
_PART = Size(1, 12, 600, tagged=1, fixed=True, giant=0, seed=0, stubs=True)


def parts(folder: Path, number: int) -> Path:
    """Write so many tiny parts into a folder, and return it."""
    folder.mkdir()
    xml = b"".join(Wiki(_PART).export())
    for each in range(1, number + 1):
        (folder / f"part{each}.xml").write_bytes(xml)
    return folder


def line(place: Place) -> Iterator[Try]:
    """Double the parts, twice: the second step costs twice the first, and not four times."""
    for stage, workers in (("extract", 1), ("extract", 2), ("detect", 1)):
        costs = []
        for number in _STEPS:
            folder = parts(place.folder / f"{stage}{workers}-{number}", number)
            out = place.folder / f"{stage}{workers}-{number}-out"
            words = (*EXTRACT[1:-2], "--workers", workers, "-o", out, folder)
            ended = wikibias(stage, *words, seconds=300)
            problem = ended.problem((0,))
            if problem:
                yield Try(f"{stage}, {number} parts", problem, held=False)
                return
            costs.append(ended.cpu)
        grows = (costs[2] - costs[1]) / max(0.1, costs[1] - costs[0])
        shown = ", ".join(f"{cost:.1f}" for cost in costs)
        came = f"{shown} s of CPU" if grows > _MOST else "a straight line"
        yield Try(f"{stage} --workers {workers}", came, grows <= _MOST)


CHECKS = [Check(TOPIC, "200, 400 and 800 tiny parts", line)]
