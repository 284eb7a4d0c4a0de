"""`wikibias docs`: the pages of the documentation, and the sample dumps."""

import inspect
import re
import sys
from collections.abc import Iterator, Mapping
from copy import copy
from pathlib import Path

import click

from wikibias.config.resources import folder
from wikibias.errors import UsageError, nearest, quoted
from wikibias.kits.command import OUT_FOLDER, BriefHelp
from wikibias.kits.files import disk_errors, write_bytes
from wikibias.kits.terminal import echo, echo_data

# A command or a model whose page has another name.
_ALIASES = {
    "pairs": "sentence-pairs",
    **dict.fromkeys(("predict", "cross-evaluate", "audit-split", "gru", "encoder"), "classify"),
}
_COMMENT = re.compile(r"^<!--.*?-->\n+", re.MULTILINE | re.DOTALL)
_OF_CHECKOUT = re.compile(r"^\$ (?:make|.*\bscripts/)", re.MULTILINE)
_NOTE = "\n> Commands with `make` or `scripts/` need a checkout of wikibias.\n"
# What the site fills in.
_HELPS, _INTERFACE = '--8<-- "build/cli.md"', "::: wikibias.api"
_LINK = re.compile(r"\[([^\]]+)\]\((?:[\w./-]*/)?(?:([\w-]+)\.md)?(?:#[\w-]*)?\)")
_QUOTED_TYPE = re.compile(r"(: |-> )'([^']+)'")
_SECTION = re.compile(r"^(?=##+ )", re.MULTILINE)
_MOST_FOUND = 20


@click.command(name="docs")
@click.argument("page", required=False)
@click.option("--search", metavar="WORDS", help="List the sections that have all these words.")
@click.option("--samples", is_flag=True, help="Write four small dumps instead.")
@click.option(
    "-o",
    "--out",
    type=OUT_FOLDER,
    default=Path("samples"),
    show_default=True,
    help="With --samples: folder for them; made where it is missing.",
)
def command(page: str | None, search: str | None, samples: bool, out: Path) -> None:
    """Show a page of the documentation, or list all; or write dumps to try wikibias with.

    The page api has every name of the Python interface, cli the help of every command. The dumps
    called demo are of an English and a French wiki whose articles are tagged as not neutral, those
    called quality of two with featured articles and edits of three intents. All in them is
    invented.

    \b
    Examples:
      wikibias docs
      wikibias docs tutorial
      wikibias docs --search "tag set"
      wikibias docs --samples
    """
    pages = {path.stem: path for path in sorted(folder("docs").rglob("*.md"))}
    if samples:
        _write_samples(out)
        return
    if page is not None:
        page = _ALIASES.get(name := Path(page).stem, name)
        if page not in pages:
            raise UsageError(f"no page {page!r}{nearest(page, pages)}")
    if search is not None:
        _search(search, pages if page is None else {page: pages[page]})
    elif page is None:
        _list(pages)
    elif sys.stdout.isatty():
        from wikibias.kits.console import rendered

        text = _LINK.sub(lambda m: f"{m[1]} (docs {m[2]})" if m[2] else m[1], _text(pages[page]))
        click.echo_via_pager(rendered(text), color=True)
    else:
        echo_data(_text(pages[page]).rstrip("\n"))


def _list(pages: Mapping[str, Path]) -> None:
    width = max(map(len, pages))
    for name, path in pages.items():
        title = path.read_text(encoding="utf-8").partition("\n")[0]
        echo(f"{name:<{width}}  {title.lstrip('# ').strip()}")
    echo("To read one: wikibias docs PAGE; to find a word: wikibias docs --search WORD")


def _text(path: Path) -> str:
    """Return a page, with what the site fills in and without what is meant for programs."""
    text = _COMMENT.sub("", path.read_text(encoding="utf-8"))
    if _OF_CHECKOUT.search(text) and not (folder("docs").parent / "scripts").is_dir():
        text = text.replace("\n", f"\n{_NOTE}", 1)
    if _HELPS in text:
        root = click.get_current_context().find_root()
        text = text.replace(_HELPS, "".join(_helps(root)))
    if _INTERFACE in text:
        text = text.replace(_INTERFACE, "".join(_interface()))
    return text


def _helps(context: click.Context) -> Iterator[str]:
    """Yield the whole help of each command below that of a context."""
    group = context.command
    if not isinstance(group, click.Group):
        return
    for name in group.list_commands(context):
        inner = group.get_command(context, name)
        if inner is not None and not inner.hidden:
            if isinstance(inner := copy(inner), BriefHelp):
                inner.show_all()
            own = click.Context(inner, context, info_name=name)
            yield f"## {own.command_path}\n\n```text\n{own.get_help()}\n```\n\n"
            yield from _helps(own)


def _interface() -> Iterator[str]:
    """Yield each name of the interface for Python, with what its docstring says."""
    import wikibias

    for name in wikibias.__all__:
        found = getattr(wikibias, name)
        signature = str(inspect.signature(found)) if inspect.isfunction(found) else ""
        shown = _QUOTED_TYPE.sub(r"\1\2", f"{name}{signature}")
        yield f"### {name}\n\n```text\n{shown}\n\n{inspect.getdoc(found)}\n```\n\n"


def _search(words: str, pages: Mapping[str, Path]) -> None:
    """List the sections that have all words, those first that have them in their title, or often.

    Raises:
        UsageError: none has.
    """
    wanted = words.casefold().split()
    found = []
    for name, path in pages.items():
        for body in _SECTION.split(_text(path)):
            title = body.partition("\n")[0].lstrip("# ")
            counts = [body.casefold().count(word) for word in wanted]
            if counts and all(counts):
                in_title = all(word in title.casefold() for word in wanted)
                found.append((not in_title, -min(counts), name, title, body))
    if not found:
        raise UsageError(f"no section has all of {words!r}; try fewer words, or `wikibias docs`")
    for _, hits, name, title, body in sorted(found)[:_MOST_FOUND]:
        echo(f"{name}: {title} ({-hits})")
        lines = (each.strip() for each in body.splitlines()[1:])
        if line := next((each for each in lines if wanted[0] in each.casefold()), ""):
            echo(f"    {line[:90]}")
    if len(found) > _MOST_FOUND:
        echo(f"and {len(found) - _MOST_FOUND:,} more; give another word")


def _write_samples(out: Path) -> None:
    paths = [_written(dump, out) for dump in sorted(folder("samples").glob("*wiki-*"))]
    for path in paths:
        echo(str(path))
    echo(f"Next: wikibias extract --lang en {quoted(str(paths[0]))}")


def _written(dump: Path, out: Path) -> Path:
    path, content = out / dump.name, dump.read_bytes()
    with disk_errors(out):
        out.mkdir(parents=True, exist_ok=True)
        if path.exists():
            if path.read_bytes() != content:
                raise UsageError(f"{path} is another file; choose another --out")
            return path
    write_bytes(path, content)
    return path
