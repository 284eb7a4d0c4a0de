"""Which task an answer belongs to: by its item, with the text to check, or by the text alone.

Spreadsheets put other quotation marks, dashes and dots in the place of those that stood there, and
people sort one column without the others. The first is no harm, the second is.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from wikibias.config.guidelines import Guidelines
from wikibias.research.annotation.answers import cell_label
from wikibias.research.annotation.exchange.doubts import Doubts
from wikibias.research.annotation.exchange.shown import JUDGED, shown
from wikibias.research.annotation.tasks import Task
from wikibias.text.similarity import ratio

_LEAST_ALIKE = 80.0  # of 100; a sentence that was corrected is above it, another one far below
_MARKS = str.maketrans(
    dict.fromkeys("“”„‟«»″❝❞", '"') | dict.fromkeys("‘’‚‛‹›′`´", "'") | dict.fromkeys("–—―−‐‑", "-")
)
_KEEP = "keep the column item to be certain"
_DASHES = re.compile("-{2,}")


class Tasks:
    """The tasks of a file, to be found by item or text.

    Args:
        tasks: all of them.
        guidelines: what was asked of them.
        doubts: where what does not fit is noted.
    """

    def __init__(self, tasks: Sequence[Task], guidelines: Guidelines, doubts: Doubts) -> None:
        self._by_item = {task.item: task for task in tasks}
        self._items = {_item(task.item): task for task in tasks}
        self._doubts = doubts
        self._texts = {task.item: _judged(shown(task, guidelines)) for task in tasks}
        self._found: Counter[tuple[str, str]] = Counter()
        self._by_text: dict[str, list[Task]] = {}
        for task in tasks:
            self._by_text.setdefault(_joined(self._texts[task.item]), []).append(task)

    def find(
        self, item: Any, texts: Mapping[str, Any], place: str, annotator: str = ""
    ) -> Task | None:
        """Return the task that an answer belongs to; None, and noted, where that is not certain.

        Args:
            item: what the answer says of its item; None where it says nothing.
            texts: the texts beside the answer, by field.
            place: where it stands.
            annotator: whose it is.
        """
        given = _judged(texts)
        of_text = self._by_text.get(_joined(given), []) if given else []
        said = cell_label(item)
        if said is None:
            return self._only(of_text, place, annotator)
        found = self._by_item.get(str(item).strip()) or self._items.get(_item(said))
        if found is None:
            self._doubts.add("row", "of an item that no task has; left out", place, said)
            return None
        expected = self._texts[found.item]
        differing = [name for name in given if given[name] != expected.get(name, given[name])]
        if not differing:
            return found
        if of_text:
            what = "with the item of one task and the text of another; left out"
            self._doubts.add("row", what, place, said)
            return None
        if min(ratio(given[name], expected[name]) for name in differing) < _LEAST_ALIKE:
            self._doubts.add("row", "with another text than its task; left out", place, said)
            return None
        self._doubts.add("text", "changed since; the answer is taken", place, said)
        return found

    def _only(self, of_text: Sequence[Task], place: str, annotator: str) -> Task | None:
        if len(of_text) == 1:
            self._doubts.add("row", "without an item; found by the text", place)
            return of_text[0]
        if _is_one_sentence(of_text):
            # Shown again: the rows of an annotator are taken for the tasks in their order.
            number = self._found[annotator, of_text[0].item]
            self._found[annotator, of_text[0].item] += 1
            if number < len(of_text):
                self._doubts.add(
                    "row",
                    "without an item, of a sentence that is asked again; taken in the order of "
                    f"the rows ({_KEEP})",
                    place,
                )
                return of_text[number]
        why = "and the text of several tasks" if of_text else "and of no task's text"
        self._doubts.add("row", f"without an item {why}; left out ({_KEEP})", place)
        return None


def alike(text: str) -> str:
    """Return a text without what spreadsheets change in it: marks, dashes, dots, spaces."""
    plain = unicodedata.normalize("NFKC", text.translate(_MARKS)).translate(_MARKS)
    return " ".join(_DASHES.sub("-", plain).split())


def _is_one_sentence(tasks: Sequence[Task]) -> bool:
    """Return whether tasks are one and its repeats."""
    return len({task.repeat_of or task.item for task in tasks}) == 1


def _judged(texts: Mapping[Any, Any]) -> dict[str, str]:
    return {name: alike(str(texts[name])) for name in JUDGED if texts.get(name)}


def _joined(texts: Mapping[str, str]) -> str:
    return "\n".join(texts.values())


def _item(item: str) -> str:
    """Return an item as it is compared where it is not found as it stands."""
    return alike(cell_label(item) or "").casefold()
