"""Lists the files of a dump as the server does, and downloads them.

There are three families. The history dumps, and the stub dumps of the same dates, lie in
`<wiki>/<YYYYMMDD>/`, where `dumpstatus.json` lists each job with its files. The Content File
Exports lie in `other/mediawiki_content_history/<wiki>/<YYYY-MM-DD>/xml/bzip2/`, where `SHA256SUMS`
lists the files and `_SUCCESS` says that they are all there.
"""

import json
import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from wikibias.dumps.web.download import PARTIAL, download
from wikibias.dumps.web.http import Web
from wikibias.dumps.web.remote import AT_A_TIME, Remote
from wikibias.errors import DiskError, FetchError, UsageError
from wikibias.kits.folders import locked

BASE_URL = "https://dumps.wikimedia.org"
Family = Literal["history", "content", "stubs"]
Form = Literal["7z", "bz2"]
# Called with the name of a file and how many of its bytes have arrived.
Report = Callable[[str, int], None]
STATUS = "dumpstatus.json"
# Those of a history dump, by compression.
JOBS: dict[Form, str] = {"7z": "metahistory7zdump", "bz2": "metahistorybz2dump"}
STUBS_JOB = "xmlstubsdump"
STUBS = re.compile(r".*-stub-meta-history[0-9]*\.xml\.gz")
# A file of a petabyte is none.
MOST_BYTES = 10**15
_DATE = re.compile(r'href="([0-9]{4}-?[0-9]{2}-?[0-9]{2})/?"')
_SUM = re.compile(r"([0-9a-f]{64}) [ *](\S+)")
_SHA1 = re.compile(r"[0-9a-f]{40}")
# Wikimedia keeps some ten dumps of a wiki, and cuts none into so many files.
_MOST_DATES, _MOST_FILES = 30, 20_000


@dataclass(frozen=True, slots=True)
class DumpRequest:
    """The dump to download; date and form are None for the newest and the smallest.

    With `since`, only dumps of later dates, written as 20261101.
    """

    lang: str
    family: Family = "history"
    date: str | None = None
    form: Form | None = None
    base_url: str = BASE_URL
    since: str | None = None

    @property
    def wiki(self) -> str:
        """The name of the wiki's database, such as frwiki."""
        return f"{self.lang.replace('-', '_')}wiki"

    @property
    def root(self) -> str:
        """The folder on the server that holds a folder for each date."""
        between = "/other/mediawiki_content_history" if self.family == "content" else ""
        return f"{self.base_url.rstrip('/')}{between}/{self.wiki}"


class NothingNewerError(UsageError):
    """There is no complete dump of a later date."""


def list_dump(wanted: DumpRequest, web: Web) -> tuple[str, list[Remote]]:
    """Return the date and the files of the newest complete dump, or of that of `wanted.date`.

    Raises:
        NothingNewerError: there is none since the date.
        UsageError: there is no such dump.
        FetchError: the server cannot be reached, or its lists cannot be understood.
    """
    alone = {"content": "bz2", "stubs": "gz"}.get(wanted.family)
    if alone and wanted.form not in (None, alone):
        raise UsageError(f"the {wanted.family} family comes as {alone} alone; leave out --format")
    listed = _content if wanted.family == "content" else _history
    for date in _dates(wanted, web):
        if wanted.since is not None and date.replace("-", "") <= wanted.since:
            raise NothingNewerError(
                f"no complete {wanted.family} dump of {wanted.wiki} is newer than {wanted.since}"
            )
        files = listed(wanted, date, web)
        if files:
            return date, sorted(files, key=lambda file: file.name)
    other = "history" if wanted.family == "content" else "content"
    form = f" as {wanted.form}" if wanted.form else ""
    raise UsageError(
        f"no complete {wanted.family} dump of {wanted.wiki}{form} at {wanted.root}/"
        f"{wanted.date or ''}; try --family {other}"
        + (", or no --date for the newest" if wanted.date else "")
    )


def _dates(wanted: DumpRequest, web: Web) -> list[str]:
    """Return the dates to try, in the form of the server's folders, the newest first."""
    if wanted.date is None:
        found = _DATE.findall(web.text(f"{wanted.root}/") or "")
        return sorted(set(found), reverse=True)[:_MOST_DATES]
    digits = wanted.date.replace("-", "")
    if not re.fullmatch(r"\d{8}", digits):
        raise UsageError(f"--date {wanted.date}: write it as 20260101 or 2026-01-01")
    if wanted.family == "content":
        return [f"{digits[:4]}-{digits[4:6]}-{digits[6:]}"]
    return [digits]


def status_file(wanted: DumpRequest, date: str) -> str:
    """Return the address of the status file of a history or stub dump."""
    return f"{wanted.root}/{date}/{STATUS}"


