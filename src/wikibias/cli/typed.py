"""The command line as it was typed."""

from __future__ import annotations

from collections.abc import Collection

import click


def typed(*, values: Collection[str] = (), flags: Collection[str] = ()) -> list[str]:
    """Return the words of the command that runs.

    Args:
        values: options that are left out, with their values.
        flags: options that are left out.
    """
    words = iter(click.get_current_context().find_root().obj["arguments"])
    kept = ["wikibias"]
    for word in words:
        if word in values:
            next(words, None)
        elif word not in flags and word.partition("=")[0] not in values:
            kept.append(word)
    return kept
