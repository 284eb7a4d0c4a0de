"""The tables of template counts."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from wikibias.kits.schemas import Table
from wikibias.records import Int32


@dataclass(frozen=True, slots=True)
class TemplateCount:
    """A template: how many pages and revisions call it, and in which years."""

    name: str
    target: str | None
    pages: int
    revisions: int
    first_year: Int32
    last_year: Int32
    ratio: float


@dataclass(frozen=True, slots=True)
class YearCount:
    """How many revisions of one year call a template."""

    name: str
    year: Int32
    revisions: int


@dataclass(frozen=True, slots=True)
class AliasCount:
    """A name that redirects to a template: since when, until when, and how often it is called."""

    alias: str
    target: str
    since: datetime | None
    until: datetime | None
    resolved: str | None
    pages: int
    revisions: int


COUNTS = Table("counts", TemplateCount)
YEARS = Table("years", YearCount)
ALIASES = Table("aliases", AliasCount)
