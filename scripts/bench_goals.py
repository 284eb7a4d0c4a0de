"""Measures the goals for speed, as ratios of the CPU of commands, and the peak memory.

Each command runs once per round, and a ratio is the median of those within the rounds. So it holds
on any machine, and on a busy one nearly so.
"""

import importlib.util
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import median

from bench_dumps import MOST_MB, Bench, make, title, tools
from command_costs import Command, Cost, clock, cpu, in_turn, measure, middle, ratios, span, table
from wikibias.dumps.page_index import index_file


@dataclass(frozen=True, slots=True)
class Goal:
    """A ratio of two commands, or the seconds of one, that should be at most or at least `wanted`.

    Without `wanted` it is only shown.
    """

    name: str
    command: str
    base: str = ""
    wanted: float | None = None
    at_least: bool = False
    what: Callable[[Cost], float] = cpu

    def row(self, costs: Mapping[str, Sequence[Cost]]) -> list[str]:
        """Return the row of the table."""
        spent = costs[self.command]
        reached = ratios(spent, costs[self.base], self.what) if self.base else [*map(cpu, spent)]
        value, sign = median(reached), "at least" if self.at_least else "at most"
        if self.wanted is None:
            return [self.name, "", f"{value:.2f}", span(reached), ""]
        met = value >= self.wanted if self.at_least else value <= self.wanted
        wanted = f"{sign} {self.wanted:g}"
        return [self.name, wanted, f"{value:.2f}", span(reached), "yes" if met else "**no**"]


@dataclass(slots=True)
class Plan:
    """The commands to run, by name, and the goals that compare them. `short` take no dump."""

    bench: Bench
    commands: dict[str, Command] = field(default_factory=dict)
    short: dict[str, Command] = field(default_factory=dict)
    goals: list[Goal] = field(default_factory=list)

    def wikibias(self, *words: object) -> Command:
        """Return a command that writes into a new folder, in one without settings."""
        folder = self.bench.out.with_name("folder")
        folder.mkdir(parents=True, exist_ok=True)
        out, texts = self.bench.out, [str(word) for word in words]
        called = [sys.executable, "-m", "wikibias", *texts]
        options = ["-q", "-o", str(out)] if len(words) > 1 else []
        return Command([*called, *options], folder=folder, removed=(out,))

    def detect(self, dump: Path) -> str:
        """Add `detect` with one worker; return its name."""
        return self._add("`detect --lang en`", dump, "detect", "--lang", "en")

    def extract(self, dump: Path, workers: int = 1) -> str:
        """Add `extract`; return its name."""
        words = ("extract", "--lang", "en", "--workers", workers)
        return self._add(f"`extract --workers {workers}`", dump, *words)

    def count(self, dump: Path) -> str:
        """Add `tags count`; return its name."""
        return self._add("`tags count`", dump, "tags", "count")

    def tool(self, dump: Path) -> str:
        """Add the program that decompresses a dump, if there is one; return its name."""
        found = tools(dump)
        if not found:
            return ""
        name = f"`{' '.join(found[0].split()[:-1])}` to `wc -c`, {title(dump)}"
        self.commands[name] = Command(["sh", "-c", f"{found[0]} | wc -c"])
        return name

    def loop(self, dump: Path) -> str:
        """Add the loop over mwxml; return its name."""
        name = f"loop over mwxml, {title(dump)}"
        self.commands[name] = Command([sys.executable, "-c", LOOP, str(dump)])
        return name

    def without_re2(self, name: str) -> str:
        """Add a command once more, where google-re2 is not found; return its name."""
        hiding = self.bench.out.with_name("without-re2")
        hiding.mkdir(parents=True, exist_ok=True)
        (hiding / "re2.py").write_text("raise ImportError('hidden')\n", encoding="utf-8")
        changed = replace(self.commands[name], environment={"PYTHONPATH": str(hiding)})
        self.commands[f"{name}, without re2"] = changed
        return f"{name}, without re2"

    def compare(self, command: str, base: str, wanted: float | None = None) -> None:
        """Add a goal: the ratio of two commands, if there is a second one."""
        if base:
            name = f"{command} ÷ {base.partition(', ')[0]}"
            self.goals.append(Goal(name, command, base, wanted))

    def faster(self, command: str, base: str, wanted: float | None = None) -> None:
        """Add a goal: how many times faster than another a command is by the clock."""
        name = f"{base.partition(', ')[0]} ÷ {command}, clock"
        self.goals.append(Goal(name, base, command, wanted, at_least=True, what=clock))

    def _add(self, name: str, dump: Path, *words: object) -> str:
        workers = () if "--workers" in words else ("--workers", 1)
        command = self.wikibias(*words, *workers, dump)
        removed = self.bench.out, index_file(dump)
        self.commands[f"{name}, {title(dump)}"] = replace(command, removed=removed)
        return f"{name}, {title(dump)}"

    def by_index(self, dump: Path, name: str) -> str:
        """Add `detect` of another tag set, after the one that writes an index; return its name."""
        words = ("detect", "--lang", "en", "--tagset", "peacock", "--workers", 1)
        self.commands[f"{name}, another tag set"] = self.wikibias(*words, dump)
        return f"{name}, another tag set"


# Whole wikis with few tags, which are packed again as bz2.
RARE = ("Lower Sorbian Wikipedia", "Chamorro Wikipedia", "Shinto wiki")
_MORE_ROUNDS = 4  # times as many, for commands of a fraction of a second
_NOTES = """A ratio is that of the CPU, where no clock is named: the median of the rounds, here
{rounds}, in each of which every command ran once; of {short} for the commands that read nothing.
"Noise" is the least and the greatest of these ratios."""


