"""A 7z archive unpacked by the program 7z: beside our own work, and so sooner.

Its word is taken only for an archive that is whole: every byte there, and exit code 0. Otherwise
the library has the last word, so that a part reads the same with the program and without it.
"""

from __future__ import annotations

import shutil
import subprocess
from collections import deque
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import BinaryIO, cast

_NAMES = ("7zz", "7z", "7za")
_BLOCK = 1 << 18
# With a pipe of the usual 64 KB the two wait for each other, and take twice as long; 1 MB is the
# most that Linux lets anybody have.
_PIPE = 1 << 20
# Before damage the program gives up to 64 KB more than the library; so this is held back.
_HELD = 1 << 17


def find() -> str | None:
    """Return where the program is, or None."""
    return next(filter(None, map(shutil.which, _NAMES)), None)


def blocks(
    program: str, path: Path, size: int, library: Iterator[bytes], stack: ExitStack
) -> Iterator[bytes]:
    """Yield the content of an archive of one file of `size` bytes; the program ends with `stack`.

    Where the program fails, `library`, which unpacks the same, goes on.
    """
    given, waiting, held = 0, 0, deque[bytes]()
    try:
        process = _start(program, path)
    except OSError:
        yield from library
        return
    stack.callback(_stop, process)
    while block := cast(BinaryIO, process.stdout).read(_BLOCK):
        held.append(block)
        waiting += len(block)
        if given + waiting > size:
            break
        while waiting - len(held[0]) >= _HELD:
            given, waiting = given + len(held[0]), waiting - len(held[0])
            yield held.popleft()
    # One that has more to say may be waiting to be heard.
    if given + waiting == size and process.wait() == 0:
        yield from held
    else:
        yield from _after(given, library)


def _start(program: str, path: Path) -> subprocess.Popen[bytes]:
    # An absolute path is neither an option nor a list of files, whatever the name.
    return subprocess.Popen(  # noqa: S603 (no shell, and nothing of the user's but this path)
        [program, "x", "-so", "--", str(path.resolve())],
        bufsize=0,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        pipesize=_PIPE,
    )


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()
    cast(BinaryIO, process.stdout).close()


def _after(given: int, library: Iterator[bytes]) -> Iterator[bytes]:
    """Yield what a stream holds after the bytes that have been given."""
    for block in library:
        if given < len(block):
            yield block[given:]
        given = max(0, given - len(block))
