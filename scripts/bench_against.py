"""Compares the costs of this version and of an earlier commit: `bench.py --against COMMIT`.

A round runs each command of the earlier version, then that of this one twice. The ratio of a round
is that of this version (the mean of its two runs) to the earlier one. Noise is by how much the two
runs of this version differ, in the round where they differ most; at least the median of that over
all commands, and at least 2 %. A command got slower if the median of its ratios is greater than 1
by more than the noise, no round says otherwise, and it takes a hundredth of a second more. Memory
is judged in the same way, from 5 MB more on.
"""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean, median

from bench_dumps import MOST_MB, ROOT, Bench, title
from command_costs import (
    Command,
    CommandFailed,
    Cost,
    clock,
    cpu,
    measure,
    memory,
    middle,
    span,
    table,
)

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
        removed=(out,),
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


# What the make that called this one has set must not reach the one in the other checkout.
_FROM_MAKE = ("MAKEFLAGS", "MAKELEVEL", "MFLAGS", "MAKEOVERRIDES")


@contextmanager
def earlier_version(commit: str, data: Path, root: Path = ROOT) -> Iterator[Path]:
    """Yield the Python of a commit, in a worktree that is removed at the end.

    The checkout installs itself with its own `make install`, so it has the packages that it names.

    Raises:
        SystemExit: There is no such commit, or it cannot be installed.
    """
    name = describe(commit, root)
    folder = data.resolve() / f"against-{name}"
    _remove(folder, root)  # left by a run that was killed
    _run(["git", "worktree", "add", "--detach", "--force", str(folder), name], root)
    try:
        print(f"installing {name} in {folder}", file=sys.stderr, flush=True)
        python = Path(sys.base_prefix) / "bin" / f"python3.{sys.version_info.minor}"
        chosen = [f"PYTHON={python}"] if python.is_file() else []
        _run(["make", "install", *chosen], folder)
        yield compiled(folder / ".venv" / "bin" / "python", folder)
    finally:
        _remove(folder, root)


def describe(commit: str, root: Path = ROOT) -> str:
    """Return the short name of a commit.

    Raises:
        SystemExit: There is no such commit.
    """
    words = ["git", "rev-parse", "--short", "--verify", "--quiet", f"{commit}^{{commit}}"]
    done = subprocess.run(words, cwd=root, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"no commit {commit} in {root}; fetch it, or name another")
    return done.stdout.strip()


def is_changed(root: Path = ROOT) -> bool:
    """Say whether tracked files differ from the last commit."""
    words = ["git", "status", "--porcelain", "--untracked-files=no"]
    return bool(subprocess.run(words, cwd=root, capture_output=True, check=True).stdout.strip())


def compiled(python: Path, root: Path) -> Path:
    """Compile the sources of a checkout, so that the first run costs what the others do."""
    _run([str(python), "-m", "compileall", "-q", "src"], root)
    return python


def _remove(folder: Path, root: Path) -> None:
    words = ["git", "worktree", "remove", "--force", "--force", str(folder)]
    subprocess.run(words, cwd=root, capture_output=True, check=False)


def _run(words: list[str], folder: Path) -> None:
    environment = {key: value for key, value in os.environ.items() if key not in _FROM_MAKE}
    done = subprocess.run(words, cwd=folder, env=environment, stdout=sys.stderr, check=False)
    if done.returncode:
        sys.exit(f"failed with {done.returncode} in {folder}: {' '.join(words)}")


_LEAST_NOISE = 0.02
_LEAST_SECONDS = 0.01
_LEAST_MB = 5.0
_HEAD = ["", "CPU before, s", "after, s", "after ÷ before", "noise", "clock before, s", "after, s",
         "memory before, MB", "after, MB", ""]  # fmt: skip
_NOTES = """A ratio is the median of the rounds, here {rounds}; in brackets are the
least and the greatest. Noise is by how much two runs of the later version differ within a round.
CPU is that of the process and its children, memory that of the largest process."""

What = Callable[[Cost], float]


@dataclass(frozen=True, slots=True)
class Change:
    """How one figure of a command changed: the ratios of the rounds, the noise, and by how much.

    A difference of less than `least` tells nothing.
    """

    ratios: Sequence[float]
    noise: float
    difference: float
    least: float

    @property
    def verdict(self) -> int:
        """1 if it grew beyond noise, -1 if it shrank, 0 if neither can be said."""
        middle_ratio = median(self.ratios)
        if abs(self.difference) < self.least:
            return 0
        if middle_ratio > 1 + self.noise and min(self.ratios) > 1:
            return 1
        return -1 if middle_ratio < 1 / (1 + self.noise) and max(self.ratios) < 1 else 0


