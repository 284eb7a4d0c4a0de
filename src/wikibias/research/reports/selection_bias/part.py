"""A section of the page as a value: blocks of words, figures, tables, topics and heat maps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from wikibias.kits.charts import Drawing
from wikibias.kits.document import HeatMap, Table


@dataclass(frozen=True, slots=True)
class ShownTopic:
    """A topic as people read it.

    Attributes:
        name: its number.
        facts: its shares, in words.
        strong: the words that its figures are made of.
        rest: the words after these.
        nearest: by list of keywords, the figures of the topic and its nearest keywords.
        examples: sentences in which it is strong.
    """

    name: str
    facts: str
    strong: Sequence[str]
    rest: Sequence[str]
    nearest: Sequence[tuple[str, str, Sequence[tuple[str, str]]]]
    examples: Sequence[str]


@dataclass(slots=True)
class Block:
    """What stands under one heading, in this order; the title may be empty.

    Where it is `shut`, the title opens it, and `shut` says beside it what one need not look for.
    """

    title: str = ""
    says: list[str] = field(default_factory=list)
    points: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    facts: list[tuple[str, str]] = field(default_factory=list)
    after: list[str] = field(default_factory=list)
    figures: list[Drawing] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    topics: list[ShownTopic] = field(default_factory=list)
    maps: list[HeatMap] = field(default_factory=list)
    commands: list[str] = field(default_factory=list)
    folded: dict[str, Table] = field(default_factory=dict)
    lang: str = ""
    shut: str = ""


@dataclass(slots=True)
class Part:
    """A section of the page."""

    id: str
    title: str
    blocks: list[Block]
