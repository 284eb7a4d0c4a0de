"""`wikibias annotate`: which sentences are judged and kept, and where people label them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import click

from wikibias.cli.ending import interruptible
from wikibias.errors import UsageError, WikibiasError, counted, quoted
from wikibias.kits import command
from wikibias.kits.checked import Meta, Setting
from wikibias.kits.command import ARGUMENT, FILE, OUT_FILE, check_out, corpus_argument, takes, warn
from wikibias.kits.tables import check_ending, write_rows
from wikibias.kits.terminal import echo, show_table
from wikibias.research.cli.annotation.judging import Meanings, Overwrite, Seed

if TYPE_CHECKING:
    from wikibias.research.annotation.samples import Balanced, Drawn, Part, Sample

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
        by: Part the bins by this as well; several with commas.
        controls: Add unchanged sentences, as a share of those drawn, to see who ticks everything.
        repeats: Show sentences twice, as a share of those drawn, far from each other.
        annotators: Deal the sentences to so many annotators, or to these names, comma-separated.
        shared: With --annotators: how many sentences all of them judge; controls come on top.
        out: The task file to write: .jsonl, .csv or .tsv.
    """

    folders: tuple[Path, ...]
    sentences: Annotated[int, Meta(ge=1, le=1_000_000), Setting("-n --sentences")] = 100
    width: Annotated[float | None, Meta(ge=0.01, le=0.99), Setting("--width")] = None
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
    out: Annotated[Path, OUT_FILE, Setting("-o --out")] = Path("tasks.jsonl")
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
    real = [task for task in found.tasks if task.kind == "sample"]
    of_all = sum(len(task.annotators) == len(names) for task in real)
    numbers = {name: sum(name in task.annotators for task in found.tasks) for name in names}
    for name, number in numbers.items():
        echo(f"{name}: {counted(number, 'task')}, {of_all:,} sentences of them for all.")
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
    if not command.is_quiet():
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
    out: Annotated[Path, OUT_FILE, Setting("-o --out")]
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
    from wikibias.research.annotation.samples import balanced, judged, strata_of
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
    if not command.is_quiet():
        show_table(f"By {by}", ["", "biased", "neutral", "taken of each"], rows)
    if len(found.parts) > _SHOWN and not command.is_quiet():
        echo(f"The first {_SHOWN} of {len(found.parts):,} strata.")
    if found.unlabelled:
        warn(f"left out {counted(found.unlabelled, 'sentence')} without a label")
    lacking = [_named(part) for part in found.parts if not min(part.biased, part.neutral)]
    if lacking:
        warn(f"of one label only, so left out: {'; '.join(lacking)[:200]}")


def _named(part: Part) -> str:
    return ", ".join(cell or "–" for cell in part.stratum)


_LONGEST = 300  # characters of names
Guidelines = Annotated[
    str,
    Setting(
        "--guidelines", doc="What is asked: bias, bias-fr, bias-types, intents, or a TOML file."
    ),
]


@dataclass(frozen=True, kw_only=True)
class _ServeOptions:
    """The options of the command.

    Attributes:
        db: File of the answers.
        names: Who annotates; may be given again. Without it the page asks for a name.
        with_edit: Show what the edit made of the sentence as well, which tells whether it was
            removed.
        adjudicate: Answers of annotators, to decide between: shows who said what, where they
            differ; may be given again.
        host: Where to listen. Others than this machine need a token, which is shown.
        port: 0 for any.
    """

    file: Annotated[Path, OUT_FILE, Setting(ARGUMENT)]
    guidelines: Guidelines = "bias"
    db: Annotated[
        Path | None,
        OUT_FILE,
        Setting("--db", unset="FILE with the ending .db; to adjudicate -gold.db"),
    ] = None
    names: Annotated[tuple[str, ...], Setting("--annotator")] = ()
    with_edit: Annotated[bool, Setting("--with-edit")] = False
    adjudicate: Annotated[tuple[Path, ...], FILE, Setting("--adjudicate")] = ()
    host: Annotated[str, Setting("--host")] = "127.0.0.1"
    port: Annotated[int, Meta(ge=0, le=65_535), Setting("--port")] = 8740


