"""The options that the settings of the stages declare."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from wikibias.cli.judged_build import LabelsOrFile, judged_options
from wikibias.kits.checked import declared
from wikibias.kits.command import options_of, stack
from wikibias.pipeline import settings


def _labels_option() -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    (setting,) = (each for each in declared(settings.Build) if each.name == "labels")
    about = setting.setting
    text = f"{about.doc} Or a file of answers: then judged/ has the sentences that it judges, "
    return click.option(
        about.option,
        type=LabelsOrFile(),
        help=f"{text}with the label that most annotators gave.  [default: {about.unset}]",
    )


detect_options = stack(
    click.argument("dumps", nargs=-1, required=True),
    options_of(settings.Detect),
    options_of(settings.Settings),
    click.option(
        "-o",
        "--out",
        type=click.Path(path_type=Path, file_okay=False),
        help="Folder of the result.  [default: corpora/<lang>]",
    ),
)
diff_options = options_of(settings.Diff)
filter_options = options_of(settings.Filter)
build_options = options_of(settings.Build)
_build_or_judged_options = stack(
    options_of(settings.Build, "labels"), judged_options(_labels_option())
)
# By the name of a stage, the options of the command that goes on with it.
STAGE_OPTIONS: dict[str, list[Callable[[Any], Any]]] = {
    "diff": [diff_options],
    "filter": [filter_options],
    "build": [_build_or_judged_options],
}
