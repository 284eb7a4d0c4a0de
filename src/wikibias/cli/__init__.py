"""The command line. A command parses its options, calls one function and shows the result."""

from __future__ import annotations

import errno
import gc
import importlib
import io
import os
import sys
import traceback
from pathlib import Path
from typing import Any, NamedTuple

import click

from wikibias import __version__
from wikibias.cli.faults import check_arguments, line_about
from wikibias.cli.terminal import echo, escape_libraries
from wikibias.errors import UsageError, WikibiasError
from wikibias.messages import nearest, printable


class Listed(NamedTuple):
    """A command as --help lists it: the module and the function of it, and what it does."""

    where: str
    about: str


# By name. A command is imported when it is called: that takes up to half a second.
COMMANDS: dict[str, Listed] = {
    "fetch": Listed(
        "wikibias.cli.fetch:command",
        "Download a wiki's full history, and verify the checksums.",
    ),
    "plan": Listed(
        "wikibias.cli.plan:command",
        "Estimate the time, memory and disk that a dump takes.",
    ),
    "extract": Listed("wikibias.cli.extract:extract", "Dumps to a balanced corpus, in one."),
    "detect": Listed("wikibias.cli.extract:detect", "Stage 1: where tags came and went."),
    "tags": Listed("wikibias.cli.tags:tags", "Count and curate tags."),
    "sentences": Listed("wikibias.cli.sentences:command", "Split paragraphs into sentences."),
    "status": Listed(
        "wikibias.cli.status:command",
        "Show which parts are whole or missing, and what to type next.",
    ),
    "clean": Listed("wikibias.cli.clean:command", "Clean wikitext to the text that a reader sees."),
    "classify": Listed("wikibias.cli.classify:command", "Train and judge classifiers."),
    "predict": Listed(
        "wikibias.cli.predict:command", "Predict how likely each sentence is biased."
    ),
    "audit-split": Listed("wikibias.cli.audit_split:command", "Find leakage between splits."),
}
# The only ones with linear algebra. numpy starts a thread for it on each core, in each worker too,
# and each thread spins for 30 ms before it sleeps.
_ALGEBRA = {"classify", "predict", "audit-split"}


def _listed() -> dict[str, Listed]:
    """Return all commands in the order of --help: those of stages stand behind `detect`."""
    stages = importlib.import_module("wikibias.pipeline.stages")  # 20 ms, and only for --help
    of_stages = {
        stage.name: Listed("wikibias.cli.stages:command", f"Stage {number}: {stage.title}.")
        for number, stage in enumerate(stages.STAGES, 1)
        if stage.reads
    }
    after = [*COMMANDS].index("detect") + 1
    known = [*COMMANDS.items()]
    return dict([*known[:after], *of_stages.items(), *known[after:]])


class _Commands(click.Group):
    """A group that imports a command only when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*_listed()]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        listed = COMMANDS.get(cmd_name) or _listed().get(cmd_name)
        if listed is None:
            return None
        if cmd_name not in _ALGEBRA:
            os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        module, name = listed.where.split(":")
        found = getattr(importlib.import_module(module), name)
        # One function makes the commands of all stages that go on in a folder.
        command = found if isinstance(found, click.Command) else found(cmd_name)
        if not isinstance(command, click.Command):
            raise TypeError(f"{listed.where} is not a command")
        command.short_help = listed.about
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        listed = _listed()
        width = formatter.width - 6 - max(map(len, listed))
        with formatter.section("Commands"):
            formatter.write_dl(
                [
                    (name, click.Command(name, help=about).get_short_help_str(width))
                    for name, (_, about) in listed.items()
                ]
            )

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            # Of which click would make exit code 1.
            _discard_output()
            raise SystemExit(141) from None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        known = args[0] in COMMANDS or args[0].startswith("-")
        if not known and args[0] not in (names := self.list_commands(ctx)):
            raise UsageError(f"unknown command {args[0]!r}{nearest(args[0], names)}")
        return super().resolve_command(ctx, args)


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="wikibias")
@click.option("--debug", is_flag=True, help="Show the traceback of an error.")
@click.pass_context
def cli(ctx: click.Context, debug: bool) -> None:
    """Build and evaluate corpora of sentences that Wikipedia's editors found not neutral.

    \b
    Example:
      wikibias extract --lang fr frwiki-20261101-pages-meta-history1.xml.bz2
    """
    if not gc.isenabled():  # see `main`; the command has been imported by now
        gc.freeze()
        gc.enable()
    ctx.obj["debug"] = ctx.obj.get("debug", debug)
    escape_libraries()


# Errors of a disk or device that accepts no more data.
_DISK_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EIO)


def _discard_output() -> None:
    """Discard everything that is still to be written to standard output."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _show_traceback() -> None:
    click.echo(printable(traceback.format_exc(), keep="\n"), err=True, nl=False)


def main(args: list[str] | None = None) -> None:
    """Run the command line and exit: 0 success, 1 something failed, 2 wrong usage."""
    arguments = sys.argv[1:] if args is None else args
    if args is None:
        # What is imported stays: to look through it for garbage takes a tenth of the start-up.
        gc.disable()
    debug = "--debug" in arguments
    if sys.stdin is None:  # closed, by `<&-`; then it is empty
        sys.stdin = Path(os.devnull).open(encoding="utf-8")  # noqa: SIM115 (until we exit)
    try:
        # Accept --debug anywhere, because people add it at the end of the line.
        words = [a for a in arguments if a != "--debug"]
        check_arguments(words)
        status: Any = cli.main(
            words, standalone_mode=False, obj={"arguments": words, "debug": debug}
        )
    except click.exceptions.Abort:
        echo("Interrupted.", err=True)
        sys.exit(130)
    except click.ClickException as error:
        lines = io.StringIO()
        error.show(file=lines)
        click.echo(printable(lines.getvalue(), keep="\n"), err=True, nl=False)
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        echo("Interrupted.", err=True)
        sys.exit(130)
    except BrokenPipeError:
        # The program that reads our output has ended (`| head`); that is not an error.
        _discard_output()
        sys.exit(141)
    except WikibiasError as error:
        if debug:
            _show_traceback()
            sys.exit(error.exit_code)
        echo(f"Error: {error}", err=True)
        sys.exit(error.exit_code)
    except Exception as error:
        if debug:
            _show_traceback()
            sys.exit(1)
        if isinstance(error, OSError) and error.errno in _DISK_FULL:
            _discard_output()
            echo(f"Error: cannot write the output: {error.strerror}", err=True)
            sys.exit(1)
        if line := line_about(error):
            echo(f"Error: {line}", err=True)
            sys.exit(1)
        echo(
            f"Error: unexpected {type(error).__name__}: {error} "
            "(a bug in wikibias; run again with --debug and report the output)",
            err=True,
        )
        sys.exit(1)
    sys.exit(status if isinstance(status, int) else 0)
