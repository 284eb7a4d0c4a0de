"""`wikibias annotate score`: how good annotators are against gold labels, and who is better."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import comb
from pathlib import Path
from typing import Any

import click

from wikibias.errors import UsageError
from wikibias.kits.command import resamples_option, warn
from wikibias.kits.document import number, p_value, with_interval
from wikibias.kits.files import write_json
from wikibias.kits.terminal import echo, show_table
from wikibias.messages import counted, nearest
from wikibias.research.cli.annotation.judging import (
    FILE,
    MADE_BY,
    OUT,
    check_out,
    gold_option,
    labels_option,
    long_options,
    overwrite_option,
    seed_option,
    with_gold,
)

_SHOWN = 15
_SAID = 5
_WARNED = 3
_MOST = 10_000


@click.command(name="score")
@click.argument("files", nargs=-1, required=True, type=FILE, metavar="FILE...")
@gold_option
@click.option(
    "--columns",
    metavar="A,B,C",
    help="Annotators: names, or patterns such as '*@*'.  [default of long tables: all]",
)
@click.option("--against", metavar="NAME", help="Compare all with this one, not each two.")
@long_options
@labels_option
@resamples_option
@seed_option
@click.option("--out", type=OUT, help="JSON file for all scores and comparisons.")
@overwrite_option
def command(files: tuple[Path, ...], **options: Any) -> None:
    """Score annotators against gold labels, and compare each two.

    FILE is a wide table with a column an annotator, or one or several long ones with a row for each
    sentence and annotator. Scores are of the biased class, over what an annotator answered; a "?"
    is counted, lowers the coverage, and is a wrong answer in mcc_unparsed_as_wrong only.

    Two annotators are compared by McNemar's test on the sentences that both answered, which tells
    who is right more often; where the MCC says otherwise, a warning does, too. p is corrected for
    the number of comparisons (Holm).

    \b
    Examples:
      wikibias annotate score runs.csv --gold label --columns '*@*' --out scores.json
      wikibias annotate score test.csv --gold label --columns a,b --labels lex=biased,neu=neutral
    """
    from wikibias.research.annotation.scores import compare_all, score

    check_out(options["out"], files, overwrite=options["overwrite"])
    judged = with_gold(files, options)
    against = options["against"]
    if against is not None and against not in judged.said:
        raise UsageError(f"--against: no annotator {against!r}{nearest(against, judged.said)}")
    if against is None and comb(len(judged.said), 2) > _MOST:
        raise UsageError(
            f"{len(judged.said):,} annotators make more than {_MOST:,} comparisons; compare with "
            "one (--against), or choose fewer (--columns)"
        )
    drawn = {"resamples": options["resamples"], "seed": options["seed"]}
    columns = {name: score(judged.gold, said, **drawn) for name, said in judged.said.items()}
    compared = compare_all(judged.gold, judged.said, against=against, **drawn)
    found = {
        MADE_BY: "wikibias annotate score",
        "gold": options["gold"],
        "rows": len(judged.gold),
        "biased": int(judged.gold.sum()),
        "without_gold": judged.without_gold,
        **drawn,
        "columns": columns,
        "comparisons": compared,
    }
    _show(found)
    _show_comparisons(compared, options["out"])
    if options["out"] is not None:
        write_json(options["out"], found)
        echo(f"Written to {options['out']}")


def _show(found: Mapping[str, Any]) -> None:
    from wikibias.research.annotation.scores import ranked

    if found["without_gold"]:
        warn(f"left out {counted(found['without_gold'], 'sentence')} without a gold label")
    columns = found["columns"]
    header = ["", "MCC [95 %]", "P", "R", "F1", "accuracy", "coverage", "?", "MCC, ? wrong"]
    rows = [
        [
            name,
            with_interval(columns[name]["mcc"]),
            *(number(columns[name][one]["value"]) for one in ("precision", "recall", "f1")),
            number(columns[name]["accuracy"]["value"]),
            number(columns[name]["coverage"]),
            f"{columns[name]['unparsed']:,}",
            number(columns[name]["mcc_unparsed_as_wrong"]["value"]),
        ]
        for name in ranked(columns)
    ]
    sentences = f"{counted(found['rows'], 'sentence')}, {found['biased']:,} biased"
    show_table(f"Against {found['gold']} ({sentences})", header, rows)
    for name, entry in columns.items():
        for note in entry["notes"]:
            warn(f"{name}: {note}")


def _show_comparisons(compared: Sequence[Mapping[str, Any]], out: Path | None) -> None:
    from wikibias.research.annotation.scores import turned

    if not compared:
        return
    if len(compared) <= _SHOWN:
        show_table(
            "Who is right more often (b: the first alone, c: the second alone)",
            ["", "more often", "b", "c", "p (Holm)", "accuracy [95 %]", "MCC [95 %]"],
            [_row(entry) for entry in compared],
            left=2,
        )
        for entry in compared if len(compared) <= _SAID else ():
            echo(f"{entry['first']} and {entry['second']}: {entry['direction']}.")
    else:
        where = "" if out else "; --out writes them"
        echo(f"{counted(len(compared), 'comparison')}{where}; --against NAME shows those with one.")
    differing = turned(compared)
    for entry in differing[:_WARNED]:
        warn(entry["warning"])
    if (rest := len(differing) - _WARNED) > 0:
        warn(f"so do {counted(rest, 'more comparison')}, less sure ones")


def _row(entry: Mapping[str, Any]) -> list[str]:
    return [
        f"{entry['first']} – {entry['second']}",
        entry["right_more_often"] or "–",
        f"{entry['b']:,}",
        f"{entry['c']:,}",
        "–" if entry["p_holm"] is None else p_value(entry["p_holm"]),
        *(with_interval(entry[key]) for key in ("accuracy_difference", "mcc_difference")),
    ]
