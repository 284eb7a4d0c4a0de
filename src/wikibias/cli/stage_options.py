"""The options that the settings of the stages declare."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import click

from wikibias.config.choices import LabelsBy
from wikibias.kits.checked import declared
from wikibias.kits.command import FILE, options_of, stack
from wikibias.messages import nearest
from wikibias.pipeline import settings


class LabelsOrFile(click.ParamType[Any]):
    """What the labels of a corpus are by name, or a file of answers."""

    name = "labels"

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        """Return what --help says."""
        return f"[{'|'.join(get_args(LabelsBy))}|FILE]"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return a name, or the path of a file that is there."""
        known = get_args(LabelsBy)
        if isinstance(value, Path) or value in known:
            return value
        if not Path(value).is_file():
            self.fail(f"there is no file {value!r}, nor labels of that name{nearest(value, known)}")
        return Path(value)


def _labels_option() -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return the option --labels, which takes a file, too, with those that go with a file."""
    (setting,) = (each for each in declared(settings.Build) if each.name == "labels")
    about = setting.setting
    text = f"{about.doc} Or a file of answers: then judged/ has the sentences that it judges, "
    return stack(
        click.option(
            about.option,
            type=LabelsOrFile(),
            help=f"{text}with the label that most annotators gave.  [default: {about.unset}]",
        ),
        click.option(
            "--tasks",
            type=FILE,
            help="With --labels FILE: the task file whose items its answers name.  [default: they "
            "name sentences, in a column sentence_id]",
        ),
        click.option(
            "--columns",
            metavar="A,B,C",
            help="With --labels FILE: the columns of a wide table that are annotators; names, or "
            "patterns such as '*@2-shot'.",
        ),
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
_build_or_judged_options = stack(options_of(settings.Build, "labels"), _labels_option())
# By the name of a stage, the options of the command that goes on with it.
STAGE_OPTIONS: dict[str, list[Callable[[Any], Any]]] = {
    "diff": [diff_options],
    "filter": [filter_options],
    "build": [_build_or_judged_options],
}
