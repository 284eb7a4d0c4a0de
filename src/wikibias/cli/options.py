"""Options of runs and of every command, and the log that these ask for.

The terminal gets as much of it as was asked for, `--log-file` all, one line a message: line breaks
and other control characters of what others wrote are escaped.
"""

import logging
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import click

from wikibias import __version__
from wikibias.config.resources import config_dir
from wikibias.errors import UsageError, printable, quoted
from wikibias.execution import engines
from wikibias.kits.checked import Setting


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
        new = words[:2] == ["tags", "apply"]
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
    type=click.IntRange(1, engines.MOST_WORKERS),
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


ROOT = "wikibias"
PROGRESS = f"{ROOT}.progress"
# Its lines stand on the terminal already: `terminal.echo` shows them.
SHOWN = f"{ROOT}.cli"
# What people want to know without -v: how far it is, and why nothing seems to happen.
_TOLD = (PROGRESS, f"{ROOT}.dumps.web", f"{ROOT}.research.language_models")
_HEAD = f"INFO {SHOWN}: wikibias "


class Logs:
    """The log of one command: what goes to standard error, and to a file.

    On standard error nothing is shown if `quiet`, but for the errors and warnings that commands
    show themselves; and all of it if `verbose`. Where `shows` is false there is the file alone.
    """

    def __init__(self, words: Sequence[str], *, shows: bool = True) -> None:
        self.quiet, self.verbose = not shows, False
        self._words = words
        self._logger = logging.getLogger(ROOT)
        self._before = self._logger.level
        self._handlers = list[logging.Handler]()
        if shows:
            self._add(_Terminal(self))

    def _add(self, handler: logging.Handler) -> None:
        self._handlers.append(handler)
        self._logger.addHandler(handler)
        self._logger.setLevel(logging.INFO)

    def add_file(self, path: Path) -> None:
        """Write all messages to the end of a file, from a line with version and command on.

        Raises:
            UsageError: it cannot be written, or is no log of ours.
        """
        try:
            _refuse_foreign(path)
            handler = _File(path, encoding="utf-8", errors="backslashreplace")
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise UsageError(f"--log-file {path}: cannot be written ({reason})") from error
        handler.setFormatter(_Line())
        self._add(handler)
        command = quoted("wikibias", *self._words)
        logging.getLogger(SHOWN).info("wikibias %s: %s", __version__, command)

    def close(self, code: int) -> None:
        """Write the exit code, and nothing more."""
        if self._handlers:
            logging.getLogger(SHOWN).info("ends with exit code %d", code)
        for handler in self._handlers:
            self._logger.removeHandler(handler)
            handler.close()
        self._logger.setLevel(self._before)


def _refuse_foreign(path: Path) -> None:
    """Append to no file that is not a log: a mistyped name may be that of a dump.

    Raises:
        UsageError: it holds something else.
    """
    if path.is_file() and path.stat().st_size:
        with path.open("rb") as file:
            first = file.readline(500).decode("utf-8", "replace")
        if _HEAD not in first:
            raise UsageError(f"--log-file {path}: holds something else than a log; name another")


class _Line(logging.Formatter):
    """`2026-01-31T12:00:00Z INFO wikibias.x: what is said`, with a traceback in lines below."""

    def format(self, record: logging.LogRecord) -> str:
        time = datetime.fromtimestamp(record.created, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        line = f"{time} {record.levelname} {record.name}: {printable(record.getMessage())}"
        if record.exc_info:
            trace = printable(self.formatException(record.exc_info), keep="\n")
            line += "".join(f"\n  {each}" for each in trace.splitlines())
        return line


class _File(logging.FileHandler):
    """Says once that the file cannot be written any more, and lets the work go on."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 (the name in logging)
        self.setLevel(logging.CRITICAL + 1)
        reason = getattr(sys.exc_info()[1], "strerror", None)
        line = f"Warning: {self.baseFilename} cannot be written any more ({reason})"
        click.echo(printable(line), err=True)


class _Terminal(logging.Handler):
    """Standard error as it is when a message comes: a progress bar may stand in its place."""

    def __init__(self, logs: Logs) -> None:
        super().__init__()
        self._logs = logs

    def emit(self, record: logging.LogRecord) -> None:
        # On a terminal a bar shows it.
        is_terminal = sys.stderr is not None and sys.stderr.isatty()
        logs, bar = self._logs, record.name == PROGRESS and is_terminal
        wanted = record.name.startswith(_TOLD) or logs.verbose
        if not logs.quiet and wanted and not bar and record.name != SHOWN:
            click.echo(printable(record.getMessage()), err=True)
