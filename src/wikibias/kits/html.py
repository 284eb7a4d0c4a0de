"""Renders HTML pages from Jinja2 templates; alone knows jinja2.

All text is escaped: sentences and titles come from wikis. A page is one file, loads nothing and
runs nothing; a policy in its head says so to the browser.
"""

from __future__ import annotations

import hashlib
import re
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined, TemplateNotFound

from wikibias.messages import printable

PROGRAM = "wikibias"
_HEAD = 4096  # bytes
# Credentials in an address may show another host than the one it leads to.
_WEB = re.compile(r"https?://[^\s/?#@\\]+(?:[/?#]\S*)?", re.IGNORECASE)
# Codes of Wikipedias that browsers do not know, and the language they mean.
_OTHER_CODES = {"simple": "en", "no": "nb", "als": "gsw", "zh-yue": "yue", "bat-smg": "sgs"}
_CODE = re.compile(r"[a-z]{2,3}(-[a-z0-9]{2,8})*", re.IGNORECASE | re.ASCII)
# Breaks of lines, and where words of scripts without spaces may break.
_KEPT = "\n\t\u200b"


@dataclass(frozen=True, slots=True)
class Link:
    """A text that leads to an address; only to one of the web."""

    text: str
    url: str


Cell = str | Link


@dataclass(frozen=True, slots=True)
class Table:
    """A table of text cells; the first `text_columns` are flush left, and the first names the row.

    Attributes:
        header: the name of each column.
        rows: the cells.
        text_columns: how many columns hold text, not numbers.
        prose: the first columns hold running text, which needs room, and no names of rows.
        title: what it is about, shown above it.
        stacks: on a phone each row stands as a block, with the name of the column at each cell.
    """

    header: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    text_columns: int = 1
    prose: bool = False
    title: str = ""
    stacks: bool = False


def render(package: str, template: str, context: Mapping[str, Any]) -> str:
    """Return the page that a template of a package's folder `templates` makes of the context.

    Templates extend `base.html.j2`, which asks for `title` and `lead`, and import from
    `kit.html.j2`. `generator` says what kind of page it is, for `is_page`. Rules in a file beside
    the template, such as `page.css` beside `page.html.j2`, follow those of the kit.
    """
    environment = _environment(package)
    style = stylesheet(package, template.replace(".html.j2", ".css"))
    digest = b64encode(hashlib.sha256(style.encode()).digest()).decode("ascii")
    policy = (
        f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    whole = {"generator": PROGRAM, **context, "style": Markup(style), "policy": policy}
    return environment.get_template(template).render(whole)


def is_page(path: Path, generator: str = PROGRAM) -> bool:
    """Return whether a file is a page of this kind that `render` made.

    Raises:
        OSError: it cannot be read.
    """
    if not path.is_file():  # a pipe would be waited for
        return False
    with path.open("rb") as file:
        return f'<meta name="generator" content="{generator}">'.encode() in file.read(_HEAD)


class Markup(str):
    """Text that is markup already: what we wrote ourselves, never what others did."""

    __slots__ = ()

    def __html__(self) -> str:
        return self


def language_code(lang: str) -> str:
    """Return the code by which a browser knows the language of a wiki; "" for what is none."""
    lang = _OTHER_CODES.get(lang, lang)
    return lang if _CODE.fullmatch(lang) else ""


@cache
def _environment(package: str) -> Environment:
    environment = Environment(
        loader=ChoiceLoader([PackageLoader(package), PackageLoader(__package__)]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=_visible,
    )
    environment.filters.update(
        is_web=lambda url: bool(_WEB.fullmatch(url)),
        markup=Markup,
        language_code=language_code,
    )
    return environment


@cache
def stylesheet(package: str, own: str) -> str:
    """Return the rules of the kit, and behind them those of a file of the package, if any."""
    environment = _environment(package)
    names = ["figures.css", "style.css", *([own] if own != "style.css" else [])]
    found = []
    for name in names:
        try:
            found.append(environment.get_template(name).render())
        except TemplateNotFound:
            if name != own:
                raise
    return "\n" + "".join(found)


def _visible(value: Any) -> Any:
    """Return what is shown of a value: control characters of others as text, nothing for None."""
    if value is None:
        return ""
    return printable(value, keep=_KEPT) if type(value) is str else value
