"""`wikibias reproduce`: the published figures of the papers, computed again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from wikibias.cli.options import workers_option
from wikibias.errors import UsageError
from wikibias.kits import command
from wikibias.kits.terminal import echo

if TYPE_CHECKING:
    from wikibias.kits.document import Document


@click.command()
@click.option(
    "--data",
    type=command.FOLDER,
    envvar="WIKIBIAS_DATA",
    show_envvar=True,
    help="Folder of the published data.",
)
@click.option(
    "--paper",
    "papers",
    cls=command.Listed,
    multiple=True,
    metavar="NAME",
    help="Only this paper; several with commas.  [default: all]",
)
@click.option("--dry-run", is_flag=True, help="Only show the cells, the commands, and the data.")
@click.option("-o", "--out", type=command.OUT_FILE, help="Page to write: .html or .md.")
@click.option("--overwrite", is_flag=True, help="Replace a file that is there.")
@workers_option
def reproduce(
    *,
    data: Path | None,
    papers: tuple[str, ...],
    dry_run: bool,
    out: Path | None,
    overwrite: bool,
    workers: int,
) -> int:
    """Compute the published figures of the papers again, and say which come out.

    A figure is met if it is as near as rounding or sampling allows. The data are no part of
    wikibias; --dry-run says which files are needed, and where they come from. Figures without data
    are left out, and said to be.

    \b
    Examples:
      wikibias reproduce --dry-run
      wikibias reproduce --data published -o matrix.html
      wikibias reproduce --data published --paper horych-2025,wnc
    """
    from wikibias.kits.console import show
    from wikibias.research.reports.reproduce import document, plan
    from wikibias.research.reproduce import load_matrix
    from wikibias.research.reproduce import reproduce as run

    if out is not None and out.suffix not in (".html", ".md"):
        raise UsageError(f"--out: {out} must end in .html or .md")
    if out is not None:
        command.check_out(out, overwrite=overwrite)
    matrix = load_matrix().of(papers)
    if data is None and not dry_run:
        raise UsageError(
            "where are the published data? Give --data FOLDER, or set WIKIBIAS_DATA; "
            "`wikibias reproduce --dry-run` says what is needed"
        )
    if dry_run:
        page = plan(matrix, data)
        failed = False
    else:
        tell = (lambda _: None) if command.is_quiet() else (lambda line: echo(line, err=True))
        found = run(matrix, data, workers=workers, tell=tell)
        page = document(matrix, found)
        failed = any(each.verdict == "failed" for one in found for each in one.results)
    if out is None and (dry_run or not command.is_quiet()):
        show(page)
    elif out is not None:
        _write(page, out)
        echo(f"Wrote {out}.")
    return int(failed)


def _write(page: Document, out: Path) -> None:
    from wikibias.kits.document import markdown
    from wikibias.kits.files import write_text
    from wikibias.kits.html import html

    write_text(out, html(page) if out.suffix == ".html" else markdown(page))
