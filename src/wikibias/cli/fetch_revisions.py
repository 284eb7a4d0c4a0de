"""`wikibias fetch --revisions`: the texts that a result lacks, from the wiki itself."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pathlib import Path

from wikibias.cli import dry_run
from wikibias.cli.ending import interruptible
from wikibias.cli.progress import answers
from wikibias.cli.status import pairs_command
from wikibias.dumps.web.http import Web
from wikibias.kits.terminal import echo
from wikibias.messages import counted
from wikibias.pipeline.revision_texts import MISMATCH, UNTOLD, fill_texts, look_ahead

_SAID = {
    "deleted": "deleted",
    "suppressed": "suppressed",
    "lost": "lost by the wiki",
    "too long": "too long to be one that a wiki saved",
    MISMATCH: "not the one of the dump, by its checksum",
    UNTOLD: "not told by the wiki",
}


def fill_in(folder: Path, api: str | None, *, quiet: bool) -> int:
    """Fill the missing texts of a result folder in; return the exit code.

    Raises:
        WikibiasError: see `fill_texts`.
    """
    if dry_run.is_wanted():
        _rehearse(folder, api)
        return 0
    with interruptible(), answers(quiet=quiet) as report:
        found = fill_texts(folder, api, Web(), report)
    if quiet:
        return 0
    if not found.filled and not found.left:
        echo(f"Nothing to do: no text is missing in {folder}.")
        return 0
    echo(f"{counted(found.filled, 'text')} filled in{_left(found.left)}.")
    if found.filled:
        echo(f"For sentence pairs: {pairs_command(folder)}")
        echo(f"Next: wikibias diff {shlex.quote(str(folder))}")
    return 0


def _left(left: Mapping[str, int]) -> str:
    if not left:
        return ""
    why = ", ".join(f"{number:,} {_SAID[state]}" for state, number in left.items())
    return f"; {sum(left.values()):,} cannot be had ({why})"


def _rehearse(folder: Path, api: str | None) -> None:
    ahead = look_ahead(folder, api)
    echo("Dry run: nothing is asked for, and nothing is written.")
    known = ahead.wanted - ahead.unknown
    here = f", of which the wiki has told {known:,} already" if known else ""
    echo(f"{counted(ahead.wanted, 'revision')} without a text{here}.")
    if ahead.unknown:
        where = ", ".join(ahead.apis.values())
        echo(f"Asks for {ahead.unknown:,}, in {counted(ahead.requests, 'request')}: {where}")
