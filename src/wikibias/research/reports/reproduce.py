"""The matrix of published figures as a document: what came out, or what would be done."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from wikibias.errors import counted
from wikibias.kits.document import Block, Document, Notes, Section, Table, Text
from wikibias.research.reproduce import FUNCTIONS, Measured, Measurement, Paper, Result

_TOLERANCES = (
    "`exact`: counts must be equal.",
    "`half`: ours is twice the count of every second row, so one more or less is the same.",
    "`printed`: the data are the authors' own, so one unit of the last printed digit is allowed, "
    "as papers round some figures and cut others off.",
    "`same`, `part`, `other`: as much as sampling explains (95 %), on the rows of the paper, on a "
    "part of them, or on others. Of a mean over several figures or seeds the ends are the means of "
    "theirs.",
)
_NAMES = {"{data}": "$DATA", "{out}/": "", "{docs}": "docs", "{seed}": "0"}
_VERDICTS, _IMPOSSIBLE = ("met", "missed", "no data", "failed"), "not possible"


def document(papers: Sequence[Paper], measured: Sequence[Sequence[Measured]]) -> Document:
    """Return the page of what came out, by paper."""
    verdicts, rows, sections = Counter[str](), [], list[Block]()
    for paper, found in zip(papers, measured, strict=True):
        own = Counter[str](each.verdict for one in found for each in one.results)
        own[_IMPOSSIBLE] = sum(each.cells for each in paper.absent)
        verdicts += own
        rows.append(_total(paper.name, own))
        blocks: list[Block] = [Section(one.measurement.table, [*_blocks(one)]) for one in found]
        if paper.absent:
            absent = [[each.table, f"{each.cells}", each.why] for each in paper.absent]
            table = Table(["table", "cells", "why"], absent, 3, stacks=True)
            blocks.append(Section("Not possible", [table]))
        sections.append(Section(paper.title, blocks, aside=paper.name))
    header = ["paper", "cells", *_VERDICTS, _IMPOSSIBLE]
    totals = Table(header, [*rows, _total("all", verdicts)], sums=1)
    told = ", ".join(f"{verdicts[name]} {name}" for name in _VERDICTS if verdicts[name])
    return Document(
        "Published figures, computed again",
        f"{counted(_cells(verdicts), 'published cell')}: {told}. Made by `wikibias reproduce`.",
        [Section("Totals", [totals]), Section("What is met", [Notes(_TOLERANCES)]), *sections],
        contents=True,
        generator="wikibias reproduce",
    )


def _cells(own: Counter[str]) -> int:
    return sum(own[each] for each in _VERDICTS)


def _total(name: str, own: Counter[str]) -> list[str]:
    numbers = (_cells(own), *(own[each] for each in (*_VERDICTS, _IMPOSSIBLE)))
    return [name, *(f"{number:,}" for number in numbers)]


def _blocks(found: Measured) -> Iterator[Block]:
    about = found.measurement
    yield from _commands(about)
    if about.seeds > 1:
        yield f"With {about.seeds} seeds, of which ours is the mean."
    if found.why:
        yield f"{found.why}. From: {about.source}" if about.source else found.why
    header = ["cell", "published", "ours", "95 %", "tolerance", "verdict"]
    rows = [_row(about, each) for each in found.results]
    missed = [place for place, each in enumerate(found.results) if each.verdict == "missed"]
    yield Table(header, rows, marked=missed, caption=about.note)


def _commands(about: Measurement) -> list[Text]:
    return [Text(_command(line), "command", "console") for line in about.run]


def _command(line: str) -> str:
    for mark, name in _NAMES.items():
        line = line.replace(mark, name)
    name, _, rest = line.partition(" ")
    return (
        f"# {name} of wikibias.research.reproduce: {rest}"
        if name in FUNCTIONS
        else f"$ wikibias {line}"
    )


def _row(about: Measurement, each: Result) -> list[str]:
    def shown(value: float | None) -> str:
        return "–" if value is None else f"{value:,.{about.digits}f}"

    ours = each.ours
    ends = "–" if ours["low"] is None else f"{shown(ours['low'])} to {shown(ours['high'])}"
    name = ", ".join(filter(None, [each.cell.row, each.cell.column]))
    allowed = "–" if each.tolerance is None else f"{about.tolerance} {shown(each.tolerance)}"
    published = shown(each.cell.published)
    return [name, published, shown(ours["value"]), ends, allowed, each.verdict]


def plan(papers: Sequence[Paper], data: Path | None) -> Document:
    """Return the plan of a run: cells, commands, what data they need, and whether it is there."""
    sections: list[Block] = []
    total = ready = 0
    for paper in papers:
        blocks: list[Block] = []
        for each in paper.measurement:
            missing, cells = each.missing(data), len(each.cells)
            total, ready = total + cells, ready + (0 if missing else cells)
            lines = [f"{name}: there" for name in each.needed if name not in missing]
            lines += [f"{name}: missing" for name in missing]
            lines += [f"From: {each.source}"] if missing and each.source else []
            content: list[Block] = [*_commands(each), Notes(lines)]
            blocks.append(Section(each.table, content, aside=counted(cells, "cell")))
        sections.append(Section(paper.title, blocks, aside=paper.name))
    lead = f"Dry run: {counted(total, 'cell')}, for {ready:,} of which the data are there."
    return Document("What `wikibias reproduce` would do", lead, sections)
