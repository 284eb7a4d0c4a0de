"""`wikibias reproduce`: the published figures of the papers, computed again."""

from pathlib import Path

import click

from wikibias.cli.options import workers_option
from wikibias.errors import UsageError
from wikibias.kits import command, files
from wikibias.kits.terminal import echo, show


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
    from wikibias.kits.document import markdown
    from wikibias.research import reproduce as kit
    from wikibias.research.reports.reproduce import document, plan

    if out is not None and out.suffix not in (".html", ".md"):
        raise UsageError(f"--out: {out} must end in .html or .md")
    command.check_out(out, overwrite=overwrite)
    chosen, failed, quiet = kit.load_papers(papers), False, command.is_quiet()
    if dry_run:
        page = plan(chosen, data)
    elif data is None:
        raise UsageError(
            "where are the published data? Give --data FOLDER, or set WIKIBIAS_DATA; "
            "`wikibias reproduce --dry-run` says what is needed"
        )
    else:
        tell = (lambda _: None) if quiet else (lambda line: echo(line, err=True))
        found = kit.reproduce(chosen, data, workers=workers, tell=tell)
        page = document(chosen, found)
        failed = any(e.verdict == "failed" for own in found for one in own for e in one.results)
    if out is not None:
        from wikibias.kits.html import html

        files.write_text(out, html(page) if out.suffix == ".html" else markdown(page))
        echo(f"Wrote {out}.")
    elif dry_run or not quiet:
        show(page)
    return int(failed)
