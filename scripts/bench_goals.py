"""Measures the goals for speed, as ratios of the CPU of commands: a section of `make bench`.

Each command runs once per round, and a ratio is the median of those within the rounds. So it holds
on any machine, and on a busy one nearly so.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Sequence
from pathlib import Path

from bench_dumps import MOST_MB, Bench
from bench_plan import Goal, Plan
from command_costs import Command, Cost, clock, cpu, in_turn, middle, table

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
