"""`wikibias fetch`: downloads the dump of a wiki, some of its pages, or texts that stubs lack."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Annotated, BinaryIO

import click

from wikibias.cli.ending import interruptible
from wikibias.cli.progress import answers, downloads, show_downloads
from wikibias.config.languages import load_language
from wikibias.dumps.parts import dump_date, file_name
from wikibias.dumps.web import Remote, catalogue, http
from wikibias.dumps.web.wiki_api import refuse_no_address
from wikibias.errors import UnreachableError, UsageError, counted, printable, quoted
from wikibias.kits.checked import Setting, declared
from wikibias.kits.command import OUT_FOLDER, is_quiet, takes, warn
from wikibias.kits.terminal import echo
from wikibias.mediawiki import clean_title
from wikibias.pipeline import manifest

_ASK_FROM = 1_000_000_000
# Characters; MediaWiki allows 255 bytes, and the name of a namespace before them.
_LONGEST_TITLE = 500
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


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchOptions:
    """The options of `wikibias fetch`.

    Attributes:
        lang: Language of the wiki, such as en or fr.
        date: Date of the dump, such as 20260101.
        since: Only a dump newer than this date, or than those in this folder: a result, or of
            dumps.
        family: Kind of dump: history (pages-meta-history), content (the new Content File Exports),
            or stubs (stub-meta-history: all revisions without their texts).
        form: Compression.
        base_url: Address of a mirror.
        out: Folder for the files.
        revisions: Download no dump: ask the wiki for the texts that the edits in this result lack,
            and fill them in.
        pages: Download no dump: ask the wiki for the full histories of the pages whose titles stand
            in this file, one a line (- for standard input).
        category: The same for the articles in this category, without those of its subcategories.
        api: With --revisions, --pages or --category: address of the wiki's api.php.
        yes: Do not ask before downloading more than 1 GB.
        dry_run: Say what would be read and written, and do nothing.
    """

    lang: Annotated[str | None, Setting("--lang")] = None
    date: Annotated[str | None, Setting("--date", "the newest")] = None
    since: Annotated[str | None, Setting("--since")] = None
    family: Annotated[catalogue.Family, Setting("--kind")] = "history"
    form: Annotated[
        catalogue.Form | None, Setting("--format", "7z, which is much smaller, else bz2")
    ] = None
    base_url: Annotated[str, Setting("--base-url")] = catalogue.BASE_URL
    out: Annotated[
        Path | None,
        OUT_FOLDER,
        Setting("-o --out", "dumps/<wiki>-<date>, with -stubs behind it for stubs"),
    ] = None
    revisions: Annotated[Path | None, OUT_FOLDER, Setting("--revisions", metavar="DIR")] = None
    pages: Annotated[BinaryIO | None, click.File("rb"), Setting("--pages", metavar="FILE")] = None
    category: Annotated[str | None, Setting("--category", metavar="NAME")] = None
    api: Annotated[str | None, Setting("--api", "the dump's, or Wikipedia's")] = None
    yes: Annotated[bool, Setting("--yes")] = False
    dry_run: Annotated[bool, Setting("--dry-run")] = False


@click.command(name="fetch")
@takes(FetchOptions)
def command(options: FetchOptions) -> int:
    """Download a wiki's full history, and verify the checksums.

    With --kind stubs it is the same without the texts, about a twentieth of the size. Run the
    command again to download only what is missing. It downloads three files at a time, as many as
    Wikimedia allows.

    With --revisions it downloads the texts of single revisions: those that the edits in a result
    lack, as those that `wikibias detect --signal summary` finds in stubs. It asks the wiki for
    fifty at a time, one question after the other, and waits when the wiki is busy. What the wiki
    tells is kept in the folder.

    With --pages or --category it writes an export file with all revisions of some pages, as a dump
    has them, into dumps/<wiki>-pages. It asks as --revisions does, and a run that was stopped goes
    on.

    \b
    Examples:
      wikibias fetch --lang fr
      wikibias fetch --lang fr --since corpora/fr
      wikibias fetch --lang bg --kind content --date 2026-10-01 -o dumps/bg --yes
      wikibias fetch --lang fr --kind stubs
      wikibias fetch --revisions corpora/fr
      wikibias fetch --lang fr --pages titles.txt
      wikibias fetch --lang fr --category "Moulin à eau en France"
    """
    asks = next((name for name in _GO_WITH if getattr(options, name) is not None), None)
    if asks is not None:
        _refuse_dump_options(options, asks)
        result = options.revisions
        return _bring_pages(options) if result is None else _fill_in(options, result)
    if options.api is not None:
        raise UsageError("--api goes with --revisions, --pages or --category")
    web = http.Web()
    try:
        dump = find_dump(options, web)
    except catalogue.NothingNewerError as nothing:
        if not is_quiet():
            echo(f"Nothing to do: {nothing}.")
        return 0
    if not fetch_dump(dump, web, yes=options.yes, dry_run=options.dry_run):
        return 1
    if not (is_quiet() or options.dry_run):
        echo(f"Download complete: {dump.folder}")
        echo(f"Next: {quoted(*_next_command(options, dump.folder))}")
    return 0


@dataclass(frozen=True, slots=True)
class Dump:
    """A dump on a server.

    Attributes:
        wiki: the name of the wiki's database, such as frwiki.
        date: as the server writes it.
        files: all of it.
        folder: where they go.
    """

    wiki: str
    date: str
    files: Sequence[Remote]
    folder: Path


def find_dump(options: FetchOptions, web: http.Web, downloads: Path = Path("dumps")) -> Dump:
    """Look for the dump that is asked for.

    Args:
        options: which one; with a language.
        web: asks the server.
        downloads: the folder that gets a folder for it, where `options.out` names none.

    Raises:
        NothingNewerError: there is none since `options.since`.
        UsageError: there is no such wiki or dump.
        FetchError: the server cannot be reached, or its lists cannot be understood.
    """
    lang = _language(options)
    asked = catalogue.DumpRequest(
        lang, options.family, options.date, options.form, options.base_url
    )
    if options.since is not None:
        asked = replace(asked, since=_date(options.since, asked.wiki))
    try:
        found, files = catalogue.list_dump(asked, web)
    except UnreachableError as error:
        raise UnreachableError(f"{error}; or {_ELSEWHERE}") from error
    kind = "-stubs" if options.family == "stubs" else ""
    folder = options.out or downloads / f"{asked.wiki}-{found.replace('-', '')}{kind}"
    return Dump(asked.wiki, found, files, folder)


def fetch_dump(dump: Dump, web: http.Web, *, yes: bool, dry_run: bool = False) -> bool:
    """Say how large a dump is, download what is missing of it, and return whether all went well.

    What fails is said. Without `yes`, more than 1 GB is asked about first.

    Raises:
        UsageError: nobody is there to be asked, or another run works in the folder.
        DiskError: there is too little room, or the folder cannot be written to.
    """
    files, failed = dump.files, 0
    todo = catalogue.missing(files, dump.folder)
    if not is_quiet():
        here = f", {len(files) - len(todo)} downloaded already" if len(files) > len(todo) else ""
        total = _gigabytes(sum(file.size for file in files))
        echo(f"{dump.wiki} of {dump.date}: {counted(len(files), 'file')}, {total}{here}.")
    if dry_run:
        show_downloads(todo, dump.folder)
        return True
    size = sum(file.size for file in todo)
    if size > _ASK_FROM and not yes and not _agreed(size, dump.folder):
        return False
    with interruptible(), downloads(todo) as report:
        for fault in catalogue.fetch(todo, dump.folder, web, report):
            failed += 1
            echo(f"Error: {fault}", err=True)
    return not failed


def _next_command(options: FetchOptions, folder: Path) -> list[str]:
    stages = ["detect", "--signal", "summary"] if options.family == "stubs" else ["extract"]
    since = Path(options.since) if options.since is not None else None
    # The dumps are added to the result.
    out = ["-o", str(since)] if since is not None and (since / manifest.NAME).is_file() else []
    return ["wikibias", *stages, "--lang", str(options.lang), *out, str(folder)]


def _language(options: FetchOptions) -> str:
    """Return the language.

    Raises:
        UsageError: none is given, or one that wikibias does not have.
    """
    if options.lang is None:
        raise UsageError("say which wiki: --lang, such as --lang fr")
    load_language(options.lang)
    return options.lang


_GO_WITH = {"revisions": (), "pages": ("lang", "out"), "category": ("lang", "out")}


def _refuse_dump_options(options: FetchOptions, asks: str) -> None:
    """Refuse what says which dump to download, where an option asks the wiki instead.

    Raises:
        UsageError: such an option is given.
    """
    for each in declared(FetchOptions):
        goes = each.name in (asks, *_GO_WITH[asks], "api", "yes", "dry_run")
        if not goes and getattr(options, each.name) != each.default:
            name = each.setting.option.split()[-1]
            raise UsageError(f"{name} does not go with --{asks}, which downloads no dump")


def _date(since: str, wiki: str) -> str:
    """Return a date as it is given, or the newest in the names of a folder's dumps of a wiki.

    Raises:
        UsageError: it is no date, and no folder with a dump of this wiki.
    """
    if (digits := catalogue.digits_of(since)) is not None:
        return digits
    folder = Path(since)
    if not folder.is_dir():
        raise UsageError(
            f"--since {since}: neither a date nor a folder; write a date as 20260101 or 2026-01-01"
        )
    recorded = manifest.load(folder)
    names = [path.name for path in folder.iterdir()]
    if recorded is not None:
        names = [file_name(path) for part in manifest.parts_of(recorded) for path in part.files]
    dates = [*filter(None, (dump_date(name) for name in names if name.startswith(f"{wiki}-")))]
    if not dates:
        todo = "give fetch --since a date, or a run of update another out"
        raise UsageError(f"{since} holds no dump of {wiki} with a date in its name; {todo}")
    return max(dates)


def _agreed(size: int, folder: Path) -> bool:
    try:
        return click.confirm(printable(f"Download {_gigabytes(size)} to {folder}?"))
    except click.Abort as error:
        if sys.stdin.isatty():
            raise
        raise UsageError(f"would download {_gigabytes(size)}; confirm with --yes") from error


def _gigabytes(size: int) -> str:
    return f"{size / 1e9:,.1f} GB" if size >= 1e8 else f"{size / 1e6:,.1f} MB"


def _fill_in(options: FetchOptions, folder: Path) -> int:
    """Fill the missing texts of a result folder in; return the exit code.

    Raises:
        WikibiasError: see `fill_texts`.
    """
    # Only here: a download needs no tables.
    from wikibias.cli.status import pairs_command
    from wikibias.pipeline.revision_texts import fill_texts, look_ahead

    api = options.api
    if options.dry_run:
        ahead = look_ahead(folder, api)
        echo("Dry run: nothing is asked for, and nothing is written.")
        known = ahead.wanted - ahead.unknown
        here = f", of which the wiki has told {known:,} already" if known else ""
        echo(f"{counted(ahead.wanted, 'revision')} without a text{here}.")
        if ahead.unknown:
            where = ", ".join(ahead.apis.values())
            echo(f"Asks for {ahead.unknown:,}, in {counted(ahead.requests, 'request')}: {where}")
        return 0
    with interruptible(), answers() as report:
        found = fill_texts(folder, api, http.Web(), report)
    if is_quiet():
        return 0
    if not found.filled and not found.left:
        echo(f"Nothing to do: no text is missing in {folder}.")
        return 0
    echo(f"{counted(found.filled, 'text')} filled in{_left(found.left)}.")
    if found.filled:
        echo(f"For sentence pairs: {pairs_command(folder)}")
        echo(f"Next: wikibias diff {quoted(str(folder))}")
    return 0


def _bring_pages(options: FetchOptions) -> int:
    """Bring the histories of pages as an export file; return the exit code.

    Raises:
        WikibiasError: see `page_histories.bring`.
    """
    # Only here: a download of a dump needs no tables.
    from wikibias.dumps.page_histories import PagesRequest, bring, named

    lang = _language(options)
    api = options.api or f"https://{lang}.wikipedia.org/w/api.php"
    refuse_no_address(api)
    titles = _titles(options.pages) if options.pages else []
    wanted = PagesRequest(lang, api, titles, options.category or "")
    folder = options.out or Path("dumps") / f"{catalogue.DumpRequest(lang).wiki}-pages"
    target = wanted.target(folder)
    said = f"Nothing to do: {target} is there; remove it to fetch the pages anew."
    if options.dry_run:
        pages = counted(len(titles), "page") if titles else f"the articles of {wanted.category!r}"
        said = f"Dry run. Asks {api} for {pages}, fifty revisions at a time; writes {target}."
    elif not target.is_file():
        with interruptible(), answers("page") as report:
            done = bring(wanted, folder, http.Web(), report)
        if done.left:
            warn(f"left out {counted(len(done.left), 'title')}: {named(done.left)}")
        said = f"{counted(done.pages, 'page')}, {counted(done.revisions, 'revision')}: {target}"
    if not is_quiet():
        echo(said)
    if not is_quiet() and not options.dry_run:
        echo(f"Next: {quoted('wikibias', 'extract', '--lang', lang, str(target))}")
    return 0


def _titles(file: BinaryIO) -> list[str]:
    """Return the titles in a file, each once; what is too long to be one is cut.

    Raises:
        WikibiasError: it is not UTF-8, or holds none, or too many.
    """
    from wikibias.dumps.page_histories import MOST_PAGES
    from wikibias.kits.tables import decoded_lines

    name = getattr(file, "name", "standard input")
    lines = decoded_lines(file, name, "title")
    found = (title for _, line in lines if (title := clean_title(line)[:_LONGEST_TITLE]))
    titles = [*islice(found, MOST_PAGES + 1)]
    if not 0 < len(titles) <= MOST_PAGES:
        raise UsageError(f"{name}: {len(titles):,} titles; write 1 to {MOST_PAGES:,}, one a line")
    return [*dict.fromkeys(titles)]


def _left(left: Mapping[str, int]) -> str:
    if not left:
        return ""
    why = ", ".join(f"{number:,} {_LEFT_REASONS[state]}" for state, number in left.items())
    return f"; {sum(left.values()):,} cannot be had ({why})"
