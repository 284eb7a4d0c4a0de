"""The options that the settings of the stages declare."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args, get_origin

import click

from wikibias.cli.judged_build import LabelsOrFile, judged_options
from wikibias.cli.options import stack
from wikibias.kits.checked import Declared, bounds, declared, required, unannotated
from wikibias.pipeline import settings

F = TypeVar("F", bound=Callable[..., Any])


def _type_of(hint: Any) -> click.ParamType[Any]:
    """Return what the values of a declared type are typed as."""
    bare, _ = unannotated(hint)
    if get_origin(bare) is Literal:
        return click.Choice(get_args(bare))
    if bare in (int, float):
        low, high = bounds(hint)
        return click.IntRange(low, high) if bare is int else click.FloatRange(low, high)
    return click.STRING


def _option(setting: Declared) -> Callable[[F], F]:
    """Return the command-line option of a setting."""
    bare, _ = unannotated(setting.hint)
    about = setting.setting
    names, text = (about.option, setting.name), about.doc
    if about.unset:
        text += f"  [default: {about.unset}]"
    if get_origin(bare) is tuple:
        kind = _type_of(get_args(bare)[0])
        return click.option(*names, multiple=True, type=kind, help=text)
    if bare is bool:
        return click.option(*names, is_flag=True, help=text)
    if required(setting):
        return click.option(*names, required=True, help=text)
    kind = _type_of(setting.hint)
    return click.option(*names, type=kind, default=setting.default, show_default=True, help=text)


def _options_of(kind: type[Any], *without: str) -> Callable[[F], F]:
    found = (each for each in declared(kind) if each.setting.option and each.name not in without)
    return stack(*map(_option, found))


def _labels_option() -> Callable[[F], F]:
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
    _options_of(settings.Detect),
    _options_of(settings.Settings),
    click.option(
        "-o",
        "--out",
        type=click.Path(path_type=Path, file_okay=False),
        help="Folder of the result.  [default: corpora/<lang>]",
    ),
)
diff_options = _options_of(settings.Diff)
filter_options = _options_of(settings.Filter)
build_options = _options_of(settings.Build)
_build_or_judged_options = stack(
    _options_of(settings.Build, "labels"), judged_options(_labels_option())
)
# By the name of a stage, the options of the command that goes on with it.
STAGE_OPTIONS = {
    "diff": [diff_options],
    "filter": [filter_options],
    "build": [_build_or_judged_options],
}
