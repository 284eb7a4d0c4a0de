"""Checks the values of pages and revisions: what MediaWiki writes, and what a table can hold."""

from __future__ import annotations

import re
from datetime import datetime

# MediaWiki numbers pages and revisions in 64 bits, and namespaces in 32.
_MOST_ID, _MOST_NAMESPACE = (1 << 63) - 1, (1 << 31) - 1
# Years before 1000 are written in fewer digits by some systems; no wiki is that old.
_TIME = re.compile(r"[1-9][0-9]{3}-[0-9]{2}-[0-9]{2}T(?:[01][0-9]|2[0-3]):[0-9]{2}:[0-9]{2}Z")
_LONGEST_SHOWN = 40


def id_of(given: str | None) -> int:
    """Return the id of a page or of a revision.

    Raises:
        ValueError: it is missing, no number, or too large.
    """
    return _number("id", given, 0, _MOST_ID)


def parent_of(given: int | None) -> int | None:
    """Return the id of a parent revision; None if it is missing, or no number of a revision."""
    return given if given is not None and 0 <= given <= _MOST_ID else None


def namespace_of(given: str | None) -> int:
    """Return the number of a namespace.

    Raises:
        ValueError: as `id_of`.
    """
    return _number("ns", given, -_MOST_NAMESPACE, _MOST_NAMESPACE)


def time_of(given: str | None) -> datetime:
    """Return a timestamp, in UTC.

    Raises:
        ValueError: it is missing or impossible, or has another form.
    """
    found = _given("timestamp", given).strip()
    try:
        if _TIME.fullmatch(found):
            return datetime.fromisoformat(found)
    except ValueError:
        pass
    raise ValueError(f"its <timestamp> {_shown(found)} is not possible")


def _number(name: str, given: str | None, least: int, most: int) -> int:
    found = _given(name, given)
    try:
        number = int(found)
    except ValueError:
        number = most + 1
    if not least <= number <= most:
        raise ValueError(f"its <{name}> {_shown(found)} is not possible")
    return number


def _given(name: str, given: str | None) -> str:
    if not given:
        raise ValueError(f"its <{name}> is missing")
    return given


def _shown(value: str) -> str:
    return repr(value if len(value) <= _LONGEST_SHOWN else f"{value[:_LONGEST_SHOWN]}...")
