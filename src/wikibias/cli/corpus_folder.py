"""The corpus that a command works on where none is given: the one under ./corpora, or the newest.

To use it, put `@corpus_argument()` before the command, which then gets `folder`, or with
`several=True` the tuple `folders`; or call `corpus_or_newest`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import wraps
from pathlib import Path
from typing import Any

import click

from wikibias.errors import UsageError
from wikibias.kits.terminal import echo

CORPORA = Path("corpora")
"""Where `wikibias extract` writes by default, in the folder where the command is typed."""
FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)
_MANIFEST = "manifest.json"
# There from the end of a build to the beginning of the next.
_BUILT = "corpus/train.parquet"


def corpus_argument(
    *, several: bool = False, built: bool = True
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return the argument [FOLDER], or [FOLDERS]..., whose default is `corpus_or_newest`.

    Args:
        several: any number of folders, as the tuple `folders`; else one, as `folder`.
        built: see `corpus_or_newest`.
    """
    name = "folders" if several else "folder"
    argument = click.argument(name, nargs=-1 if several else 1, required=False, type=FOLDER)

    def apply(command: Callable[..., Any]) -> Callable[..., Any]:
        # Not a callback of the argument: it would look before a mistake in the options is found.
        @wraps(command)
        def with_default(*arguments: Any, **options: Any) -> Any:
            if not options[name]:
                found = corpus_or_newest(None, built=built)
                options[name] = (found,) if several else found
            return command(*arguments, **options)

        return argument(with_default)

    return apply


def corpus_or_newest(given: Path | None, *, built: bool = True, instead: str = "") -> Path:
    """Return the folder given, else the newest result under ./corpora, and say which that is.

    The newest is the one whose manifest was written last; of several at once the last by name.

    Args:
        given: what was typed, or None.
        built: only results with a corpus; else also those of a run that has not come so far.
        instead: what else may be typed, as the end of the line when there is none.

    Raises:
        UsageError: there is none, or `corpora` cannot be read; the line says what to type.
    """
    if given is not None:
        return given
    try:
        found = sorted(_results(built), key=lambda folder: (_written(folder), folder.name))
    except OSError as error:
        raise UsageError(
            f"{error.filename} cannot be read ({error.strerror}); say which folder"
        ) from error
    one, several = ("corpus", "corpora") if built else ("result", "results")
    if not found:
        raise UsageError(_what_to_type(one, instead))
    which = f"the newest of {len(found):,} {several}" if found[1:] else f"the only {one} there"
    echo(f"Uses {found[-1]}, {which}.", err=True)
    return found[-1]


def _results(built: bool) -> Iterator[Path]:
    """Yield the results under ./corpora, or ./corpora itself where it is one."""
    if not CORPORA.is_dir():
        return
    wanted = (_MANIFEST, _BUILT) if built else (_MANIFEST,)
    for folder in (CORPORA, *CORPORA.iterdir()):
        if all((folder / name).is_file() for name in wanted):
            yield folder


def _written(folder: Path) -> int:
    return (folder / _MANIFEST).stat().st_mtime_ns


def _what_to_type(one: str, instead: str) -> str:
    context = click.get_current_context(silent=True)
    command = context.command_path.partition(" ")[2] if context else "..."
    return (
        f"no folder given, and no {one} in ./{CORPORA}; make one with `wikibias extract --lang "
        f"LANG DUMP`, or say where it is: `wikibias {command} FOLDER`{instead}"
    )
