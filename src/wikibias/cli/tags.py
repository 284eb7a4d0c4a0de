"""`wikibias tags`: count templates, show and check tag sets; and all other commands on tags."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from wikibias.cli.ending import interruptible
from wikibias.cli.options import config_dir_option, log_options, workers_option
from wikibias.cli.progress import progress
from wikibias.cli.run_summary import show_table, unreadable_lines
from wikibias.cli.running import warn_of_odd_names
from wikibias.cli.tag_curation import apply_, lang_option, suggest, tagset_option
from wikibias.cli.tag_statistics import standing, timeline, years
from wikibias.config.resources import is_shipped
from wikibias.dumps.parts import dump_date, find_parts
from wikibias.kits.command import Subcommands, warn
from wikibias.kits.folders import locked, refuse_foreign, refuse_links
from wikibias.kits.terminal import echo
from wikibias.messages import counted
from wikibias.tags.tagset import check_tagset, load_tagset, tagset_file, tagset_languages


@click.group(cls=Subcommands)
def tags() -> None:
    """Count the templates of a wiki; show, check and grow the tag sets; tell the lives of tags.

    \b
    Example:
      wikibias tags count -o counts/fr frwiki-20261101-pages-meta-history1.xml.bz2
    """


@tags.command()
@click.argument("dumps", nargs=-1, required=True)
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("counts"),
    show_default=True,
    help="Folder of the result.",
)
@click.option("--latest", is_flag=True, help="Count only the newest revision of each page.")
@click.option("--like", help="Show the names that contain this, each with its share of them all.")
@click.option(
    "--namespace",
    "namespaces",
    multiple=True,
    type=int,
    help="Number of a namespace to count in; may be given again.  [default: 0, the articles]",
)
@workers_option
@log_options("No progress and no table.")
def count(
    dumps: tuple[str, ...],
    out: Path,
    latest: bool,
    like: str | None,
    namespaces: tuple[int, ...],
    workers: int,
    quiet: bool,
) -> int:
    """Count how often each template is called, and collect the redirects between templates.

    A call counts once for every revision that holds it. The same command again does only what is
    missing, so --like costs nothing more.

    \b
    Examples:
      wikibias tags count frwiki-20261101-pages-meta-history1.xml.bz2
      wikibias tags count -o counts/en --like weasel dumps/
    """
    from wikibias.curation.counts_tables import is_counts, write_count_tables
    from wikibias.curation.template_counts import Wanted, count_parts

    parts = find_parts(dumps)
    warn_of_odd_names(dumps)
    wanted = Wanted(tuple(dict.fromkeys(namespaces)) or (0,), latest)
    refuse_foreign(out, is_counts)
    refuse_links(out, ["parts"])
    with interruptible(), locked(out):
        with progress(parts, quiet=quiet, found="template") as on_progress:
            read = count_parts(out, parts, wanted, workers=workers, on_progress=on_progress)
        failed = [(part, done.error) for part, done in read if done.error]
        _warn_of_several(sorted({done.wiki for _, done in read if done.wiki}))
        _warn_of_months(sorted({dump_date(part.name) or "" for part, _ in read} - {""}))
        some = any(done.pages or done.templates for _, done in read)
        result = write_count_tables(out, read, wanted, like=like) if some or not failed else None
    if result and not quiet:
        _show_counts(result.about, like, [_line(line) for line in result.top])
        echo(f"Result: {out}")
    for part, error in failed:
        echo(f"Error: {part.name} {error}", err=True)
    named = [(part.name, page) for part, done in read for page in done.first_unreadable]
    unreadable = sum(done.unreadable for _, done in read)
    for line in unreadable_lines(unreadable, named, f"{out}/census.json"):
        echo(line, err=True)
    return 1 if failed or unreadable else 0


def _warn_of_several(wikis: list[str]) -> None:
    if len(wikis) > 1:
        warn(
            f"dumps of {len(wikis)} wikis ({', '.join(wikis)}) are counted together, so that "
            "redirects of one lead names of another; better count each by itself, in its own --out"
        )


def _warn_of_months(dates: list[str]) -> None:
    if len(dates) > 1:
        warn(
            f"dumps of {len(dates)} dates ({', '.join(dates)}) are counted together, so that what "
            "several of them hold counts more than once; better count the newest by itself"
        )


def _line(line: Any) -> list[object]:
    return [
        line.name,
        line.target,
        f"{line.pages:,}",
        line.revisions,
        line.first_year,
        line.last_year,
        line.ratio,
    ]


def _show_counts(about: dict[str, Any], like: str | None, lines: list[list[object]]) -> None:
    echo(
        f"{counted(about['pages'], 'page')}, {counted(about['revisions'], 'revision')}: "
        f"{counted(about['names'], 'name')}; {counted(about['templates'], 'template')}, "
        f"{counted(about['aliases'], 'redirect')}."
    )
    if not lines:
        echo(f"No name is like {like!r}." if like else "No call of a template was found.")
        return
    columns = ["Name", "Leads to", "Pages", "Revisions", "First", "Last", "Ratio"]
    show_table(f"Names like {like!r}" if like else "The most frequent names", columns, lines)


@tags.command()
@lang_option
@tagset_option
@config_dir_option
@click.option("--family", "families", multiple=True, help="Only this family; may be given again.")
def show(lang: str, tagset: str, families: tuple[str, ...]) -> None:
    """Show the tags of a set, their families, scopes and aliases, and the wrappers.

    \b
    Examples:
      wikibias tags show --lang fr
      wikibias tags show --lang en --family weasel
    """
    found = load_tagset(tagset, lang).only(families)
    sure = "verified" if found.verified else "not verified"
    lines = [[t.name, t.family, t.scope, ", ".join(t.aliases)] for t in found.tags]
    title = f"{tagset} for {lang}, version {found.version}, {sure}"
    show_table(title, ["Tag", "Family", "Scope", "Aliases"], lines)
    wrappers = [
        [w.name, ", ".join(w.aliases), ", ".join(w.parameters), "yes" if w.positional else "no"]
        for w in found.wrappers
    ]
    if wrappers:
        show_table("Wrappers", ["Wrapper", "Aliases", "Parameters", "Positional"], wrappers)
    if found.provenance.counts:
        echo(f"Counts: {found.provenance.counts}")


@tags.command()
@click.argument("files", nargs=-1, type=click.Path(path_type=Path, dir_okay=False))
@click.option("--lang", help="Only this language.")
@tagset_option
@config_dir_option
def check(files: tuple[Path, ...], lang: str | None, tagset: str) -> int:
    """Look for mistakes in tag-set files: all languages of --tagset, or the FILES given.

    Doubts about a shipped file are shown only with --lang.

    \b
    Examples:
      wikibias tags check --lang en
      wikibias tags check tagsets/npov/fr.toml
    """
    paths = list(files)
    if not paths:
        languages = [lang] if lang else tagset_languages(tagset)
        paths = [tagset_file(tagset, code) for code in languages]
    wrong = 0
    for path in paths:
        faults, doubts = check_tagset(path)
        wrong += len(faults)
        for fault in faults:
            echo(f"Error: {fault}", err=True)
        if files or lang or not is_shipped("tagsets", path):
            for doubt in doubts:
                echo(f"Note: {doubt}")
    echo(f"{counted(len(paths), 'file')}, {counted(wrong, 'error')}.")
    return 1 if wrong else 0


for _command in (apply_, standing, suggest, timeline, years):
    tags.add_command(_command)
