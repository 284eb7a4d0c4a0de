"""Lists the files of a dump as the server does, and downloads them.

There are two families. The history dumps lie in `<wiki>/<YYYYMMDD>/`, where `dumpstatus.json` lists
each job with its files. The Content File Exports lie in
`other/mediawiki_content_history/<wiki>/<YYYY-MM-DD>/xml/bzip2/`, where `SHA256SUMS` lists the
files and `_SUCCESS` says that they are all there.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from wikibias.dumps.web.http import PARTIAL, Web
from wikibias.dumps.web.remote import AT_A_TIME, Remote
from wikibias.errors import DiskError, FetchError, UsageError
from wikibias.storage.locks import locked

BASE_URL = "https://dumps.wikimedia.org"
Family = Literal["history", "content"]
Form = Literal["7z", "bz2"]
# Called with the name of a file and how many of its bytes have arrived.
Report = Callable[[str, int], None]
_JOBS = {"7z": "metahistory7zdump", "bz2": "metahistorybz2dump"}
_DATE = re.compile(r'href="(\d{4}-?\d\d-?\d\d)/?"')
_SUM = re.compile(r"^([0-9a-f]{64}) [ *](\S+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Wanted:
    """The dump to download; date and form are None for the newest and the smallest."""

    lang: str
    family: Family = "history"
    date: str | None = None
    form: Form | None = None
    base_url: str = BASE_URL

    @property
    def wiki(self) -> str:
        """The name of the wiki's database, such as frwiki."""
        return f"{self.lang.replace('-', '_')}wiki"

    @property
    def root(self) -> str:
        """The folder on the server that holds a folder for each date."""
        between = "" if self.family == "history" else "/other/mediawiki_content_history"
        return f"{self.base_url.rstrip('/')}{between}/{self.wiki}"


def list_dump(wanted: Wanted, web: Web) -> tuple[str, list[Remote]]:
    """Return the date and the files of the newest complete dump, or of that of `wanted.date`.

    Raises:
        UsageError: there is no such dump.
        FetchError: the server cannot be reached, or its lists cannot be understood.
    """
    if wanted.family == "content" and wanted.form == "7z":
        raise UsageError("the content family comes as bz2 alone; leave out --format")
    listed = _history if wanted.family == "history" else _content
    for date in _dates(wanted, web):
        files = listed(wanted, date, web)
        if files:
            return date, sorted(files, key=lambda file: file.name)
    other = "content" if wanted.family == "history" else "history"
    form = f" as {wanted.form}" if wanted.form else ""
    raise UsageError(
        f"no complete {wanted.family} dump of {wanted.wiki}{form} at {wanted.root}/"
        f"{wanted.date or ''}; try --family {other}"
        + (", or no --date for the newest" if wanted.date else "")
    )


def _dates(wanted: Wanted, web: Web) -> list[str]:
    """Return the dates to try, in the form of the server's folders, the newest first."""
    if wanted.date is None:
        found = _DATE.findall(web.text(f"{wanted.root}/") or "")
        return sorted(set(found), reverse=True)
    digits = wanted.date.replace("-", "")
    if not re.fullmatch(r"\d{8}", digits):
        raise UsageError(f"--date {wanted.date}: write it as 20260101 or 2026-01-01")
    if wanted.family == "history":
        return [digits]
    return [f"{digits[:4]}-{digits[4:6]}-{digits[6:]}"]


def _history(wanted: Wanted, date: str, web: Web) -> list[Remote]:
    folder = f"{wanted.root}/{date}"
    text = web.text(f"{folder}/dumpstatus.json")
    if text is None:
        return []
    try:
        jobs = json.loads(text)["jobs"]
        for form in [wanted.form] if wanted.form else _JOBS:
            job = jobs.get(_JOBS[form], {})
            if job.get("status") == "done":
                # The URLs in the list are those of the main server, not of a mirror.
                return [_listed(folder, name, facts) for name, facts in job["files"].items()]
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise FetchError(f"{folder}/dumpstatus.json is not as expected ({error!r})") from error
    return []


def _listed(folder: str, name: str, facts: dict[str, Any]) -> Remote:
    return Remote(
        _safe(name), f"{folder}/{name}", int(facts["size"]), "sha1", facts["sha1"].lower()
    )


def _content(wanted: Wanted, date: str, web: Web) -> list[Remote]:
    folder = f"{wanted.root}/{date}/xml/bzip2"
    if web.text(f"{folder}/_SUCCESS") is None:
        return []
    sums = web.text(f"{folder}/SHA256SUMS") or ""
    files = [(_safe(name), value) for value, name in _SUM.findall(sums) if name.endswith(".bz2")]

    def remote(file: tuple[str, str]) -> Remote:
        name, value = file
        return Remote(name, f"{folder}/{name}", web.size(f"{folder}/{name}"), "sha256", value)

    with ThreadPoolExecutor(AT_A_TIME) as pool:
        return list(pool.map(remote, files))


def _safe(name: str) -> str:
    """Return a file name that a server lists, once it is sure to stay within the folder."""
    if not re.fullmatch(r"\w[\w.+-]*", name):
        raise FetchError(f"the server lists a file {name!r}, which is not the name of a dump file")
    return name


def missing(files: Sequence[Remote], folder: Path) -> list[Remote]:
    """Return the files that are not complete in `folder` yet.

    A file gets its name only after its checksum was compared, so name and size suffice.
    """
    return [f for f in files if not _has(folder / f.name, f.size)]


def _has(path: Path, size: int) -> bool:
    return path.is_file() and path.stat().st_size == size


def fetch(files: Sequence[Remote], folder: Path, web: Web, report: Report) -> Iterator[str]:
    """Download files, three at a time; yield an error for each that fails while the others go on.

    Raises:
        UsageError: another run works in the folder.
        DiskError: the disk has too little room, or the folder cannot be written to.
    """
    with locked(folder):
        _check_room(files, folder)
        with ThreadPoolExecutor(AT_A_TIME) as pool:
            jobs = [pool.submit(_fetch, file, folder, web, report) for file in files]
            try:
                for job in as_completed(jobs):
                    error = job.result()
                    if error is not None:
                        yield error
            except BaseException:
                web.stop()
                pool.shutdown(cancel_futures=True)
                raise


def _fetch(file: Remote, folder: Path, web: Web, report: Report) -> str | None:
    try:
        web.download(file, folder / file.name, lambda size: report(file.name, size))
    except FetchError as error:
        return str(error)
    return None


def _check_room(files: Sequence[Remote], folder: Path) -> None:
    partials = [folder / f"{file.name}{PARTIAL}" for file in files]
    here = sum(path.stat().st_size for path in partials if path.is_file())
    needed, free = sum(file.size for file in files) - here, shutil.disk_usage(folder).free
    if needed > free:
        raise DiskError(
            f"{folder} has room for {free / 1e9:.1f} GB, but the rest of the dump needs "
            f"{needed / 1e9:.1f} GB; choose another --out"
        )
