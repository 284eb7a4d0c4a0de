"""Collects the commands that the goals for speed compare: for `bench_goals.py`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import median

from bench_dumps import Bench, title, tools
from bench_reading import LOOP
from command_costs import Command, Cost, clock, cpu, ratios, span


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
        self.commands[f"{name}, {title(dump)}"] = self.wikibias(*words, *workers, dump)
        return f"{name}, {title(dump)}"