@click.command(name="serve", short_help="Serve a page on which people label sentences.")
@takes(_ServeOptions)
def serve_command(options: _ServeOptions) -> None:
    """Serve a page on which people label the sentences of FILE, one by one.

    FILE is what `wikibias annotate sample` wrote, or any table with a column `text`. Open the
    address that is shown. Each annotator has an order of his own. Nothing is shown that would tip
    him off: no summary, author, date or label. An answer is saved at once, and the same command
    goes on where everybody stopped. Ctrl-C ends. `wikibias annotate agree` reads the file of the
    answers itself; `wikibias annotate import` writes it as a table.

    With --adjudicate one person decides where annotators differ. What they agree on is taken over,
    so that the file then holds a gold label of each sentence that they judged, by `gold` or the
    --annotator named.

    \b
    Examples:
      wikibias annotate serve tasks.jsonl
      wikibias annotate serve --annotator mila --annotator ivan --guidelines bias-types tasks.jsonl
      wikibias annotate serve --adjudicate tasks.db tasks.jsonl
    """
    file, answers, names = options.file, options.adjudicate, options.names
    ending = "-gold.db" if answers else ".db"
    db = options.db or file.with_name(f"{file.stem}{ending}")
    from wikibias.research.annotation.answer_store import GOLD, answer_store
    from wikibias.research.annotation.labelling import rounds, server
    from wikibias.research.annotation.tasks import (
        load_guidelines,
        plain_rows,
        read_table,
        read_tasks,
    )

    if answers and len(names := names or (GOLD,)) > 1:
        raise UsageError("--adjudicate: one person decides; give one --annotator")
    asked, tasks = load_guidelines(options.guidelines), read_tasks(file)
    guard = server.Guard.of(options.host)
    others = [row for path in answers for row in plain_rows(read_table(path))]
    if any(str(row.get("annotator")) in names for row in others):
        raise UsageError(f"{names[0]!r} is one of those who differ; give another --annotator")
    with answer_store(db) as store:
        work = rounds.Round(
            tasks, asked, store, names=names, with_edit=options.with_edit, others=others
        )
        if answers:
            alone = f", or one alone judged them ({work.alone:,})" if work.alone else ""
            echo(
                f"Annotators agree on {counted(work.agreed, 'sentence')}{alone}, which are taken "
                f"over, and differ on {len(work.apart):,}."
            )
        with server.listening(options.host, options.port) as found:
            address = server.address_of(found, guard)
            echo(f"Open {address} to label {counted(len(work.apart) or len(tasks), 'sentence')}.")
            echo(f"Answers go to {db} at once. Ctrl-C ends.")
            _show_given(work.given, work.foreign)
            server.serve_until_interrupted(server.labelling_app(work, guard, warn), found)
        given = store.rows()
    who = len({row["annotator"] for row in given})
    echo(f"{counted(len(given), 'answer')} by {counted(who, 'annotator')} in {db}.")
    label = asked.questions[0].name
    if answers and (left := work.agreed + len(work.apart) - len(given)) > 0:
        echo(f"Next: decide on {counted(left, 'sentence')}; the same command goes on.")
    elif answers or who > 1:
        gold = ("--gold", names[0]) if answers else ()
        files = quoted(*map(str, answers), str(db), "--tasks", str(file), *gold)
        echo(f"Next: wikibias annotate {'score' if gold else 'agree'} {files} --label {label}")


def _show_given(given: Mapping[str, int], foreign: int) -> None:
    """Say whose answers are there already."""
    if given:
        who = ", ".join(f"{name} {number:,}" for name, number in given.items())
        echo(f"There already: {counted(sum(given.values()), 'answer')}, of {who[:_LONGEST]}.")
    if foreign:
        warn(
            f"{counted(foreign, 'more answer')} in it {'is' if foreign == 1 else 'are'} to none of "
            "these tasks; they stay as they are"
        )


@dataclass(frozen=True, kw_only=True)
class _ExportOptions:
    """The options of the command.

    Attributes:
        form: label-studio: tasks, labelling configuration and instructions; csv: a table with a
            blank column for each question; jsonl: the same as JSON Lines.
        out: Folder to write; of csv (.csv, .tsv) and jsonl the file.
        annotator: Write only what is dealt to this annotator (`sample --annotators`); tables then
            hold the name.
    """

    tasks: Annotated[Path, FILE, Setting(ARGUMENT)]
    form: Annotated[Literal["label-studio", "csv", "jsonl"], Setting("--to")]
    out: Annotated[Path, click.Path(path_type=Path), Setting("-o --out")]
    guidelines: Guidelines = "bias"
    annotator: Annotated[str | None, Setting("--annotator", metavar="NAME")] = None
    overwrite: Overwrite = False


