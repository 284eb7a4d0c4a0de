"""Reads the label out of what a language model wrote; "?" where it says none, or more than one.

`distinct` is the rule of the code that Horych et al. 2025 released: letter case aside, a hit of a
word counts unless it lies inside a hit of a longer one (BIASED in NOT BIASED), and exactly one
label must be there. `most-frequent` is the rule that their section 4.1 describes: the label with
most hits, no tie.

What a reasoning model thinks first, in <think>...</think> at the head of an answer, does not count.
"""

from __future__ import annotations

import heapq
import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, Literal

from wikibias.config.prompts import Labels
from wikibias.research.annotation.answers import UNPARSED

Rule = Literal["distinct", "most-frequent"]
# What may stand between the words of a label, beside a space: a line end, marks of Markdown.
_BETWEEN = r"[\s*_`\-]{1,8}"
_OF_WORDS = "LMN"  # letters, marks on them, digits
_THINKS, _HAS_THOUGHT = "<think>", "</think>"


def read_label(answer: str, labels: Labels, rule: Rule = "distinct") -> str:
    """Return the label that an answer gives, or "?"; takes time linear in its length."""
    counts: Counter[str] = Counter()
    for label in _hits(_said(answer).casefold(), labels):
        counts[label] += 1
        if rule == "distinct" and len(counts) > 1:
            return UNPARSED
    first, *others = counts.most_common(2) or [(UNPARSED, 0)]
    is_tie = bool(others) and others[0][1] == first[1]
    return UNPARSED if is_tie else first[0]


def answer_schema(labels: Labels, *, explain: bool) -> dict[str, Any]:
    """Return the JSON schema of an answer: a word of `asked_for`, after an explanation if wanted.

    The explanation stands first, so that a model that writes from left to right reasons before it
    decides.
    """
    properties: dict[str, Any] = {"explanation": {"type": "string"}} if explain else {}
    properties["label"] = {"type": "string", "enum": list(labels.asked_for)}
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def read_structured(answer: str, labels: Labels) -> str:
    """Return the label of an answer in JSON, or "?" where it is not what `answer_schema` asks for.

    Nothing is mended: half an object, two objects or a key that stands twice say nothing.
    """
    try:
        found = json.loads(_said(answer), object_pairs_hook=_once)
    except (ValueError, RecursionError):
        return UNPARSED
    said = found.get("label") if isinstance(found, dict) else None
    return (labels.value(said) if isinstance(said, str) else None) or UNPARSED


def _said(answer: str) -> str:
    """Return an answer without the thoughts at its head; nothing where these were cut off.

    Some servers leave out the mark with which thoughts begin.
    """
    thoughts, end, rest = answer.rpartition(_HAS_THOUGHT)
    if answer.lstrip().startswith(_THINKS):
        return rest if end else ""
    return answer if _THINKS in thoughts else rest


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a key stands twice")
    return dict(pairs)


def _hits(folded: str, labels: Labels) -> Iterator[str]:
    """Yield the label of each hit that counts, in order."""
    words = {
        unicodedata.normalize(form, word).casefold(): label
        for label, each in labels.words.items()
        for word in each
        for form in ("NFC", "NFD")  # a model may write an accent apart
    }
    found: list[Iterable[tuple[int, int, str]]] = [
        _spans(folded, word, label, whole=labels.whole_words) for word, label in words.items()
    ]
    # Of those that begin at one place the longest comes first: what is inside of another follows.
    reach = -1
    for _, minus_end, label in heapq.merge(*found):
        if -minus_end > reach:
            reach = -minus_end
            yield label


def _spans(folded: str, word: str, label: str, *, whole: bool) -> Iterator[tuple[int, int, str]]:
    """Yield start, negative end and label of each hit of a word, one after the other."""
    parts = map(re.escape, word.split() if whole else [word])
    pattern = re.compile(_BETWEEN.join(parts))
    hit = pattern.search(folded)
    while hit:
        start, end = hit.span()
        if whole and (_goes_on(folded, start) or _goes_on(folded, end)):
            hit = pattern.search(folded, start + 1)
            continue
        yield start, -end, label
        hit = pattern.search(folded, end)


def _goes_on(text: str, place: int) -> bool:
    """Return whether a word goes on across a place between two characters."""
    around = text[max(0, place - 1) : place + 1] if place else ""
    return len(around) == 2 and all(unicodedata.category(each)[0] in _OF_WORDS for each in around)
