"""Reads files that are small by nature: settings, tag sets, manifests, descriptions of models.

A device, a pipe or a file without end given in their place is refused, and not read.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

MOST = 200_000_000
"""Bytes; far above any real one: the manifest of 10,000 parts has ten million."""


def read_small(path: Path, most: int = MOST) -> bytes:
    """Return the content of a regular file.

    Raises:
        OSError: it is missing, unreadable, no regular file, or larger than `most`.
    """
    # A pipe that nobody writes to must not be waited for.
    number = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with os.fdopen(number, "rb") as file:
        mode = os.fstat(number).st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        if not stat.S_ISREG(mode):
            raise OSError(errno.EINVAL, "no regular file, but a pipe or a device", str(path))
        content = file.read(most + 1)
    if len(content) > most:
        raise OSError(errno.EFBIG, f"larger than {most / 1e6:,.0f} MB", str(path))
    return content
