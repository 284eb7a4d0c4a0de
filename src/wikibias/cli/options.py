"""Options that several commands share, and what they have in common around a run."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from wikibias.execution import engines

F = TypeVar("F", bound=Callable[..., Any])


def _stack(*options: Callable[[F], F]) -> Callable[[F], F]:
    def apply(function: F) -> F:
        for option in reversed(options):
            function = option(function)
        return function

    return apply


config_option = click.option(
    "--config",
    "config_file",
    type=click.Path(path_type=Path),
    help="TOML file whose keys override those of configs/default.toml.",
)
detect_options = _stack(
    click.argument("dumps", nargs=-1, required=True),
    click.option("--lang", required=True, help="Language of the wiki, such as en or fr."),
    click.option(
        "-o",
        "--out",
        type=click.Path(path_type=Path, file_okay=False),
        help="Folder of the result.  [default: corpora/<lang>]",
    ),
    click.option("--tagset", default="npov", show_default=True, help="Which tags to look for."),
    click.option(
        "--family",
        "families",
        multiple=True,
        help="Only tags of this family of the set; may be given again.  [default: all]",
    ),
    click.option(
        "--pairing",
        multiple=True,
        type=click.Choice(["removal-edit", "addition-edit", "tagged-span"]),
        help="Which two revisions to compare: around the removal of a tag (the 2019 paper), around "
        "its addition, or the first tagged and the first untagged after it (Wiki-Reliability); "
        "may be given again.  [default: removal-edit]",
    ),
    click.option(
        "--namespace",
        "namespaces",
        multiple=True,
        type=int,
        help="Number of a namespace to read; may be given again.  [default: 0, the articles]",
    ),
    click.option(
        "--per",
        type=click.Choice(["tag", "any"]),
        default="tag",
        show_default=True,
        help="A transition when any one tag goes, or only when the last does (the 2019 paper).",
    ),
    click.option(
        "--reader",
        type=click.Choice(["fast", "mwxml"]),
        default="fast",
        show_default=True,
        help="How dumps are read; the result is the same, mwxml is the slow reference.",
    ),
    click.option("--limit", type=click.IntRange(1), help="Read only so many pages of each part."),
    click.option(
        "--with-editors", is_flag=True, help="Keep user names and IP addresses (personal data)."
    ),
)
diff_options = click.option(
    "--scope",
    type=click.Choice(["page", "tagged"]),
    default="page",
    show_default=True,
    help="Removed sentences of the whole page, or of the part that the tag is about.",
)
filter_options = click.option(
    "--reverts",
    type=click.Choice(["drop", "keep"]),
    default="drop",
    show_default=True,
    help="What to do with removals that were themselves undone.",
)
build_options = _stack(
    click.option(
        "--split",
        type=click.Choice(["page", "sentence"]),
        default="page",
        show_default=True,
        help="All sentences of a page in one split, or sentence by sentence (the 2019 paper).",
    ),
    click.option("--seed", type=int, default=0, show_default=True, help="Of all random choices."),
)
# By the name of a stage, the options of the command that goes on with it.
STAGE_OPTIONS = {"diff": [diff_options], "filter": [filter_options], "build": [build_options]}
folder_argument = click.argument(
    "folder", type=click.Path(path_type=Path, exists=True, file_okay=False)
)
workers_option = click.option(
    "--workers",
    type=click.IntRange(1),
    default=lambda: os.cpu_count() or 1,
    show_default="all cores",
    help="How many processes to use.",
)
run_options = _stack(
    workers_option,
    click.option(
        "--engine",
        type=click.Choice(engines.NAMES),
        default=engines.LOCAL,
        show_default=True,
        help="Where to work: processes of this machine, or a cluster (see docs/cluster.md).",
    ),
    click.option("--scheduler", help="Address of a Dask scheduler.  [default: start one here]"),
    click.option(
        "--shard",
        metavar="I/N",
        help="Do only every N-th part, from the I-th; the same command without it does the rest.",
    ),
    click.option("--restart", is_flag=True, help="Throw away what is there and begin anew."),
    click.option("-q", "--quiet", is_flag=True, help="No progress bar and no tables."),
)
