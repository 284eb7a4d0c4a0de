"""Which column of a table is which, though people rename them and put them in another order."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from wikibias.annotation.answers import ANNOTATOR_NAMES
from wikibias.annotation.exchange.doubts import brief
from wikibias.annotation.exchange.shown import HEADINGS, JUDGED
from wikibias.config.guidelines import Guidelines
from wikibias.config.yes_no import folded
from wikibias.errors import UsageError, WikibiasError
from wikibias.messages import nearest

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
        renames: what a column, by its name, is to be taken for.
        place: names the table in messages.

    Raises:
        UsageError: a column that is to be renamed is not there, or to what is unknown.
        WikibiasError: no question has a column.
    """
    known = _known(guidelines)
    found = _renamed(names, renames, known)
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
            f"{place}: no column for {' or '.join(missing)}; it has {_shown(names)}: say with "
            f"--rename OLD={missing[0]} which it is"
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


def _renamed(
    names: Sequence[str], renames: Mapping[str, str], known: Mapping[str, object]
) -> dict[str, str]:
    found = {}
    for old, new in renames.items():
        if old not in names:
            raise UsageError(f"--rename {old}={new}: no column {old!r}{nearest(old, names)}")
        if new not in known:
            raise UsageError(f"--rename {old}={new}: {new!r} is no column{nearest(new, known)}")
        found[new] = old
    return found


def _plain(name: str) -> str:
    return folded(_LETTERS.sub(" ", name))


def _shown(names: Sequence[str]) -> str:
    return ", ".join(map(brief, names[:20]))
