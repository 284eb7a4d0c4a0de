"""Lists the files of a dump as the server does, and downloads them, resumed by byte range.

There are three families. The history dumps, and the stub dumps of the same dates, lie in
`<wiki>/<YYYYMMDD>/`, where `dumpstatus.json` lists each job with its files. The Content File
Exports lie in `other/mediawiki_content_history/<wiki>/<YYYY-MM-DD>/xml/bzip2/`, where `SHA256SUMS`
lists the files and `_SUCCESS` says that they are all there.
"""

from __future__ import annotations

import datetime
import io
import os
import re
import shutil
import stat
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Literal

from wikibias.dumps.web import Remote
from wikibias.dumps.web.http import BROKE_OFF, Backoff, BrokenOffError, Web
from wikibias.errors import DiskError, FetchError, UsageError
from wikibias.kits.files import checksum, disk_errors, from_json
from wikibias.kits.folders import locked
from wikibias.mediawiki import AT_A_TIME

PARTIAL = ".part"
_RANGE = re.compile(r"bytes ([0-9]{1,15})-.*")
_BINARY = getattr(os, "O_BINARY", 0)
# A name that somebody else put here may lead elsewhere, or block. Windows has neither.
_NO_LINK = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)


def download(web: Web, remote: Remote, target: Path, report: Callable[[int], None]) -> None:
    """Download a file, or what is missing of it, and rename it when its checksum is right.

    No more is written than the list says that the file has.

    Raises:
        FetchError: the file cannot be had, or has a wrong checksum.
        DiskError: it cannot be written.
    """
    partial = target.with_name(target.name + PARTIAL)
    # What an earlier run left may belong to another file; then download all of it again.
    for _ in range(2):
        _complete(web, remote, partial, report)
        if checksum(partial, remote.algorithm) == remote.checksum:
            with disk_errors(target):
                partial.replace(target)
            return
        partial.unlink()
    raise FetchError(
        f"{remote.url}: the {remote.algorithm} checksum is wrong, twice in a row; "
        "try again later or another mirror (--base-url)"
    )


def blocks(web: Web, url: str, backoff: Backoff, start: int = 0) -> Generator[tuple[int, bytes]]:
    """Yield blocks of a file with their offsets: from `start`, or from 0 if the server must.

    Raises:
        BrokenOffError: they end before the file does, or come too slowly.
        FetchError: the server refuses, or gives other bytes than asked for.
    """
    with web.request("GET", url, backoff, start) as answer:
        at = start if answer.accepted().status == 206 else 0
        told = _RANGE.fullmatch(answer.headers.get("Content-Range", ""))
        if at and told and int(told[1]) != at:
            raise FetchError(f"{url}: the server gives other bytes than it was asked for")
        for block in answer.blocks():
            yield at, block
            at += len(block)
            backoff.reached(at)


def _complete(web: Web, remote: Remote, partial: Path, report: Callable[[int], None]) -> None:
    backoff = Backoff(web.pause, remote.url)
    with _opened(partial) as file:
        while (have := os.fstat(file.fileno()).st_size) < remote.size:
            report(have)
            reason = BROKE_OFF
            try:
                for place, block in blocks(web, remote.url, backoff, have):
                    _write(file, partial, place, block[: remote.size - place])
                    report(place + len(block))
                    if place + len(block) >= remote.size:
                        break
            except BrokenOffError as error:
                reason = str(error)
            if os.fstat(file.fileno()).st_size < remote.size:
                backoff.wait(reason)
        # A later run looks only at name and size, which may outlast a power failure alone.
        with disk_errors(partial):
            os.fsync(file.fileno())
    report(remote.size)


def _opened(partial: Path) -> IO[bytes]:
    """Open what an earlier run has left, or a new file.

    Raises:
        DiskError: the name is that of something else than a file.
    """
    with disk_errors(partial):
        try:
            number = os.open(partial, os.O_RDWR | os.O_CREAT | _NO_LINK | _BINARY, 0o666)
        except OSError as error:
            if partial.is_symlink():
                raise _no_file(partial) from error
            raise
        if not stat.S_ISREG(os.fstat(number).st_mode):
            os.close(number)
            raise _no_file(partial)
        return os.fdopen(number, "r+b")


def _no_file(path: Path) -> DiskError:
    return DiskError(f"cannot write {path}: it is a link, a pipe or a device; remove it")


def _write(file: IO[bytes], partial: Path, place: int, block: bytes) -> None:
    with disk_errors(partial):
        file.seek(place)
        file.write(block)
        file.truncate()
        file.flush()


