"""Simulates how a run deals thousands of very unequal parts to its workers, in virtual time.

    python scripts/simulate_schedule.py [--parts 5000] [--workers 1 16 256] [--seed 1]

The runner, its manifest, the dispatcher and the outputs on the disk are the real ones; only the
work on a part is not done (scripts/virtual_cluster.py). Prints Markdown for docs/scale.md: how long
all takes, how busy the workers are, what no order can beat, and the CPU of the runner itself.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from command_costs import table
from page_sections import replace_section
from virtual_cluster import ENGINE, Losses, Record, VirtualCluster, registered
from wikibias.config.thresholds import load_config
from wikibias.dumps.parts import Part
from wikibias.messages import counted
from wikibias.pipeline import runner, stages
from wikibias.pipeline.dispatch import Workers
from wikibias.pipeline.making_settings import make_settings
from wikibias.pipeline.settings import Settings
from wikibias.planning.cost_model import load_costs
from wikibias.planning.estimate import part_seconds, work_of
from wikibias.planning.inventory import Inventory
from wikibias.planning.ratios import load_ratios

_DUMP = '<mediawiki xml:lang="en"><siteinfo></siteinfo></mediawiki>'
_HOUR = 3600.0
# English Wikipedia as bz2, and how unequal its files are: of 49 in a row in the dump of 2024-08-01
# the smallest had 0.45 GB, the middle one 1.4 and the largest 7.5. Cut finer, they are more so.
_BYTES = 2e12
_SIGMA = 0.8
_HUGE_SHARE, _HUGE_TAIL, _HUGE_MOST = 0.01, 1.1, 15.0
# A part that takes longer than its size tells: which share, and how many times, at most.
_SLOW_SHARE, _SLOW_TAIL, _SLOW_MOST = 0.02, 1.2, 20.0


@dataclass(frozen=True, slots=True)
class Case:
    """What is simulated: the order, stragglers, a worker's mean life in hours (0: for ever)."""

    longest_first: bool
    slow: bool
    life: float

    @property
    def name(self) -> str:
        """What the table says of it."""
        order = "longest first" if self.longest_first else "in order"
        lost = f", a worker lives {self.life:g} h" if self.life else ""
        return f"{order}{', stragglers' if self.slow else ''}{lost}"


CASES = (
    Case(longest_first=False, slow=False, life=0),
    Case(longest_first=True, slow=False, life=0),
    Case(longest_first=False, slow=True, life=0),
    Case(longest_first=True, slow=True, life=0),
    Case(longest_first=False, slow=True, life=24),
    Case(longest_first=True, slow=True, life=24),
)


def sizes(number: int, rng: random.Random) -> list[int]:
    """Return the bytes of so many parts: log-normal, a few of them far larger."""
    drawn = []
    for _ in range(number):
        weight = rng.lognormvariate(0, _SIGMA)
        if rng.random() < _HUGE_SHARE:
            weight *= min(2 * rng.paretovariate(_HUGE_TAIL), _HUGE_MOST)
        drawn.append(weight)
    scale = _BYTES * number / 5000 / sum(drawn)
    return [max(1, int(weight * scale)) for weight in drawn]


def seconds_of(found: Sequence[int]) -> list[float]:
    """Return the CPU seconds of `extract` on each part as bz2, by the cost model."""
    inventory = Inventory("enwiki", "20260101", "simulation", {"bz2": found})
    work = work_of(inventory, "bz2", load_ratios().wikis["large"], "mid")
    return part_seconds(found, load_costs(), "extract", work, 1.0)


def slowed(seconds: Sequence[float], rng: random.Random) -> list[float]:
    """Return the times with some much longer than the size tells."""
    return [
        each * min(2 * rng.paretovariate(_SLOW_TAIL), _SLOW_MOST)
        if rng.random() < _SLOW_SHARE
        else each
        for each in seconds
    ]


def template(folder: Path, settings: Settings) -> list[Path]:
    """Run `detect` on an empty dump; return what it writes, to be laid into other folders."""
    dump = folder / "part.xml"
    dump.write_text(_DUMP, encoding="utf-8")
    runner.run(folder / "made", [Part(dump.name, (str(dump),))], settings, stages.STAGES[:1])
    return sorted((folder / "made").glob(f"*/{dump.name}.parquet"))


def make_parts(folder: Path, found: Sequence[int], *, sized: bool) -> list[Part]:
    """Write files with holes that have the sizes; or none, where the order is to stay."""
    folder.mkdir()
    parts = []
    for number, size in enumerate(found):
        path = folder / f"part{number:05}.xml.bz2"
        with path.open("wb") as file:
            file.truncate(size if sized else 0)
        parts.append(Part(path.name, (str(path),)))
    return parts


