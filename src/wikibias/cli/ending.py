"""Ends of a command: exit codes, one line about what went wrong, interrupts."""

import errno
import io
import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from types import FrameType

import click

from wikibias.errors import UsageError, WikibiasError, printable
from wikibias.kits.terminal import echo

_LONGEST = 300  # characters


def check_arguments(words: Sequence[str]) -> None:
    """Make sure that every word can be written and can name a file.

    Raises:
        UsageError: one is empty or not UTF-8, or holds a NUL character.
    """
    for before, word in zip(("wikibias", *words), words, strict=False):
        if not word or (word.startswith("--") and word.endswith("=")):
            raise UsageError(
                f"nothing stands after {word.strip('=') or before}, or in empty quotes"
            )
        if "\0" in word:
            raise UsageError(f"{_printable_word(word)}: no argument may hold a NUL character")
        try:
            word.encode()
        except UnicodeEncodeError as error:
            raise UsageError(
                f"{_printable_word(word)}: not UTF-8; rename the file or folder, or give another"
            ) from error


def _printable_word(word: str) -> str:
    """Return a word as it can be shown; of a long one the end, which names the file."""
    return ascii(word) if len(word) <= _LONGEST else f"...{word[-_LONGEST:]!a}"


def line_about(error: Exception) -> str | None:
    """Return what a user can do about an error of the machine; None where it is our fault."""
    if isinstance(error, MemoryError):
        return "there is not enough memory; give fewer --workers, or use a machine with more"
    if isinstance(error, RecursionError):
        return "an input is nested too deeply to be read"
    if isinstance(error, PermissionError):
        return f"{_place(error)}: permission denied; change it or use another"
    if isinstance(error, OSError) and error.strerror:
        return f"{_place(error)}: {error.strerror}"
    return None


def _place(error: OSError) -> str:
    return "a file" if error.filename is None else str(error.filename)


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
            return _error_code(error, debug=debug)
    except BrokenPipeError:
        _discard_output()
        return _CLOSED_PIPE


def _error_code(error: Exception, *, debug: bool) -> int:
    if isinstance(error, OSError) and error.errno in _DISK_FULL:
        _discard_output()
    show_error(error, line_of(error), debug=debug)
    return error.exit_code if isinstance(error, WikibiasError) else 1


def show_error(error: Exception, line: str, *, debug: bool) -> None:
    """Show a line about an error, or its traceback."""
    if debug:
        trace = "".join(traceback.format_exception(error))
        click.echo(printable(trace, keep="\n"), err=True, nl=False)
    else:
        echo(f"Error: {line}", err=True)


def line_of(error: Exception) -> str:
    """Return in a line what is wrong, whatever it is."""
    if isinstance(error, WikibiasError):
        return str(error)
    if isinstance(error, OSError) and error.errno in _DISK_FULL:
        return f"cannot write the output: {error.strerror}"
    from wikibias.kits.plugins import blamed  # 10 ms, which --help can do without

    return line_about(error) or f"unexpected {type(error).__name__}: {error} {blamed(error)}"


def _discard_output() -> None:
    """Discard everything that is still to be written to standard output."""
    with suppress(OSError, ValueError):  # one that is no file has nothing more to write
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


_INTERRUPTED = "Interrupted. The same command does what is left; finished work is not done again."
# Windows knows no closing of a terminal.
_ENDINGS = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]


@contextmanager
def interruptible() -> Iterator[None]:
    """Let `kill` and a closed terminal end a run as Ctrl-C does.

    Workers are stopped, nothing is left half-written, and one line says so. What is ignored, as by
    `nohup`, stays so.
    """

    def interrupt(number: int, frame: FrameType | None) -> None:
        # A terminal that closes may tell twice, and tidying up is not to be stopped.
        for ending in before:
            signal.signal(ending, signal.SIG_IGN)
        raise KeyboardInterrupt

    # Python lets no other thread, of somebody who calls a command, take signals.
    mine = threading.current_thread() is threading.main_thread()
    before = {ending: signal.getsignal(ending) for ending in _ENDINGS if mine}
    before = {ending: how for ending, how in before.items() if how != signal.SIG_IGN}
    for ending in before:
        signal.signal(ending, interrupt)
    try:
        yield
    except KeyboardInterrupt:
        with suppress(OSError):  # the terminal may be gone
            echo(_INTERRUPTED, err=True)
        raise SystemExit(130) from None
    finally:
        for ending, how in before.items():
            # Once one has come, all are ignored until this process has ended.
            if signal.getsignal(ending) is interrupt:
                signal.signal(ending, how)
