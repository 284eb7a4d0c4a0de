"""Warnings on the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from wikibias.kits.terminal import echo
from wikibias.messages import counted


def warn(line: str) -> None:
    """Show a warning on standard error."""
    echo(f"Warning: {line}", err=True)


def warn_of_odd_names(dumps: Sequence[str]) -> None:
    """Say which files of the folders given are not taken for dumps, though they may be."""
    from wikibias.dumps.parts import passed_over  # a command without dumps does without it

    odd = passed_over(dumps)
    if odd:
        warn(
            f"passed over {counted(len(odd), 'file')} not named as dumps are (*.xml, *.xml.bz2, "
            f"*.xml.7z, ...), the first {odd[0]}; what is a dump all the same, give by its name"
        )
