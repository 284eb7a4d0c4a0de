"""How a command ends: its exit code, and one line about what went wrong."""

from __future__ import annotations

import errno
import io
import os
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress

import click

from wikibias.cli.faults import line_about
from wikibias.errors import WikibiasError
from wikibias.kits.terminal import echo
from wikibias.messages import BUG, printable

# Errors of a disk or device that accepts no more data.
_DISK_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EIO)
_CLOSED_PIPE = 141  # what a shell says of a program that SIGPIPE ends


def exit_code(run: Callable[[], int], *, debug: bool) -> int:
    """Run a command, show in one line what it raises, and return the exit code.

    A reader of our output that ends first (`| head`) is no error: that ends any command, at once
    and without a word.
    """
    try:
        try:
            return run()
        except (click.exceptions.Abort, KeyboardInterrupt):
            echo("Interrupted.", err=True)
            return 130
        except click.ClickException as error:
            lines = io.StringIO()
            error.show(file=lines)
            click.echo(printable(lines.getvalue(), keep="\n"), err=True, nl=False)
            return error.exit_code
        except BrokenPipeError:
            raise
        except Exception as error:
            return _show(error, debug=debug)
    except BrokenPipeError:
        _discard_output()
        return _CLOSED_PIPE


def _show(error: Exception, *, debug: bool) -> int:
    code = error.exit_code if isinstance(error, WikibiasError) else 1
    if debug:
        click.echo(printable(traceback.format_exc(), keep="\n"), err=True, nl=False)
    elif isinstance(error, WikibiasError):
        echo(f"Error: {error}", err=True)
    elif isinstance(error, OSError) and error.errno in _DISK_FULL:
        _discard_output()
        echo(f"Error: cannot write the output: {error.strerror}", err=True)
    elif line := line_about(error):
        echo(f"Error: {line}", err=True)
    else:
        echo(f"Error: unexpected {type(error).__name__}: {error} {BUG}", err=True)
    return code


def _discard_output() -> None:
    """Discard everything that is still to be written to standard output."""
    with suppress(OSError, ValueError):  # one that is no file has nothing more to write
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
