"""`wikibias annotate sample`: a stratified sample of the removed sentences of a corpus."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from wikibias.errors import UsageError
from wikibias.kits.command import FOLDER, corpus_argument, stack, warn
from wikibias.kits.terminal import echo, show_table
from wikibias.messages import counted
from wikibias.research.cli.annotation.judging import (
    FILE,
    OUT,
    check_out,
    check_table,
    labels_option,
    overwrite_option,
    seed_option,
)

if TYPE_CHECKING:
    from wikibias.research.annotation.balance import Balanced, Part
    from wikibias.research.annotation.samples import Design, Drawn, Sample
    from wikibias.research.annotation.tables import Table

_MOST = 1_000_000
PAPER_BINS = "1-2,3-6,7-15,16-"
"""As `sampling.strata` has them, which --help is not to load."""
strata_options = stack(
    click.option(
        "--bins",
        default=PAPER_BINS,
        show_default=True,
        help="Bins of edits, by how many sentences they removed; 1- for one bin.",
    ),
    click.option(
        "--by",
        type=click.Choice(["tag", "tier", "language"]),
        multiple=True,
        help="Part the bins by this as well; may be given again.",
    ),
)
_shares = stack(
    click.option(
        "--controls",
        type=click.FloatRange(0, 1),
        default=0.1,
        show_default=True,
        help="Add unchanged sentences, as a share of those drawn, to see who ticks everything.",
    ),
    click.option(
        "--repeats",
        type=click.FloatRange(0, 0.5),
        default=0.1,
        show_default=True,
        help="Show sentences twice, as a share of those drawn, far from each other.",
    ),
)


@click.command(name="sample")
@corpus_argument(several=True)
@click.option(
    "-n",
    "--sentences",
    type=click.IntRange(1, _MOST),
    default=100,
    show_default=True,
    help="How many removed sentences to draw.",
)
@strata_options
@click.option(
    "--pair/--no-pair",
    "with_pair",
    default=True,
    show_default=True,
    help="Keep what the edit removed and added, to be shown beside the sentence.",
)
@click.option(
    "--context/--no-context",
    "with_context",
    default=True,
    show_default=True,
    help="Keep the sentences before and behind, and the heading.",
)
@_shares
@click.option(
    "--annotators",
    metavar="N|NAMES",
    help="Deal the sentences to so many annotators, or to these names, parted by commas.  "
    "[default: everybody judges all]",
)
@click.option(
    "--shared",
    metavar="SHARE|N",
    help="With --annotators: what all of them judge, such as 24% of what each has, or a number.  "
    "[default: 24%, as in the 2019 paper]",
)
@click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Of all choices."
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    default="tasks.jsonl",
    show_default=True,
    help="The task file to write: .jsonl, .csv or .tsv.",
)
@overwrite_option
def sample_command(
    folders: tuple[Path, ...],
    *,
    sentences: int,
    bins: str,
    by: tuple[str, ...],
    with_pair: bool,
    with_context: bool,
    controls: float,
    repeats: float,
    annotators: str | None,
    shared: str | None,
    seed: int,
    out: Path,
    overwrite: bool,
) -> None:
    """Draw sentences that edits removed, for people or models to judge.

    FOLDERS are what `wikibias extract` made. As many sentences are drawn of each bin as can be, and
    each keeps how likely it was to be drawn, so that a share over the whole corpus can be
    estimated. Controls and repeats are added to them, and all are shuffled. The same corpus,
    options and seed give the same file.

    \b
    Examples:
      wikibias annotate sample corpora/en -n 100 --out tasks.jsonl
      wikibias annotate sample corpora/en corpora/fr --by language -n 592
      wikibias annotate sample corpora/bg -n 520 --annotators 2 --shared 72
    """
    from wikibias.kits.tables import check_ending, write_rows
    from wikibias.research.annotation.samples import Design, read_bins, read_shared, sample
    from wikibias.research.annotation.tasks import as_row

    names = _names(annotators)
    if shared is not None and not names:
        raise UsageError("--shared says how many sentences annotators share; add --annotators N")
    design = Design(
        sentences=sentences,
        bins=read_bins(bins),
        by=tuple(dict.fromkeys(by)),
        with_pair=with_pair,
        with_context=with_context,
        controls=controls,
        repeats=repeats,
        annotators=names,
        shared=read_shared(shared or "24%"),
        seed=seed,
    )
    check_ending(out)
    check_out(out, (), overwrite=overwrite)
    chosen = list({folder.resolve(): folder for folder in reversed(folders)}.values())[::-1]
    found = sample(chosen, design)
    write_rows(out, [as_row(task) for task in found.tasks])
    _tell(found.drawn, design)
    extra = [counted(found.count(kind), kind) for kind in ("control", "repeat")]
    echo(f"Wrote {out}: {counted(found.count('sample'), 'sentence')}, {', '.join(extra)}.")
    _tell_of_dealing(names, found)
    echo(f"Next: wikibias annotate serve {out}")


def _tell_of_dealing(names: Sequence[str], found: Sample) -> None:
    """Say how many tasks each annotator has, and warn where that is too few."""
    idle = []
    of_all = sum(len(task.annotators) == len(names) for task in found.tasks)
    for name in names:
        number = sum(name in task.annotators for task in found.tasks)
        echo(f"{name}: {counted(number, 'task')}, {of_all:,} of them for all.")
        if not number:
            idle.append(name)
    if idle:
        warn(f"nothing is dealt to {', '.join(idle)}; give a larger -n, or fewer --annotators")
    if len(names) > 1 and not of_all:
        warn(
            "no sentence is for all annotators, so that nobody can say how far they agree; give a "
            "larger -n, or --shared N"
        )


def _names(annotators: str | None) -> tuple[str, ...]:
    """Return the names of annotators, of their number or of a list.

    Raises:
        UsageError: there is none, one stands twice, or the labelling page would refuse one.
    """
    if annotators is None:
        return ()
    if annotators.strip().isdecimal():
        number = int(annotators)
        if not 1 <= number <= 1000:
            raise UsageError("--annotators: give a number from 1 to 1000, or names")
        return tuple(f"ann{place}" for place in range(1, number + 1))
    from wikibias.research.annotation.labelling.rounds import checked_name

    names = tuple(checked_name(name) for name in annotators.split(",") if name.strip())
    if not names or len(set(names)) < len(names):
        raise UsageError("--annotators: give each name once, parted by commas")
    return names


def _tell(drawn: Drawn, design: Design) -> None:
    """Say how many sentences of each stratum were drawn, and which could not be filled."""
    rows = [
        [each.name, f"{each.size:,}", f"{len(each.drawn):,}", f"{each.probability:.4f}"]
        for each in drawn.strata
    ]
    show_table("The sample", ["stratum", "in the corpus", "drawn", "probability"], rows)
    goal = design.sentences // max(1, len(drawn.strata))
    few = [f"{each.name} {each.size:,}" for each in drawn.strata if len(each.drawn) < goal]
    if few:
        echo(f"All there are, where {goal:,} were wished: {', '.join(few)}.")
    for name in drawn.empty:
        echo(f"bin={name}: no sentence of the corpus.")
    if drawn.outside:
        echo(
            f"{counted(drawn.outside, 'sentence')} in none of the bins; the sample says nothing "
            "of these."
        )
    if drawn.number < design.sentences:
        echo(
            f"The corpus has only {drawn.number:,} of the {design.sentences:,} sentences asked for."
        )


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
def plan_command(
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


_SHOWN = 40


@click.command(name="balance")
@click.argument("file", type=FILE)
@click.option(
    "--by", required=True, metavar="A,B", help="Columns that make a stratum, such as outlet."
)
@click.option("--label", metavar="COLUMN", help="After annotation: column of the labels.")
@click.option("--prior", metavar="COLUMN", help="Before it: column of estimates, labels or 0 to 1.")
@click.option(
    "--prior-model",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Before it: a model of `wikibias classify`, which estimates the column text.",
)
@click.option(
    "--equal-strata", is_flag=True, help="Take equally many from each stratum, as the smallest has."
)
@click.option("-n", "most", type=click.IntRange(min=2), help="Take no more sentences than this.")
@labels_option
@seed_option
@click.option("--out", required=True, type=OUT, help="Table to write: .jsonl, .csv or .tsv.")
@overwrite_option
def balance_command(file: Path, **options: Any) -> None:
    """Balance sentences: in each stratum half biased, half neutral.

    Before annotation by an estimate (--prior, --prior-model), with --equal-strata, so that not all
    that is paid for turns out neutral; after it by the label (--label). So did Horych et al. (2025,
    section 5). The larger class of a stratum is drawn down at random; rows keep their order. A "?"
    and a blank leave a sentence out. --prior-model adds the column prior.

    \b
    Examples:
      wikibias annotate balance pool.csv --by outlet --prior guess --equal-strata --out tasks.csv
      wikibias annotate balance voted.jsonl --by outlet --label vote --out balanced.jsonl
    """
    from wikibias.kits.tables import write_rows
    from wikibias.research.annotation.answers import meanings
    from wikibias.research.annotation.balance import balanced, judged, strata_of
    from wikibias.research.annotation.tables import read_table

    check_table(options["out"], [file], overwrite=options["overwrite"])
    given = [name for name in ("label", "prior", "prior_model") if options[name] is not None]
    if len(given) != 1:
        raise UsageError("give one of --label, --prior and --prior-model")
    table = read_table(file)
    if options["prior_model"] is not None:
        table, name = _estimated(table, options["prior_model"]), "prior"
    else:
        name = options[given[0]]
    biased = judged(table.column(name), meanings(options["labels"]), f"{file}: {name}")
    by = table.chosen(options["by"], "--by")
    found = balanced(
        strata_of(table.columns, by),
        biased,
        equal=options["equal_strata"],
        most=options["most"],
        seed=options["seed"],
    )
    if not len(found.rows):
        raise UsageError(
            f"-n {options['most']}: too few for one sentence of each label and stratum"
        )
    rows = list(table.rows())
    write_rows(options["out"], [rows[row] for row in found.rows.tolist()])
    _show(found, ", ".join(by))
    echo(f"Wrote {options['out']}: {counted(len(found.rows), 'sentence')} of {len(table):,}.")


def _estimated(table: Table, model: Path) -> Table:
    from wikibias.models.prediction import probabilities
    from wikibias.research.annotation.tables import Table

    if "prior" in table.columns:
        raise UsageError(f"{table.path} has a column 'prior' already; rename it, or give --prior")
    texts = [str(text or "") for text in table.column("text")]
    estimated = [round(value, 6) for value in probabilities(model, texts)]
    return Table(table.path, {**table.columns, "prior": estimated})


def _show(found: Balanced, by: str) -> None:
    rows = [
        [
            _named(part),
            *(f"{n:,}" for n in (part.biased, part.neutral, part.taken)),
        ]
        for part in found.parts[:_SHOWN]
    ]
    show_table(f"By {by}", ["", "biased", "neutral", "taken of each"], rows)
    if len(found.parts) > _SHOWN:
        echo(f"The first {_SHOWN} of {len(found.parts):,} strata.")
    if found.unlabelled:
        warn(f"left out {counted(found.unlabelled, 'sentence')} without a label")
    lacking = [_named(part) for part in found.parts if not min(part.biased, part.neutral)]
    if lacking:
        warn(f"of one label only, so left out: {'; '.join(lacking)[:200]}")


def _named(part: Part) -> str:
    return ", ".join(cell or "–" for cell in part.stratum)
