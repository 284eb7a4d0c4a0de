"""What a shell completes behind an option: languages, tag sets, models and other names.

Chosen by the name of the parameter, so that every command that has one completes it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

import click
from click.shell_completion import CompletionItem

from wikibias.errors import WikibiasError

Names = Callable[[click.Context], Iterable[str]]


def add_completions(command: click.Command) -> click.Command:
    """Let the parameters of a command, and of those below it, complete what is known of them."""
    if isinstance(command, click.Group):
        for inner in command.commands.values():
            add_completions(inner)
    for parameter in command.params:
        name = str(parameter.name)
        found = _NAMES.get(parameter.opts[-1]) or _NAMES.get(name)
        if found is not None:
            listed = name in _LISTS
            parameter.shell_complete = partial(_items, found, listed)  # type: ignore[method-assign]
        elif isinstance(parameter, click.Argument) and parameter.type is click.STRING:
            parameter.shell_complete = _file  # type: ignore[method-assign]
    return command


def _items(names: Names, listed: bool, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
    """Return the names that go on as typed; in a list behind the last comma."""
    before, comma, last = incomplete.rpartition(",") if listed else ("", "", incomplete)
    try:
        return [
            CompletionItem(f"{before}{comma}{name}")
            for name in names(ctx)
            if name.startswith(last) and name not in before.split(",")
        ]
    except WikibiasError:  # a broken file: the command says it
        return []


def _file(ctx: click.Context, incomplete: str) -> list[CompletionItem]:
    return [CompletionItem(incomplete, type="file")]


# Each imports what it needs, and nothing that takes long.


def _languages(ctx: click.Context) -> Iterable[str]:
    from wikibias.config.languages import languages

    return languages()


def _stress_languages(ctx: click.Context) -> Iterable[str]:
    from wikibias.config.stress_tests import stress_languages

    return stress_languages()


def _tagsets(ctx: click.Context) -> Iterable[str]:
    from wikibias.tags.tagset import tagset_names

    return tagset_names()


def _families(ctx: click.Context) -> Iterable[str]:
    """Return the families of the tag set and language that stand in the line already."""
    from wikibias.tags.tagset import load_tagset

    lang = ctx.params.get("lang")
    if not lang:
        return []
    tags = load_tagset(ctx.params.get("tagset") or "npov", lang).tags
    return dict.fromkeys(tag.family for tag in tags)


def _signals(ctx: click.Context) -> Iterable[str]:
    from wikibias.config.intents import signals

    return signals()


def _engines(ctx: click.Context) -> Iterable[str]:
    from wikibias.execution import engines

    return engines.names()


def _segmenters(ctx: click.Context) -> Iterable[str]:
    from wikibias.text.segmentation import SEGMENTERS

    return SEGMENTERS.names()


def _filters(ctx: click.Context) -> Iterable[str]:
    from wikibias.config.choices import DEFAULT, PAPER
    from wikibias.edits.filters import FILTERS, OTHER_FILTERS

    names = FILTERS.names()
    return [DEFAULT, PAPER, *names, *(f"-{name}" for name in (*names, *OTHER_FILTERS))]


def _models(ctx: click.Context) -> Iterable[str]:
    from wikibias.models.estimators.registry import ESTIMATORS

    return ESTIMATORS.names()


_NAMES: dict[str, Names] = {
    "lang": _languages,
    "language": _stress_languages,
    "tagset": _tagsets,
    "families": _families,
    "signal": _signals,
    "engine": _engines,
    "segmenter": _segmenters,
    "filters": _filters,
    "--model": _models,
    "models": _models,
}
# Several names, separated by commas, are one value.
_LISTS = {"filters", "models"}
