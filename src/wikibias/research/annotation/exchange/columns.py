"""Which column of a table is which, though people rename them and put them in another order."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from wikibias.config.guidelines import Guidelines
from wikibias.config.yes_no import folded
from wikibias.errors import UsageError, WikibiasError
from wikibias.messages import nearest
from wikibias.research.annotation.answers import ANNOTATOR_NAMES
from wikibias.research.annotation.exchange.doubts import brief
from wikibias.research.annotation.exchange.shown import HEADINGS, JUDGED

_LEAST_ALIKE = 0.75
_LETTERS = re.compile(r"[^\w]+|_+")
_ITEMS = ("item", "item_id", "sentence_id", "task_id", "unit", "id", "number", "nr")
_COMMENTS = ("comment", "comments", "note", "notes", "remark", "remarks")


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of a table by what they hold, and in `notes` those found by a likely name."""

    of: Mapping[str, str]
    notes: Sequence[str]


def find_columns(
    names: Sequence[str], guidelines: Guidelines, renames: Mapping[str, str], place: str
) -> Columns:
    """Return which column holds the item, the texts, the annotator, and the answers.

    A column is known by its name, however written; else by what the question asks; else it is the
    only one with nearly the name.

    Args:
        names: of the columns.
        guidelines: what was asked.
        renames: what a column, by its name, is to be taken for; not every table has all of them.
        place: names the table in messages.

    Raises:
        UsageError: a column is to be renamed to what is unknown, or two are to become one.
        WikibiasError: no question has a column.
    """
    known = _known(guidelines)
    found = _renamed(names, renames, known, place)
    free = {_plain(name): name for name in reversed(names) if name not in found.values()}
    for target, others in known.items():
        column = next((free[name] for name in others if name in free), None)
        if target not in found and column is not None:
            found[target] = column
            free = {plain: name for plain, name in free.items() if name != column}
    # Not the text: `next` is nearly its name.
    free = {plain: name for plain, name in free.items() if plain not in HEADINGS}
    notes = []
    for target, others in known.items():
        near = get_close_matches(others[0], free, n=2, cutoff=_LEAST_ALIKE)
        if target not in found and len(near) == 1:
            found[target] = free.pop(near[0])
            notes.append(
                f"column {brief(found[target])} is taken for {target}; --rename says otherwise"
            )
    missing = [question.name for question in guidelines.questions if question.name not in found]
    if len(missing) == len(guidelines.questions):
        raise WikibiasError(
            f"{place}: no column for {' or '.join(missing)}{_gone(names, renames)}; it has "
            f"{_shown(names)}: say with --rename OLD={missing[0]} which it is"
        )
    notes += [f"no column for the question {name}" for name in missing]
    return Columns(found, notes)


def _known(guidelines: Guidelines) -> dict[str, list[str]]:
    """Return the names that each column goes by, as `_plain` gives them, the likeliest first."""
    fields = ("text",) if guidelines.view == "sentence" else JUDGED[1:]
    names: dict[str, Sequence[str]] = {
        "item": _ITEMS,
        **{name: (name, HEADINGS[name]) for name in fields},
        "annotator": ANNOTATOR_NAMES,
        **{question.name: (question.name, question.text) for question in guidelines.questions},
        "spans": ("spans",),
        "comment": _COMMENTS,
    }
    if "text" in names:
        names["text"] = (*names["text"], "sentence")
    return {target: [_plain(name) for name in others] for target, others in names.items()}


def check_renames(renames: Mapping[str, str], names: Collection[str]) -> None:
    """Check that each column to rename is in one of the tables that were read, if any were.

    Raises:
        UsageError: one is in none of them; the message names the nearest.
    """
    for old, new in renames.items():
        if names and old not in names:
            raise UsageError(
                f"--rename {old}={new}: no sheet has a column {old!r}{nearest(old, names)}"
            )


def _renamed(
    names: Sequence[str], renames: Mapping[str, str], known: Mapping[str, object], place: str
) -> dict[str, str]:
    found: dict[str, str] = {}
    for old, new in renames.items():
        if new not in known:
            raise UsageError(f"--rename {old}={new}: {new!r} is no column{nearest(new, known)}")
        if old in names and new in found:
            raise UsageError(
                f"{place}: --rename makes {brief(found[new])} and {brief(old)} both {new}; it has "
                "both, so give one"
            )
        if old in names:
            found[new] = old
    return found


def _gone(names: Sequence[str], renames: Mapping[str, str]) -> str:
    gone = [brief(old) for old in renames if old not in names]
    return f", and none called {' or '.join(gone)}" if gone else ""


def _plain(name: str) -> str:
    return folded(_LETTERS.sub(" ", name))


def _shown(names: Sequence[str]) -> str:
    return ", ".join(map(brief, names[:20]))
