"""TOML files of users, and the lines that their keys stand in."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from wikibias.config.small_files import read_small
from wikibias.errors import UsageError

Place = tuple[str | int, ...]
"""Keys and indices that lead to a value, from the top of a file."""

# Bytes. The largest tag set that we know has 50,000.
_MOST = 5_000_000
_KEY = r"""(?:"(?:[^"\\]|\\.)*"|'[^']*'|[\w-]+)"""
_KEYS = rf"{_KEY}(?:\s*\.\s*{_KEY})*"
_LINE = re.compile(rf"\s*(?:(\[\[?)\s*({_KEYS})\s*\]|({_KEYS})\s*=)")


def read_text(path: Path, otherwise: str = "save it as UTF-8") -> str:
    """Read a text file in UTF-8, with or without a byte order mark.

    `otherwise` is what to do with another one.

    Raises:
        UsageError: the file is missing, unreadable, or no text that a person may have written.
    """
    try:
        text = read_small(path, _MOST).decode("utf-8-sig")
        return text.replace("\r\n", "\n").replace("\r", "\n")
    except FileNotFoundError as error:
        raise UsageError(f"{path}: no such file") from error
    except OSError as error:
        raise UsageError(f"{path}: cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{path}: not valid UTF-8 ({error}); {otherwise}") from error


class TomlFile:
    """A TOML file: its `path`, its content as a `table`, and where each key stands.

    Raises:
        UsageError: the text is no TOML; the message names file and line.
    """

    def __init__(self, text: str, path: Path) -> None:
        self.path = path
        self._lines = text.splitlines()
        try:
            self.table: dict[str, Any] = tomllib.loads(text)
        except RecursionError as error:
            raise UsageError(f"{path}: not valid TOML: nested too deeply") from error
        except ValueError as error:  # also a number of very many digits
            raise UsageError(f"{path}: not valid TOML: {error}") from error

    @classmethod
    def read(cls, path: Path) -> TomlFile:
        """Read a file.

        Raises:
            UsageError: the file is missing, unreadable or no TOML.
        """
        return cls(read_text(path), path)

    def has(self, place: Place) -> bool:
        """Return whether the file holds a key of its own at a place."""
        return place in self._keys

    def at(self, place: Sequence[str | int], text: str = "") -> str:
        """Return `path:line` of the key at a place, or of the nearest one above it.

        With `text`, it is the first line from there to the next key that holds the text.
        """
        known = [tuple(place[:end]) for end in range(len(place), 0, -1)]
        first = next((self._keys[key] for key in known if key in self._keys), 0)
        after = (line for line in self._keys.values() if line > first)
        rest = range(first, min(after, default=len(self._lines)))
        found = next((n for n in rest if text and text in self._lines[n]), first)
        return f"{self.path}:{found + 1}"

    @cached_property
    def _keys(self) -> dict[Place, int]:
        """The line, from 0, of each key and of each head of a table."""
        found: dict[Place, int] = {}
        table: Place = ()
        seen: Counter[Place] = Counter()
        for number, line in enumerate(self._lines):
            match = _LINE.match(line)
            if match and match[1]:
                table = tuple(_placed(_parts(match[2]), seen))
                if match[1] == "[[":
                    found.setdefault(table, number)
                    table = (*table, seen[table])
                    seen[table[:-1]] += 1
                found.setdefault(table, number)
            elif match:
                keys = tuple(_parts(match[3]))
                for end in range(1, len(keys) + 1):
                    found.setdefault((*table, *keys[:end]), number)
        return found


def _parts(keys: str) -> Iterator[str]:
    """Yield the parts of a dotted key, without quotes."""
    inner: Any = tomllib.loads(f"{keys} = 0")
    while isinstance(inner, dict):
        ((key, inner),) = inner.items()
        yield key


def _placed(parts: Iterator[str], seen: Counter[Place]) -> Place:
    """Return the place of a table, which is that of the last entry where arrays lie above it."""
    place: Place = ()
    for part in parts:
        place = (*place, seen[place] - 1, part) if place in seen else (*place, part)
    return place
