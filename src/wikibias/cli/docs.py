"""`wikibias docs`: the pages and the sample dumps that every installation holds."""

import shlex
import sys
from pathlib import Path

import click

from wikibias.config.resources import folder
from wikibias.errors import UsageError
from wikibias.kits.command import OUT_FOLDER
from wikibias.kits.files import disk_errors, write_bytes
from wikibias.kits.terminal import echo, echo_data
from wikibias.messages import nearest

# A command or a model whose page has another name.
_ALIASES = {
    "pairs": "sentence-pairs",
    **dict.fromkeys(("predict", "cross-evaluate", "audit-split", "gru", "encoder"), "classify"),
}


@click.command(name="docs")
@click.argument("page", required=False)
@click.option("--samples", is_flag=True, help="Write four small dumps instead.")
@click.option(
    "-o",
    "--out",
    type=OUT_FOLDER,
    default=Path("samples"),
    show_default=True,
    help="With --samples: folder for them; made where it is missing.",
)
def command(page: str | None, samples: bool, out: Path) -> None:
    """Show a page of the documentation, or list all; or write dumps to try wikibias with.

    Those called demo are of an English and a French wiki whose articles are tagged as not neutral,
    those called quality of two with featured articles and edits of three intents. All in them is
    invented.

    \b
    Examples:
      wikibias docs
      wikibias docs tutorial
      wikibias docs --samples
    """
    if samples:
        _write_samples(out)
    else:
        _show(page)


def _show(page: str | None) -> None:
    pages = {path.stem: path for path in sorted(folder("docs").rglob("*.md"))}
    if page is None:
        width = max(map(len, pages))
        for name, path in pages.items():
            echo(f"{name:<{width}}  {_title(path)}")
        echo("To read one: wikibias docs PAGE")
    elif (page := _ALIASES.get(page, page)) not in pages:
        raise UsageError(f"no page {page!r}{nearest(page, pages)}")
    else:
        text = pages[page].read_text(encoding="utf-8")
        if sys.stdout.isatty():
            click.echo_via_pager(text)
        else:
            echo_data(text.rstrip("\n"))


def _title(path: Path) -> str:
    with path.open(encoding="utf-8") as file:
        return file.readline().lstrip("# ").strip()


def _write_samples(out: Path) -> None:
    paths = [_written(dump, out) for dump in sorted(folder("samples").glob("*wiki-*"))]
    for path in paths:
        echo(str(path))
    echo(f"Next: wikibias extract --lang en {shlex.quote(str(paths[0]))}")


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
