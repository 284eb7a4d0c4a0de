"""`wikibias fetch`: downloads the dump of a wiki, or the texts that a stub dump lacks."""

import re
import shlex
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import click

from wikibias.cli.dry_run import show_downloads
from wikibias.cli.ending import interruptible
from wikibias.cli.progress import answers, downloads
from wikibias.config.languages import load_language
from wikibias.dumps.parts import dump_date, file_name
from wikibias.dumps.web.catalogue import (
    BASE_URL,
    DumpRequest,
    Family,
    Form,
    NothingNewerError,
    fetch,
    list_dump,
    missing,
)
from wikibias.dumps.web.http import Web
from wikibias.dumps.web.remote import Remote
from wikibias.errors import UnreachableError, UsageError
from wikibias.kits.command import is_quiet
from wikibias.kits.terminal import echo
from wikibias.messages import counted, printable
from wikibias.pipeline import manifest

_ASK_FROM = 1_000_000_000
_ELSEWHERE = (
    "name a mirror with --base-url; or fetch on a machine with a network, and copy the folder here"
)
# By the states that a result folder records of texts that a wiki did not give.
_LEFT_REASONS = {
    "deleted": "deleted",
    "suppressed": "suppressed",
    "lost": "lost by the wiki",
    "too long": "too long to be one that a wiki saved",
    "mismatch": "not the one of the dump, by its checksum",
    "untold": "not told by the wiki",
}


@click.command(name="fetch")
@click.option("--lang", help="Language of the wiki, such as en or fr.")
@click.option("--date", help="Date of the dump, such as 20260101.  [default: the newest]")
@click.option(
    "--since",
    help="Only a dump newer than this date, or than those in this folder: a result, or of dumps.",
)
@click.option(
    "--family",
    type=click.Choice(["history", "content", "stubs"]),
    default="history",
    show_default=True,
    help="Kind of dump: history (pages-meta-history), content (the new Content File Exports), or "
    "stubs (stub-meta-history: all revisions without their texts).",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["7z", "bz2"]),
    help="Compression.  [default: 7z, which is much smaller, else bz2]",
)
@click.option("--base-url", default=BASE_URL, show_default=True, help="Address of a mirror.")
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder for the files.  [default: dumps/<wiki>-<date>, with -stubs behind it for stubs]",
)
@click.option(
    "--revisions",
    metavar="DIR",
    type=click.Path(path_type=Path, file_okay=False),
    help="Download no dump: ask the wiki for the texts that the edits in this result lack, and "
    "fill them in.",
)
@click.option(
    "--api", help="With --revisions: address of the wiki's api.php.  [default: the dump's]"
)
@click.option("--yes", is_flag=True, help="Do not ask before downloading more than 1 GB.")
@click.option("--dry-run", is_flag=True, help="Say what would be read and written, and do nothing.")
def command(
    lang: str | None,
    date: str | None,
    since: str | None,
    family: Family,
    form: Form | None,
    base_url: str,
    out: Path | None,
    revisions: Path | None,
    api: str | None,
    yes: bool,
    dry_run: bool,
) -> int:
    """Download a wiki's full history, and verify the checksums.

    With --family stubs it is the same without the texts, about a twentieth of the size. Run the
    command again to download only what is missing. It downloads three files at a time, as many as
    Wikimedia allows.

    With --revisions it downloads the texts of single revisions: those that the edits in a result
    lack, as those that `wikibias detect --signal summary` finds in stubs. It asks the wiki for
    fifty at a time, one question after the other, and waits when the wiki is busy. What the wiki
    tells is kept in the folder.

    \b
    Examples:
      wikibias fetch --lang fr
      wikibias fetch --lang fr --since corpora/fr
      wikibias fetch --lang bg --family content --date 2026-10-01 -o dumps/bg --yes
      wikibias fetch --lang fr --family stubs
      wikibias fetch --revisions corpora/fr
    """
    if revisions is not None:
        told = {"family": family != "history", "base-url": base_url != BASE_URL}
        _refuse({"lang": lang, "date": date, "since": since, "format": form, "out": out, **told})
        return _fill_in(revisions, api, dry_run=dry_run)
    if api is not None or lang is None:
        raise UsageError(
            "--api goes with --revisions" if lang else "say which wiki: --lang, such as --lang fr"
        )
    load_language(lang)
    web = Web()
    wanted = DumpRequest(lang, family, date, form, base_url)
    if since is not None:
        wanted = replace(wanted, since=_date(since, wanted.wiki))
    try:
        found, files = list_dump(wanted, web)
    except UnreachableError as error:
        raise UnreachableError(f"{error}; or {_ELSEWHERE}") from error
    except NothingNewerError as nothing:
        if not is_quiet():
            echo(f"Nothing to do: {nothing}.")
        return 0
    kind = "-stubs" if family == "stubs" else ""
    folder = out or Path("dumps") / f"{wanted.wiki}-{found.replace('-', '')}{kind}"
    todo = missing(files, folder)
    size = sum(file.size for file in todo)
    if not is_quiet():
        here = f", {len(files) - len(todo)} downloaded already" if len(files) > len(todo) else ""
        total = sum(file.size for file in files)
        count = counted(len(files), "file")
        echo(f"{wanted.wiki} of {found}: {count}, {_gigabytes(total)}{here}.")
    if dry_run:
        show_downloads(todo, folder)
        return 0
    if size > _ASK_FROM and not yes and not _agreed(size, folder):
        return 1
    failed = _download(todo, folder, web)
    if not is_quiet() and not failed:
        echo(f"Download complete: {folder}")
        result = since is not None and (Path(since) / manifest.NAME).is_file()
        where = f"-o {shlex.quote(since)} " if since and result else ""
        command = "detect --signal summary" if family == "stubs" else "extract"
        echo(f"Next: wikibias {command} --lang {lang} {where}{shlex.quote(str(folder))}")
    return 1 if failed else 0


