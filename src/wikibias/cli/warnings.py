"""Warnings on the terminal."""

from __future__ import annotations

from wikibias.cli.terminal import echo


def warn(line: str) -> None:
    """Show a warning on standard error."""
    echo(f"Warning: {line}", err=True)