class RemoteStream(io.RawIOBase):
    """A file on a server as a raw stream, resumed by byte range where a connection broke."""

    def __init__(self, url: str) -> None:
        self._blocks: Generator[tuple[int, bytes]] | None = None
        self._web = Web()
        self._url = url
        self._size = self._web.size(url)
        self._backoff = Backoff(self._web.pause, url)
        self._at = 0
        self._left = memoryview(b"")

    def readable(self) -> bool:
        """Return True, for io.BufferedReader."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill `buffer` and return how many bytes were read; 0 at the end of the file.

        Raises:
            FetchError: the connection broke for good, or the server cannot resume.
        """
        view = memoryview(buffer).cast("B")
        while not self._left and self._at < self._size:
            self._fill()
        count = min(len(view), len(self._left))
        view[:count] = self._left[:count]
        self._left = self._left[count:]
        return count

    def close(self) -> None:
        """Close the connection, read to the end or not."""
        if self._blocks is not None:
            self._blocks.close()
        super().close()

    def _fill(self) -> None:
        if self._blocks is None:
            self._blocks = blocks(self._web, self._url, self._backoff, self._at)
        reason = BROKE_OFF
        try:
            place, block = next(self._blocks, (self._at, b""))
        except BrokenOffError as error:
            place, block, reason = self._at, b"", str(error)
        if place != self._at:
            raise FetchError(f"{self._url}: the server cannot go on where the connection broke")
        if not block:
            self._blocks = None
            self._backoff.wait(reason)
        # The size that the server gave first is that of the file.
        self._left = memoryview(block)[: self._size - self._at]
        self._at += len(self._left)


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
        f"{wanted.date or ''}; try --kind {other}"
        + (", or no --date for the newest" if wanted.date else "")
    )


def _dates(wanted: DumpRequest, web: Web) -> list[str]:
    """Return the dates to try, in the form of the server's folders, the newest first."""
    if wanted.date is None:
        found = _DATE.findall(web.text(f"{wanted.root}/") or "")
        return sorted(set(found), reverse=True)[:_MOST_DATES]
    digits = digits_of(wanted.date)
    if digits is None:
        raise UsageError(f"--date {wanted.date}: no such day, such as 20260101 or 2026-01-01")
    if wanted.family == "content":
        return [f"{digits[:4]}-{digits[4:6]}-{digits[6:]}"]
    return [digits]


def digits_of(day: str) -> str | None:
    """Return a day, 20260101 or 2026-01-01, in digits; None where the calendar has no such day."""
    try:
        return datetime.date.fromisoformat(day).isoformat().replace("-", "")
    except ValueError:
        return None


def _history(wanted: DumpRequest, date: str, web: Web) -> list[Remote]:
    folder = f"{wanted.root}/{date}"
    listing = f"{folder}/{STATUS}"
    text = web.text(listing)
    if text is None:
        return []
    try:
        jobs = from_json(text)["jobs"]
        for name in _jobs(wanted):
            job = jobs.get(name, {})
            if job.get("status") == "done":
                # The URLs in the list are those of the main server, not of a mirror.
                files = job["files"].items()
                if wanted.family == "stubs":  # the job makes those of articles alone as well
                    files = [file for file in files if STUBS.fullmatch(file[0])]
                return _distinct(_listed(wanted, folder, *file) for file in files)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise FetchError(_unexpected(listing, text, repr(error))) from error
    except RecursionError as error:
        raise FetchError(f"{listing} is nested too deeply") from error
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

    with _at_a_time(web) as pool:
        return _distinct(pool.map(remote, sums))


@contextmanager
def _at_a_time(web: Web) -> Iterator[ThreadPoolExecutor]:
    """Yield threads that ask a server; end what they do if the caller gives up."""
    with ThreadPoolExecutor(AT_A_TIME) as pool:
        try:
            yield pool
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


def _safe(name: str, wiki: str) -> str:
    """Return a file name that a server lists, once it is sure to be that of a dump of this wiki.

    So it stays in the folder, and replaces nothing else that lies there.

    Raises:
        FetchError: it is another name.
    """
    if not re.fullmatch(rf"{re.escape(wiki)}-[A-Za-z0-9_.+-]{{1,150}}\.(?:7z|bz2|gz)", name):
        raise FetchError(
            f"the server lists a file {name[:200]!r}, which is not the name of a dump file"
        )
    return name


def missing(files: Sequence[Remote], folder: Path) -> list[Remote]:
    """Return the files that are not complete in `folder` yet.

    A file gets its name only after its checksum was compared, so name and size suffice.
    """
    return [
        file
        for file, path in ((file, folder / file.name) for file in files)
        if not (path.is_file() and path.stat().st_size == file.size)
    ]


def fetch(files: Sequence[Remote], folder: Path, web: Web, report: Report) -> Iterator[str]:
    """Download files, three at a time; yield an error for each that fails while the others go on.

    Raises:
        UsageError: another run works in the folder.
        DiskError: the disk has too little room, or the folder cannot be written to.
    """
    with locked(folder):
        _check_room(files, folder)
        with _at_a_time(web) as pool:
            jobs = [pool.submit(_fetch, file, folder, web, report) for file in files]
            for job in as_completed(jobs):
                error = job.result()
                if error is not None:
                    yield error


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
