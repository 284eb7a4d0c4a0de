"""Which files are the parts of a dump: paths, folders, patterns, URLs, or standard input."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

from wikibias.dumps.download import is_url
from wikibias.dumps.streams import STDIN
from wikibias.errors import UsageError

_COMPRESSIONS = ("", ".bz2", ".7z", ".gz", ".xz", ".lzma", ".zst")
_DUMP = re.compile(r"\.xml(?:-p\d+p?\d*)?(?:\.(?:bz2|7z|gz|xz|lzma|zst))?$")
_COMPRESSION = re.compile(r"\.(?:bz2|7z|gz|xz|lzma|zst)$")
# Of two files with the same content the one that is quicker to unpack is read.
_PREFERENCE = (".7z", ".zst", "", ".gz", ".xz", ".lzma", ".bz2")
_NUMBER = re.compile(r"(\d+)")


@dataclass(frozen=True, slots=True)
class Part:
    """One input file: the name its output carries, and its path, URL, or "-" (standard input)."""

    name: str
    path: str


def find_parts(arguments: Iterable[str]) -> list[Part]:
    """Return the parts that the arguments name, in natural order, each once.

    A folder gives the dumps directly in it; where one is there in several compressions, the
    quickest. A file that does not exist is a part all the same, and fails when it is read.

    Raises:
        UsageError: a folder without dumps, or a file name that is not UTF-8.
    """
    paths: list[str] = []
    for argument in arguments:
        for path in _expand(argument):
            if not _is_text(path):
                raise UsageError(f"{path!a}: the file's name is not UTF-8; rename it")
            if path not in paths:
                paths.append(path)
    return _named(sorted(paths, key=_natural))


def _is_text(path: str) -> bool:
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


def _expand(argument: str) -> list[str]:
    if argument == STDIN or is_url(argument):
        return [argument]
    path = Path(argument)
    if path.is_dir():
        return _in_folder(path)
    if not os.path.lexists(path):
        found = [p for p in glob.glob(argument) if not Path(p).is_dir()]  # noqa: PTH207 (Path.glob takes no absolute pattern)
        return found or [argument]
    return [argument]


def _in_folder(folder: Path) -> list[str]:
    best: dict[str, Path] = {}
    for path in sorted(folder.iterdir()):
        if not path.is_file() or not _DUMP.search(path.name):
            continue
        stem = _COMPRESSION.sub("", path.name)
        if stem not in best or _rank(path) < _rank(best[stem]):
            best[stem] = path
    if not best:
        raise UsageError(f"{folder}: no dump in this folder (*.xml, *.xml.bz2, *.xml.7z, ...)")
    return [str(path) for path in best.values()]


def _rank(path: Path) -> int:
    suffix = path.suffix if path.suffix in _COMPRESSIONS else ""
    return _PREFERENCE.index(suffix)


def _natural(path: str) -> list[tuple[int, str]]:
    pieces = _NUMBER.split(Path(path).name)
    key = [(int(p), "") if p.isdigit() else (-1, p) for p in pieces]
    return [*key, (-1, path)]


def _file_name(path: str) -> str:
    return Path(unquote(urlsplit(path).path) if is_url(path) else path).name or "download"


def _named(paths: list[str]) -> list[Part]:
    parts: list[Part] = []
    taken: set[str] = set()
    for path in paths:
        name = base = "stdin" if path == STDIN else _file_name(path)
        number = 1
        while name in taken:
            number += 1
            name = f"{base}~{number}"
        taken.add(name)
        parts.append(Part(name, path))
    return parts
