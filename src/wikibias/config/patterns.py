"""Patterns of words, and patterns of strangers whose time is bounded."""

import re
from functools import cache
from importlib import import_module
from typing import Any

LONGEST_SEARCHED = 1_000
"""Characters of a text that are searched at most; a summary has 500."""
_LONGEST_PATTERN = 1_000  # characters
# Steps from one place of a text; from each of the places they take about 0.1 s together.
_MOST_STEPS = 18_000
_TOO_MANY = _MOST_STEPS + 1
# Two to the power of it is too many.
_MOST_POWER = 20
# What a pattern is made of, as the library itself reads it; it has no public name.
_parser: Any = import_module("re._parser")
_NEVER_GONE_BACK_INTO = frozenset({"ATOMIC_GROUP", "ASSERT", "ASSERT_NOT"})


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
        _, steps = _cost(_parser.parse(pattern, re.IGNORECASE))
    except (re.error, RecursionError, OverflowError) as error:
        raise ValueError(f"is no regular expression ({error})") from error
    if steps > _MOST_STEPS:
        raise ValueError(
            "may take too long; repeat at most {0,40} times, or possessively, as *+, and nothing "
            "within a repeat"
        )
    return found


def searched(pattern: re.Pattern[str], text: str) -> bool:
    """Return whether a pattern matches somewhere in the beginning of a text."""
    return pattern.search(text, 0, LONGEST_SEARCHED) is not None


def _cost(parts: Any) -> tuple[int, int]:
    """Return in how many ways a sequence may match at one place, and in how many steps, at most."""
    ways, steps = 1, 0
    for kind, argument in parts:
        of_part, taken = _cost_of(str(kind), argument)
        steps = min(steps + ways * taken, _TOO_MANY)
        ways = min(ways * of_part, _TOO_MANY)
    return ways, steps


def _cost_of(kind: str, argument: Any) -> tuple[int, int]:
    if kind == "POSSESSIVE_REPEAT":
        return 1, _times(*argument) * _cost(argument[-1])[1]
    if kind in ("MAX_REPEAT", "MIN_REPEAT"):
        return _cost_of_repeat(*argument)
    if kind == "GROUPREF":  # which compares as much as the group took
        return 1, LONGEST_SEARCHED
    if kind in _NEVER_GONE_BACK_INTO:
        return 1, _cost(argument if kind == "ATOMIC_GROUP" else argument[-1])[1]
    branches: Any = ()
    if kind == "BRANCH":
        branches = argument[1]
    elif kind == "SUBPATTERN":
        branches = argument[-1:]
    elif kind == "GROUPREF_EXISTS":
        branches = [branch for branch in argument[1:] if branch is not None]
    costs = [_cost(branch) for branch in branches] or [(1, 1)]
    return sum(ways for ways, _ in costs), sum(steps for _, steps in costs)


def _cost_of_repeat(least: int, most: int, inner: Any) -> tuple[int, int]:
    """Return what it costs to repeat something: how often, and each time in its ways."""
    of_inner, taken = _cost(inner)
    narrowest, widest = inner.getwidth()
    most = _times(least, most, inner)
    if of_inner == 1 and narrowest == widest:
        return most - min(int(least), most) + 1, most * taken
    ways = min((of_inner + 1) ** min(most, _MOST_POWER), _TOO_MANY)
    return ways, max(most, 1 if of_inner == 1 else ways) * taken


def _times(_: int, most: int, inner: Any) -> int:
    return min(int(most), LONGEST_SEARCHED // max(1, int(inner.getwidth()[0])))


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
