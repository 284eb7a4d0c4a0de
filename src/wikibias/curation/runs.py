"""Counts the revisions that call each name, by year, where most call what the last one called."""

from __future__ import annotations

from collections.abc import Iterable


class Runs:
    """Takes the names that one revision of a page after another calls.

    A name is counted when a run of revisions that call it ends, which the end of a year does too.
    """

    def __init__(self) -> None:
        self._found: dict[tuple[str, int], int] = {}
        self._names: frozenset[str] = frozenset()
        self._year = 0
        self._revisions = 0
        # The number of the revision with which the run of a name began.
        self._begun: dict[str, int] = {}

    def add(self, names: frozenset[str], year: int) -> None:
        """Take the names and the year of the next revision."""
        if year != self._year:
            self._end(self._names)
            self._begin(names)
        elif names is not self._names:
            self._end(self._names - names)
            self._begin(names - self._names)
        self._names, self._year = names, year
        self._revisions += 1

    def end(self) -> dict[tuple[str, int], int]:
        """Return how many revisions called each name, by year: (name, year) -> revisions."""
        self._end(self._names)
        return self._found

    def _begin(self, names: Iterable[str]) -> None:
        self._begun.update(dict.fromkeys(names, self._revisions))

    def _end(self, names: Iterable[str]) -> None:
        for name in names:
            key = (name, self._year)
            self._found[key] = self._found.get(key, 0) + self._revisions - self._begun[name]
