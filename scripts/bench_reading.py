"""Measures every way to read every dump: a section of `make bench`."""

from __future__ import annotations

import sys
from pathlib import Path

from bench_dumps import SCRIPTS, Bench, title, tools
from command_costs import Command, Costs, in_turn, middle, ratio, table

_DECOMPRESS = """
import sys
from wikibias.dumps.compression.streams import open_part
with open_part(sys.argv[1]) as (stream, _):
    while stream.read(1 << 18):
        pass
"""
LOOP = """
import sys, mwxml
from wikibias.dumps.compression.streams import open_part
with open_part(sys.argv[1]) as (stream, _):
    print(sum(1 for page in mwxml.Dump.from_file(stream) for revision in page))
"""
_LOOP_AND_TAGS = """
import sys, mwxml
from wikibias.dumps.compression.streams import open_part
from wikibias.tags.matcher import Matcher
from wikibias.tags.tagset import load_tagset
from wikibias.mediawiki.namespaces import Namespaces
matcher = Matcher(load_tagset("npov", "en"), Namespaces.of({}))
with open_part(sys.argv[1]) as (stream, _):
    dump = mwxml.Dump.from_file(stream)
    print(sum(bool(matcher.tags(revision.text or "")) for page in dump for revision in page))
"""
_DECOMPRESSION, _NAIVE, _ONLY = "decompression only", "loop over mwxml", "transitions only"
_NAIVE_TAGS, _ONLY_2 = "loop over mwxml, tags of each text", f"{_ONLY}, 2 threads"
_ONE, _TWO = "`detect --workers 1`", "`detect --workers 2`"
_MWXML = "`detect --workers 1 --reader mwxml`"
_DISCARDED = ", output discarded"
_NOTES = f"""A decompression program pipes its output to `wc -c` or to /dev/null. "{_NAIVE}" counts
the revisions; "{_NAIVE_TAGS}" runs the exact matcher on each text. "{_ONLY}" reads the dump, finds
the tags and pairs the revisions in one process with one or two decompression threads, and writes
nothing. `detect` also locates the tags, for which it cleans wikitext, and writes the result."""


def reading(bench: Bench) -> None:
    """Print one table for each dump."""
    print(f"## Reading\n\n{_NOTES}\n")
    for dump in bench.dumps():
        by_tools = {
            f"{tool.split()[0]}{name}": Command(["sh", "-c", f"{tool} {end}"])
            for tool in tools(dump)
            for name, end in (("", "| wc -c"), (_DISCARDED, "> /dev/null"))
        }
        costs = in_turn(by_tools | _ours(bench, dump), bench.rounds)
        print(f"### {title(dump)} ({dump.stat().st_size / 1e6:,.1f} MB)\n")
        print(_table(costs, next(iter(by_tools), _DECOMPRESSION)), end="\n\n")
        _goals(bench, dump, costs)


def start_up(bench: Bench) -> None:
    """Print the cost of `detect` on an empty dump."""
    dump = bench.out.with_suffix(".xml")
    dump.write_text('<mediawiki xml:lang="en"><siteinfo></siteinfo></mediawiki>', encoding="utf-8")
    command = Command(bench.wikibias("detect", dump, "--workers", "1"))
    spent = in_turn({"start-up": command}, bench.rounds)["start-up"]
    cpu, memory = middle(spent, lambda c: c.cpu), middle(spent, lambda c: c.memory)
    print(f"Start-up, `detect` of an empty dump: {cpu:.2f} s of CPU, {memory:.0f} MB.\n")


def _ours(bench: Bench, dump: Path) -> dict[str, Command]:
    def detect(*options: str) -> Command:
        return Command(bench.wikibias("detect", dump, *options))

    commands = {
        _DECOMPRESSION: _python("-c", _DECOMPRESS, dump),
        _NAIVE: _python("-c", LOOP, dump),
        _NAIVE_TAGS: _python("-c", _LOOP_AND_TAGS, dump),
        _ONLY: _python(SCRIPTS / "count_transitions.py", dump),
        _ONLY_2: _python(SCRIPTS / "count_transitions.py", dump, 2),
        _ONE: detect("--workers", "1"),
        _TWO: detect("--workers", "2"),
        _MWXML: detect("--workers", "1", "--reader", "mwxml"),
    }
    # The longest commands run only for dumps where they show something new.
    left_out = {_NAIVE_TAGS} if dump.suffix != ".xml" else {_ONLY_2}
    if dump.suffix in (".7z", ".gz", ".zst"):
        left_out.add(_ONLY_2)
    if not dump.name.startswith("synthetic"):
        left_out |= {_MWXML} if dump.suffix == ".7z" else {_MWXML, _NAIVE_TAGS, _TWO}
    return {name: command for name, command in commands.items() if name not in left_out}


def _python(*words: object) -> Command:
    return Command([sys.executable, *map(str, words)])


def _table(costs: Costs, baseline: str) -> str:
    head = ["", "CPU, s", f"÷ {baseline}", f"{_NAIVE} ÷ this", "clock, s", "memory, MB"]
    rows = (
        [
            name,
            f"{middle(spent, lambda c: c.cpu):.2f}",
            f"{ratio(spent, costs[baseline]):.2f}",
            f"{ratio(costs[_NAIVE], spent):.1f}",
            f"{middle(spent, lambda c: c.clock):.2f}",
            f"{middle(spent, lambda c: c.memory):.0f}",
        ]
        for name, spent in costs.items()
    )
    return table(head, rows)


def _goals(bench: Bench, dump: Path, costs: Costs) -> None:
    """Record the values reached for the goals of this dump."""
    only, synthetic = costs[_ONLY], dump.name.startswith("synthetic")
    if dump.suffix == ".7z" and not synthetic:
        for tool in (name for name in costs if name.startswith("7z")):
            for name in (_ONLY, _ONLY_2):
                reached = ratio(costs[name], costs[tool])
                bench.goal(f"{title(dump)}: {name} ÷ {tool}", "at most 1.5", reached)
    if synthetic and dump.suffix in (".7z", ".xml"):
        wanted = "at least 8" if dump.suffix == ".7z" else "at least 18"
        for naive in (name for name in (_NAIVE, _NAIVE_TAGS) if name in costs):
            bench.goal(f"{title(dump)}: {naive} ÷ {_ONLY}", wanted, ratio(costs[naive], only))
    if dump.suffix == ".bz2":
        if "bzip2" in costs:
            reached = ratio(only, costs["bzip2"])
            bench.goal(f"{title(dump)}: {_ONLY} ÷ bzip2", "at most 1.1", reached)
        faster = ratio(costs[_ONE], costs[_TWO], lambda c: c.clock)
        bench.goal(f"{title(dump)}: {_ONE} ÷ {_TWO}, clock", "at least 1.7", faster)
