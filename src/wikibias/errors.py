"""Errors a user can act on, and words of messages.

These are plurals, "did you mean", commands to type, what an exception says, and what is escaped.
"""

import difflib
import re
import shlex
import traceback
from collections import deque
from collections.abc import Iterable
from pathlib import Path


class WikibiasError(Exception):
    """Something the user can mend; the message says what and how. Exit code 1."""

    exit_code = 1


class UsageError(WikibiasError):
    """The command was asked for something that does not exist or does not fit. Exit code 2."""

    exit_code = 2


class DumpError(WikibiasError):
    """A dump part that is damaged, cut off or no dump at all. Other parts go on."""


class DiskError(WikibiasError):
    """The result cannot be written: disk full, no permission. The whole run stops."""


class FetchError(WikibiasError):
    """A server cannot be reached, or does not give what it lists."""


class UnreachableError(FetchError):
    """No server answers at all: no network, a name that nobody knows, nobody at the address."""


BUG = "(a bug in wikibias; run again with --debug and report the output)"
_LONGEST_CAUSE = 200  # characters
# From this likeness on one word may be a slip of the other: "detect" is none of "extract".
_NEAR = 0.62

# What moves the cursor, colours, reorders or hides: control characters, line and paragraph
# separators, marks of direction that last, characters of no width, and halves of characters, which
# stand for bytes of a file name that are no UTF-8. Persian and Indic words need the (non-)joiners.
_UNSEEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u200b\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\ufffe\uffff"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)


def printable(text: str, *, keep: str = "") -> str:
    r"""Return text that draws nothing on a terminal: `\x1b` in place of an escape character.

    Args:
        text: which may hold what others wrote: names, titles, messages of servers.
        keep: control characters that have a meaning here, such as line breaks.
    """
    return _UNSEEN.sub(
        lambda found: (
            found[0] if found[0] in keep else found[0].encode("unicode_escape").decode("ascii")
        ),
        text,
    )


def closest(name: str, known: Iterable[str]) -> str | None:
    """Return which of the known names a name may be a slip of; None where none is like it."""
    close = difflib.get_close_matches(name.lower(), sorted(known), n=1, cutoff=_NEAR)
    return close[0] if close else None


def nearest(name: str, known: Iterable[str]) -> str:
    """Return "; did you mean X? Known: ..." for a name that is not among the known ones."""
    names = sorted(known)
    close = closest(name, names)
    hint = f"; did you mean {close!r}?" if close else "."
    return f"{hint} Known: {', '.join(names)}"


# What double quotes keep as it stands, in cmd.exe and in shells alike.
_KEPT = re.compile(r"""([^"$`!\\]|\\(?![\\"$`!]|$))*""")


def quoted(*words: str) -> str:
    """Return a command as one types it, where needed in double quotes, which cmd.exe knows."""
    return " ".join(
        f'"{word}"' if shlex.quote(word) != word and _KEPT.fullmatch(word) else shlex.quote(word)
        for word in words
    )


def counted(number: int, what: str) -> str:
    """Return a number with what it counts, in the plural unless it is one."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def cause_of(error: BaseException) -> str:
    """Return in one line what a caught exception says: kind, message, and where it was raised.

    What wikibias itself says of a user's data stands alone.
    """
    said = " ".join(str(error).split())[:_LONGEST_CAUSE]
    if isinstance(error, WikibiasError):
        return said or type(error).__name__
    last = deque(traceback.walk_tb(error.__traceback__), 1)
    where = "".join(f" ({Path(frame.f_code.co_filename).name}:{line})" for frame, line in last)
    return f"{type(error).__name__}{': ' if said else ''}{said}{where}"
