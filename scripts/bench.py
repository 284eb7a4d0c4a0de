"""Measures the CPU, time and memory of wikibias, and compares them with baselines in the same run.

Runs all commands in turn, several times, and prints medians as Markdown for docs/performance.md.
Progress goes to standard error. With --against, compares with an earlier commit instead, and exits
with 1 if something got slower or larger beyond noise.
"""

import argparse
import importlib.util
import io
import os
import platform
import re
import sys
import tempfile
from collections.abc import Callable
from contextlib import redirect_stdout
from functools import partial
from pathlib import Path

from bench_against import against
from bench_dumps import ROOT, Bench
from bench_goals import goals, memory

_FAST = ("re2", "rapidgzip", "isal")
_PAGE = ROOT / "docs" / "performance.md"
SECTIONS: dict[str, Callable[[Bench], None]] = {"goals": goals, "memory": memory}


def machine() -> str:
    """Describe this machine and its load."""
    found = [name for name in _FAST if importlib.util.find_spec(name)]
    model = platform.processor() or platform.machine()
    named = [line for line in _cpuinfo() if line.startswith("model name")]
    model = named[0].partition(": ")[2] if named else model
    loads = ", ".join(f"{load:.1f}" for load in os.getloadavg())
    return (
        f"{os.cpu_count()} cores ({model}), {platform.system()}, Python "
        f"{platform.python_version()}, with {', '.join(found) or 'nothing of [fast]'}. Load "
        f"before the run: {loads}."
    )


def _cpuinfo() -> list[str]:
    path = Path("/proc/cpuinfo")
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


def replace_section(name: str, text: str) -> None:
    """Put a text between `<!-- made: NAME -->` and `<!-- end: NAME -->` of the page.

    Raises:
        ValueError: the page lacks the two lines.
    """
    content = _PAGE.read_text(encoding="utf-8")
    begin, end = f"<!-- made: {name} -->\n", f"<!-- end: {name} -->\n"
    pattern = re.compile(f"{re.escape(begin)}.*?{re.escape(end)}", re.DOTALL)
    if not pattern.search(content):
        raise ValueError(f"{_PAGE} has no section {name}")
    made = f"{begin}\n{text.strip()}\n\n{end}"
    _PAGE.write_text(pattern.sub(lambda _: made, content, count=1), encoding="utf-8")


def show(name: str, section: Callable[[], object], *, update: bool) -> None:
    """Run a section and print its output; with `update`, put it into the page too."""
    with redirect_stdout(io.StringIO()) as output:
        section()
    text = output.getvalue()
    print(text, flush=True)
    if update and f"<!-- made: {name} -->" in _PAGE.read_text(encoding="utf-8"):
        # The page has its own heading.
        replace_section(name, re.sub(r"\A## [^\n]*\n+", "", text))


def options() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "sections",
        nargs="*",
        metavar="SECTION",
        help=f"{', '.join(SECTIONS)}; default: all, or none with --against",
    )
    parser.add_argument("--against", metavar="COMMIT", help="compare with an earlier commit")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--quick", action="store_true", help="one round on small dumps, as a test")
    parser.add_argument(
        "--update",
        action="store_true",
        help=f"put the tables that {_PAGE.name} has a place for into it",
    )
    parser.add_argument("--data", type=Path, default=ROOT / "bench-data", help="folder for dumps")
    asked = parser.parse_args()
    if unknown := set(asked.sections) - set(SECTIONS):
        parser.error(f"unknown section {', '.join(sorted(unknown))}")
    asked.data = asked.data.resolve()
    asked.data.mkdir(parents=True, exist_ok=True)
    return asked


def main() -> int:
    """Run the sections of the benchmark that the command line asks for; return the exit code."""
    asked = options()
    print(f"{machine()}\n")
    worse: list[str] = []
    with tempfile.TemporaryDirectory() as scratch:
        rounds = 1 if asked.quick else asked.rounds
        bench = Bench(asked.data, Path(scratch) / "out", rounds, asked.quick)
        if asked.against:
            compare = partial(against, bench, asked.against, worse)
            show("against", compare, update=asked.update)
        for name in asked.sections or ([] if asked.against else SECTIONS):
            show(name, partial(SECTIONS[name], bench), update=asked.update)
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
