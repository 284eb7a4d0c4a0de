"""`wikibias annotate plan`: how many sentences must be judged."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

import click

from wikibias.errors import UsageError
from wikibias.kits.command import FOLDER
from wikibias.kits.terminal import echo, show_table
from wikibias.messages import counted
from wikibias.research.cli.annotation.sampling import PAPER_BINS, strata_options

_WIDTH_OF_KAPPA = 0.2
_OPEN = click.FloatRange(0, 1, min_open=True, max_open=True)


@click.command(name="plan")
@click.argument("folders", nargs=-1, type=FOLDER)
@click.option(
    "--width",
    type=click.FloatRange(0, 1, min_open=True),
    default=0.1,
    show_default=True,
    help="Width of the 95 % interval: 0.1 is ± 5 points.",
)
@click.option(
    "--share",
    type=_OPEN,
    default=0.48,
    show_default=True,
    help="Expected share judged biased; that of the 2019 paper.",
)
@click.option(
    "--kappa",
    type=click.FloatRange(-1, 1, min_open=True, max_open=True),
    default=0.41,
    show_default=True,
    help="Expected agreement of two annotators; that of the 2019 paper.",
)
@click.option(
    "--of",
    "population",
    type=click.IntRange(1),
    help="How many sentences the corpus has, where no folder is given.  [default: endless]",
)
@strata_options
def command(
    folders: tuple[Path, ...],
    *,
    width: float,
    share: float,
    kappa: float,
    population: int | None,
    bins: str,
    by: tuple[str, ...],
) -> None:
    """Say how many sentences give an interval of a wished width.

    Of FOLDERS, which `wikibias extract` made, their strata are counted: you see what it takes over
    the whole corpus, and what in each stratum. Without a folder, numbers alone do.

    \b
    Examples:
      wikibias annotate plan corpora/en --width 0.1
      wikibias annotate plan --width 0.1 --share 0.48 --of 4756
    """
    from wikibias.research.annotation import sample_sizes

    if folders and population is not None:
        raise UsageError("--of goes without a folder, whose sentences are counted")
    if folders:
        number, population = _tell_of_corpora(folders, bins, by, width, share)
        words = [*map(str, folders), *([] if bins == PAPER_BINS else ["--bins", bins])]
        words += [word for name in by for word in ("--by", name)]
        echo(f"Next: wikibias annotate sample {shlex.join(words)} -n {number} --out tasks.jsonl")
    else:
        number = sample_sizes.needed(width, share, population)
        of = "" if population is None else f" of {population:,}"
        got = sample_sizes.width(number, share, population)
        echo(
            f"{counted(number, 'sentence')}{of}: an interval of {got:.3f} with {share:.0%} judged "
            "biased."
        )
    _tell_of_agreement(kappa, share, population)


def _tell_of_agreement(kappa: float, share: float, population: int | None) -> None:
    """Say how many sentences annotators must share, or what those there are would give."""
    from wikibias.research.annotation import sample_sizes

    shared = sample_sizes.needed_for_kappa(_WIDTH_OF_KAPPA, kappa, share)
    must = (
        f"Agreement: for an interval of {_WIDTH_OF_KAPPA} of kappa, expected at {kappa:.2f}, two "
        f"annotators must both judge {counted(shared, 'sentence')}"
    )
    if population is not None and population < shared:
        got = sample_sizes.kappa_width(kappa, share, population)
        echo(
            f"{must}, more than the {population:,} of the corpus; with all of them it is {got:.2f}."
        )
    else:
        echo(f"{must}.")
    echo(
        "With three or more, that holds for each two of them: `annotate sample --annotators NAMES "
        "--shared N` gives all of them the same N."
    )


def _tell_of_corpora(
    folders: Sequence[Path], bins: str, by: Sequence[str], width: float, share: float
) -> tuple[int, int]:
    """Say what it takes in each stratum and over all; return how many sentences, of how many."""
    from wikibias.research.annotation import sample_sizes
    from wikibias.research.annotation.population import open_corpus, removed_sentences
    from wikibias.research.annotation.samples import read_bins

    chosen = list({folder.resolve(): folder for folder in folders}.values())
    corpora = [open_corpus(folder) for folder in chosen]
    sizes = sample_sizes.stratum_sizes(
        removed_sentences(corpora), read_bins(bins), tuple(dict.fromkeys(by))
    )
    if not sizes:
        raise UsageError(
            "the corpus has no removed sentence in these bins; widen --bins, unless it is empty"
        )
    _show_strata(sizes, width, share)
    whole = sum(sizes.values())
    number = sample_sizes.needed_in_all(width, share, sizes)
    got = sample_sizes.stratified_width(sizes, number, share)
    plain = sample_sizes.needed(width, share, whole)
    echo(
        f"Over all {whole:,} sentences: {number:,}, as many of each stratum as can be, give an "
        f"interval of {got:.3f} with {share:.0%} judged biased. Without strata {plain:,} would do: "
        f"a design effect of {number / plain:.2f}."
    )
    return number, whole


def _show_strata(sizes: dict[str, int], width: float, share: float) -> None:
    from wikibias.research.annotation import sample_sizes

    rows = []
    total = 0
    for name, size in sizes.items():
        number = sample_sizes.needed(width, share, size)
        total += number
        got = sample_sizes.width(number, share, size)
        rows.append([name, f"{size:,}", f"{number:,}", f"{got:.3f}"])
    rows.append(["each of them", f"{sum(sizes.values()):,}", f"{total:,}", ""])
    header = ["stratum", "in the corpus", f"for a width of {width:g}", "width"]
    show_table("Sentences to judge", header, rows)
