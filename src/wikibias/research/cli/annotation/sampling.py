"""`wikibias annotate sample` and `balance`: which sentences are judged, and which are kept."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from wikibias.errors import UsageError
from wikibias.kits.command import corpus_argument, stack, warn
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
@click.option(
    "--width",
    type=click.FloatRange(0, 1, min_open=True),
    help="Draw instead as many as give a 95 % interval of this width: 0.1 is ± 5 points.",
)
@strata_options
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
    width: float | None,
    bins: str,
    by: tuple[str, ...],
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
        controls=controls,
        repeats=repeats,
        annotators=names,
        shared=read_shared(shared or "24%"),
        seed=seed,
        width=width,
    )
    check_ending(out)
    check_out(out, (), overwrite=overwrite)
    chosen = list({folder.resolve(): folder for folder in reversed(folders)}.values())[::-1]
    found = sample(chosen, design)
    write_rows(out, [as_row(task) for task in found.tasks])
    _tell(found.drawn, found.design)
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
    if design.width is not None:
        from wikibias.research.annotation.samples import EXPECTED, stratified_width

        sizes = {each.name: each.size for each in drawn.strata}
        got = stratified_width(sizes, design.sentences)
        echo(
            f"{counted(design.sentences, 'sentence')} give an interval of {got:.3f} over the "
            f"corpus with {EXPECTED:.0%} judged biased."
        )
    if drawn.number < design.sentences:
        echo(
            f"The corpus has only {drawn.number:,} of the {design.sentences:,} sentences asked for."
        )


_SHOWN = 40


@click.command(name="balance")
@click.argument("file", type=FILE)
@click.option(
    "--by", required=True, metavar="A,B", help="Columns that make a stratum, such as outlet."
)
@click.option("--label", metavar="COLUMN", help="After annotation: column of the labels.")
@click.option("--prior", metavar="COLUMN", help="Before it: column of estimates, labels or 0 to 1.")
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

    Before annotation by an estimate (--prior), with --equal-strata, so that not all that is paid
    for turns out neutral; after it by the label (--label). So did Horych et al. (2025, section 5).
    The larger class of a stratum is drawn down at random; rows keep their order. A "?" and a blank
    leave a sentence out.

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
    if (options["label"] is None) == (options["prior"] is None):
        raise UsageError("give one of --label and --prior")
    table, name = read_table(file), options["label"] or options["prior"]
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