@click.command(name="export")
@takes(_ExportOptions)
def export_command(options: _ExportOptions) -> None:
    """Write tasks for Label Studio, or as a table to fill in.

    TASKS is a file of tasks, or any table with a column `text`. What is written shows annotators
    the sentences and where they stand, and nothing of the edit; `item` names each task, and must
    come back unchanged. Tasks to practise with are left out.

    \b
    Examples:
      wikibias annotate export tasks.jsonl --to label-studio --out for-label-studio
      wikibias annotate export tasks.jsonl --to csv --out sheet.csv
      wikibias annotate export tasks.jsonl --to csv --annotator ann1 --out ann1.csv
    """
    from wikibias.research.annotation.exchange import export_tasks, headings, offered
    from wikibias.research.annotation.tasks import dealt_to, load_guidelines, own_tasks, read_tasks

    tasks, form, out, annotator = options.tasks, options.form, options.out, options.annotator
    check_out(out, [tasks], overwrite=True)
    asked = load_guidelines(options.guidelines)
    found = read_tasks(tasks)
    dealt = dealt_to(found)
    if annotator is not None:
        found = own_tasks(found, annotator)
    with interruptible():
        export_tasks(found, asked, form, out, overwrite=options.overwrite, annotator=annotator)
    practice = sum(task.kind == "practice" for task in found)
    echo(counted(len(found) - practice, "task"))
    if practice:
        echo(f"Note: {counted(practice, 'task')} to practise with left out.")
    if dealt and annotator is None:
        echo(
            f"Note: dealt to {', '.join(dealt)}, and written for all together; --annotator NAME "
            "writes what one of them is to judge."
        )
    if annotator is not None:
        echo("Note: import what all annotators have filled in at once, file after file.")
    if form in ("csv", "jsonl"):
        heads = headings(asked) if form == "csv" else {}
        for question in asked.questions:
            choices, several = offered(question), ""
            words = [text.partition(":")[0].strip() for _, text, _ in choices if heads]
            if len({*words}) < len(choices):
                words = [value for value, _, _ in choices]
            if question.several:
                several = "; several with a semicolon between them"
            head = heads.get(question.name, question.name)
            echo(f"Note: to fill in {head}: {', '.join(words)}{several}.")
    if form == "csv" and asked.spans:
        echo("Note: words cannot be marked in a spreadsheet; use label-studio.")
    echo(f"Result: {out}")
    asked_for = options.guidelines
    named = "" if asked_for == "bias" else f" --guidelines {quoted(asked_for)}"
    back = quoted(str(out)) if form in ("csv", "jsonl") else "EXPORTED"
    echo(
        f"Next: wikibias annotate import {back} --tasks {quoted(str(tasks))}{named} "
        "--out answers.jsonl"
    )


def _renames(pairs: Sequence[str]) -> Mapping[str, str]:
    found: dict[str, str] = {}
    for pair in pairs:
        old, equals, new = pair.rpartition("=")
        if not (old and equals and new) or old in found:
            raise UsageError(f"--rename {pair}: give OLD=NEW, each column once")
        found[old] = new
    return found


@dataclass(frozen=True, kw_only=True)
class _ImportOptions:
    """The options of the command.

    Attributes:
        tasks: The file of tasks that were answered.
        out: Table of answers to write (.jsonl, .csv or .tsv).
        renames: Take column OLD, of the tables that have it, for NEW: item, text, annotator,
            comment or a question.
    """

    files: Annotated[tuple[Path, ...], click.Path(path_type=Path, exists=True), Setting(ARGUMENT)]
    tasks: Annotated[Path, FILE, Setting("--tasks")]
    out: Annotated[Path, OUT_FILE, Setting("-o --out")]
    guidelines: Guidelines = "bias"
    renames: Annotated[tuple[str, ...], Setting("--rename", metavar="OLD=NEW")] = ()
    overwrite: Overwrite = False


@click.command(name="import", short_help="Read answers from Label Studio or tables.")
@takes(_ImportOptions)
def import_command(options: _ImportOptions) -> None:
    """Read answers of Label Studio, or of tables that were filled in, into one table of answers.

    Each of FILES is an export of Label Studio (JSON), or a table in UTF-8 (CSV,
    TSV, JSON Lines) with the columns item, annotator, comment and one for each question. Rows are
    joined by item, and their texts checked. What cannot be read is counted, shown with its place,
    and stands as "?"; a blank cell is no answer.

    \b
    Examples:
      wikibias annotate import project-1.json --tasks tasks.jsonl --out answers.jsonl
      wikibias annotate import ann.csv bob.csv --tasks tasks.jsonl --out answers.jsonl
      wikibias annotate import ann.csv --rename Biais=bias --tasks tasks.jsonl --out answers.jsonl
    """
    from wikibias.research.annotation.exchange import AnswerReader
    from wikibias.research.annotation.tasks import load_guidelines, read_tasks

    renames, out, tasks = _renames(options.renames), options.out, options.tasks
    check_ending(out)
    check_out(out, (*options.files, tasks), overwrite=options.overwrite)
    asked = load_guidelines(options.guidelines)
    known = [task for task in read_tasks(tasks) if task.kind != "practice"]
    reader = AnswerReader(known, asked, renames)
    with interruptible():
        for path in options.files:
            reader.read(path)
        reader.check_renames()
        for line in reader.warnings:
            warn(line)
        answers = reader.rows()
        said = [row for row in answers if reader.says_something(row)]
        if not said:
            why = "the files are blank, or not of these --tasks and --guidelines"
            if reader.warnings:
                why = "the warnings above say why"
            raise WikibiasError(f"no answer to any of the tasks: {why}")
        write_rows(out, answers)
    if len(said) < len(answers):
        alone = counted(len(answers) - len(said), "comment")
        echo(f"Note: {alone} without an answer; kept, and not counted.")
    who = {row["annotator"] for row in said}
    items = {row["item"] for row in said}
    echo(
        f"{counted(len(said), 'answer')} of {counted(len(who), 'annotator')} to "
        f"{len(items):,} of {counted(len(known), 'task')}"
    )
    echo(f"Result: {out}")
    echo(
        f"Next: wikibias annotate agree {quoted(str(out))} --label {asked.questions[0].name} "
        f"--tasks {quoted(str(tasks))}"
    )
