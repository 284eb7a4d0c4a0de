"""`wikibias annotate choose`: which annotators make the best panel."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from wikibias.errors import UsageError
from wikibias.kits.command import resamples_option, warn
from wikibias.kits.document import number, with_interval
from wikibias.kits.files import write_json
from wikibias.kits.terminal import echo, show_table
from wikibias.messages import counted
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

_TITLES = {
    "greedy": "greedy",
    "exhaustive": "all panels tried",
    "best_alone": "best by themselves",
    "by_setting": "best of the best setting",
    "by_mean_rank": "best mean rank",
    "best_single": "one annotator",
}


@click.command(name="choose", short_help="Choose the annotators whose majority vote is best.")
@click.argument("files", nargs=-1, required=True, type=FILE, metavar="FILE...")
@gold_option
@click.option("--columns", metavar="A,B,C", help="Whom to choose from, such as '*@*'.")
@click.option(
    "-k", "size", type=click.IntRange(1, 25), default=3, show_default=True, help="Of how many."
)
@click.option(
    "--cost",
    "costs",
    multiple=True,
    metavar="NAME=COST",
    help="What an annotator costs, by name or pattern; 1 unless told.",
)
@click.option("--budget", type=click.FloatRange(min=0), help="What a panel may cost.")
@click.option(
    "--folds",
    type=click.IntRange(2, 100),
    default=5,
    show_default=True,
    help="Parts: a panel is chosen without one and judged on it.",
)
@long_options
@labels_option
@resamples_option
@seed_option
@click.option("--out", type=OUT, help="JSON file for the panels.")
@overwrite_option
def command(files: tuple[Path, ...], **options: Any) -> None:
    """Choose the annotators whose majority vote is best, and say how good it is.

    Greedily: the best one, then the two that make the vote best, and so on. Beside it stand other
    ways to choose: all panels tried (up to 5,000), the best by themselves, and of columns named
    MODEL@SETTING the best models of the best setting (as Horych et al. 2025 chose) and those of the
    best mean rank. The MCC of each way is of sentences that were not used to choose. A tie counts
    as right half the time.

    \b
    Example:
      wikibias annotate choose runs.csv --gold label --columns '*@*' -k 3 --out panel.json
    """
    from wikibias.research.annotation.panels import bench, choose, steps

    check_out(options["out"], files, overwrite=options["overwrite"])
    judged = with_gold(files, options)
    costs = _costs(options["costs"], list(judged.said))
    among = bench(judged.gold, judged.said, costs, options["budget"])
    size = options["size"]
    if size > len(among.names):
        raise UsageError(
            f"-k {size} of {counted(len(among.names), 'annotator')}; give a smaller -k, or more of "
            "them with --columns"
        )
    rarer = int(min(judged.gold.sum(), (~judged.gold).sum()))
    if rarer < options["folds"]:
        raise UsageError(
            f"--folds {options['folds']}: of one label there are only "
            f"{counted(rarer, 'sentence')}; each part needs one"
        )
    drawn = {"folds": options["folds"], "resamples": options["resamples"], "seed": options["seed"]}
    found = choose(among, size, **drawn)
    if not found["greedy"]["panel"]:
        raise UsageError(f"--budget {options['budget']:g}: nobody is that cheap")
    path = steps(among, found["greedy"]["panel"])
    _show(found, path)
    if size % 2 == 0:
        warn(f"a panel of {size} can tie; take an odd number")
    if options["out"] is not None:
        facts = {
            MADE_BY: "wikibias annotate choose",
            "gold": options["gold"],
            "rows": len(judged.gold),
            "annotators": len(among.names),
            "k": size,
            "budget": options["budget"],
            **drawn,
            "chosen": found["greedy"]["panel"],
            "steps": path,
            "methods": found,
        }
        write_json(options["out"], facts)
        echo(f"Written to {options['out']}")


def _costs(given: Sequence[str], names: Sequence[str]) -> dict[str, float]:
    from wikibias.research.annotation.tables import chosen

    costs: dict[str, float] = {}
    for one in given:
        pattern, _, said = one.rpartition("=")
        try:
            cost = float(said)
        except ValueError:
            cost = math.nan
        if not pattern or not 0 <= cost < math.inf:
            raise UsageError(f"--cost: {one!r} is not NAME=COST, such as 'gpt_4@*=20'")
        costs |= dict.fromkeys(chosen(pattern, names, "--cost", "no annotator"), cost)
    return costs


def _show(found: Mapping[str, Any], path: Sequence[Mapping[str, Any]]) -> None:
    show_table(
        "Greedy choice, on all sentences",
        ["added", "MCC of the vote", "cost"],
        [[", ".join(step["added"]), number(step["mcc"]), f"{step['cost']:g}"] for step in path],
    )
    show_table(
        "Ways to choose; MCC on sentences not used to choose",
        ["", "panel", "MCC [95 %]", "where chosen", "undecided", "cost"],
        [
            [
                _TITLES[name],
                ", ".join(entry["panel"]),
                with_interval(entry["mcc"]),
                number(entry["mcc_where_chosen"]),
                f"{entry['undecided']:.1%}",
                f"{entry['cost']:g}",
            ]
            for name, entry in found.items()
        ],
        left=2,
    )
    if len(found["greedy"]["panel"]) < 2:
        return
    ours, alone = found["greedy"]["mcc"]["value"], found["best_single"]["mcc"]["value"]
    if ours is not None and alone is not None and alone >= ours:
        warn(
            f"one annotator alone does no worse than the panel ({number(alone)} against "
            f"{number(ours)}); a vote brings nothing here"
        )
