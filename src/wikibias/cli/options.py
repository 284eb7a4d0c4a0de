"""Options that several commands share, and what they have in common around a run."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from wikibias.cli.warnings import warn
from wikibias.config.resources import config_dir, unreadable
from wikibias.execution import engines

# Far more than any machine has cores.
MOST_WORKERS = 10_000
F = TypeVar("F", bound=Callable[..., Any])


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


def stack(*options: Callable[[F], F]) -> Callable[[F], F]:
    """Return options as one decorator, which lists them in this order."""

    def apply(function: F) -> F:
        for option in reversed(options):
            function = option(function)
        return function

    return apply


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
config_option = stack(
    click.option(
        "--config",
        "config_file",
        type=click.Path(path_type=Path),
        help="TOML file whose keys override the thresholds; see `wikibias docs settings`.",
    ),
    config_dir_option,
)
folder_argument = click.argument(
    "folder", type=click.Path(path_type=Path, exists=True, file_okay=False)
)
workers_option = click.option(
    "--workers",
    type=click.IntRange(1, MOST_WORKERS),
    default=lambda: os.cpu_count() or 1,
    show_default="all cores",
    help="How many processes to use.",
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
    click.option("-q", "--quiet", is_flag=True, help="No progress bar and no tables."),
)
shard_option = click.option(
    "--shard",
    metavar="I/N",
    help="Do only every N-th part, from the I-th; the same command without it does the rest.",
)
