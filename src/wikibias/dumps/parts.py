"""Finds the parts of a dump among paths, folders, patterns, URLs and standard input."""

import glob
import hashlib
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar
from urllib.parse import unquote, urlsplit

from wikibias.dumps.compression.streams import STDIN, is_url
from wikibias.errors import UsageError
from wikibias.kits.folders import LONGEST_NAME, is_file_name

_DUMP = re.compile(r"\.xml(?:-p\d+p?\d*)?(?:\.(?:bz2|7z|gz|xz|lzma|zst))?$")
# Files beside dumps that are none: hidden files, checksums, texts and tables, compressed or not.
_NO_DUMP = re.compile(
    r"^\.|sums?$|\.(?:asc|csv|html?|json|log|md|md5|parquet|py|sha\d+|sh|sig|sql|toml|tsv|txt|ya?ml)"
    r"(?:\.\w+)?$",
    re.IGNORECASE,
)
COMPRESSION = re.compile(r"\.(?:bz2|7z|gz|xz|lzma|zst)$")
# Of two files with the same content, the one that decompresses faster is read.
_PREFERENCE = (".7z", ".zst", "", ".gz", ".xz", ".lzma", ".bz2")
_NUMBER = re.compile(r"(\d+)")
_DATE = re.compile(r"\w-(20\d{6}|20\d\d-\d\d-\d\d)(?=[-.])", re.ASCII)
_STUB = re.compile(r"-stub-(?:meta-|articles)")
_ADDRESS = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]+://")
K = TypeVar("K")
# A Content File Export with some revisions of one page: wiki, date and page id, then the ids of its
# first and its last revision by time. The ids of imported revisions do not grow with time, so the
# ranges of two files may overlap, and a gap between them does not mean that a file is missing.
_PAGE_FILE = re.compile(
    r"(\w+-(?:\d{8}|\d{4}-\d\d-\d\d)-p\d+)r(\d+)r(\d+)\.xml(?:\.(?:bz2|7z|gz|xz|lzma|zst))?",
    re.ASCII,
)


@dataclass(frozen=True, slots=True)
class Part:
    """A part: one job for a worker. Its name also names its output files.

    A file is a path, a URL, or "-" (standard input). A part has several files only if they hold
    one page together.
    """

    name: str
    files: tuple[str, ...]


def find_parts(arguments: Iterable[str]) -> list[Part]:
    """Return the parts that the arguments name, in natural order, each once.

    A folder stands for the dumps directly in it. Of a dump in several compressions, only the one
    that decompresses fastest counts; see also `passed_over`. A file that does not exist is a part
    too, and fails when it is read.

    The files `<wiki>-<date>-p<page>r<revision>r<revision>.xml.bz2` of one page, in any folder, are
    one part named `<wiki>-<date>-p<page>`. Of two with the same revisions, only the one that
    decompresses faster is read.

    Raises:
        UsageError: a folder holds no dump, a URL is not http(s), or a file name is not UTF-8.
    """
    paths: dict[str, None] = {}
    for argument in arguments:
        for path in _expand(argument):
            try:
                path.encode()
            except UnicodeEncodeError as error:
                message = f"{path!a}: the file name is not UTF-8; rename the file"
                raise UsageError(message) from error
            paths[path] = None
    return _named(list(paths))


def in_order(parts: Iterable[Part]) -> list[Part]:
    """Return parts in the order in which `find_parts` gives them."""
    return sorted(parts, key=lambda part: _natural(part.files[0]))


def dump_date(name: str) -> str | None:
    """Return the date in the name of a part or a dump file, as 20261101; None without one."""
    found = _DATE.search(name)
    return found[1].replace("-", "") if found else None


def is_stub(part: Part) -> bool:
    """Return whether a part is a stub dump, without texts, as Wikimedia names them."""
    return any(_STUB.search(file_name(path)) for path in part.files)


def is_dump_name(name: str) -> bool:
    """Return whether a file is named as dumps are."""
    return _DUMP.search(name) is not None


def passed_over(arguments: Iterable[str]) -> list[Path]:
    """Return the files in the given folders that are not read, but may be dumps with odd names."""
    given = [Path(a) for a in arguments if a != STDIN and not is_url(a)]
    folders = [path for path in given if path.is_dir()]
    return [path for folder in folders for path in _oddly_named(folder) if path not in given]


