"""Dumps from servers."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Remote:
    """A file on a server, as a list there tells it: name, URL, size in bytes, and checksum."""

    name: str
    url: str
    size: int
    algorithm: str
    checksum: str
