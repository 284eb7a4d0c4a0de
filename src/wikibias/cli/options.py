"""Options of runs, which several commands share: workers, engine, configuration, logs."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from wikibias.config.resources import config_dir, unreadable
from wikibias.execution import engines
from wikibias.kits.command import F, stack, warn

if TYPE_CHECKING:
    from wikibias.cli.logs import Logs

MOST_WORKERS = engines.MOST_WORKERS


class EngineName(click.ParamType["str"]):
    """A choice of the engines, of which other packages may add some: asked for when needed."""

    name = "engine"

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        """Return the names for --help."""
        return f"[{'|'.join(engines.names())}]"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the name of an engine; fail with all names."""
        if value != engines.LOCAL and value not in engines.ELSEWHERE:
            self.fail(f"{value!r} is not one of {', '.join(engines.names())}.", param, ctx)
        return value


def _config_dir_option(*, new: bool) -> Callable[[F], F]:
    def look_in(ctx: click.Context, _: click.Parameter, path: Path | None) -> None:
        ctx.with_resource(config_dir(path, new=new))
        for line in unreadable():
            warn(line)

    return click.option(
        "--config-dir",
        type=click.Path(path_type=Path, file_okay=False),
        is_eager=True,
        expose_value=False,
        callback=look_in,
        help="Folder with your own configs/ and tagsets/, looked in first"
        + ("; made where it is missing." if new else "."),
    )


config_dir_option = _config_dir_option(new=False)


new_config_dir_option = _config_dir_option(new=True)


workers_option = click.option(
    "--workers",
    type=click.IntRange(1, MOST_WORKERS),
    default=lambda: os.cpu_count() or 1,
    show_default="all cores",
    help="How many processes to use.",
)


def _logs(ctx: click.Context) -> Logs | None:
    return None if ctx.resilient_parsing else (ctx.find_root().obj or {}).get("logs")


def _quiet(ctx: click.Context, _: click.Parameter, quiet: bool) -> bool:
    if quiet and (logs := _logs(ctx)) is not None:
        logs.quiet = True
    return quiet


def _verbose(ctx: click.Context, _: click.Parameter, verbose: bool) -> None:
    if verbose and (logs := _logs(ctx)) is not None:
        logs.verbose = True


def _log_file(ctx: click.Context, _: click.Parameter, path: Path | None) -> None:
    if path is not None and (logs := _logs(ctx)) is not None:
        logs.add_file(path)


def log_options(quiet: str) -> Callable[[F], F]:
    """Return the options that say how much a command tells; with the help of `--quiet`."""
    return stack(
        click.option("-q", "--quiet", is_flag=True, callback=_quiet, help=quiet),
        click.option(
            "-v",
            "--verbose",
            is_flag=True,
            expose_value=False,
            callback=_verbose,
            help="Say what is done, part by part.",
        ),
        click.option(
            "--log-file",
            type=click.Path(path_type=Path, dir_okay=False),
            expose_value=False,
            callback=_log_file,
            help="Also write what is said and done to the end of this file.",
        ),
    )


def _dry_run(ctx: click.Context, _: click.Parameter, dry_run: bool) -> None:
    if dry_run and not ctx.resilient_parsing:
        ctx.find_root().obj["dry_run"] = True


dry_run_option = click.option(
    "--dry-run",
    is_flag=True,
    expose_value=False,
    callback=_dry_run,
    help="Say what would be read and written, and do nothing.",
)


run_options = stack(
    workers_option,
    click.option(
        "--engine",
        type=EngineName(),
        default=engines.LOCAL,
        show_default=True,
        help="Where to work: processes of this machine, or a cluster; see `wikibias docs cluster`.",
    ),
    click.option("--scheduler", help="Address of a Dask scheduler.  [default: start one here]"),
    click.option("--restart", is_flag=True, help="Remove the result and start over."),
    dry_run_option,
    log_options("No progress and no tables."),
)


shard_option = click.option(
    "--shard",
    metavar="I/N",
    help="Do only every N-th part, from the I-th; the same command without it does the rest.",
)
