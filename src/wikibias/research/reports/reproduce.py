"""The matrix of published figures as a document: what came out, or what would be done."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from wikibias.errors import counted
from wikibias.kits.document import Block, Document, Notes, Section, Table, Text
from wikibias.research.reproduce import FUNCTIONS, Matrix, Measured, Measurement, Result

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
_VERDICTS = ("met", "missed", "no data", "failed")


def document(matrix: Matrix, measured: Sequence[Measured]) -> Document:
    """Return the page of what came out."""
    verdicts = Counter(each.verdict for found in measured for each in found.results)
    told = ", ".join(f"{verdicts[name]} {name}" for name in _VERDICTS if verdicts[name])
    sections: list[Block] = [
        Section("Totals", [_totals(matrix, measured)]),
        Section("What is met", [Notes(_TOLERANCES)]),
    ]
    for paper in matrix.paper:
        blocks: list[Block] = [
            Section(found.measurement.table, list(_blocks(found)))
            for found in measured
            if found.measurement.paper == paper.name
        ]
        absent = [each for each in matrix.absent if each.paper == paper.name]
        if absent:
            rows = [[each.table, f"{each.cells}", each.why] for each in absent]
            table = Table(["table", "cells", "why"], rows, 3, stacks=True)
            blocks.append(Section("Not possible", [table]))
        sections.append(Section(paper.title, blocks, aside=paper.name))
    cells = counted(verdicts.total(), "published cell")
    return Document(
        "Published figures, computed again",
        f"{cells}: {told}. Made by `wikibias reproduce`.",
        sections,
        contents=True,
        generator="wikibias reproduce",
    )


def _totals(matrix: Matrix, measured: Sequence[Measured]) -> Table:
    rows, counts = [], Counter[str]()
    for paper in matrix.paper:
        own = Counter(
            each.verdict
            for found in measured
            for each in found.results
            if found.measurement.paper == paper.name
        )
        own["impossible"] = sum(e.cells for e in matrix.absent if e.paper == paper.name)
        counts += own
        rows.append(_total(paper.name, own))
    header = ["paper", "cells", *_VERDICTS, "not possible"]
    return Table(header, [*rows, _total("all", counts)], sums=1)


def _total(name: str, own: Counter[str]) -> list[str]:
    cells = sum(own[each] for each in _VERDICTS)
    return [name, *(f"{n:,}" for n in (cells, *(own[v] for v in _VERDICTS), own["impossible"]))]


def _blocks(found: Measured) -> Iterator[Block]:
    about = found.measurement
    yield from _commands(about)
    if about.seeds > 1:
        yield f"With {about.seeds} seeds, of which ours is the mean."
    if found.why:
        yield f"{found.why}. {about.source}".rstrip()
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


def plan(matrix: Matrix, data: Path | None) -> Document:
    """Return the plan of a run: cells, commands, what data they need, and whether it is there."""
    sections: list[Block] = []
    ready = 0
    for paper in matrix.paper:
        own = [each for each in matrix.measurement if each.paper == paper.name]
        blocks: list[Block] = []
        for each in own:
            missing = each.missing(data)
            ready += 0 if missing else len(each.cells)
            lines = [f"{name}: {'missing' if name in missing else 'there'}" for name in each.needed]
            lines += [f"{name}: missing" for name in missing if name not in each.needed]
            lines += [each.source] if missing and each.source else []
            cells = counted(len(each.cells), "cell")
            blocks.append(Section(each.table, [*_commands(each), Notes(lines)], aside=cells))
        sections.append(Section(paper.title, blocks, aside=paper.name))
    total = sum(len(each.cells) for each in matrix.measurement)
    lead = f"Dry run: {counted(total, 'cell')}, for {ready:,} of which the data are there."
    return Document("What `wikibias reproduce` would do", lead, sections)
