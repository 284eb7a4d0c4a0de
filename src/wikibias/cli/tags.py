"""`wikibias tags`: count templates, show and check tag sets; and all other commands on tags."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import click

from wikibias.cli import Subcommands
from wikibias.cli.ending import interruptible
from wikibias.cli.options import workers_option
from wikibias.cli.progress import progress, warn_of_odd_names
from wikibias.config.languages import load_language
from wikibias.config.resources import find, is_shipped, own_file, own_folders
from wikibias.dumps.parts import Part, dump_date, find_parts
from wikibias.errors import UsageError, counted, nearest
from wikibias.kits import command, terminal
from wikibias.kits.checked import Setting
from wikibias.kits.folders import locked, refuse_foreign, refuse_links
from wikibias.kits.terminal import echo, show_table
from wikibias.tags import tagset as tagsets
from wikibias.tags.tagset import TagSet, load_tagset

if TYPE_CHECKING:
    from wikibias.curation import counts_tables, template_counts
    from wikibias.curation import suggest as suggesting

_NAME = re.compile(r"[\w-]+")

lang_option = click.option("--lang", required=True, help="Language of the wiki, such as en or fr.")
tagset_option = click.option(
    "--tagset", default="npov", show_default=True, help="Which tag set, a folder of tagsets/."
)


# More lines say less: the rest is in the file.
_MOST, _LONGEST = 30, 3


@click.group(cls=Subcommands, old_names={"check": ["show", "--check"]})
def tags() -> None:
    """Count the templates of a wiki; show, check and grow the tag sets; tell how long tags stood.

    \b
    Example:
      wikibias tags count -o counts/fr frwiki-20261101-pages-meta-history1.xml.bz2
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class CountOptions:
    """The options of `wikibias tags count`.

    Attributes:
        out: Folder of the result.
        like: Show the names that contain this, each with its share of them all.
    """

    out: Annotated[Path, command.OUT_FOLDER, Setting("-o --out")] = Path("counts")
    like: Annotated[str | None, Setting("--like")] = None


@tags.command()
@click.argument("dumps", nargs=-1, required=True)
@command.takes(CountOptions)
@workers_option
def count(options: CountOptions, *, dumps: tuple[str, ...], workers: int) -> int:
    """Count how often each template is called, and collect the redirects between templates.

    A call counts once for every revision that holds it. The same command again does only what is
    missing, so --like costs nothing more.

    \b
    Examples:
      wikibias tags count frwiki-20261101-pages-meta-history1.xml.bz2
      wikibias tags count -o counts/en --like weasel dumps/
    """
    from wikibias.cli.status import unreadable_lines
    from wikibias.curation import counts_tables, template_counts

    parts, out, like = find_parts(dumps), options.out, options.like
    warn_of_odd_names(dumps)
    refuse_foreign(out, counts_tables.is_counts)
    refuse_links(out, ["parts"])
    with interruptible(), locked(out):
        with progress(parts, found="template") as on_progress:
            read = template_counts.count_parts(out, parts, workers=workers, on_progress=on_progress)
        failed = [(part, done.error) for part, done in read if done.error]
        _warn_of_mixture(read)
        some = any(done.pages or done.templates for _, done in read)
        result = None
        if some or not failed:
            result = counts_tables.write_count_tables(out, read, like=like)
    if result and not command.is_quiet():
        _show_counts(result, like)
        echo(f"Result: {out}")
    for part, error in failed:
        echo(f"Error: {part.name} {error}", err=True)
    named = [(part.name, page) for part, done in read for page in done.first_unreadable]
    unreadable = sum(done.unreadable for _, done in read)
    for line in unreadable_lines(unreadable, named, f"{out}/census.json") if unreadable else ():
        echo(line, err=True)
    return 1 if failed or unreadable else 0


