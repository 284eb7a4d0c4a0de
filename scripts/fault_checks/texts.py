"""Topic 2: no text costs more than it should, whatever the wikitext is."""

import json
import re
import signal
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path

from fault_checks.checks import Check, Place, Try
from fault_checks.commands import DETECT, EXTRACT, Words, wikibias
from fault_checks.results import END, page, states, transition, wiki
from hostile_texts import Kind, kinds

TOPIC = "2 texts"
_SCRIPTS = Path(__file__).resolve().parents[1]
_PATTERNS = _SCRIPTS.parent / "tests" / "cases" / "bounded_patterns.toml"
_INTENT = """name = "own"
about = "a pattern of a user"
[[robust]]
name = "its summary"
fact = "summary"
matches = {}
"""
_TABLE = _SCRIPTS / "text_costs.py"
# Seconds of CPU that a text of 100,000 characters may take. A page has two of them.
_PER_TEXT = 2.0
_START = 5.0
_TOGETHER = 10

# What XML cannot hold, no dump can bring.
_NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_KINDS = [kind for kind in kinds() if not _NOT_IN_XML.search(kind.text(1))]


def _dump(chosen: Sequence[Kind], size: int) -> bytes:
    pages = (
        transition(kind.text(size), title=f"Page {n}", number=900 + n, first=10**7 + 2 * n)
        for n, kind in enumerate(chosen)
    )
    return wiki(1, pages=1).removesuffix(END) + b"".join(pages) + END


def together(place: Place) -> Iterator[Try]:
    """Many kinds in one dump, which may take no longer than a few of them were allowed to."""
    size, limit, chosen = 20_000, 120.0, _KINDS
    commands: list[Words] = [EXTRACT]
    if place.quick:
        size, limit, chosen = 2_000, 8.0, _KINDS[::8]
    else:
        commands.append(("tags", "count", "-q", "--workers", 1))
    dump = place.folder / "all.xml"
    dump.write_bytes(_dump(chosen, size))
    for number, command in enumerate(commands):
        out = place.folder / f"out{number}"
        ended = wikibias(*command, "-o", out, dump, seconds=10 * limit, cpu=2 * limit)
        slow = f"{ended.cpu:.0f} s of CPU, over {limit:.0f}" if ended.cpu > limit else None
        problem = slow or ended.problem()
        if not problem and not number and states(out) != {"all.xml": "whole"}:
            problem = f"the part is {states(out)['all.xml']}"
        name = f"{command[0]}, {len(chosen)} kinds of {size:,} characters"
        yield Try(name, problem or "read within the budget", not problem)


def alone(place: Place) -> Iterator[Try]:
    """Each kind with 100,000 characters in both revisions; ten in a dump, then those alone."""
    for number in range(0, len(_KINDS), _TOGETHER):
        some = _KINDS[number : number + _TOGETHER]
        fell = _problem(place, f"{number}", some)
        for at, kind in enumerate(some):
            problem = fell and _problem(place, f"{number}-{at}", [kind])
            yield Try(kind.name, problem or "within the budget", not problem)


def _problem(place: Place, name: str, chosen: Sequence[Kind]) -> str | None:
    """Return what is wrong with an extraction of these kinds in the time for one of them."""
    dump, limit = place.folder / f"{name}.xml", _START + 2 * _PER_TEXT
    dump.write_bytes(_dump(chosen, 100_000))
    words = (*EXTRACT, "-o", place.folder / name, dump)
    ended = wikibias(*words, seconds=20 * limit, cpu=limit + 1)
    dump.unlink()
    if ended.cpu > limit or ended.code in (None, -signal.SIGXCPU, -signal.SIGKILL):
        return "over 2 s of CPU for 100 KB"
    return ended.problem()


def growth(place: Place) -> Iterator[Try]:
    """Each kind at 20 KB, 200 KB and 2 MB; `scripts/text_costs.py` alone prints the whole table."""
    ended = subprocess.run(
        [sys.executable, str(_TABLE)], capture_output=True, text=True, check=False, cwd=place.folder
    )
    for line in ended.stdout.splitlines()[2:]:
        if line.startswith("| "):
            held = "**too long**" not in line
            yield Try(line.split(" | ")[0][2:], "within the budget" if held else "too long", held)
    said = (ended.stderr.strip().splitlines() or [""])[-1]
    held = ended.returncode == 0
    yield Try("the whole table", "measured" if held else f"not all held {said}".strip(), held)


def patterns(place: Place) -> Iterator[Try]:
    """Each pattern that tests know, in a user's own intent: refused, or quick on any summary."""
    rules = place.folder / "configs" / "intents" / "own.toml"
    rules.parent.mkdir(parents=True)
    dump = place.folder / "a.xml"
    said = [b"a" * 1000, b"ab" * 500, b"word " * 200, (b"a" * 40 + b"b") * 24]
    summed = (
        page("one", "two", number=900 + n, first=10**7 + 2 * n).replace(
            b"<comment>x", b"<comment>" + each
        )
        for n, each in enumerate(said)
    )
    dump.write_bytes(wiki(1, pages=1).replace(END, b"".join(summed) + END))
    cases = tomllib.loads(_PATTERNS.read_text(encoding="utf-8"))["case"]
    for case in cases[:: 20 if place.quick else 1]:
        rules.write_text(_INTENT.format(json.dumps(case["pattern"])), encoding="utf-8")
        words = (*DETECT, "--restart", "--signal", "own", "--config-dir", place.folder)
        ended = wikibias(*words, "-o", place.folder / "out", dump, seconds=60)
        slow = f"{ended.cpu:.0f} s of CPU" if ended.cpu > _START + _PER_TEXT else None
        problem = slow or ended.problem((2,) if "refused" in case else (0,))
        yield Try(case["pattern"][:40], problem or case.get("refused", "quick"), not problem)


CHECKS = [
    Check(TOPIC, "all kinds of hostile wikitext in one dump", together, quick=True),
    Check(TOPIC, "each kind, 100 KB in a revision", alone),
    Check(TOPIC, "patterns of users", patterns, quick=True),
    Check(TOPIC, "growth of each kind from size to size", growth),
]
