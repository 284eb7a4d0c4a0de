"""Checksums that stand beside a dump file, as those write them who offer it."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from wikibias.dumps.compression.streams import STDIN, is_url
from wikibias.errors import DumpError
from wikibias.kits.files import checksum, from_json, read_small

# Lists of all files of a dump: of `sha256sum` and its like, and of Wikimedia.
_LISTS = ("SHA256SUMS", "SHA1SUMS", "MD5SUMS")
_WIKIMEDIAS = ("{}-sha1sums.txt", "{}-md5sums.txt")
_DUMP = re.compile(r"\w+-\d{8}(?=-)", re.ASCII)
_OF_ONE = (".sha256", ".sha1", ".md5")
_STATUS = "dumpstatus.json"
_LINE = re.compile(r"([0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64})(?: [ *](\S.*))?", re.IGNORECASE)
_ALGORITHMS = {64: "sha256", 40: "sha1", 32: "md5"}
_LARGEST = 20_000_000


def is_confirmed(files: tuple[str, ...], known: Callable[[str], tuple[str, int] | None]) -> bool:
    """Return whether a checksum of each file of a part stands beside it, and is that of the file.

    `known` returns the SHA-256 and the size of a file that has been read.

    Raises:
        DumpError: a file has another checksum.
    """
    return all(_is_confirmed(file, known(file)) for file in files)


def _is_confirmed(file: str, known: tuple[str, int] | None) -> bool:
    stated = None if file == STDIN or is_url(file) else _stated(Path(file))
    if stated is None:
        return False
    digest, source = stated
    algorithm = _ALGORITHMS[len(digest)]
    found = known[0] if known and algorithm == "sha256" else checksum(Path(file), algorithm)
    if found != digest:
        raise DumpError(
            f"is not the file that {source.name} tells of: its {algorithm} is another; fetch it "
            "again"
        )
    return True


def _stated(path: Path) -> tuple[str, Path] | None:
    """Return the strongest checksum that stands for a file, and where it stands."""
    found = [(digest, beside) for beside in _beside(path) for digest in _digests(beside, path.name)]
    return max(found, key=lambda each: len(each[0]), default=None)


def _beside(path: Path) -> list[Path]:
    dump = _DUMP.match(path.name)
    lists = [each.format(dump[0]) for each in _WIKIMEDIAS] if dump else []
    names = [*_LISTS, *lists, *(path.name + ending for ending in _OF_ONE), _STATUS]
    return [path.with_name(name) for name in names if path.with_name(name).is_file()]


def _digests(beside: Path, name: str) -> Iterator[str]:
    if beside.name == _STATUS:
        yield from _of_status(beside, name)
    for line in _content(beside).splitlines():
        stated = _LINE.fullmatch(line.strip())
        if stated and (stated[2] or name).removeprefix("./") == name:
            yield stated[1].lower()


def _of_status(path: Path, name: str) -> Iterator[str]:
    try:
        jobs: Any = from_json(_content(path))["jobs"]
        for job in jobs.values():
            for key in ("sha1", "md5"):
                if _LINE.fullmatch(stated := job.get("files", {}).get(name, {}).get(key, "")):
                    yield stated.lower()
    except (AttributeError, KeyError, TypeError, ValueError):
        return


def _content(path: Path) -> str:
    try:
        return read_small(path, _LARGEST).decode(errors="replace")
    except OSError:
        return ""
