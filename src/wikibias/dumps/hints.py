"""Hints how a dump could be read faster in another format or with an extra."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from wikibias.dumps.compression import formats
from wikibias.dumps.web.remote import is_url
from wikibias.kits.plugins import how_to_install

# Bytes; less than this unpacks in seconds, whatever its format.
_WORTH_IT = 30_000_000
# Wikimedia has these as bz2 and as 7z; its newer family, the Content File Exports, as bz2 alone.
_HISTORY = re.compile(r"(\w+)-(\d{8})-pages-meta-history[^/]*\.bz2$")


def faster_way(paths: Iterable[str], lang: str) -> str | None:
    """Return one line that says how to read the parts at `paths` faster; None if none is large.

    `lang` is the language of the run.
    """
    large = [path for path in paths if _is_large(path)]
    for path in large:
        if found := _HISTORY.search(path):
            return f"7z unpacks over ten times faster than bz2; {_same_as_7z(path, found, lang)}"
    # Stub dumps gain next to nothing: they are small, and unpacking is little of reading them.
    slow = any(path.endswith(".gz") and "-stub-" not in path for path in large)
    if slow and not formats.BY_ISAL:
        return f"gz unpacks three times faster after: {how_to_install('fast')}"
    return None


def _is_large(path: str) -> bool:
    file = Path(path)
    return is_url(path) or (file.is_file() and file.stat().st_size >= _WORTH_IT)


def _same_as_7z(path: str, found: re.Match[str], lang: str) -> str:
    beside = Path(path.removesuffix(".bz2") + ".7z")
    if not is_url(path) and beside.is_file():
        return f"give {beside} instead"
    wiki, date = found.groups()
    if wiki == f"{lang.replace('-', '_')}wiki":
        return f"get the same dump by: wikibias fetch --lang {lang} --date {date}"
    return "take the .7z of the same dump"
