"""What is known of files on a server before it is asked: what a URL is, and a file it offers."""

from __future__ import annotations

from dataclasses import dataclass

# dumps.wikimedia.org asks for no more connections at a time.
AT_A_TIME = 3


@dataclass(frozen=True, slots=True)
class Remote:
    """A file on a server: its name, where it is, its size, and its checksum."""

    name: str
    url: str
    size: int
    algorithm: str
    checksum: str


def is_url(path: str) -> bool:
    """Tell whether a part is to be read from a server."""
    return path.startswith(("http://", "https://"))
