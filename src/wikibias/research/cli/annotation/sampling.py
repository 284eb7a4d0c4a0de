"""`wikibias annotate sample` and `balance`: which sentences are judged, and which are kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import click

from wikibias.errors import UsageError
from wikibias.kits.checked import Meta, Setting
from wikibias.kits.command import ARGUMENT, FILE, OUT_FILE, check_out, corpus_argument, takes, warn
from wikibias.kits.tables import check_ending, write_rows
from wikibias.kits.terminal import echo, show_table
from wikibias.messages import counted
from wikibias.research.cli.annotation.judging import Meanings, Overwrite, Seed

if TYPE_CHECKING:
    from wikibias.research.annotation.balance import Balanced, Part
    from wikibias.research.annotation.samples import Drawn, Sample

PAPER_BINS = "1-2,3-6,7-15,16-"
"""As `samples` has them, which --help is not to load."""
_SHOWN = 40
_Share = Annotated[float, Meta(ge=0, le=1)]


@dataclass(frozen=True, kw_only=True)
class _SampleOptions:
    """The options of the command.

    Attributes:
        sentences: How many removed sentences to draw.
        width: Draw instead as many as give a 95 % interval of this width: 0.1 is ± 5 points.
        bins: Bins of edits, by how many sentences they removed; 1- for one bin.
        by: Part the bins by this as well; may be given again.
        controls: Add unchanged sentences, as a share of those drawn, to see who ticks everything.
        repeats: Show sentences twice, as a share of those drawn, far from each other.
        annotators: Deal the sentences to so many annotators, or to these names, comma-separated.
        shared: With --annotators: how many sentences all of them judge.
        out: The task file to write: .jsonl, .csv or .tsv.
    """

    folders: tuple[Path, ...]
    sentences: Annotated[int, Meta(ge=1, le=1_000_000), Setting("-n --sentences")] = 100
    width: Annotated[float | None, Meta(gt=0, lt=1), Setting("--width")] = None
    bins: Annotated[str, Setting("--bins")] = PAPER_BINS
    by: Annotated[tuple[Literal["tag", "tier", "language"], ...], Setting("--by")] = ()
    controls: Annotated[_Share, Setting("--controls")] = 0.1
    repeats: Annotated[float, Meta(ge=0, le=0.5), Setting("--repeats")] = 0.1
    annotators: Annotated[
        str | None, Setting("--annotators", unset="everybody judges all", metavar="N|NAMES")
    ] = None
    shared: Annotated[
        int | None,
        Meta(ge=0),
        Setting("--shared", unset="24% of what each has, as in the 2019 paper"),
    ] = None
    seed: Seed = 0
    out: Annotated[Path, OUT_FILE, Setting("--out")] = Path("tasks.jsonl")
    overwrite: Overwrite = False


@click.command(name="sample")
@corpus_argument(several=True)
@takes(_SampleOptions)
def sample_command(options: _SampleOptions) -> None:
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
    from wikibias.research.annotation.samples import Design, read_bins, sample

    names = _names(options.annotators)
    if options.shared is not None and not names:
        raise UsageError("--shared says how many sentences annotators share; add --annotators N")
    design = Design(
        sentences=options.sentences,
        bins=read_bins(options.bins),
        by=tuple(dict.fromkeys(options.by)),
        controls=options.controls,
        repeats=options.repeats,
        annotators=names,
        shared=options.shared,
        seed=options.seed,
        width=options.width,
    )
    check_ending(options.out)
    check_out(options.out, overwrite=options.overwrite)
    folders = {folder.resolve(): folder for folder in reversed(options.folders)}
    found = sample([*folders.values()][::-1], design)
    write_rows(options.out, [asdict(task) for task in found.tasks])
    _show_sample(found.drawn, None if options.width else options.sentences)
    extra = [counted(found.count(kind), kind) for kind in ("control", "repeat")]
    echo(f"Wrote {options.out}: {counted(found.count('sample'), 'sentence')}, {', '.join(extra)}.")
    _show_deal(names, found)
    echo(f"Next: wikibias annotate serve {options.out}")


def _show_deal(names: Sequence[str], found: Sample) -> None:
    """Say how many tasks each annotator has, and warn where that is none, or none for all."""
    of_all = sum(len(task.annotators) == len(names) for task in found.tasks)
    numbers = {name: sum(name in task.annotators for task in found.tasks) for name in names}
    for name, number in numbers.items():
        echo(f"{name}: {counted(number, 'task')}, {of_all:,} of them for all.")
    if idle := [name for name, number in numbers.items() if not number]:
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


def _show_sample(drawn: Drawn, sentences: int | None) -> None:
    """Say how many sentences of each stratum were drawn."""
    rows = [
        [each.name, f"{each.size:,}", f"{len(each.drawn):,}", f"{each.probability:.4f}"]
        for each in drawn.strata
    ]
    show_table("The sample", ["stratum", "in the corpus", "drawn", "probability"], rows)
    if drawn.outside:
        echo(
            f"{counted(drawn.outside, 'sentence')} in none of the bins; the sample says nothing "
            "of these."
        )
    number = len(drawn.sentences)
    if sentences is None:
        from wikibias.research.annotation.samples import EXPECTED, stratified_width

        got = stratified_width({each.name: each.size for each in drawn.strata}, number)
        echo(
            f"{counted(number, 'sentence')} give an interval of {got:.3f} over the corpus with "
            f"{EXPECTED:.0%} judged biased."
        )
    elif number < sentences:
        echo(f"The corpus has only {number:,} of the {sentences:,} sentences asked for.")


@dataclass(frozen=True, kw_only=True)
class _BalanceOptions:
    """The options of the command.

    Attributes:
        by: Columns that make a stratum, such as outlet.
        out: Table to write: .jsonl, .csv or .tsv.
        label: Column of the labels; before annotation of estimates, labels or 0 to 1.
        equal_strata: Take equally many from each stratum, as the smallest has.
    """

    file: Annotated[Path, FILE, Setting(ARGUMENT)]
    by: Annotated[str, Setting("--by", metavar="A,B")]
    out: Annotated[Path, OUT_FILE, Setting("--out")]
    label: Annotated[str, Setting("--label", metavar="COLUMN")]
    equal_strata: Annotated[bool, Setting("--equal-strata")] = False
    labels: Meanings = None
    seed: Seed = 0
    overwrite: Overwrite = False


@click.command(name="balance")
@takes(_BalanceOptions)
def balance_command(options: _BalanceOptions) -> None:
    """Balance sentences: in each stratum half biased, half neutral.

    Before annotation by an estimate, with --equal-strata, so that not all that is paid for turns
    out neutral; after it by the label. So did Horych et al. (2025, section 5).
    The larger class of a stratum is drawn down at random; rows keep their order. A "?" and a blank
    leave a sentence out.

    \b
    Examples:
      wikibias annotate balance pool.csv --by outlet --label guess --equal-strata --out tasks.csv
      wikibias annotate balance voted.jsonl --by outlet --label vote --out balanced.jsonl
    """
    from wikibias.research.annotation.answers import meanings
    from wikibias.research.annotation.balance import balanced, judged, strata_of
    from wikibias.research.annotation.tasks import chosen_columns, column, plain_rows, read_table

    check_ending(options.out)
    check_out(options.out, [options.file], overwrite=options.overwrite)
    table = read_table(options.file)
    place = f"{options.file}: {options.label}"
    biased = judged(column(table, options.label), meanings(options.labels), place)
    by = chosen_columns(table, options.by, "--by")
    strata = strata_of(table, by)
    found = balanced(strata, biased, equal=options.equal_strata, seed=options.seed)
    rows = plain_rows(table)
    write_rows(options.out, [rows[row] for row in found.rows])
    _show_balance(found, ", ".join(by))
    echo(f"Wrote {options.out}: {counted(len(found.rows), 'sentence')} of {len(table):,}.")


def _show_balance(found: Balanced, by: str) -> None:
    rows = [
        [_named(part), *(f"{n:,}" for n in (part.biased, part.neutral, part.taken))]
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