def goals(bench: Bench) -> None:
    """Print the goals, what is reached, and the cost of each command."""
    plan = planned(bench)
    more = 1 if bench.small else bench.rounds * _MORE_ROUNDS
    short = in_turn(plan.short, more)
    costs = short | in_turn(plan.commands, bench.rounds)
    said = _NOTES.format(rounds=bench.rounds, short=more)
    print(f"## Goals for speed\n\n{said}\n")
    head = ["goal", "wanted", "reached", "noise", "met"]
    print(table(head, [goal.row(costs) for goal in plan.goals]), end="\n\n")
    print(table(["command", "CPU, s", "clock, s", "memory, MB", ""], map(_cost, costs.items())))
    most = max(cost.memory for spent in costs.values() for cost in spent)
    verdict = f"nothing over {MOST_MB}" if most <= MOST_MB else f"**over {MOST_MB}**"
    print(f"\nThe largest process had {most:.0f} MB: {verdict}.\n")


def _cost(item: tuple[str, Sequence[Cost]]) -> list[str]:
    name, spent = item
    most = max(cost.memory for cost in spent)
    flag = f"**over {MOST_MB} MB**" if most > MOST_MB else ""
    return [name, f"{middle(spent, cpu):.2f}", f"{middle(spent, clock):.2f}", f"{most:.0f}", flag]


def planned(bench: Bench) -> Plan:
    """Return all goals, for the dumps that are there."""
    plan = Plan(bench)
    _start_up(plan)
    made = bench.synthetic("7z")
    for dump in [*bench.real("Shinto wiki"), made]:
        _prefilter(plan, dump)
    for dump in [*bench.real("Shinto wiki"), *bench.real("Chamorro Wikipedia"), made]:
        plan.compare(plan.count(dump), plan.loop(dump), 0.5)
    for dump, least in [*((dump, 1.6) for dump in bench.real("Anarchism")), (made, None)]:
        one = plan.extract(dump)
        plan.compare(one, plan.detect(dump), 1.5)
        plan.faster(plan.extract(dump, 2), one, least)
    rare = [bench.packed(d) for name in RARE for d in bench.real(name)]
    for dump in [*rare, *bench.real("Anarchism, 600 revisions")]:
        plan.compare(first := plan.detect(dump), plan.tool(dump), 0.5)
        if dump in rare:
            plan.compare(plan.by_index(dump, first), first, 0.05)
    others = ("Anarchism", "Chamorro Wikipedia")
    forms = [bench.synthetic(form) for form in bench.formats if form != "7z"]
    for dump in [*(dump for name in others for dump in bench.real(name)), *forms]:
        plan.compare(plan.detect(dump), plan.tool(dump))
    return plan


def _start_up(plan: Plan) -> None:
    """Add the goals of commands that read nothing."""
    empty = plan.bench.out.with_suffix(".xml")
    empty.write_text('<mediawiki xml:lang="en"><siteinfo></siteinfo></mediawiki>', encoding="utf-8")
    plan.short["`python -c pass`"] = Command([sys.executable, "-c", "pass"])
    for option in ("--help", "--version"):
        name = f"`wikibias {option}`"
        plan.short[name] = plan.wikibias(option)
        plan.goals.append(Goal(f"{name}, CPU seconds", name, wanted=0.1))
        plan.goals.append(Goal(f"{name} ÷ `python -c pass`", name, "`python -c pass`"))
    name = "`detect` of an empty dump"
    plan.short[name] = plan.wikibias("detect", "--lang", "en", "--workers", 1, empty)
    plan.goals.append(Goal(f"{name}, CPU seconds", name, wanted=0.4))


def _prefilter(plan: Plan, dump: Path) -> None:
    """Add the goals of `detect`, with and without google-re2."""
    tool, name = plan.tool(dump), plan.detect(dump)
    plan.compare(name, tool, 1.7)
    if importlib.util.find_spec("re2") is not None:
        plan.compare(plan.without_re2(name), tool, 1.7)


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
LOOP = """
import sys, mwxml
from wikibias.dumps.compression.streams import open_part
with open_part(sys.argv[1]) as (stream, _):
    print(sum(1 for page in mwxml.Dump.from_file(stream) for revision in page))
"""
_HEAD = ("", "CPU, s", "clock, s", "memory, MB", "memory with the worker pool, MB")


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
    for name, options, tagged in cases[-1:] if bench.small else cases:
        sizes = options[bench.small].split()
        feed = make("--fixed", "--pages", 1, *sizes, "--tagged", tagged)
        # Without transitions, a second worker has nothing to do.
        for workers in (1, 2) if tagged else (1,):
            detect = bench.wikibias("detect", "-", "--workers", str(workers))
            cost = measure(Command(detect, input_from=feed, total_memory=True))
            rows.append([f"{name}, `--workers {workers}`", *_figures([cost])])
    print(table(_HEAD, rows), end="\n\n")


def _figures(spent: list[Cost]) -> list[str]:
    totals = [cost.total_memory for cost in spent if cost.total_memory is not None]
    return [
        f"{middle(spent, lambda c: c.cpu):.2f}",
        f"{middle(spent, lambda c: c.clock):.2f}",
        f"{max(cost.memory for cost in spent):.0f}",
        f"{max(totals):.0f}" if totals else "unknown",
    ]
