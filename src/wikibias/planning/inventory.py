"""The parts of a dump by form, with their sizes, from a status file or a list of files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from wikibias.dumps.parts import find_parts
from wikibias.dumps.web.catalogue import JOBS, Wanted, is_dump_file, list_dump, status_file
from wikibias.dumps.web.dump_status import DumpStatus, parse_status
from wikibias.dumps.web.http import Web
from wikibias.errors import UsageError

FetchedForm = Literal["7z", "bz2"]


@dataclass(frozen=True, slots=True)
class Inventory:
    """The parts of a dump.

    Args:
        wiki: its name, such as bgwiki.
        date: of the dump.
        source: where this is known from.
        parts: for each form in which the dump is complete, the bytes of each part.
        stub_bytes: the size of the stubs; None where not known.
    """

    wiki: str
    date: str
    source: str
    parts: Mapping[FetchedForm, Sequence[int]]
    stub_bytes: int | None = None


def of_status(status: DumpStatus, source: str) -> Inventory:
    """Return the parts that a status file lists.

    Raises:
        UsageError: the history is not dumped yet, or holds nothing.
    """
    done = {
        form: {n: size for n, size in status.done(job).items() if is_dump_file(n, status.wiki)}
        for form, job in JOBS.items()
    }
    parts = {form: _parts(files.items()) for form, files in done.items() if files}
    # A form whose files have no sizes yet tells nothing.
    told = {form: sizes for form, sizes in parts.items() if sum(sizes)} or parts
    if not told:
        states = {form: status.states.get(job, "not listed") for form, job in JOBS.items()}
        said = ", ".join(f"{form}: {state}" for form, state in states.items())
        raise UsageError(
            f"{source}: the history of {status.wiki} of {status.date} is not complete ({said}); "
            "wait for it, or take the dumpstatus.json of an earlier date"
        )
    return _not_empty(Inventory(status.wiki, status.date, source, told, status.stub_bytes()))


def of_server(wanted: Wanted, web: Web) -> Inventory:
    """Return the parts of a dump on a server: the newest complete one, or that of a date.

    Raises:
        UsageError: there is no such dump, or it holds nothing.
        FetchError: the server cannot be reached, or its lists cannot be understood.
    """
    date, files = list_dump(wanted, web)
    if wanted.family == "content":
        parts = {"bz2": _parts((file.name, file.size) for file in files)}
        return _not_empty(Inventory(wanted.wiki, date, wanted.root, parts))  # type: ignore[arg-type]
    address = status_file(wanted, date)
    return of_status(parse_status(web.text(address) or "", address), address)


def _parts(files: Iterable[tuple[str, int]]) -> list[int]:
    """Return the bytes of each part, of which one page that is split over files is one."""
    # No file of these names is looked for.
    sizes = {f"https://files.invalid/{name}": size for name, size in files}
    return [sum(sizes[file] for file in part.files) for part in find_parts(sizes)]


def _not_empty(found: Inventory) -> Inventory:
    if not any(map(sum, found.parts.values())):
        raise UsageError(f"{found.source}: the history of {found.wiki} is empty; nothing to plan")
    return found
