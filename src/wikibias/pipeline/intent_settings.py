"""What the settings of a run say of its intents: their positive sentences, and their filters."""

from __future__ import annotations

from collections.abc import Mapping

from wikibias.config.choices import Positive, RevertPolicy
from wikibias.edits.filters import FilterLists
from wikibias.pipeline.settings import Settings


def positives_of(settings: Settings) -> Mapping[str, Positive]:
    """Return what intents take for a positive sentence, where that is not the usual one."""
    return dict.fromkeys(settings.detect.referenced, "referenced")


def filter_lists(settings: Settings, reverts: RevertPolicy | None = None) -> FilterLists:
    """Return the filters of a run.

    Args:
        settings: of the run.
        reverts: what to do with edits that were undone, instead of what the settings say.

    Raises:
        UsageError: a filter is not known here.
    """
    chosen = settings.filter
    return FilterLists(chosen.filters, reverts or chosen.reverts, positives_of(settings))
