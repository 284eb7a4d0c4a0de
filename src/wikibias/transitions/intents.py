"""What tells the intents of an edit, as the detection of transitions asks it.

Which rules an intent has, and what is computed of an edit for them, `edits.intents` knows.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from wikibias.records import ChangedLine, EditFact, Revision


class IntentsFound(Protocol):
    """The intents of one edit, at least one, and its facts."""

    @property
    def intents(self) -> Mapping[str, tuple[ChangedLine, ...]]:
        """By their names, in order, the changed lines that tell each."""

    @property
    def facts(self) -> tuple[EditFact, ...]:
        """What was done to which elements."""


class IntentSource(Protocol):
    """Finds the intents of the edits of a wiki."""

    def judge(self, before: Revision, after: Revision) -> IntentsFound | None:
        """Return the intents of an edit; None without any, or where a text is not known.

        Args:
            before: the revision before it in the dump.
            after: the revision that it made.

        Raises:
            DumpError: a text is not well-formed.
        """
