"""Warnings on the terminal."""

from __future__ import annotations

import click


def warn(line: str) -> None:
    """Show a warning on standard error."""
    click.echo(f"Warning: {line}", err=True)