def _warn_of_mixture(read: Sequence[tuple[Part, template_counts.Counted]]) -> None:
    wikis = sorted({done.wiki for _, done in read if done.wiki})
    if len(wikis) > 1:
        command.warn(
            f"dumps of {len(wikis)} wikis ({', '.join(wikis)}) are counted together, so that "
            "redirects of one lead names of another; better count each by itself, in its own --out"
        )
    dates = sorted({date for part, _ in read if (date := dump_date(part.name))})
    if len(dates) > 1:
        command.warn(
            f"dumps of {len(dates)} dates ({', '.join(dates)}) are counted together, so that what "
            "several of them hold counts more than once; better count the newest by itself"
        )


def _show_counts(result: counts_tables.Result, like: str | None) -> None:
    about = result.about
    echo(
        f"{counted(about['pages'], 'page')}, {counted(about['revisions'], 'revision')}: "
        f"{counted(about['names'], 'name')}; {counted(about['templates'], 'template')}, "
        f"{counted(about['aliases'], 'redirect')}."
    )
    if not result.top:
        echo(f"No name is like {like!r}." if like else "No call of a template was found.")
        return
    title = f"Names like {like!r}" if like else "The most frequent names"
    columns = ["Name", "Leads to", "Pages", "Revisions", "First", "Last", "Ratio"]
    rows = [
        [c.name, c.target or "", f"{c.pages:,}", *map(str, astuple(c)[3:6]), f"{c.ratio:.4f}"]
        for c in result.top
    ]
    show_table(title, columns, rows, left=3, boxed=True)


@tags.command()
@click.argument("counts", type=command.OUT_FOLDER)
@lang_option
@tagset_option
@click.option("--from", "seed", required=True, help="Names to begin with, separated by commas.")
def suggest(counts: Path, lang: str, tagset: str, seed: str) -> None:
    """Propose names for a tag set, with the reason for each and what speaks against it.

    COUNTS is the folder that `wikibias tags count` wrote. Edit the column `keep` (yes or no) of the
    file that is written there, then give it to `wikibias tags apply`.

    \b
    Example:
      wikibias tags suggest --lang en --from POV,Weasel counts/en
    """
    from wikibias.curation import suggest as suggesting

    load_language(lang)
    _check_name(tagset)
    seeds = [name.strip() for name in seed.split(",") if name.strip()]
    found, without_result = suggesting.suggest(
        counts, seeds, _tagset_or_none(tagset, lang), _other_tagsets(tagset, lang)
    )
    target = counts / f"suggested-{tagset}-{lang}.tsv"
    suggesting.check_no_decision_is_lost(target, found)
    if not found:
        raise UsageError(
            f"no name in {counts} is like {', '.join(map(repr, seeds))}; to look for others: "
            "wikibias tags count --like WORD"
        )
    for name in without_result:
        command.warn(f"no name in {counts} is like {name!r}")
    suggesting.write_suggestions(target, found)
    columns = ["Keep", "Tag", "Name", "Revisions", "Reason", "But"]
    lines = [[p.keep, p.tag, p.name, str(p.revisions), p.reason, p.look_alike] for p in found]
    show_table(counted(len(found), "name"), columns, lines[:40], left=3, boxed=True)
    if len(lines) > 40:
        echo(f"... and {len(lines) - 40:,} more.")
    echo(f"Result: {target}")
    following = shlex.join(["wikibias", "tags", "apply", str(target)])
    echo(f"Next: edit its column keep, then {following}")


@tags.command("apply")
@click.argument("decided", type=command.OUT_FILE)
@click.option(
    "-o",
    "--out",
    type=command.OUT_FILE,
    help="Tag-set file to change or make.  [default: your own of the set, else a new one in "
    "./tagsets or in --config-dir]",
)
def apply_(decided: Path, out: Path | None) -> None:
    """Put decided names into a tag-set file; what a hand decided before stays.

    DECIDED is the TSV file that `wikibias tags suggest` wrote, with `keep` edited; its column
    `tagset` says which set. A new file begins as a copy of the set in use, if there is one.

    \b
    Example:
      wikibias tags apply counts/en/suggested-npov-en.tsv
    """
    from wikibias.curation import suggest as suggesting

    proposals = suggesting.read_suggestions(decided)
    sets = sorted({proposal.tagset for proposal in proposals})
    if len(sets) != 1:
        raise UsageError(f"{decided}: names for one set are needed, not for {len(sets)}")
    tagset, _, lang = sets[0].rpartition("/")
    load_language(lang)
    _check_name(tagset)
    file = f"{tagset}/{lang}.toml"
    target = out or own_file("tagsets", file)
    in_use = find("tagsets", file)
    new = not target.exists()
    done = suggesting.apply(target, tagset, lang, proposals, model=in_use)
    shipped = done.begun is not None and is_shipped("tagsets", done.begun)
    begun = f"the shipped {tagset} for {lang}" if shipped else str(done.begun)
    if not done.changed:
        echo(f"Nothing to change in {begun}: {_open_names(done)}.")
        return
    created = f"created, a copy of {begun} with " if done.begun else "created with "
    echo(
        f"{target}: {created if new else ''}{counted(len(done.added), 'name')} added, "
        f"{len(done.removed)} taken out, {_open_names(done)}."
    )
    if new:
        echo(_how_to_use(target, tagset, lang))


