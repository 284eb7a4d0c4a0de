"""Options that say which columns of a file hold sentence pairs."""

from __future__ import annotations

import click

from wikibias.kits.command import stack

sides_options = stack(
    click.option(
        "--source",
        metavar="COLUMN",
        help="Column of the biased sentences, by name or number.  [default: by known names]",
    ),
    click.option("--target", metavar="COLUMN", help="Column of the neutral ones, likewise."),
)
"""--source and --target."""
pair_columns_options = stack(
    sides_options,
    click.option(
        "--group",
        metavar="COLUMN",
        help="Column of the pages or revisions, which keeps pairs together.",
    ),
)
"""--source, --target and --group."""
