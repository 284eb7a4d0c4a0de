"""Lists the commands by which `bench.py --against` compares two versions, and runs them in turn."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bench_dumps import Bench, title
from command_costs import Command, CommandFailed, Cost, measure

_LONG = 20.0  # CPU seconds; a longer command is not repeated within a round


@dataclass(slots=True)
class Case:
    """A command of both versions, and what it cost in each round.

    `again` are further runs of the later version. `failed` says why there is nothing to compare:
    the earlier version fails or, which is worse (`broken`), only the later one.
    """

    name: str
    words: Sequence[str]
    before: list[Cost] = field(default_factory=list)
    after: list[Cost] = field(default_factory=list)
    again: list[Cost] = field(default_factory=list)
    failed: str = ""
    broken: bool = False


def cases(bench: Bench) -> list[Case]:
    """Return the commands to compare, on the real dumps that are there and the synthetic one."""
    empty = bench.data / "empty.xml"
    empty.write_text('<mediawiki xml:lang="en"><siteinfo></siteinfo></mediawiki>', encoding="utf-8")
    found = [Case("`--help`", ["--help"]), Case("`--version`", ["--version"])]
    found.append(_detect("an empty dump", empty))
    for dump in bench.real("Shinto wiki"):
        found += [_detect(title(dump), dump), _detect(title(dump), dump, "ja")]
        found.append(_count(title(dump), dump))
    for dump in bench.real("Anarchism"):
        found += [_detect(title(dump), dump), _extract(title(dump), dump)]
        found.append(_extract(title(dump), dump, 2))
    for dump in bench.real("Anarchism, 600 revisions"):
        found += [_detect(title(dump), dump), _extract(title(dump), dump)]
    for dump in bench.real("Chamorro Wikipedia"):
        found += [_detect(title(dump), dump), _count(title(dump), dump)]
    for form in bench.formats:
        dump = bench.synthetic(form)
        found.append(_detect(title(dump), dump))
        if form == "7z":
            found += [_extract(title(dump), dump), _count(title(dump), dump)]
    return found


def run(found: Sequence[Case], before: Path, after: Path, scratch: Path, rounds: int) -> None:
    """Run each command of both versions once per round, and the later version once more."""
    for number in range(1, rounds + 1):
        for place, case in enumerate(found, 1):
            if not case.failed:
                _round(case, before, after, scratch)
                print(f"round {number}/{rounds}, {_progress(case, place, found)}", file=sys.stderr)


def _round(case: Case, before: Path, after: Path, scratch: Path) -> None:
    try:
        case.before.append(measure(_command(case, before, scratch)))
    except CommandFailed as error:
        case.failed = str(error)
        return
    try:
        case.after.append(measure(_command(case, after, scratch)))
        if case.after[-1].cpu < _LONG:
            case.again.append(measure(_command(case, after, scratch)))
    except CommandFailed as error:
        case.failed, case.broken = str(error), True


def _command(case: Case, python: Path, scratch: Path) -> Command:
    """Return the command, in a folder without `configs` and `tagsets` that it would read."""
    out, folder = scratch / "out", scratch / "folder"
    folder.mkdir(parents=True, exist_ok=True)
    words = [str(out) if word == "OUT" else word for word in case.words]
    return Command(
        [str(python), "-m", "wikibias", *words],
        folder=folder,
        environment=_environment(),
        removed=out,
    )


def _environment() -> Mapping[str, str]:
    return {"PYTHONPATH": ""} if "PYTHONPATH" in os.environ else {}


def _progress(case: Case, place: int, found: Sequence[Case]) -> str:
    if case.failed:
        return f"{place}/{len(found)} {case.name}: left out, {case.failed}"
    costs = f"{case.before[-1].cpu:.2f} s before, {case.after[-1].cpu:.2f} s after"
    return f"{place}/{len(found)} {case.name}: {costs}"


def _detect(name: str, dump: Path, lang: str = "en") -> Case:
    options = ["--lang", lang, "--workers", "1", "-q", "-o", "OUT"]
    said = "`detect`" if lang == "en" else f"`detect --lang {lang}`"
    return Case(f"{said}, {name}", ["detect", *options, str(dump)])


def _extract(name: str, dump: Path, workers: int = 1) -> Case:
    options = ["--lang", "en", "--workers", str(workers), "-q", "-o", "OUT"]
    said = "`extract`" if workers == 1 else f"`extract --workers {workers}`"
    return Case(f"{said}, {name}", ["extract", *options, str(dump)])


def _count(name: str, dump: Path) -> Case:
    options = ["--workers", "1", "-q", "-o", "OUT"]
    return Case(f"`tags count`, {name}", ["tags", "count", *options, str(dump)])