def _history(wanted: DumpRequest, date: str, web: Web) -> list[Remote]:
    folder = f"{wanted.root}/{date}"
    text = web.text(status_file(wanted, date))
    if text is None:
        return []
    try:
        jobs = json.loads(text)["jobs"]
        for name in _jobs(wanted):
            job = jobs.get(name, {})
            if job.get("status") == "done":
                # The URLs in the list are those of the main server, not of a mirror.
                files = job["files"].items()
                if wanted.family == "stubs":  # the job makes those of articles alone as well
                    files = [file for file in files if STUBS.fullmatch(file[0])]
                return _distinct(_listed(wanted, folder, *file) for file in files)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise FetchError(_unexpected(f"{folder}/dumpstatus.json", text, repr(error))) from error
    except RecursionError as error:
        raise FetchError(f"{folder}/dumpstatus.json is nested too deeply") from error
    return []


def _jobs(wanted: DumpRequest) -> list[str]:
    """Return the jobs that make what is wanted, the one to be preferred first."""
    if wanted.family == "stubs":
        return [STUBS_JOB]
    return [JOBS[wanted.form]] if wanted.form else list(JOBS.values())


def _listed(wanted: DumpRequest, folder: str, name: str, facts: dict[str, Any]) -> Remote:
    size, checksum = facts["size"], facts["sha1"].lower()
    if type(size) is not int or not 0 <= size <= MOST_BYTES:
        raise ValueError("a size that is none")
    if not _SHA1.fullmatch(checksum):
        raise ValueError("a checksum that is none")
    return Remote(_safe(name, wanted.wiki), f"{folder}/{name}", size, "sha1", checksum)


def _content(wanted: DumpRequest, date: str, web: Web) -> list[Remote]:
    folder = f"{wanted.root}/{date}/xml/bzip2"
    if web.text(f"{folder}/_SUCCESS") is None:
        return []
    sums = _sums(f"{folder}/SHA256SUMS", web.text(f"{folder}/SHA256SUMS") or "", wanted.wiki)

    def remote(file: tuple[str, str]) -> Remote:
        name, value = file
        return Remote(name, f"{folder}/{name}", web.size(f"{folder}/{name}"), "sha256", value)

    with ThreadPoolExecutor(AT_A_TIME) as pool:
        try:
            return _distinct(pool.map(remote, sums))
        except BaseException:
            web.stop()
            pool.shutdown(cancel_futures=True)
            raise


def _sums(url: str, text: str, wiki: str) -> list[tuple[str, str]]:
    """Return the names and checksums of the dump files in a list as `sha256sum` writes it.

    Raises:
        FetchError: it is none, or is cut off; then files would be missed.
    """
    if text and not text.endswith("\n"):
        raise FetchError(_unexpected(url, text, "its last line is cut off"))
    files = []
    for number, line in enumerate(text.splitlines(), 1):
        found = _SUM.fullmatch(line)
        if line.strip() and not found:
            raise FetchError(_unexpected(url, text, f"line {number} is no checksum"))
        if found and found[2].endswith(".bz2"):
            files.append((_safe(found[2], wiki), found[1]))
    if len(files) > _MOST_FILES:
        raise FetchError(f"{url} lists {len(files):,} files, which no dump has")
    return files


def _unexpected(url: str, text: str, why: str) -> str:
    """Return what is wrong with a list of files: an error page, or what was found in it."""
    if text.lstrip().startswith("<"):
        why = "a web page"
    return f"{url} is not as expected ({why[:200]}); try again later or another mirror (--base-url)"


def _distinct(files: Iterable[Remote]) -> list[Remote]:
    """Return the files, once it is sure that no two would get one name, on any file system.

    Raises:
        FetchError: two would.
    """
    found: dict[str, Remote] = {}
    for file in files:
        if found.setdefault(file.name.casefold(), file) is not file:
            raise FetchError(f"the server lists {file.name} twice; try another mirror (--base-url)")
    return list(found.values())


def is_dump_file(name: str, wiki: str) -> bool:
    """Say whether a name that a server lists is that of a dump file of this wiki."""
    return bool(re.fullmatch(rf"{re.escape(wiki)}-[A-Za-z0-9_.+-]{{1,150}}\.(?:7z|bz2|gz)", name))


def _safe(name: str, wiki: str) -> str:
    """Return a file name that a server lists, once it is sure to be that of a dump of this wiki.

    So it stays in the folder, and replaces nothing else that lies there.

    Raises:
        FetchError: it is another name.
    """
    if not is_dump_file(name, wiki):
        raise FetchError(
            f"the server lists a file {name[:200]!r}, which is not the name of a dump file"
        )
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
        download(web, file, folder / file.name, lambda size: report(file.name, size))
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
