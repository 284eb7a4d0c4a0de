"""`wikibias tags`: count templates, and show, check and grow the tag sets."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from wikibias.cli.options import workers_option
from wikibias.cli.show import progress, show_table
from wikibias.dumps.parts import find_parts
from wikibias.errors import UsageError, nearest
from wikibias.tags.census import Wanted, count_parts
from wikibias.tags.results import write_census


class _Commands(click.Group):
    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in self.commands and not args[0].startswith("-"):
            raise UsageError(f"unknown command 'tags {args[0]}'{nearest(args[0], self.commands)}")
        return super().resolve_command(ctx, args)


@click.group(cls=_Commands)
def tags() -> None:
    r"""Count the templates of a wiki; show, check and grow the tag sets.

    \b
    Example:
      wikibias tags count -o counts/fr frwiki-20261101-pages-meta-history1.xml.bz2
    """


@tags.command()
@click.argument("dumps", nargs=-1, required=True)
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("counts"),
    show_default=True,
    help="Folder of the result.",
)
@click.option("--latest", is_flag=True, help="Count only the newest revision of each page.")
@click.option("--like", help="Show the names that contain this, each with its share of them all.")
@click.option(
    "--namespace",
    "namespaces",
    multiple=True,
    type=int,
    help="Number of a namespace to count in; may be given again.  [default: 0, the articles]",
)
@workers_option
@click.option("-q", "--quiet", is_flag=True, help="No progress bar and no table.")
def count(
    dumps: tuple[str, ...],
    out: Path,
    latest: bool,
    like: str | None,
    namespaces: tuple[int, ...],
    workers: int,
    quiet: bool,
) -> int:
    r"""Count how often each template is called, and collect the redirects between templates.

    A call counts once for every revision that holds it. The same command again does only what is
    missing, so --like costs nothing more.

    \b
    Examples:
      wikibias tags count frwiki-20261101-pages-meta-history1.xml.bz2
      wikibias tags count -o counts/en --like weasel dumps/
    """
    parts = find_parts(dumps)
    wanted = Wanted(tuple(dict.fromkeys(namespaces)) or (0,), latest)
    with progress(parts, quiet=quiet, found="templates") as report:
        counted = count_parts(out, parts, wanted, workers=workers, report=report)
    result = write_census(out, counted, wanted, like=like)
    if not quiet:
        _show_counts(result.about, like, [_line(line) for line in result.top])
        click.echo(f"Result: {out}")
    for part, error in result.about["errors"].items():
        click.echo(f"Error: {part} {error}", err=True)
    return 1 if result.about["errors"] else 0


def _line(line: Any) -> list[object]:
    return [
        line.name,
        line.target,
        f"{line.pages:,}",
        line.revisions,
        line.first_year,
        line.last_year,
        line.ratio,
    ]


def _show_counts(about: dict[str, Any], like: str | None, lines: list[list[object]]) -> None:
    click.echo(
        f"{about['pages']:,} pages, {about['revisions']:,} revisions counted; "
        f"{about['templates']:,} pages of templates; {about['names']:,} names, "
        f"{about['aliases']:,} of them or others redirects."
    )
    columns = ["Name", "Leads to", "Pages", "Revisions", "First", "Last", "Ratio"]
    show_table(f"Names like {like!r}" if like else "The most frequent names", columns, lines)
