"""`wikibias samples`: small dumps to try the other commands with."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from wikibias.config.resources import folder
from wikibias.errors import UsageError
from wikibias.kits.files import disk_errors, write_bytes
from wikibias.kits.terminal import echo


@click.command(name="samples")
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("samples"),
    show_default=True,
    help="Folder for them; made where it is missing.",
)
def command(out: Path) -> None:
    """Write four small dumps, to try wikibias with.

    Those called demo are of an English and a French wiki whose articles are tagged as not neutral,
    those called quality of two with featured articles and edits of three intents. All in them is
    invented.

    \b
    Examples:
      wikibias samples
      wikibias samples -o dumps
    """
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
