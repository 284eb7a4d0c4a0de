"""Measures a whole `extract`, and the memory for very large pages: sections of `make bench`."""

from __future__ import annotations

from bench_dumps import Bench, make, title
from command_costs import Command, Cost, in_turn, measure, middle, ratio, table

# Options of the generator, full and small: one page of 5 GB, one with a revision of 100 MB in its
# middle, and one in which that revision adds the tag.
_LONG = ("--revisions 50000 --size 100000", "--revisions 60 --size 10000")
_GIANT = (
    "--revisions 100 --size 100000 --giant 100000000",
    "--revisions 60 --size 10000 --giant 1000000",
)
_GIANT_TAGGED = (
    "--revisions 39 --size 100000 --giant 100000000",
    "--revisions 39 --size 10000 --giant 1000000",
)
_HEAD = ("", "CPU, s", "clock, s", "memory, MB", "memory with the worker pool, MB")


def extract(bench: Bench) -> None:
    """Print the cost of `extract` with one worker and with two."""
    print("## Whole `extract`\n")
    rows = []
    for dump in [*bench.real("Anarchism"), bench.synthetic("7z")]:
        commands = {
            f"{title(dump)}, `--workers {workers}`": Command(
                bench.wikibias("extract", dump, "--workers", str(workers)), total_memory=True
            )
            for workers in (1, 2)
        }
        costs = in_turn(commands, bench.rounds)
        rows += [[name, *_figures(spent)] for name, spent in costs.items()]
        one, two = costs.values()
        faster = ratio(one, two, lambda c: c.clock)
        bench.goal(f"{title(dump)}: `extract`, one worker ÷ two, clock", "", faster)
    print(table(_HEAD, rows), end="\n\n")


def memory(bench: Bench) -> None:
    """Print the peak memory of `detect` on very long histories and revisions."""
    cases = (
        ("page of 5 GB, no tag", _LONG, 0),
        ("page of 5 GB, tags come and go", _LONG, 1),
        ("revision of 100 MB, no tag", _GIANT, 0),
        ("revision of 100 MB, tags come and go before and after", _GIANT, 1),
        ("revision of 100 MB that adds a tag", _GIANT_TAGGED, 1),
    )
    print("## Memory\n")
    rows = []
    for name, options, tagged in cases:
        sizes = options[bench.small].split()
        feed = make("--fixed", "--pages", 1, *sizes, "--tagged", tagged)
        # Without transitions, a second worker has nothing to do.
        for workers in (1, 2) if tagged else (1,):
            detect = bench.wikibias("detect", "-", "--workers", str(workers))
            cost = measure(Command(detect, input_from=feed, total_memory=True))
            rows.append([f"{name}, `--workers {workers}`", *_figures([cost])])
            if options is _LONG:
                wanted = "at most 150"
                bench.goal(f"{name}, `--workers {workers}`: memory, MB", wanted, cost.memory)
    print(table(_HEAD, rows), end="\n\n")


def _figures(spent: list[Cost]) -> list[str]:
    totals = [cost.total_memory for cost in spent if cost.total_memory is not None]
    return [
        f"{middle(spent, lambda c: c.cpu):.2f}",
        f"{middle(spent, lambda c: c.clock):.2f}",
        f"{max(cost.memory for cost in spent):.0f}",
        f"{max(totals):.0f}" if totals else "unknown",
    ]
