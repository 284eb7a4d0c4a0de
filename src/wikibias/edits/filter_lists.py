"""Which filters an edit is asked: those of tags, of intents, or of featured articles."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import get_args

from wikibias.config.choices import Positive, RevertPolicy
from wikibias.edits.filters import EditFilter, filter_named, filter_names
from wikibias.errors import UsageError
from wikibias.records import FEATURED_SIGNAL, BiasSignal, Provenance

# In order. What the history of the page tells comes first, and needs no sentences.
_INTENT = ("not_parent", "restores_earlier", "reverted", "summary_reverts", "unreadable")
INTENT_FILTERS: Mapping[Positive, Sequence[str]] = {
    "changed": (*_INTENT, "markup_only", "new_sentences", "no_positive", "slip", "outlier"),
    "referenced": (*_INTENT, "new_sentences", "no_positive", "outlier"),
}
"""Those of an edit with an intent, by what it takes for a positive sentence."""
FEATURED_FILTERS: Sequence[str] = ("unreadable", "no_sentence")
"""Those of the state of a featured article."""


class FilterLists:
    """The filters of a run, by what an edit was found by.

    Those of tags and summaries are what the user lists. Of the others a name after a minus is left
    out. `positives` says what an intent takes for a positive sentence, if not changed words.

    Raises:
        UsageError: the list names an unknown filter.
    """

    def __init__(
        self, listed: str, reverts: RevertPolicy, positives: Mapping[str, Positive]
    ) -> None:
        self._listed = filter_names(listed)
        words = (word.strip() for word in listed.split(","))
        self._left_out = frozenset(word[1:] for word in words if word.startswith("-"))
        self._off = frozenset({"reverted"}) if reverts == "keep" else frozenset[str]()
        self._positives = positives
        self._known: dict[str, list[EditFilter]] = {}

    @property
    def off(self) -> Collection[str]:
        """Filters that are counted but drop nothing."""
        return self._off

    def announced(self, signals: Sequence[str]) -> list[str]:
        """Return the names of all filters that edits found by these signals are asked, in order."""
        return list(dict.fromkeys(name for signal in signals for name in self.of_signal(signal)))

    def names(self, made: Provenance) -> Sequence[str]:
        """Return the names of the filters that an edit is asked, in order, with those off."""
        return self.of_signal(made.signal)

    def of_signal(self, signal: str) -> Sequence[str]:
        """Return the names of the filters of edits that were found by a signal."""
        if signal in get_args(BiasSignal):
            return self._listed
        names = FEATURED_FILTERS
        if signal != FEATURED_SIGNAL:
            names = INTENT_FILTERS[self._positives.get(signal, "changed")]
        return [name for name in names if name not in self._left_out]

    def of(self, made: Provenance) -> Sequence[EditFilter]:
        """Return the filters that may drop an edit, in order.

        Raises:
            UsageError: one of them is not installed here.
        """
        if made.signal not in self._known:
            names = [name for name in self.names(made) if name not in self._off]
            self._known[made.signal] = [_installed(name) for name in names]
        return self._known[made.signal]


def _installed(name: str) -> EditFilter:
    found = filter_named(name)
    if found is None:
        raise UsageError(f"the filter {name!r} is not installed")
    return found
