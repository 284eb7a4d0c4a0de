"""A section of a page as a value: what it says in words, tables, figures and edits."""

from __future__ import annotations

from dataclasses import dataclass, field

from wikibias.kits.charts import Drawing
from wikibias.kits.document import Table
from wikibias.reports.edit_samples import ShownEdit


@dataclass(slots=True)
class Section:
    """A section of a page.

    Attributes:
        id: its anchor.
        title: its heading.
        says: paragraphs.
        figures: below them.
        tables: below these.
        folded: tables that open on demand, by what they hold.
        edits: sampled edits.
        groups: sampled edits under headings of their own, with what is said of each group.
        facts: names and values, before everything else but the paragraphs.
        notes: a list of remarks.
        commands: lines as they were typed.
    """

    id: str
    title: str
    says: list[str] = field(default_factory=list)
    figures: list[Drawing] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    folded: dict[str, Table] = field(default_factory=dict)
    edits: list[ShownEdit] = field(default_factory=list)
    groups: list[tuple[str, str, list[ShownEdit]]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    facts: list[tuple[str, str]] = field(default_factory=list)
    commands: list[str] = field(default_factory=list)


def missing(name: str, title: str, what: str) -> Section:
    """Return a section that says what is not there, and how to find out what to do."""
    return Section(name, title, [f"{what}. “wikibias status” on this folder says what to type."])