def _open_names(done: suggesting.Applied) -> str:
    kept = len(done.kept_by_hand)
    return f"{kept} left as decided by hand before, {done.undecided} undecided"


def _how_to_use(target: Path, tagset: str, lang: str) -> str:
    """Return which runs use a new file, or what to do that they use it."""
    file = Path("tagsets", tagset, f"{lang}.toml")
    found = find("tagsets", f"{tagset}/{lang}.toml")
    if found and found.samefile(target):
        *_, configured = own_folders("tagsets")
        known = {configured: "Runs", Path("tagsets"): "Runs in this folder"}
        other = f"Runs with --config-dir {shlex.quote(str(found.parents[2]))}"
        return f"{known.get(found.parents[1], other)} now use it."
    is_placed = target.parts[-3:] == file.parts
    root = target.parents[2] if is_placed else target.parent
    move = "" if is_placed else f"move it to {root / file} and "
    return f"To use it, {move}give --config-dir {shlex.quote(str(root))}."


def _check_name(tagset: str) -> None:
    """Make sure that a name can be that of a new tag set, which is a folder."""
    if not _NAME.fullmatch(tagset):
        raise UsageError(f"{tagset!r} cannot name a tag set; take letters, digits, - and _")


def _tagset_or_none(name: str, lang: str) -> TagSet:
    """Return the set, or one without tags where a new file is to be made."""
    if find("tagsets", f"{name}/{lang}.toml"):
        return load_tagset(name, lang)
    sets = tagsets.tagset_names()
    hint = "." if name in sets else nearest(name, sets)
    echo(f"Note: a new set, as there is no tag set {name!r} for {lang!r} yet{hint}", err=True)
    return TagSet(name, lang, False, False, (), (), "")


def _other_tagsets(name: str, lang: str) -> list[TagSet]:
    others = [other for other in tagsets.tagset_names() if other != name]
    return [load_tagset(other, lang) for other in others if find("tagsets", f"{other}/{lang}.toml")]


@tags.command()
@click.argument("files", nargs=-1, type=command.OUT_FILE)
@click.option("--lang", help="Language of the wiki, such as en or fr.")
@tagset_option
@click.option(
    "--family",
    "families",
    cls=command.Listed,
    multiple=True,
    help="Only this family; several with commas.",
)
@click.option("--check", is_flag=True, help="Look for mistakes: in all languages, or that given.")
def show(
    files: tuple[Path, ...], lang: str | None, tagset: str, families: tuple[str, ...], check: bool
) -> int:
    """Show the tags of a set, their families, scopes and aliases, and the wrappers.

    With --check or FILES, tag-set files, it looks for mistakes instead. Doubts about a shipped file
    are shown only with --lang.

    \b
    Examples:
      wikibias tags show --lang fr
      wikibias tags show --lang en --family weasel
      wikibias tags show --check
      wikibias tags show tagsets/npov/fr.toml
    """
    if check or files:
        return _check(files, lang, tagset)
    if lang is None:
        raise UsageError("say which language: --lang, such as --lang fr")
    found = load_tagset(tagset, lang).only(families)
    sure = "verified" if found.verified else "not verified"
    lines = [[t.name, t.family, t.scope, ", ".join(t.aliases)] for t in found.tags]
    title = f"{tagset} for {lang}, version {found.version}, {sure}"
    show_table(title, ["Tag", "Family", "Scope", "Aliases"], lines, boxed=True)
    wrappers = [
        [w.name, ", ".join(w.aliases), ", ".join(w.parameters), "yes" if w.positional else "no"]
        for w in found.wrappers
    ]
    if wrappers:
        show_table(
            "Wrappers", ["Wrapper", "Aliases", "Parameters", "Positional"], wrappers, boxed=True
        )
    if found.provenance.counts:
        echo(f"Counts: {found.provenance.counts}")
    return 0