def simulated(
    parts: Sequence[Part],
    seconds: Mapping[str, float],
    settings: Settings,
    outputs: Sequence[Path],
    workers: int,
    losses: Losses,
) -> tuple[Record, float]:
    """Run `detect` on the virtual cluster; return what happened, and the runner's CPU seconds."""
    clusters: list[VirtualCluster] = []

    def cluster(number: int) -> VirtualCluster:
        clusters.append(VirtualCluster(number, seconds, outputs, losses))
        return clusters[0]

    began = time.thread_time()
    with tempfile.TemporaryDirectory() as folder, registered(cluster):
        made = runner.run(
            Path(folder) / "out",
            parts,
            settings,
            stages.STAGES[:1],
            workers=Workers(workers, ENGINE),
        )
    spent = time.thread_time() - began
    unlike = [entry["part"] for entry in made["inputs"] if "detect" not in entry["stages"]]
    if unlike:
        sys.exit(f"{len(unlike)} parts are not done, the first {unlike[0]}")
    return clusters[0].record, spent


def dealt_in_advance(seconds: Sequence[float], shards: int) -> float:
    """Return the time where each of some shards does every so many-th part, as `--shard` does."""
    return max((sum(seconds[first::shards]) for first in range(shards)), default=0.0)


def lower_bound(seconds: Sequence[float], workers: int) -> float:
    """Return what no order can beat: the mean share of a worker, or the longest part."""
    return max(sum(seconds) / workers, max(seconds, default=0.0))


def row(
    case: Case, workers: int, seconds: Sequence[float], record: Record, spent: float
) -> list[str]:
    """Return a line of the table."""
    bound = lower_bound(seconds, workers)
    return [
        f"{counted(workers, 'worker')}, {case.name}",
        f"{record.makespan / _HOUR:,.2f}",
        f"{record.makespan / bound:.3f}",
        f"{record.worked / record.makespan / workers:.1%}",
        f"{record.losses:,}",
        f"{record.lost / _HOUR:,.1f}",
        f"{spent:.1f}",
    ]


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--parts", type=int, default=5000)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 16, 256])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", action="store_true", help="replace the tables in docs/scale.md")
    asked = parser.parse_args()
    found = sizes(asked.parts, random.Random(asked.seed))
    plain = seconds_of(found)
    slow = slowed(plain, random.Random(asked.seed + 1))
    settings = make_settings("en", load_config())
    rows = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        outputs = template(folder, settings)
        parts = {
            sized: make_parts(folder / f"parts-{sized}", found, sized=sized)
            for sized in (False, True)
        }
        for workers in asked.workers:
            for case in CASES:
                seconds = slow if case.slow else plain
                by_name = dict(zip([p.name for p in parts[True]], seconds, strict=True))
                losses = Losses(mean_hours=case.life, seed=asked.seed)
                done = simulated(
                    parts[case.longest_first], by_name, settings, outputs, workers, losses
                )
                rows.append(row(case, workers, seconds, *done))
                print(rows[-1], file=sys.stderr, flush=True)
    text = report(found, plain, slow, rows, asked.workers, asked.seed)
    print(text)
    if asked.write:
        replace_section("scripts/simulate_schedule.py", text)


def report(
    found: Sequence[int],
    plain: Sequence[float],
    slow: Sequence[float],
    rows: Sequence[Sequence[str]],
    workers: Sequence[int],
    seed: int,
) -> str:
    """Return the assumptions and the tables."""
    ordered = sorted(found)
    head = ["", "hours", "÷ lower bound", "busy", "lost workers", "lost hours", "runner's CPU, s"]
    shards = [
        [
            f"{number} shards, every {number}th part{', stragglers' if seconds is slow else ''}",
            f"{dealt_in_advance(seconds, number) / _HOUR:,.2f}",
            f"{dealt_in_advance(seconds, number) / lower_bound(seconds, number):.3f}",
        ]
        for number in workers
        if number > 1
        for seconds in (plain, slow)
    ]
    return (
        f"{len(found):,} parts of {sum(found) / 1e12:.2f} TB as bz2, seed {seed}: the smallest has "
        f"{ordered[0] / 1e6:,.0f} MB, the middle one {ordered[len(found) // 2] / 1e6:,.0f}, the "
        f"largest {ordered[-1] / 1e6:,.0f}. `extract` takes {sum(plain) / _HOUR:,.0f} core hours, "
        f"with stragglers {sum(slow) / _HOUR:,.0f}; the longest part {max(plain) / _HOUR:.2f} "
        f"hours, with them {max(slow) / _HOUR:.2f}.\n\n"
        f"{table(head, rows)}\n\n{table(['`--shard`', 'hours', '÷ lower bound'], shards)}"
    )


if __name__ == "__main__":
    main()
