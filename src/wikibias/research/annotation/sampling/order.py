"""In which order sentences are shown, what they are called, and who is shown which."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b

from wikibias.errors import UsageError
from wikibias.research.annotation.tasks import Task

# No digits, which spreadsheets take for numbers, and no vowels, which make words.
_LETTERS = "bcdfghjklmnpqrstvwxz"
_LENGTH = 10
_SHARE = re.compile(r"\s*(\d{1,9}(?:\.\d{1,9})?|\.\d{1,9})\s*(%?)\s*")


@dataclass(frozen=True, slots=True)
class Shared:
    """How many sentences all annotators are given: a share of what each has, or a number.

    The default is that of the 2019 paper, 72 of 296.
    """

    share: float = 0.24
    number: int | None = None


def read_shared(text: str) -> Shared:
    """Return what `24%`, `0.24` (of what each annotator has) or `72` (sentences) says.

    Raises:
        UsageError: it is none of these.
    """
    found = _SHARE.fullmatch(text)
    if found is None:
        raise UsageError(f"--shared: {text!r} is neither a share, such as 24%, nor a number")
    if not found[2] and "." not in found[1]:
        return Shared(number=int(found[1]))
    share = float(found[1]) / (100 if found[2] else 1)
    if share > 1:
        raise UsageError(f"--shared: {text} is more than all")
    return Shared(share=share)


def item_name(seed: int, *words: str) -> str:
    """Return what names an item: letters that tell nothing of it."""
    text = "\0".join(("item", str(seed), *words))
    number = int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest())
    letters = []
    for _ in range(_LENGTH):
        number, place = divmod(number, len(_LETTERS))
        letters.append(_LETTERS[place])
    return "".join(letters)


def shuffled(tasks: Sequence[Task], seed: str) -> list[Task]:
    """Return tasks in a random order in which each repeat is far from what it repeats.

    What is repeated stands in the first half, and its repeat half a round later; so about half of
    the tasks lie between them. A repeat whose original is not among the tasks stands anywhere.

    Args:
        tasks: any tasks; practice ones are not for this.
        seed: of the order.
    """
    rng = random.Random(seed)  # noqa: S311 (an order, no secret)
    items = {task.item for task in tasks}
    repeats = {
        task.repeat_of: task for task in tasks if task.kind == "repeat" and task.repeat_of in items
    }
    again = [task for task in tasks if task.item in repeats]
    later = {id(task) for task in repeats.values()}
    others = [task for task in tasks if id(task) not in later and task.item not in repeats]
    rng.shuffle(again)
    rng.shuffle(others)
    number = len(again) + len(others)
    half = (number + 1) // 2
    early = set(rng.sample(range(max(half, len(again))), len(again)))
    in_order = [(again if place in early else others).pop() for place in range(number)]
    shown_after: dict[int, list[Task]] = {}
    for place, task in enumerate(in_order):
        if task.item in repeats:
            shown_after.setdefault(min(number - 1, place + half), []).append(repeats[task.item])
    found = []
    for place, task in enumerate(in_order):
        found += [task, *shown_after.get(place, ())]
    return found


def dealt(tasks: Sequence[Task], annotators: Sequence[str], shared: Shared) -> list[Task]:
    """Return the tasks, each with the annotators who are to judge it.

    Some are for all, the others for one each, in each stratum alike (2019 paper, section 4.1: 72
    of the 296 sentences of each annotator were shared). A repeat goes where its original goes.

    Args:
        tasks: in a random order.
        annotators: their names.
        shared: how many are for all.

    Raises:
        UsageError: more are to be shared than there are.
    """
    originals = [task for task in tasks if task.kind != "repeat"]
    whole = _shared_number(len(originals), len(annotators), shared)
    strata: dict[str | None, list[Task]] = {}
    for task in originals:
        strata.setdefault(task.stratum, []).append(task)
    given: dict[str, tuple[str, ...]] = {}
    seen = turn = 0
    for name in sorted(strata, key=str):
        of = strata[name]
        # So many of all strata up to this one that rounding never adds up.
        before, seen = seen, seen + len(of)
        total = max(1, len(originals))
        for_all = round(whole * seen / total) - round(whole * before / total)
        for place, task in enumerate(of):
            if place < for_all:
                given[task.item] = tuple(annotators)
            else:
                given[task.item] = (annotators[turn % len(annotators)],)
                turn += 1
    return [replace(task, annotators=given[task.repeat_of or task.item]) for task in tasks]


def _shared_number(sentences: int, annotators: int, shared: Shared) -> int:
    """Return how many sentences all annotators have, of so many in all."""
    if shared.number is not None:
        if shared.number > sentences:
            raise UsageError(f"--shared {shared.number} is more than the {sentences} sentences")
        return shared.number
    # Each has L: the shared ones, share * L, and its own, (1 - share) * L.
    load = sentences / (shared.share + annotators * (1 - shared.share))
    return min(sentences, round(shared.share * load))
