"""`wikibias tags years`, `standing` and `timeline`: the lives of tags, from results."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from heapq import nlargest
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import click

from wikibias.cli.options import config_dir_option
from wikibias.cli.run_summary import show_table
from wikibias.config.choices import RevertPolicy
from wikibias.kits.command import corpus_argument, stack
from wikibias.kits.terminal import echo
from wikibias.messages import counted

if TYPE_CHECKING:
    from wikibias.curation.tag_lives import Group
    from wikibias.curation.tag_results import Results
    from wikibias.curation.tag_spells import TagSpell

_BY = ("tag", "family", "namespace", "period")
# More lines say less: the rest is in the files.
_MOST_LINES = 30

_selecting = stack(
    click.option("--tag", "tags", multiple=True, help="Only this tag, or any of its names."),
    click.option("--family", "families", multiple=True, help="Only the tags of this family."),
)
_reverts_option = click.option(
    "--reverts",
    type=click.Choice(get_args(RevertPolicy)),
    default="drop",
    show_default=True,
    help="Leave out additions that a revert undid, and let a tag live on where a revert brought it "
    "back; or keep every addition and removal.",
)
_writing = stack(
    click.option(
        "-o",
        "--out",
        "targets",
        multiple=True,
        type=click.Path(path_type=Path, dir_okay=False),
        help="Also write a file: .tsv, .parquet, or a figure as .svg; may be given again.",
    ),
    click.option("--overwrite", is_flag=True, help="Replace files that are there."),
    config_dir_option,
)


@click.command()
@corpus_argument(several=True, built=False)
@_selecting
@_writing
def years(
    folders: tuple[Path, ...],
    tags: tuple[str, ...],
    families: tuple[str, ...],
    targets: tuple[Path, ...],
    overwrite: bool,
) -> None:
    """Show how often tags were put in and taken out in each year, and how many stood at its end.

    FOLDERS are results of `wikibias extract` or `detect`; with the folder of `wikibias tags count`
    for the same dump, the calls of each year are shown, too. The files hold each tag by itself.

    \b
    Examples:
      wikibias tags years corpora/en
      wikibias tags years corpora/en counts/en -o years.tsv -o years.svg
    """
    from wikibias.curation.statistics_files import check_targets, write_statistics
    from wikibias.curation.tag_figures import figures_of_years
    from wikibias.curation.tag_results import results_in
    from wikibias.curation.tag_years import TAG_YEARS, sums_by_tag, sums_by_year, tag_years

    check_targets(targets, overwrite=overwrite)
    results = results_in(folders)
    chosen, calls = results.chosen(tags, families), results.calls()
    rows = tag_years(_only(results.spells(), chosen), results.families, calls)
    rows = [row for row in rows if chosen is None or (row.wiki, row.tag) in chosen]
    by_year = {str(year): of for year, of in sums_by_year(rows).items()}
    _show_sums("Year", by_year, "Stand at its end")
    by_tag = sums_by_tag(rows)
    _show_sums("Tag", dict(islice(by_tag.items(), _MOST_LINES)), "Stand")
    _name_rest(len(by_tag) - _MOST_LINES, "tag")
    write_statistics(targets, TAG_YEARS, rows, partial(figures_of_years, rows))
    _name_files(targets)


def _show_sums(first: str, sums: Mapping[str, Mapping[str, int]], stock: str) -> None:
    columns = {"calls": "Calls", "additions": "Put in", "additions_reverted": "undone"}
    columns |= {"removals": "Taken out", "removals_reverted": "undone", "unseen": "Unseen"}
    columns["stock"] = stock
    for seldom in ("calls", "unseen"):
        if not any(of[seldom] for of in sums.values()):
            del columns[seldom]
    lines = [[name, *(of[key] for key in columns)] for name, of in sums.items()]
    show_table(f"By {first.lower()}", [first, *columns.values()], lines)


@click.command()
@corpus_argument(several=True, built=False)
@_selecting
@click.option("--still", is_flag=True, help="Only tags that still stand.")
@click.option(
    "--top",
    type=click.IntRange(1),
    default=20,
    show_default=True,
    help="So many, in the files, too.",
)
@_reverts_option
@_writing
def standing(
    folders: tuple[Path, ...],
    tags: tuple[str, ...],
    families: tuple[str, ...],
    still: bool,
    top: int,
    reverts: RevertPolicy,
    targets: tuple[Path, ...],
    overwrite: bool,
) -> None:
    """Show the tags that stood longest on a page, with links to the edits that put them in.

    FOLDERS are results of `wikibias extract` or `detect`.

    \b
    Examples:
      wikibias tags standing corpora/en
      wikibias tags standing --still --top 1000 -o standing.tsv corpora/en
    """
    from wikibias.curation.statistics_files import check_targets, write_statistics
    from wikibias.curation.tag_figures import figures_of_standing
    from wikibias.curation.tag_results import results_in
    from wikibias.curation.tag_spells import SPELLS

    check_targets(targets, overwrite=overwrite)
    results = results_in(folders)
    found = _only(_lives(results, reverts), results.chosen(tags, families))
    wanted = (spell for spell in found if spell.stands) if still else found
    longest = nlargest(top, wanted, key=lambda spell: (spell.days, -spell.put_in_rev))
    for line in _told(longest):
        echo(line)
    if not longest:
        echo("No tag still stands." if still else "No tag has been put in.")
    write_statistics(targets, SPELLS, longest, partial(figures_of_standing, longest))
    _name_files(targets)


def _told(longest: Sequence[TagSpell]) -> Iterator[str]:
    for place, spell in enumerate(longest, 1):
        began = f"{'before ' if spell.begins_unseen else ''}{spell.put_in:%Y-%m-%d}"
        if spell.taken_out is not None:
            ended = f"{spell.taken_out:%Y-%m-%d}"
        else:
            ended = (
                f"{spell.observed_until:%Y-%m-%d}{', and stands' if spell.stands else ' or later'}"
            )
        what = f"{spell.tag}  {spell.page_title}"
        yield f"{place:>3}. {spell.days:,.1f} days  {what}  {began} to {ended}"
        if spell.put_in_diff_url:
            yield f"     {spell.put_in_diff_url}"


@click.command()
@corpus_argument(several=True, built=False)
@_selecting
@click.option(
    "--by",
    type=click.Choice(_BY),
    default="tag",
    show_default=True,
    help="What to compare; a period is that in which the tag was put in.",
)
@_reverts_option
@_writing
def timeline(
    folders: tuple[Path, ...],
    tags: tuple[str, ...],
    families: tuple[str, ...],
    by: Any,
    reverts: RevertPolicy,
    targets: tuple[Path, ...],
    overwrite: bool,
) -> None:
    """Show how long tags stand: survival curves by Kaplan and Meier, and the median life.

    FOLDERS are results of `wikibias extract` or `detect`. Tags that still stand count up to the end
    of the dump. The files hold each step of each curve with its 95% interval.

    \b
    Examples:
      wikibias tags timeline corpora/en
      wikibias tags timeline --by period -o lives.tsv -o lives.svg corpora/en
    """
    from wikibias.curation.statistics_files import check_targets, write_statistics
    from wikibias.curation.tag_figures import figures_of_lives
    from wikibias.curation.tag_lives import LIFE_STEPS, group_lives
    from wikibias.curation.tag_results import results_in

    check_targets(targets, overwrite=overwrite)
    results = results_in(folders)
    lives = _only(_lives(results, reverts), results.chosen(tags, families))
    groups, left_out = group_lives(lives, by, results.families)
    columns = [by.title(), "Lives", "Taken out", "Median", "95%", ">30 days", ">1 year"]
    several = len({group.wiki for group in groups}) > 1
    lines = [_line(group, several) for group in groups[:_MOST_LINES]]
    show_table("How long tags stand, in days", columns, lines)
    _name_rest(len(groups) - len(lines), "group")
    if left_out:
        echo(f"Left out {counted(left_out, 'tag')}: it is not known when they were put in.")
    steps = [step for group in groups for step in group.steps]
    write_statistics(targets, LIFE_STEPS, steps, partial(figures_of_lives, groups))
    _name_files(targets)


def _line(group: Group, several: bool) -> list[object]:
    return [
        f"{group.wiki}: {group.name}" if several else group.name,
        group.lives,
        group.taken_out,
        _days(group.median),
        f"{_days(group.low)}-{_days(group.high)}",
        f"{group.after_month:.0%}",
        f"{group.after_year:.0%}",
    ]


def _days(value: float | None) -> str:
    if value is None:
        return "?"
    return f"{value:,.1f}" if value >= 0.95 else f"{value:.2g}"


def _lives(results: Results, reverts: RevertPolicy) -> Iterator[TagSpell]:
    from wikibias.curation.tag_spells import joined

    return results.spells() if reverts == "keep" else joined(results.spells())


def _only(
    spells: Iterable[TagSpell], chosen: Collection[tuple[str, str]] | None
) -> Iterator[TagSpell]:
    """Yield the spells of the chosen tags; of all, where none is chosen."""
    return (spell for spell in spells if chosen is None or (spell.wiki, spell.tag) in chosen)


def _name_rest(number: int, what: str) -> None:
    if number > 0:
        echo(f"... and {counted(number, f'more {what}')}.")


def _name_files(targets: Sequence[Path]) -> None:
    for path in targets:
        echo(f"Wrote {path}.")
