"""What the status file of a dump (`dumpstatus.json`) lists: jobs, how far they are, their files."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from wikibias.errors import UsageError

# A file of a petabyte is none.
MOST_BYTES = 10**15
_NAME = re.compile(r"([a-z][a-z0-9_]{1,60}?)-([0-9]{8})-.+", re.ASCII)
STUBS_JOB = "xmlstubsdump"
STUBS = re.compile(r".*-stub-meta-history[0-9]*\.xml\.gz")
_LONGEST_REASON = 200


@dataclass(frozen=True, slots=True)
class DumpStatus:
    """The jobs of a dump: for each how far it is, and its files with their sizes in bytes."""

    wiki: str
    date: str
    states: Mapping[str, str]
    files: Mapping[str, Mapping[str, int]]

    def done(self, job: str) -> dict[str, int]:
        """Return the files of a job that is finished; none of another."""
        return dict(self.files.get(job, {})) if self.states.get(job) == "done" else {}

    def stub_bytes(self) -> int | None:
        """Return the size of the stubs, the facts of each revision; None if they are not listed."""
        sizes = [n for name, n in self.done(STUBS_JOB).items() if STUBS.fullmatch(name)]
        return sum(sizes) or None


def parse_status(text: str, source: str) -> DumpStatus:
    """Return what a status file says.

    Args:
        text: its content.
        source: where it comes from, for messages.

    Raises:
        UsageError: it is none, or is cut off, or lists no file.
    """
    try:
        jobs = json.loads(text)["jobs"]
        states = {str(name): str(job["status"]) for name, job in jobs.items()}
        files = {str(name): _sizes(job.get("files") or {}) for name, job in jobs.items()}
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise UsageError(_unexpected(text, source, error)) from error
    except RecursionError as error:
        raise UsageError(f"{source} is nested too deeply for a status file") from error
    names = [name for listed in files.values() for name in listed]
    found = {match.groups() for match in map(_NAME.fullmatch, names) if match}
    if not found:
        raise UsageError(
            f"{source} lists no file of a dump: it has just begun, or the wiki is empty; take the "
            "dumpstatus.json of an earlier date"
        )
    if len(found) > 1:
        raise UsageError(f"{source} lists files of several dumps; give the dumpstatus.json of one")
    ((wiki, date),) = found
    return DumpStatus(wiki, date, states, files)


def _sizes(listed: Mapping[str, Any]) -> dict[str, int]:
    """Return the sizes of the files; one that is still being written may have none."""
    sizes = {str(name): facts.get("size", 0) for name, facts in listed.items()}
    for size in sizes.values():
        if type(size) is not int or not 0 <= size <= MOST_BYTES:
            raise ValueError("the size of a file is no number of bytes")
    return sizes


def _unexpected(text: str, source: str, error: Exception) -> str:
    why, then = "no jobs with their status and files", "give the dumpstatus.json of a dump"
    if text.lstrip().startswith("<"):
        why = "a web page"
    elif isinstance(error, json.JSONDecodeError):
        why, then = "no JSON, or cut off", "download dumpstatus.json again"
    elif isinstance(error, ValueError):
        why = str(error)[:_LONGEST_REASON]
    return f"{source} is no status file of a dump ({why}); {then}"
