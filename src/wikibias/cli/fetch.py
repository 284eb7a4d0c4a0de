"""`wikibias fetch`: downloads the dump of a wiki from Wikimedia or a mirror."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from wikibias.cli.interrupts import interruptible
from wikibias.cli.options import config_dir_option, log_options
from wikibias.cli.progress import downloads
from wikibias.cli.terminal import echo
from wikibias.config.languages import load_language
from wikibias.dumps.web.catalogue import BASE_URL, Family, Form, Wanted, fetch, list_dump, missing
from wikibias.dumps.web.http import Web
from wikibias.dumps.web.remote import Remote
from wikibias.errors import UnreachableError, UsageError
from wikibias.messages import counted, printable

_ASK_FROM = 1_000_000_000
_ELSEWHERE = (
    "name a mirror with --base-url; or fetch on a machine with a network, and copy the folder here"
)


@click.command(name="fetch")
@click.option("--lang", required=True, help="Language of the wiki, such as en or fr.")
@click.option("--date", help="Date of the dump, such as 20260101.  [default: the newest]")
@click.option(
    "--family",
    type=click.Choice(["history", "content"]),
    default="history",
    show_default=True,
    help="Kind of dump: history (pages-meta-history) or content (the new Content File Exports).",
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
    help="Folder for the files.  [default: dumps/<wiki>-<date>]",
)
@click.option("--yes", is_flag=True, help="Do not ask before downloading more than 1 GB.")
@log_options("No progress and no messages.")
@config_dir_option
def command(
    lang: str,
    date: str | None,
    family: Family,
    form: Form | None,
    base_url: str,
    out: Path | None,
    yes: bool,
    quiet: bool,
) -> int:
    """Download a wiki's full history, and verify the checksums.

    Run the command again to download only what is missing. It downloads three files at a time, as
    many as Wikimedia allows.

    \b
    Examples:
      wikibias fetch --lang fr
      wikibias fetch --lang bg --family content --date 2026-10-01 -o dumps/bg --yes
    """
    load_language(lang)
    web = Web()
    wanted = Wanted(lang, family, date, form, base_url)
    try:
        found, files = list_dump(wanted, web)
    except UnreachableError as error:
        raise UnreachableError(f"{error}; or {_ELSEWHERE}") from error
    folder = out or Path("dumps") / f"{wanted.wiki}-{found.replace('-', '')}"
    todo = missing(files, folder)
    size = sum(file.size for file in todo)
    if not quiet:
        here = f", {len(files) - len(todo)} downloaded already" if len(files) > len(todo) else ""
        total = sum(file.size for file in files)
        count = counted(len(files), "file")
        echo(f"{wanted.wiki} of {found}: {count}, {_gigabytes(total)}{here}.")
    if size > _ASK_FROM and not yes and not _agreed(size, folder):
        return 1
    failed = _download(todo, folder, web, quiet=quiet)
    if not quiet and not failed:
        echo(f"Download complete: {folder}")
        echo(f"Next: wikibias extract --lang {lang} {shlex.quote(str(folder))}")
    return 1 if failed else 0


def _download(files: Sequence[Remote], folder: Path, web: Web, *, quiet: bool) -> int:
    failed = 0
    with interruptible(), downloads(files, quiet=quiet) as report:
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
