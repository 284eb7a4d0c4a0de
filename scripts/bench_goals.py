"""Measures the goals for speed, as ratios of the CPU of commands: a section of `make bench`.

Each command runs once per round, and a ratio is the median of those within the rounds. So it holds
on any machine, and on a busy one nearly so.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import median

from bench_dumps import Bench, title, tools
from bench_reading import LOOP
from command_costs import Command, Cost, in_turn, middle, ratios, span, table

_MOST_MB = 300
_MORE_ROUNDS = 4  # times as many, for commands of a fraction of a second
_NOTES = """A ratio is that of the CPU, where no clock is named: the median of {rounds} rounds, in
each of which every command ran once; of {short} for the three commands that read nothing.
"Noise" is the least and the greatest of these ratios."""


def _cpu(cost: Cost) -> float:
    return cost.cpu


def _clock(cost: Cost) -> float:
    return cost.clock


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
    what: Callable[[Cost], float] = _cpu

    def row(self, costs: Mapping[str, Sequence[Cost]]) -> list[str]:
        """Return the row of the table."""
        spent = costs[self.command]
        reached = ratios(spent, costs[self.base], self.what) if self.base else [*map(_cpu, spent)]
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
        return Command([*called, *options], folder=folder, removed=out)

    def detect(self, dump: Path, lang: str = "en") -> str:
        """Add `detect` with one worker; return its name."""
        return self._add(f"`detect --lang {lang}`", dump, "detect", "--lang", lang)

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
        said = f"`{' '.join(found[0].split()[:-1])} \\| wc -c`"
        name = f"{said}, {title(dump)}"
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

    def compare(
        self, command: str, base: str, wanted: float | None = None, *, clock: bool = False
    ) -> None:
        """Add a goal: the ratio of two commands; with `clock`, how much faster the first is."""
        if not base:
            return
        if clock:
            name = f"{base.partition(', ')[0]} ÷ {command}, clock"
            self.goals.append(Goal(name, base, command, wanted, at_least=True, what=_clock))
        else:
            self.goals.append(Goal(f"{command} ÷ {base.partition(', ')[0]}", command, base, wanted))

    def _add(self, name: str, dump: Path, *words: object) -> str:
        workers = () if "--workers" in words else ("--workers", 1)
        self.commands[f"{name}, {title(dump)}"] = self.wikibias(*words, *workers, dump)
        return f"{name}, {title(dump)}"


def goals(bench: Bench) -> None:
    """Print the goals, what is reached, and the cost of each command."""
    plan = planned(bench)
    short = in_turn(plan.short, bench.rounds * _MORE_ROUNDS)
    costs = short | in_turn(plan.commands, bench.rounds)
    said = _NOTES.format(rounds=bench.rounds, short=bench.rounds * _MORE_ROUNDS)
    print(f"## Goals for speed\n\n{said}\n")
    head = ["goal", "wanted", "reached", "noise", "met"]
    print(table(head, [goal.row(costs) for goal in plan.goals]), end="\n\n")
    print(table(["command", "CPU, s", "clock, s", "memory, MB", ""], map(_cost, costs.items())))
    most = max(cost.memory for spent in costs.values() for cost in spent)
    verdict = f"nothing over {_MOST_MB}" if most <= _MOST_MB else f"**over {_MOST_MB}**"
    print(f"\nThe largest process had {most:.0f} MB: {verdict}.\n")


def _cost(item: tuple[str, Sequence[Cost]]) -> list[str]:
    name, spent = item
    most = max(cost.memory for cost in spent)
    flag = f"**over {_MOST_MB} MB**" if most > _MOST_MB else ""
    return [name, f"{middle(spent, _cpu):.2f}", f"{middle(spent, _clock):.2f}", f"{most:.0f}", flag]


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
        plan.compare(plan.extract(dump, 2), one, least, clock=True)
    others = ("Anarchism", "Anarchism, 600 revisions", "Chamorro Wikipedia")
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
    """Add the goals of `detect` in two languages, with and without google-re2."""
    tool = plan.tool(dump)
    for lang in ("en", "ja"):
        name = plan.detect(dump, lang)
        plan.compare(name, tool, 1.7)
        if importlib.util.find_spec("re2") is not None:
            plan.compare(plan.without_re2(name), tool, 1.7)