def against(bench: Bench, commit: str, worse: list[str]) -> None:
    """Print the comparison, and add to `worse` what got slower or larger, a line for each."""
    name = describe(commit)
    found = cases(bench)
    with earlier_version(commit, bench.data) as before:
        after = compiled(Path(sys.executable), ROOT)
        run(found, before, after, bench.out.parent, bench.rounds)
    now = describe("HEAD") + (" with changes that are not committed" if is_changed() else "")
    print(f"## Before and after\n\nBefore is {name}, after is {now}. ", end="")
    print(_NOTES.format(rounds=bench.rounds), end="\n\n")
    worse += report(found)


def report(found: Sequence[Case]) -> list[str]:
    """Print the table and what it says in words; return what got worse."""
    compared = [case for case in found if not case.failed]
    spent = {case.name: change(case, compared, cpu, _LEAST_SECONDS) for case in compared}
    held = {case.name: change(case, compared, memory, _LEAST_MB) for case in compared}
    print(table(_HEAD, (_row(case, spent[case.name], held[case.name]) for case in compared)))
    slower = [f"{name}: {_said(each)} the CPU" for name, each in spent.items() if each.verdict > 0]
    larger = [
        f"{name}: {_said(each)} the memory" for name, each in held.items() if each.verdict > 0
    ]
    broken = [f"{case.name}: {case.failed}" for case in found if case.broken]
    left_out = [case.name for case in found if case.failed and not case.broken]
    _list("Slower beyond noise", slower)
    _list("Larger beyond noise", larger)
    most = {case.name: max(map(memory, case.after)) for case in compared}
    large = [f"{name}: {peak:.0f} MB" for name, peak in most.items() if peak > MOST_MB]
    _list(f"Over {MOST_MB} MB", large)
    _list("Fails now", broken)
    _list("Left out, because the earlier version fails", left_out)
    return slower + larger + broken


def change(case: Case, compared: Sequence[Case], what: What, least: float) -> Change:
    """Return how one figure of a command changed, if by `least` or more."""
    known = [noise for each in compared if (noise := _differences(each, what)) is not None]
    usual = median(known) if known else _LEAST_NOISE
    noise = max(_differences(case, what) or 0.0, usual, _LEAST_NOISE)
    difference = middle(case.after, what) - middle(case.before, what)
    return Change(_ratios(case, what), noise, difference, least)


def _ratios(case: Case, what: What) -> list[float]:
    again: Sequence[Cost | None] = case.again or [None] * len(case.after)
    return [
        mean(what(cost) for cost in (after, more) if cost is not None) / what(before)
        for before, after, more in zip(case.before, case.after, again, strict=False)
    ]


def _differences(case: Case, what: What) -> float | None:
    """Return by what share two runs of the same version differ at most; None without such runs."""
    pairs = list(zip(case.after, case.again, strict=False))
    return max((max(what(a), what(b)) / min(what(a), what(b)) - 1 for a, b in pairs), default=None)


def _row(case: Case, spent: Change, held: Change) -> list[str]:
    figures = [
        f"{middle(case.before, cpu):.2f}",
        f"{middle(case.after, cpu):.2f}",
        f"**{median(spent.ratios):.2f}** ({span(spent.ratios)})",
        f"{spent.noise:.0%}",
        f"{middle(case.before, clock):.2f}",
        f"{middle(case.after, clock):.2f}",
        f"{middle(case.before, memory):.0f}",
        f"{middle(case.after, memory):.0f}",
    ]
    said = {1: "slower", 0: "the same", -1: "faster"}[spent.verdict]
    return [case.name, *figures, f"{said}, larger" if held.verdict > 0 else said]


def _said(changed: Change) -> str:
    return f"{median(changed.ratios):.2f} times ({span(changed.ratios)}, noise {changed.noise:.0%})"


def _list(head: str, items: Sequence[str]) -> None:
    print(f"\n{head}: {'nothing' if not items else ''}".rstrip() + ("." if not items else "\n"))
    for item in items:
        print(f"- {item}")
