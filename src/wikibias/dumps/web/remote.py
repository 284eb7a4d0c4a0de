"""Files on a server, before any request: what counts as a URL, and what a list says of a file."""

from dataclasses import dataclass

# dumps.wikimedia.org allows no more connections at a time.
AT_A_TIME = 3


@dataclass(frozen=True, slots=True)
class Remote:
    """A file on a server: its name, URL, size in bytes, and checksum."""

    name: str
    url: str
    size: int
    algorithm: str
    checksum: str


def is_url(path: str) -> bool:
    """Return whether the path of a part is a URL."""
    return path.startswith(("http://", "https://"))