def _refuse(told: Mapping[str, object]) -> None:
    """Refuse what says which dump to download, where none is.

    Raises:
        UsageError: an option is given.
    """
    for name, value in told.items():
        if value:
            raise UsageError(f"--{name} does not go with --revisions, which downloads no dump")


def _date(since: str, wiki: str) -> str:
    """Return a date as it is given, or the newest in the names of a folder's dumps of a wiki.

    Raises:
        UsageError: it is no date, and no folder with a dump of this wiki.
    """
    if re.fullmatch(r"\d{8}|\d{4}-\d\d-\d\d", since, re.ASCII):
        return since.replace("-", "")
    folder = Path(since)
    if not folder.is_dir():
        raise UsageError(
            f"--since {since}: neither a date nor a folder; write a date as 20260101 or 2026-01-01"
        )
    recorded = manifest.load(folder)
    names = [path.name for path in folder.iterdir()]
    if recorded is not None:
        names = [file_name(path) for part in manifest.parts_of(recorded) for path in part.files]
    dates = [dump_date(name) for name in names if name.startswith(f"{wiki}-")]
    newest = max((date for date in dates if date is not None), default=None)
    if newest is None:
        raise UsageError(f"--since {since}: no dump of {wiki} with a date in its name; give a date")
    return newest


def _download(files: Sequence[Remote], folder: Path, web: Web) -> int:
    failed = 0
    with interruptible(), downloads(files) as report:
        for error in fetch(files, folder, web, report):
            failed += 1
            echo(f"Error: {error}", err=True)
    return failed


def _agreed(size: int, folder: Path) -> bool:
    try:
        return click.confirm(printable(f"Download {_gigabytes(size)} to {folder}?"))
    except click.Abort as error:
        if sys.stdin.isatty():
            raise
        raise UsageError(f"would download {_gigabytes(size)}; confirm with --yes") from error


def _gigabytes(size: int) -> str:
    return f"{size / 1e9:,.1f} GB" if size >= 1e8 else f"{size / 1e6:,.1f} MB"


def _fill_in(folder: Path, api: str | None, *, dry_run: bool) -> int:
    """Fill the missing texts of a result folder in; return the exit code.

    Raises:
        WikibiasError: see `fill_texts`.
    """
    # Only here: a download needs no tables.
    from wikibias.cli.status import pairs_command
    from wikibias.pipeline.revision_texts import fill_texts

    if dry_run:
        _rehearse(folder, api)
        return 0
    with interruptible(), answers() as report:
        found = fill_texts(folder, api, Web(), report)
    if is_quiet():
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
    why = ", ".join(f"{number:,} {_LEFT_REASONS[state]}" for state, number in left.items())
    return f"; {sum(left.values()):,} cannot be had ({why})"


def _rehearse(folder: Path, api: str | None) -> None:
    from wikibias.pipeline.revision_texts import look_ahead

    ahead = look_ahead(folder, api)
    echo("Dry run: nothing is asked for, and nothing is written.")
    known = ahead.wanted - ahead.unknown
    here = f", of which the wiki has told {known:,} already" if known else ""
    echo(f"{counted(ahead.wanted, 'revision')} without a text{here}.")
    if ahead.unknown:
        where = ", ".join(ahead.apis.values())
        echo(f"Asks for {ahead.unknown:,}, in {counted(ahead.requests, 'request')}: {where}")
