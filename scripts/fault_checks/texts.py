"""Topic 2: no text costs more than it should, whatever the wikitext is."""

import re
import signal
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

from fault_checks.checks import Check, Place, Try
from fault_checks.commands import wikibias
from fault_checks.results import END, states, transition, wiki

TOPIC = "2 texts"
_SCRIPTS = Path(__file__).resolve().parents[1]
_KINDS = _SCRIPTS.parent / "tests" / "cases" / "hostile_texts.toml"
_TABLE = _SCRIPTS / "text_costs.py"
# Seconds of CPU that a text of 100,000 characters may take. A page has two of them.
_PER_TEXT = 2.0
_START = 5.0
_TOGETHER = 10


# What XML cannot hold, no dump can bring.
_NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


def kinds() -> dict[str, dict[str, str]]:
    """Return the kinds of hostile wikitext by name: before, open, close, after."""
    groups = tomllib.loads(_KINDS.read_text(encoding="utf-8"))
    found = {f"{group}: {name}": kind for group, of in groups.items() for name, kind in of.items()}
    return {n: kind for n, kind in found.items() if not _NOT_IN_XML.search("".join(kind.values()))}


def text(kind: dict[str, str], size: int) -> str:
    """Return a text of about `size` characters; `§` in it is the number of the repetition."""
    opened, closed = kind["open"], kind.get("close", "")
    times = max(1, size // len(opened + closed))
    middle = [_repeated(part, times) for part in (opened, closed)]
    return "".join([kind.get("before", ""), *middle, kind.get("after", "")])


def _repeated(part: str, times: int) -> str:
    if "§" not in part:
        return part * times
    return "".join(part.replace("§", str(10**6 + number)) for number in range(times))


def _dump(texts: dict[str, str]) -> bytes:
    pages = (
        transition(each, title=f"Page {number}", number=900 + number, first=10**7 + 2 * number)
        for number, each in enumerate(texts.values())
    )
    return wiki(1, pages=1).removesuffix(END) + b"".join(pages) + END


def together(place: Place) -> Iterator[Try]:
    """Many kinds in one dump, which may take no longer than a few of them were allowed to."""
    size, limit, chosen = 20_000, 120.0, kinds()
    commands: list[tuple[object, ...]] = [("extract", "-q", "--lang", "en", "--workers", 1)]
    if place.quick:
        size, limit, chosen = 2_000, 8.0, dict(list(kinds().items())[::8])
    else:
        commands.append(("tags", "count", "-q", "--workers", 1))
    dump = place.folder / "all.xml"
    dump.write_bytes(_dump({name: text(kind, size) for name, kind in chosen.items()}))
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
    every = list(kinds().items())
    for number in range(0, len(every), _TOGETHER):
        some = dict(every[number : number + _TOGETHER])
        if not _problem(place, f"{number}", some):
            yield from (Try(name, "within the budget", held=True) for name in some)
            continue
        for at, (name, kind) in enumerate(some.items()):
            problem = _problem(place, f"{number}-{at}", {name: kind})
            yield Try(name, problem or "within the budget", not problem)


def _problem(place: Place, name: str, chosen: dict[str, dict[str, str]]) -> str | None:
    """Return what is wrong with an extraction of these kinds in the time for one of them."""
    dump, limit = place.folder / f"{name}.xml", _START + 2 * _PER_TEXT
    dump.write_bytes(_dump({name: text(kind, 100_000) for name, kind in chosen.items()}))
    words = ("extract", "-q", "--lang", "en", "--workers", 1, "-o", place.folder / name, dump)
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


CHECKS = [
    Check(TOPIC, "all kinds of hostile wikitext in one dump", together, quick=True),
    Check(TOPIC, "each kind, 100 KB in a revision", alone),
    Check(TOPIC, "growth of each kind from size to size", growth),
]
