"""`wikibias update`: many wikis, each fetched, extracted, exported and uploaded.

The steps are those of the commands, and each does only what is missing.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import click

from wikibias.cli import export, fetch
from wikibias.cli.ending import interruptible, line_of, show_error
from wikibias.cli.extract import run_and_show
from wikibias.cli.options import RunOptions
from wikibias.cli.run_list import HOW, Wiki, in_keys, read_wikis
from wikibias.dumps.parts import Part, dump_date, find_parts
from wikibias.dumps.web.catalogue import NothingNewerError
from wikibias.dumps.web.http import Web
from wikibias.errors import WikibiasError
from wikibias.kits import hub
from wikibias.kits.command import FILE, is_quiet
from wikibias.kits.schemas import LABELLED_TABLE
from wikibias.kits.terminal import show_table
from wikibias.pipeline import manifest, stages
from wikibias.pipeline.dispatch import Workers
from wikibias.pipeline.plan import Request, plan_run, refuse_request, with_recorded
from wikibias.records import KEPT


@dataclass(slots=True)
class _Row:
    """What became of a wiki: what was done, how many parts are new, and whether something failed.

    `ready` is the folder to be uploaded.
    """

    wiki: Wiki
    done: list[str] = field(default_factory=list)
    new: int = 0
    failed: bool = False
    ready: Path | None = None


@click.command(name="update")
@click.argument("runs", type=FILE)
@click.option(
    "--yes", is_flag=True, help="Do not ask before downloading more than 1 GB for a wiki."
)
@click.option("--dry-run", is_flag=True, help="Say what would be done, and ask no server.")
def command(runs: Path, *, yes: bool, dry_run: bool) -> int:
    """Bring the corpora of many wikis up to date, as the file RUNS says.

    RUNS has a table [[run]] for each wiki, with `lang` and options of `extract` as keys, and
    [defaults] for all. For each wiki the newest dump is downloaded if it is newer than those that
    the corpus was made of, what is new is extracted, and the corpus is exported. The corpora of one
    `repository` are uploaded together. The same command again does only what is missing. A wiki
    that fails does not stop the others; then the exit code is 1.

    The keys: wikibias docs twenty-languages.

    \b
    Examples:
      wikibias update --dry-run runs.toml
      wikibias update --yes runs.toml
    """
    rows = [_Row(wiki) for wiki in read_wikis(runs)]
    of_repositories = dict[str, list[_Row]]()
    if not dry_run and any("repository" in row.wiki.keys for row in rows):
        # Before all is fetched for an upload that is refused.
        hub.own_token()
    with interruptible():
        for row in rows:
            with _failing([row], str(row.wiki.out)):
                _update(row, yes=yes, dry_run=dry_run)
            if repository := row.wiki.keys.get("repository"):
                of_repositories.setdefault(repository, []).append(row)
        for repository, sharing in of_repositories.items():
            if not dry_run:
                _upload(repository, sharing)
    if not is_quiet():
        what = "would be done" if dry_run else "was done"
        header = ["wiki", "newest dump", what, "new parts", "edits", "sentences"]
        show_table("", header, [[*_cells(row)] for row in rows], 3)
    return int(any(row.failed for row in rows))


@contextmanager
def _failing(rows: Sequence[_Row], what: str) -> Iterator[None]:
    """Take what is raised for the end of these wikis alone, and say what it is."""
    try:
        yield
    except (click.exceptions.Abort, BrokenPipeError):
        raise
    except Exception as error:  # whatever it is, the other wikis go on
        line = in_keys(line_of(error))
        for row in rows:
            row.failed = True
            row.done.append(f"failed: {line}")
        debug = click.get_current_context().find_root().obj["debug"]
        show_error(error, f"{what}: {line}", debug=debug)


def _update(row: _Row, *, yes: bool, dry_run: bool) -> None:
    """Fetch, extract and export.

    Raises:
        Exception: what the commands raise.
    """
    wiki, given = row.wiki, {key: of for key, of in row.wiki.keys.items() if key in HOW}
    how = RunOptions(**{"workers": os.cpu_count() or 1, **given})
    before = manifest.load(wiki.out)
    known = with_recorded(wiki.out, [])
    # Before gigabytes are fetched for a folder that takes none of them.
    asked = Request(wiki.out, known, wiki.settings)
    refuse_request(asked, Workers(how.workers, how.engine, how.scheduler))
    if known:
        plan_run(asked)
    form = wiki.keys.get("format", "" if "repository" in wiki.keys else "hf")
    if dry_run:
        what = "the newest dump" if before is None else "a newer dump, if there is one"
        row.done += [f"fetch {what}", f"extract to {_short(wiki.out)}"]
        row.done += [f"export as {form}"] if form else []
        row.done += [f"upload to {wiki.keys['repository']}"] if "repository" in wiki.keys else []
        return
    row.ready = _corpus(wiki)
    parts = with_recorded(wiki.out, _fetched(row, is_new=before is None, yes=yes))
    row.new, row.ready = len(parts) - len(known), None
    status = run_and_show(wiki.out, parts, wiki.settings, stages.STAGES, how, tables=False)
    after = manifest.load_recorded(wiki.out)
    if not after["complete"]:
        raise WikibiasError("not every part could be read; run the same command again")
    if status:
        row.failed = True
        row.done.append("pages were left out (wikibias status)")
    is_same = before is not None and before["corpus"] == after["corpus"]
    row.done.append("corpus as before" if is_same else "corpus built")
    row.ready = _corpus(wiki)
    if row.ready is None:
        row.done.append("no sentence to export")
    elif form:
        made = export.write([row.ready], export.ExportOptions(form=form))
        row.done.append(f"exported to {_short(made)}")


def _fetched(row: _Row, *, is_new: bool, yes: bool) -> list[Part]:
    """Download what is newer than the result, and return its parts.

    Raises:
        WikibiasError: see `fetch`; or not all of it is here.
    """
    wiki, web = row.wiki, Web()
    asked = {"lang": "lang", "base_url": "base_url", "kind": "family"}
    given = {asked[key]: value for key, value in wiki.keys.items() if key in asked}
    since = None if is_new else str(wiki.out)
    try:
        dump = fetch.find_dump(fetch.FetchOptions(since=since, **given), web, wiki.downloads)
    except NothingNewerError:
        row.done.append("no newer dump")
        return []
    if not fetch.fetch_dump(dump, web, yes=yes):
        raise WikibiasError("not all of the dump is here; run the same command again")
    return find_parts([str(dump.folder)])


def _short(path: Path) -> str:
    """Return a path from the current folder, where that is shorter."""
    with suppress(ValueError):  # on another drive of Windows
        return min(str(path), os.path.relpath(path), key=len)
    return str(path)


def _corpus(wiki: Wiki) -> Path | None:
    """Return the folder to be exported of a result; None where it has no whole corpus."""
    recorded = manifest.load(wiki.out)
    made = manifest.corpus_of(wiki.out, recorded)
    if recorded is None or made is None or not recorded["complete"]:
        return None
    if any(made["splits"].values()):
        return wiki.out
    is_labelled = (made.get("labelled") or {}).get("sentences")
    return wiki.out / LABELLED_TABLE.name if is_labelled else None


def _upload(repository: str, rows: Sequence[_Row]) -> None:
    """Upload the corpora that are ready, as one commit; what could not be fetched, as before."""
    ready = {row.ready: row for row in rows if row.ready is not None}
    with _failing([*ready.values()], repository):
        private, together = any(row.wiki.keys.get("private") for row in rows), len(rows) > 1
        is_new, forms = bool(ready), {row.wiki.keys.get("format") for row in rows}
        form = "tone-check" if forms == {"tone-check"} else "hf"
        if ready:
            how = {"private": private, "together": together}
            _, is_new = export.upload([*ready], repository, form, **how)
        for row in ready.values():
            row.done.append(f"uploaded to {repository}" if is_new else f"{repository} has it")


def _cells(row: _Row) -> Iterator[str]:
    found: manifest.Manifest = {"inputs": ()}
    with suppress(WikibiasError):  # the row says it
        found = manifest.load(row.wiki.out) or found
    whole = [entry["part"] for entry in found["inputs"] if entry.get("state") == "whole"]
    made = found.get("corpus") or {"splits": {}}
    sentences = sum(made["splits"].values()) or (made.get("labelled") or {}).get("sentences", 0)
    wiki = next((entry["wiki"] for entry in found["inputs"] if entry.get("wiki")), "")
    lang, name = row.wiki.keys["lang"], row.wiki.out.resolve().name
    yield (wiki or lang) + (f" ({name})" if name not in (wiki, lang) else "")
    yield max((date for name in whole if (date := dump_date(name))), default="none")
    yield "; ".join(row.done)
    edits = found.get("verdicts", {}).get(KEPT, 0)
    yield from (f"{number:,}" for number in (row.new, edits, sentences))
