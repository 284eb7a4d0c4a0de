"""The command line. A command parses its options, calls one function and shows the result."""

from __future__ import annotations

import errno
import importlib
import io
import os
import sys
import traceback
from pathlib import Path
from typing import Any

import click

from wikibias import __version__
from wikibias.cli.faults import check_arguments, line_about
from wikibias.cli.terminal import echo, escape_libraries
from wikibias.errors import UsageError, WikibiasError
from wikibias.messages import nearest, printable

# Name of the command -> module and function. Imported on demand, so that --help is fast.
COMMANDS: dict[str, str] = {
    "fetch": "wikibias.cli.fetch:command",
    "extract": "wikibias.cli.extract:extract",
    "detect": "wikibias.cli.extract:detect",
    "tags": "wikibias.cli.tags:tags",
    "sentences": "wikibias.cli.sentences:command",
    "status": "wikibias.cli.status:command",
    "clean": "wikibias.cli.clean:command",
    "classify": "wikibias.cli.classify:command",
    "predict": "wikibias.cli.predict:command",
    "audit-split": "wikibias.cli.audit_split:command",
}


def _stages() -> Any:
    """Return the module of the commands of stages; it imports the pipeline."""
    return importlib.import_module("wikibias.cli.stages")


class _Commands(click.Group):
    """A group that imports a command only when it is called or listed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        commands = list(COMMANDS)
        after = commands.index("detect") + 1
        return [*commands[:after], *_stages().names(), *commands[after:]]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return _stages().command(cmd_name) if cmd_name in _stages().names() else None
        module, name = COMMANDS[cmd_name].split(":")
        command = getattr(importlib.import_module(module), name)
        if not isinstance(command, click.Command):
            raise TypeError(f"{COMMANDS[cmd_name]} is not a command")
        return command

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
