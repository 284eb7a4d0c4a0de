"""`wikibias tags suggest` and `apply`: names from counts into a tag-set file."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from wikibias.cli.options import config_dir_option, new_config_dir_option
from wikibias.cli.run_summary import show_table
from wikibias.config.languages import load_language
from wikibias.config.resources import find, is_shipped, own_file, own_folders
from wikibias.errors import UsageError
from wikibias.kits.command import warn
from wikibias.kits.terminal import echo
from wikibias.messages import counted, nearest
from wikibias.tags.tagset import TagSet, load_tagset, tagset_names

if TYPE_CHECKING:
    from wikibias.curation.apply import Applied

_NAME = re.compile(r"[\w-]+")

lang_option = click.option("--lang", required=True, help="Language of the wiki, such as en or fr.")
tagset_option = click.option(
    "--tagset", default="npov", show_default=True, help="Which tag set, a folder of tagsets/."
)


@click.command()
@click.argument("counts", type=click.Path(path_type=Path, file_okay=False))
@lang_option
@tagset_option
@config_dir_option
@click.option("--seed", required=True, help="Names to begin with, separated by commas.")
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    help="TSV file to write.  [default: COUNTS/suggested-<tagset>-<lang>.tsv]",
)
def suggest(counts: Path, lang: str, tagset: str, seed: str, out: Path | None) -> None:
    """Propose names for a tag set, with the reason for each and what speaks against it.

    COUNTS is the folder that `wikibias tags count` wrote. Edit the column `keep` of the file
    (yes or no), then give it to `wikibias tags apply`.

    \b
    Example:
      wikibias tags suggest --lang en --seed POV,Weasel counts/en
    """
    from wikibias.curation.suggest import suggest as suggestions_for
    from wikibias.curation.suggestions_tsv import check_no_decision_is_lost, write_suggestions

    load_language(lang)
    _check_name(tagset)
    seeds = [name.strip() for name in seed.split(",") if name.strip()]
    found, without_result = suggestions_for(
        counts, seeds, _tagset_or_none(tagset, lang), _other_tagsets(tagset, lang)
    )
    target = out or counts / f"suggested-{tagset}-{lang}.tsv"
    check_no_decision_is_lost(target, found)
    if not found:
        raise UsageError(
            f"no name in {counts} is like {', '.join(map(repr, seeds))}; to look for others: "
            "wikibias tags count --like WORD"
        )
    for name in without_result:
        warn(f"no name in {counts} is like {name!r}")
    write_suggestions(target, found)
    columns = ["Keep", "Tag", "Name", "Revisions", "Reason", "But"]
    lines = [[p.keep, p.tag, p.name, p.revisions, p.reason, p.look_alike] for p in found]
    show_table(counted(len(found), "name"), columns, lines[:40])
    if len(lines) > 40:
        echo(f"... and {len(lines) - 40:,} more.")
    echo(f"Result: {target}")
    following = ["wikibias", "tags", "apply", "--lang", lang, "--tagset", tagset, str(target)]
    echo(f"Next: edit its column keep, then {shlex.join(following)}")


@click.command("apply")
@click.argument("decided", type=click.Path(path_type=Path, dir_okay=False))
@lang_option
@tagset_option
@new_config_dir_option
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Tag-set file to change or make.  [default: your own of --tagset and --lang, else a new "
    "one in ./tagsets or in --config-dir]",
)
def apply_(decided: Path, lang: str, tagset: str, out: Path | None) -> None:
    """Put decided names into a tag-set file; what a hand decided before stays.

    DECIDED is the TSV file that `wikibias tags suggest` wrote, with `keep` edited. A new file
    begins as a copy of the set in use, if there is one. Where nothing is to
    change, nothing is written.

    \b
    Example:
      wikibias tags apply --lang en counts/en/suggested-npov-en.tsv
    """
    from wikibias.curation.apply import apply as apply_suggestions
    from wikibias.curation.suggestions_tsv import read_suggestions

    load_language(lang)
    _check_name(tagset)
    file = f"{tagset}/{lang}.toml"
    target = out or own_file("tagsets", file)
    in_use = find("tagsets", file)
    new = not target.exists()
    done = apply_suggestions(target, tagset, lang, read_suggestions(decided), model=in_use)
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


def _open_names(done: Applied) -> str:
    kept = len(done.kept_by_hand)
    return f"{kept} left as decided by hand before, {done.undecided} undecided"


def _how_to_use(target: Path, tagset: str, lang: str) -> str:
    """Return which runs use a new file, or what to do that they use it."""
    found = find("tagsets", f"{tagset}/{lang}.toml")
    if found and found.samefile(target):
        *_, configured = own_folders("tagsets")
        if found.parents[1] == configured:
            return "Runs now use it."
        if found.parents[1] == Path("tagsets"):
            return "Runs in this folder now use it."
        return f"Runs with --config-dir {shlex.quote(str(found.parents[2]))} now use it."
    if target.parts[-3:] == ("tagsets", tagset, f"{lang}.toml"):
        return f"To use it, give --config-dir {shlex.quote(str(target.parents[2]))}."
    if target.parent == Path():
        return f"To use it in this folder, move it to tagsets/{tagset}/{lang}.toml."
    place = target.parent / "tagsets" / tagset / f"{lang}.toml"
    root = shlex.quote(str(target.parent))
    return f"To use it, move it to {place} and give --config-dir {root}."


def _check_name(tagset: str) -> None:
    """Make sure that a name can be that of a new tag set, which is a folder."""
    if not _NAME.fullmatch(tagset):
        raise UsageError(f"{tagset!r} cannot name a tag set; take letters, digits, - and _")


def _tagset_or_none(name: str, lang: str) -> TagSet:
    """Return the set, or one without tags where a new file is to be made."""
    if find("tagsets", f"{name}/{lang}.toml"):
        return load_tagset(name, lang)
    sets = tagset_names()
    hint = "." if name in sets else nearest(name, sets)
    echo(f"Note: a new set, as there is no tag set {name!r} for {lang!r} yet{hint}", err=True)
    return TagSet(name, lang, False, False, (), (), "")


def _other_tagsets(name: str, lang: str) -> list[TagSet]:
    others = [other for other in tagset_names() if other != name]
    return [load_tagset(other, lang) for other in others if find("tagsets", f"{other}/{lang}.toml")]
