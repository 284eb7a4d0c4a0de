"""What stands in a section of a document, by kind."""

from typing import Any

from wikibias.kits.charts import Drawing
from wikibias.kits.document import Change, Facts, Notes, Passage, Quote, Section, Table, Text


def of(section: Section, kind: type[Any]) -> list[Any]:
    return [block for block in section.blocks if isinstance(block, kind)]


def says(section: Section) -> list[str]:
    return of(section, str)


def tables(section: Section) -> list[Table]:
    return of(section, Table)


def cells(section: Section, number: int = 0) -> list[list[str]]:
    return [[str(cell) for cell in row] for row in tables(section)[number].rows]


def figures(section: Section) -> list[Drawing]:
    return of(section, Drawing)


def notes(section: Section) -> list[str]:
    return [line for block in of(section, Notes) for line in block.lines]


def facts(section: Section) -> dict[str, str]:
    return {name: str(value) for block in of(section, Facts) for name, value in block.pairs}


def commands(section: Section) -> list[str]:
    return [text.parts for text in of(section, Text) if text.kind == "command"]


def quiet(section: Section) -> list[str]:
    """The lines that stand back, each as one text."""
    return [words(text) for text in of(section, Text) if text.kind == "quiet"]


def words(text: Text) -> str:
    return "".join(part if isinstance(part, str) else part.text for part in text.inlines())


def sections(section: Section) -> dict[str, Section]:
    return {inner.title: inner for inner in of(section, Section)}


def folded(section: Section, title: str) -> Table:
    (table,) = tables(sections(section)[title])
    return table


def changes(section: Section) -> list[Change]:
    return [change for quote in of(section, Quote) for change in quote.changes]


def sides(change: Change) -> tuple[str, str]:
    left, right = ("".join(map(plain, side)) for side in (change.before, change.after))
    return left, right


def plain(passage: Passage) -> str:
    return "".join(piece.text for piece in passage.pieces)


def changed(side: Any) -> list[str]:
    return [piece.text for passage in side for piece in passage.pieces if piece.changed]
