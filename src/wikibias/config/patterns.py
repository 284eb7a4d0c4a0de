"""Patterns of words, and patterns of strangers whose time is bounded."""

import re
from functools import cache
from importlib import import_module
from typing import Any

LONGEST_SEARCHED = 5_000
"""Characters of a text that are searched at most; a summary has 500."""
_LONGEST_PATTERN = 1_000  # characters
_MOST_WAYS = LONGEST_SEARCHED + 1_000
# Two to the power of it is more than the most ways.
_MOST_POWER = 20
# What a pattern is made of, as the library itself reads it; it has no public name.
_parser: Any = import_module("re._parser")
_NEVER_GONE_BACK_INTO = frozenset({"POSSESSIVE_REPEAT", "ATOMIC_GROUP", "ASSERT", "ASSERT_NOT"})


@cache
def bounded_pattern(pattern: str) -> re.Pattern[str]:
    """Return a pattern in which letter case does not count.

    Raises:
        ValueError: it is none, or may take too long; the message says so in a few words.
    """
    if len(pattern) > _LONGEST_PATTERN:
        raise ValueError(f"is longer than {_LONGEST_PATTERN:,} characters")
    try:
        found = re.compile(pattern, re.IGNORECASE)
        ways = _ways(_parser.parse(pattern, re.IGNORECASE))
    except (re.error, RecursionError, OverflowError) as error:
        raise ValueError(f"is no regular expression ({error})") from error
    if ways > _MOST_WAYS:
        raise ValueError("may take too long; repeat at most {0,40} times, or possessively, as *+")
    return found


def searched(pattern: re.Pattern[str], text: str) -> bool:
    """Return whether a pattern matches somewhere in the beginning of a text."""
    return pattern.search(text, 0, LONGEST_SEARCHED) is not None


def _ways(parts: Any) -> int:
    """Return in how many ways a sequence may match at one place, at most."""
    ways = 1
    for kind, argument in parts:
        ways = min(ways * _ways_of(str(kind), argument), _MOST_WAYS + 1)
    return ways


def _ways_of(kind: str, argument: Any) -> int:
    if kind in ("MAX_REPEAT", "MIN_REPEAT"):
        return _ways_of_repeat(*argument)
    if kind in _NEVER_GONE_BACK_INTO:
        inner = argument if kind == "ATOMIC_GROUP" else argument[-1]
        # But what is inside must not take long by itself.
        return 1 if _ways(inner) <= _MOST_WAYS else _MOST_WAYS + 1
    branches: Any = ()
    if kind == "BRANCH":
        branches = argument[1]
    elif kind == "SUBPATTERN":
        branches = argument[-1:]
    elif kind == "GROUPREF_EXISTS":
        branches = [branch for branch in argument[1:] if branch is not None]
    return sum(map(_ways, branches)) or 1


def _ways_of_repeat(least: int, most: int, inner: Any) -> int:
    """Return in how many ways something may be repeated: how often, and each time in its ways."""
    most = min(int(most), LONGEST_SEARCHED)
    of_inner = _ways(inner)
    narrowest, widest = inner.getwidth()
    if of_inner == 1 and narrowest == widest:
        return most - min(int(least), most) + 1
    return int(min((of_inner + 1) ** min(most, _MOST_POWER), _MOST_WAYS + 1))


# Letters that a "*" stands for; a text without spaces is no word.
_MORE = r"\w{0,40}+"


@cache
def word_pattern(entries: tuple[str, ...]) -> re.Pattern[str]:
    """Return a pattern of all entries, longest first; if there are none, it matches nothing."""
    parts = map(_part, sorted(map(str.casefold, entries), key=len, reverse=True))
    return re.compile("|".join(parts) or r"(?!)")


def _part(entry: str) -> str:
    words = re.escape(entry.strip("*"))
    if entry.startswith("*"):
        return words
    return rf"(?<!\w){words}" + (_MORE if entry.endswith("*") else r"(?!\w)")
