"""Which files are the parts of a dump: paths, folders, patterns, URLs, or standard input."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar
from urllib.parse import unquote, urlsplit

from wikibias.dumps.compression.streams import STDIN
from wikibias.dumps.web.remote import is_url
from wikibias.errors import UsageError

_COMPRESSIONS = ("", ".bz2", ".7z", ".gz", ".xz", ".lzma", ".zst")
_DUMP = re.compile(r"\.xml(?:-p\d+p?\d*)?(?:\.(?:bz2|7z|gz|xz|lzma|zst))?$")
# What lies beside dumps and is none: hidden files, checksums, texts and tables, packed or not.
_NO_DUMP = re.compile(
    r"^\.|sums?$|\.(?:asc|csv|html?|json|log|md|md5|parquet|py|sha\d+|sh|sig|sql|toml|tsv|txt|ya?ml)"
    r"(?:\.\w+)?$",
    re.IGNORECASE,
)
_COMPRESSION = re.compile(r"\.(?:bz2|7z|gz|xz|lzma|zst)$")
# Of two files with the same content the one that is quicker to unpack is read.
_PREFERENCE = (".7z", ".zst", "", ".gz", ".xz", ".lzma", ".bz2")
_NUMBER = re.compile(r"(\d+)")
_ADDRESS = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]+://")
K = TypeVar("K")
# A file of the Content File Exports that holds revisions of one page: wiki, date and page, then
# the first and the last of its revisions by time. The ids of imported revisions do not grow with
# time, so the ranges of two files may well overlap, and a gap between them says nothing.
_PIECE = re.compile(
    r"(\w+-(?:\d{8}|\d{4}-\d\d-\d\d)-p\d+)r(\d+)r(\d+)\.xml(?:\.(?:bz2|7z|gz|xz|lzma|zst))?",
    re.ASCII,
)


@dataclass(frozen=True, slots=True)
class Part:
    """What is read in one go: the name that its output carries, and its files.

    A file is a path, a URL, or "-" (standard input). There are several only where one page is
    split over them.
    """

    name: str
    files: tuple[str, ...]


def find_parts(arguments: Iterable[str]) -> list[Part]:
    """Return the parts that the arguments name, in natural order, each once.

    A folder gives the dumps directly in it; where one is there in several compressions, the
    quickest; see also `passed_over`. A file that does not exist is a part all the same, and fails
    when it is read.

    The files `<wiki>-<date>-p<page>r<revision>r<revision>.xml.bz2` of one page, wherever they
    are, are one part with the name `<wiki>-<date>-p<page>`; of two with the same revisions the
    quickest is read.

    Raises:
        UsageError: a folder without dumps, an address that is not http, or a file name that is not
            UTF-8.
    """
    paths: list[str] = []
    for argument in arguments:
        for path in _expand(argument):
            if not _is_text(path):
                raise UsageError(f"{path!a}: the file's name is not UTF-8; rename it")
            if path not in paths:
                paths.append(path)
    return _named(paths)


def passed_over(arguments: Iterable[str]) -> list[Path]:
    """Return the files in the folders among the arguments that may be dumps but for their names."""
    given = [Path(a) for a in arguments if a != STDIN and not is_url(a)]
    folders = [path for path in given if path.is_dir()]
    return [path for folder in folders for path in _oddly_named(folder) if path not in given]


def _oddly_named(folder: Path) -> list[Path]:
    return [
        path
        for path in sorted(folder.iterdir())
        if path.is_file() and not _DUMP.search(path.name) and not _NO_DUMP.search(path.name)
    ]


def file_name(path: str) -> str:
    """Return the name of a file, without its folder or server."""
    return Path(unquote(urlsplit(path).path) if is_url(path) else path).name or "download"


def first_revision(path: str) -> int:
    """Return the lowest revision id in the name of a file that a page is split over, else 0."""
    piece = _PIECE.fullmatch(file_name(path))
    return min(int(piece[2]), int(piece[3])) if piece else 0


def _is_text(path: str) -> bool:
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


def _expand(argument: str) -> list[str]:
    if argument == STDIN or is_url(argument):
        return [argument]
    if _ADDRESS.match(argument):
        raise UsageError(f"{argument}: only http:// and https:// are read; download it first")
    path = Path(argument)
    if path.is_dir():
        return _in_folder(path)
    if not os.path.lexists(path):
        found = [p for p in glob.glob(argument) if not Path(p).is_dir()]  # noqa: PTH207 (Path.glob takes no absolute pattern)
        return found or [argument]
    return [argument]


def _in_folder(folder: Path) -> list[str]:
    best: dict[str, str] = {}
    for path in sorted(folder.iterdir()):
        if path.is_file() and _DUMP.search(path.name):
            _keep_quickest(best, _COMPRESSION.sub("", path.name), str(path))
    if not best:
        odd = _oddly_named(folder)
        hint = f"; if {odd[0].name} is one, give its name" if odd else ""
        raise UsageError(
            f"{folder}: no dump in this folder (*.xml, *.xml.bz2, *.xml.7z, ...){hint}"
        )
    return list(best.values())


def _keep_quickest(best: dict[K, str], content: K, path: str) -> None:
    if content not in best or _rank(path) < _rank(best[content]):
        best[content] = path


def _rank(path: str) -> tuple[bool, bool, int]:
    suffix = Path(file_name(path)).suffix
    speed = _PREFERENCE.index(suffix if suffix in _COMPRESSIONS else "")
    # A 7z cannot be read from a server.
    return is_url(path), is_url(path) and suffix == ".7z", speed


def _natural(path: str) -> list[tuple[int, str]]:
    pieces = _NUMBER.split(Path(path).name)
    key = [(int(p), "") if p.isdigit() else (-1, p) for p in pieces]
    return [*key, (-1, path)]


def _named(paths: list[str]) -> list[Part]:
    parts: list[Part] = []
    taken: set[str] = set()
    for base, files in _together(paths):
        name = base
        number = 1
        while name in taken:
            number += 1
            name = f"{base}~{number}"
        taken.add(name)
        parts.append(Part(name, files))
    return parts


def _together(paths: list[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield a name for each part, and its files, those of a split page in order of revision."""
    parts: dict[tuple[str, str], dict[tuple[int, int], str]] = {}
    for path in sorted(paths, key=_natural):
        piece = _PIECE.fullmatch(file_name(path))
        if piece:
            same_page = parts.setdefault((piece[1], ""), {})
            _keep_quickest(same_page, (int(piece[2]), int(piece[3])), path)
        else:
            parts["", path] = {(0, 0): path}
    for (page, path), files in parts.items():
        name = page or ("stdin" if path == STDIN else file_name(path))
        yield name, tuple(files[revisions] for revisions in sorted(files))
