"""Options of runs: workers, engine, start over; and what follows from those of every command."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import click

from wikibias.config.resources import config_dir
from wikibias.execution import engines
from wikibias.kits.checked import Setting

MOST_WORKERS = engines.MOST_WORKERS
_MAKES_CONFIG_DIR = ["tags", "apply"]


def follow(context: click.Context, general: Mapping[str, Any]) -> None:
    """Do what options of every command ask for, until the command ends.

    Raises:
        UsageError: the log cannot be written, or the folder holds no files of a user's own.
    """
    logs, words = context.obj["logs"], context.obj["words"]
    logs.quiet = context.obj["quiet"] = logs.quiet or bool(general.get("quiet"))
    logs.verbose = logs.verbose or bool(general.get("verbose"))
    if log_file := general.get("log_file"):
        logs.add_file(Path(log_file))
    if folder := general.get("config_dir"):
        # The one command that makes the folder where it is missing.
        new = words[:2] == _MAKES_CONFIG_DIR
        context.with_resource(config_dir(Path(folder), new=new))


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


workers_option = click.option(
    "--workers",
    type=click.IntRange(1, MOST_WORKERS),
    default=lambda: os.cpu_count() or 1,
    show_default="all cores",
    help="How many processes to use.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """The options of a run that are no settings of its stages.

    Attributes:
        engine: Where to work: processes of this machine, or a cluster; see `wikibias docs cluster`.
        scheduler: Address of a Dask scheduler.
        shard: Do only every N-th part, from the I-th; the same command without it does the rest.
        restart: Remove the result and start over.
        dry_run: Say what would be read and written, and do nothing.
    """

    workers: int
    engine: Annotated[str, EngineName(), Setting("--engine")] = engines.LOCAL
    scheduler: Annotated[str | None, Setting("--scheduler", "start one here")] = None
    shard: Annotated[str | None, Setting("--shard", metavar="I/N")] = None
    restart: Annotated[bool, Setting("--restart")] = False
    dry_run: Annotated[bool, Setting("--dry-run")] = False
