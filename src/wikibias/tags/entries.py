"""What a tag-set file may hold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal

from wikibias.kits.checked import Meta, NonEmpty

Scope = Literal["article", "section", "inline", "wrapping"]


@dataclass(frozen=True, slots=True)
class Tag:
    """A canonical tag. `text` is the parameter a wrapping tag shows to the reader, else ""."""

    name: NonEmpty
    family: NonEmpty
    scope: Scope = "article"
    aliases: tuple[str, ...] = ()
    text: str = ""


@dataclass(frozen=True, slots=True)
class Wrapper:
    """A template that carries tags in its parameters.

    `parameters` maps a parameter's name to a canonical tag. With `positional`, an unnamed value
    that is a tag's name or alias is that tag.
    """

    name: NonEmpty
    aliases: tuple[str, ...] = ()
    parameters: Mapping[str, str] = field(default_factory=dict)
    positional: bool = False


@dataclass(frozen=True, slots=True)
class Provenance:
    """Which counts the names come from, and who decided on them; see `wikibias tags apply`."""

    counts: str = ""
    generated: tuple[str, ...] = ()
    by_hand: tuple[str, ...] = ()
    rejected: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TagSetFile:
    """The content of a tag-set file; `lang` is by default the file's own name."""

    tag: Annotated[tuple[Tag, ...], Meta(min_length=1)]
    wrapper: tuple[Wrapper, ...] = ()
    lang: str = ""
    ignore_case: bool = False
    verified: bool = False
    provenance: Provenance = field(default_factory=Provenance)