def _check(files: Sequence[Path], lang: str | None, tagset: str) -> int:
    paths = list(files)
    if not paths:
        languages = [lang] if lang else tagsets.tagset_languages(tagset)
        paths = [tagsets.tagset_file(tagset, code) for code in languages]
    wrong = 0
    for path in paths:
        faults, doubts = tagsets.check_tagset(path)
        wrong += len(faults)
        for fault in faults:
            echo(f"Error: {fault}", err=True)
        if files or lang or not is_shipped("tagsets", path):
            for doubt in doubts:
                echo(f"Note: {doubt}")
    echo(f"{counted(len(paths), 'file')}, {counted(wrong, 'error')}.")
    return 1 if wrong else 0


@dataclass(frozen=True, slots=True, kw_only=True)
class StatsOptions:
    """The options of `wikibias tags stats`.

    Attributes:
        families: Only the tags of this family.
        by: What to compare.
        out: Also write a TSV file of all tags on pages: from when to when each stood, with links.
        overwrite: Replace a file that is there.
    """

    families: Annotated[tuple[str, ...], Setting("--family", commas=True)] = ()
    by: Annotated[Literal["tag", "family"], Setting("--by")] = "tag"
    out: Annotated[Path | None, command.OUT_FILE, Setting("-o --out")] = None
    overwrite: Annotated[bool, Setting("--overwrite")] = False


@tags.command()
@command.corpus_argument(several=True, built=False)
@command.takes(StatsOptions)
def stats(options: StatsOptions, *, folders: tuple[Path, ...]) -> None:
    """Show when tags were put in and taken out, and how long they stood.

    FOLDERS are results of `wikibias extract` or `detect`. Tags that still stand count up to the end
    of the dump. A tag that a revert brought back lives on, one that a revert undid had no life.

    \b
    Examples:
      wikibias tags stats corpora/en
      wikibias tags stats --by family -o intervals.tsv corpora/en
    """
    from wikibias.curation.tag_statistics import statistics_tables, tag_statistics

    by, out = options.by, options.out
    command.check_out(out, overwrite=options.overwrite)
    found = tag_statistics(folders, by, options.families)
    for table in statistics_tables(found, by, _MOST):
        terminal.show(table, boxed=True)
    if (more := len(found.by_group) - _MOST) > 0:
        echo(f"... and {counted(more, f'more {by}')}.")
    if unseen := int(found.intervals["begins_unseen"].sum()):
        echo(f"Without a time: {counted(unseen, 'tag')}, as it is not known when they were put in.")
    for number, line in enumerate(found.intervals.head(_LONGEST).itertuples(index=False), 1):
        for text in _interval_lines(number, line):
            echo(text)
    if out is not None:
        found.write(out)
        echo(f"Wrote {out}.")


def _interval_lines(number: int, interval: Any) -> Iterator[str]:
    began = f"{'before ' if interval.begins_unseen else ''}{interval.put_in:%Y-%m-%d}"
    ended = (
        f"{interval.observed_until:%Y-%m-%d}{', and stands' if interval.stands else ' or later'}"
    )
    if not interval.stands and str(interval.taken_out) != "NaT":
        ended = f"{interval.taken_out:%Y-%m-%d}"
    what = f"{interval.tag}  {interval.page_title}"
    yield f"{number:>3}. {interval.days:,.1f} days  {what}  {began} to {ended}"
    if interval.put_in_diff_url:
        yield f"     {interval.put_in_diff_url}"
