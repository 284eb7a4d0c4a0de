"""A run described in one file: the table [run] of `--config FILE`, beside the thresholds.

Its keys are defaults of the command's options, so that the command line wins.
"""

import glob
from collections.abc import Iterator
from dataclasses import field, fields, make_dataclass
from functools import cache
from pathlib import Path
from typing import Annotated, Any

import click

from wikibias.cli.ending import check_arguments
from wikibias.cli.options import follow
from wikibias.config.thresholds import RUN, Config
from wikibias.dumps.compression.streams import STDIN
from wikibias.dumps.web.remote import is_url
from wikibias.execution.engines import MOST_WORKERS
from wikibias.kits.checked import (
    Meta,
    NonEmpty,
    Setting,
    declared,
    hints_of,
    read_toml,
)
from wikibias.pipeline import settings

# What is no setting of a stage: key, type, and what it does.
OTHERS: tuple[tuple[str, Any, str], ...] = (
    ("dumps", tuple[NonEmpty, ...], "Files, folders, patterns or URLs, as for `extract`."),
    ("out", NonEmpty, "Folder of the result, also for the stages that go on in it."),
    ("workers", Annotated[int, Meta(ge=1, le=MOST_WORKERS)], "How many processes to use."),
    ("engine", NonEmpty, "Where to work: local, dask or slurm."),
    ("scheduler", NonEmpty, "Address of a Dask scheduler."),
    ("config_dir", NonEmpty, "Folder with your own configs/ and tagsets/."),
    ("log_file", NonEmpty, "File to log to."),
    ("quiet", bool, "No progress and no tables."),
    ("verbose", bool, "Say what is done, part by part."),
)
_PATHS = ("out", "config_dir", "log_file")
_STAGES = (settings.Detect, settings.Diff, settings.Filter, settings.Build, settings.Settings)


@cache
def run_table() -> type[Any]:
    """Return a dataclass of what [run] may hold: settings by their names, and `OTHERS`."""
    known = [(key, Annotated[hint, Setting()], None) for key, hint, _ in OTHERS]
    for stage in _STAGES:
        known += [(each.name, each.hint, None) for each in declared(stage) if each.setting.option]
    return make_dataclass("Run", [(key, hint, field(default=d)) for key, hint, d in known])


@cache
def _whole_file() -> type[Any]:
    run, hints = run_table(), hints_of(Config)
    tables: list[Any] = [(RUN, run, field(default_factory=run))]
    tables += [
        (each.name, hints[each.name], field(default_factory=hints[each.name]))
        for each in fields(Config)
    ]
    return make_dataclass("RunFile", tables)


def read_run(path: Path) -> dict[str, Any]:
    """Return the values of [run] by the names of the command's options; none where there is none.

    Paths are as they count from the current folder; in the file they count from its own.

    Raises:
        UsageError: an unknown key, or a value that is not allowed; one line that names file, line,
            key and what is allowed.
    """
    content, file = read_toml(path, _whole_file())
    run = getattr(content, RUN)
    given = {key: getattr(run, key) for key in file.table.get(RUN, {})}
    check_arguments(["--config", *_texts(given)])
    for key in _PATHS:
        if key in given:
            given[key] = str(path.parent / given[key])
    if "dumps" in given:
        given["dumps"] = tuple(_dump(path.parent, each) for each in given["dumps"])
    # The stages that go on in a folder call it so.
    return {**given, "folder": given["out"]} if "out" in given else given


def _dump(folder: Path, dump: str) -> str:
    if dump == STDIN or is_url(dump) or Path(dump).is_absolute() or folder == Path():
        return dump
    # What stands for any characters does so in the dump's own name alone.
    return str(Path(glob.escape(str(folder))) / dump)


def _texts(given: dict[str, Any]) -> Iterator[str]:
    for value in given.values():
        several = value if isinstance(value, tuple) else (value,)
        yield from (each for each in several if isinstance(each, str))


def _take_run(ctx: click.Context, _: click.Parameter, path: Path | None) -> Path | None:
    """Take the values of a run file for defaults."""
    if path is not None and not ctx.resilient_parsing:
        given = read_run(path)
        ctx.default_map = {**(ctx.default_map or {}), **given}
        root = ctx.find_root()
        typed = {name for name, value in root.params.items() if value}
        follow(root, {name: given[name] for name in given.keys() - typed})
    return path


config_option = click.option(
    "--config",
    "config_file",
    type=click.Path(path_type=Path),
    is_eager=True,
    callback=_take_run,
    help="TOML file with thresholds, and with options of the command as keys of [run]; see "
    "`wikibias docs settings`.",
)
