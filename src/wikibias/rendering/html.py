"""Renders HTML pages from Jinja2 templates; alone knows jinja2.

All text is escaped: sentences and titles come from wikis. A page is one file and loads nothing.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

_PIXELS_PER_INCH = 96


@dataclass(frozen=True, slots=True)
class Table:
    """A table of text cells; the first `text_columns` are flush left.

    `prose` says that the first column holds running text, which needs room.
    """

    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    text_columns: int = 1
    prose: bool = False


def render(package: str, template: str, context: Mapping[str, Any]) -> str:
    """Return the page that a template of a package's folder `templates` makes of the context.

    Templates extend `base.html.j2`, and import `table` and `figures` from `kit.html.j2`.
    """
    return _environment(package).get_template(template).render(context)


@cache
def _environment(package: str) -> Environment:
    environment = Environment(
        loader=ChoiceLoader([PackageLoader(package), PackageLoader(__package__)]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["data_url"] = _data_url
    environment.filters["png_width"] = _png_width
    return environment


def _data_url(png: bytes) -> str:
    return f"data:image/png;base64,{b64encode(png).decode('ascii')}"


def _png_width(png: bytes, dots_per_inch: int = 144) -> int:
    """Return the width in CSS pixels; a PNG holds its own at byte 16."""
    return int.from_bytes(png[16:20], "big") * _PIXELS_PER_INCH // dots_per_inch
