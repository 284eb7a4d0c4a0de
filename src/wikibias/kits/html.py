"""Pages in HTML: a document, or a template of a package; alone knows jinja2.

All text is escaped: sentences and titles come from wikis. A page is one file, loads nothing and
runs nothing; a policy in its head says so to the browser.
"""

import hashlib
import re
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import count, groupby
from pathlib import Path
from typing import Any

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined, TemplateNotFound

from wikibias.errors import UsageError, printable
from wikibias.kits.charts import Drawing
from wikibias.kits.document import Block, Document, Section, Table, in_code

PROGRAM = "wikibias"
_HEAD = 4096  # bytes
# Credentials in an address may show another host than the one it leads to.
_WEB = re.compile(r"https?://[^\s/?#@\\]+(?:[/?#]\S*)?", re.IGNORECASE)
# Codes of Wikipedias that browsers do not know, and the language they mean.
_OTHER_CODES = {"simple": "en", "no": "nb", "als": "gsw", "zh-yue": "yue", "bat-smg": "sgs"}
_CODE = re.compile(r"[a-z]{2,3}(-[a-z0-9]{2,8})*", re.IGNORECASE | re.ASCII)
# Breaks of lines, and where words of scripts without spaces may break.
_KEPT = "\n\t\u200b"


def html(document: Document) -> str:
    """Return the page of a document: one file, with its style and figures."""
    context = {"document": document, "title": document.title, "lead": document.lead}
    context |= {"generator": document.generator, "number": count(1).__next__}
    contents = [each for each in document.sections if isinstance(each, Section)]
    for number, section in enumerate(contents, 1):
        section.id = section.id or f"section-{number}"
    context["contents"] = contents if document.contents else []
    return render(__package__, "document.html.j2", context)


def render(package: str, template: str, context: Mapping[str, Any]) -> str:
    """Return the page that a template of a package's folder `templates` makes of the context.

    Templates extend `base.html.j2`, which asks for `title` and `lead`. `generator` says what kind
    of page it is, for `is_page`. Rules in a file of the template's name, with the ending `.css`,
    follow those of the kit.
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


def refuse_foreign_page(path: Path, instead: str, generator: str = PROGRAM) -> None:
    """Refuse to replace a file that is no page of this kind.

    Raises:
        UsageError: it is there, or cannot be looked at; the message says what to do `instead`.
    """
    try:
        foreign = path.exists() and not is_page(path, generator)
    except OSError as error:
        raise UsageError(f"{path} cannot be read ({error.strerror}); {instead}") from error
    if foreign:
        raise UsageError(f"{path} is no page of {generator}; {instead}")


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
        language_code=language_code,
        kind=lambda block: type(block).__name__,
        groups=_groups,
        code=in_code,
    )
    return environment


def _groups(blocks: Sequence[Block]) -> Iterator[tuple[str, list[Block]]]:
    """Yield neighbours that stand beside each other where there is room, others alone."""
    for place, found in groupby(blocks, _place):
        if place in ("beside", "cards"):
            yield place, list(found)
        else:
            yield from (("", [block]) for block in found)


def _place(block: Block) -> str:
    if isinstance(block, Section) and block.kind == "card":
        return "cards"
    return "beside" if isinstance(block, (Drawing, Table)) else ""


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