def _oddly_named(folder: Path) -> list[Path]:
    return [
        path
        for path in sorted(folder.iterdir())
        if path.is_file() and not is_dump_name(path.name) and not _NO_DUMP.search(path.name)
    ]


def file_name(path: str) -> str:
    """Return the name of a file without its folder or server.

    Raises:
        UsageError: a URL that is none.
    """
    try:
        return Path(unquote(urlsplit(path).path) if is_url(path) else path).name or "download"
    except ValueError as error:
        raise UsageError(f"{path} is no URL: {error}; write it as http://HOST/FILE") from error


def local_size(part: Part) -> int:
    """Return how many bytes of a part are in local files."""
    return sum(path.stat().st_size for path in map(Path, part.files) if path.is_file())


def first_revision(path: str) -> int:
    """Return the lowest revision id in the name of a file with a part of a page, else 0."""
    name = _PAGE_FILE.fullmatch(file_name(path))
    return min(int(name[2]), int(name[3])) if name else 0


def _expand(argument: str) -> list[str]:
    if argument == STDIN or is_url(argument):
        return [argument]
    if _ADDRESS.match(argument):
        raise UsageError(
            f"{argument}: only http:// and https:// can be read; download the file first"
        )
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
        if path.is_file() and is_dump_name(path.name):
            _keep_fastest(best, COMPRESSION.sub("", path.name), str(path))
    if not best:
        odd = _oddly_named(folder)
        hint = f"; if {odd[0].name} is a dump, give its path" if odd else ""
        raise UsageError(
            f"{folder}: no dump (*.xml, *.xml.bz2, *.xml.7z, ...) in this folder{hint}"
        )
    return list(best.values())


def _keep_fastest(best: dict[K, str], content: K, path: str) -> None:
    if content not in best or _rank(path) < _rank(best[content]):
        best[content] = path


def _rank(path: str) -> tuple[bool, bool, int]:
    suffix = Path(file_name(path)).suffix
    speed = _PREFERENCE.index(suffix if suffix in _PREFERENCE else "")
    # A 7z on a server cannot be streamed.
    return is_url(path), is_url(path) and suffix == ".7z", speed


def _natural(path: str) -> list[tuple[int, str]]:
    runs = _NUMBER.split(Path(path).name)
    key = [(int(p), "") if p.isdigit() else (-1, p) for p in runs]
    return [*key, (-1, path)]


def _named(paths: list[str]) -> list[Part]:
    parts: list[Part] = []
    taken: set[str] = set()
    for base, files in _grouped(paths):
        name = base
        number = 1
        while name in taken:
            number += 1
            name = f"{base}~{number}"
        taken.add(name)
        parts.append(Part(name, files))
    return parts


def _fitting(name: str) -> str:
    """Return a name that a file can have when we add an ending; a cut one is told by its hash.

    Raises:
        UsageError: no file can have it, such as that of a URL that ends with %00.
    """
    longest = LONGEST_NAME - len("~99999")  # see `_named`
    if len(name.encode()) > longest:
        begin = name.encode()[: longest - 13].decode(errors="ignore")
        name = f"{begin}~{hashlib.sha256(name.encode()).hexdigest()[:12]}"
    if not is_file_name(name):
        raise UsageError(f"{name!a:.80}: no file can have this name; download it first")
    return name


def _grouped(paths: list[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield name and files of each part; several files of one page in the order of revisions."""
    parts: dict[tuple[str, str], dict[tuple[int, int], str]] = {}
    for path in sorted(paths, key=_natural):
        page_file = _PAGE_FILE.fullmatch(file_name(path))
        if page_file:
            same_page = parts.setdefault((page_file[1], ""), {})
            _keep_fastest(same_page, (int(page_file[2]), int(page_file[3])), path)
        else:
            parts["", path] = {(0, 0): path}
    for (page, path), files in parts.items():
        name = page or ("stdin" if path == STDIN else file_name(path))
        yield _fitting(name), tuple(files[revisions] for revisions in sorted(files))
