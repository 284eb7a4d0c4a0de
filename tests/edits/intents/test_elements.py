"""What an edit changed, by element and action."""

from __future__ import annotations

import time
import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hostile_texts import kinds
from paths import CASES
from wikibias.edits.intents.elements import (
    ACTIONS,
    UNITS,
    differing_sentences,
    edit_elements,
    units,
)
from wikibias.mediawiki.titles import Namespaces
from wikibias.records import EditFact

NAMESPACES = Namespaces.of({})
TABLE = tomllib.loads((CASES / "edit_elements.toml").read_text("utf-8"))
MARKUP = "{{ }} [[ ]] | <ref> </ref> <!-- --> == '' ''' [http://a.b ] mill File: x.jpg <br>"
LINE_STARTS = ["\n", "\n==", "\n{|", "\n|}", "\n* ", " ", ". "]
PIECES = st.sampled_from([*MARKUP.split(), *LINE_STARTS])
WIKITEXTS = st.lists(PIECES, max_size=25).map("".join)

SENTENCE_PIECES = [
    ". ",
    ".",
    "...",
    " ",
    "  ",
    '"',
    ")",
    "! ",
    "\u3002",
    "\u00a0",
    "mill",
    "a",
    "\u6c34",
]
LINES = st.lists(st.sampled_from(SENTENCE_PIECES), max_size=12).map("".join)


def found(before: str, after: str) -> set[str]:
    return {" ".join(map(str, fact)) for fact in edit_elements(before, after, NAMESPACES)}


@pytest.mark.parametrize("case", TABLE["case"], ids=lambda case: case["name"])
def test_cases(case: dict[str, Any]) -> None:
    assert found(case["before"], case["after"]) == set(case["facts"])


@given(before=WIKITEXTS, after=WIKITEXTS)
def test_facts_turn_round_with_the_edit(before: str, after: str) -> None:
    turned = {"inserted": "removed", "removed": "inserted"}
    forth = edit_elements(before, after, NAMESPACES)
    back = edit_elements(after, before, NAMESPACES)
    assert all(fact.number > 0 and fact.action in ACTIONS for fact in forth)
    assert list(forth) == sorted(set(forth))

    def net(facts: tuple[EditFact, ...], inserted: str) -> dict[str, int]:
        signs = {inserted: 1, turned[inserted]: -1}
        numbers: dict[str, int] = {}
        for fact in facts:
            if fact.element != "section" and fact.action in signs:
                numbers.setdefault(fact.element, 0)
                numbers[fact.element] += signs[fact.action] * fact.number
        return {element: number for element, number in numbers.items() if number}

    assert net(forth, "inserted") == net(back, "removed")


@given(pairs=st.lists(st.tuples(LINES, LINES, LINES, LINES), max_size=3))
def test_sentences_that_did_not_change_change_no_count(
    pairs: list[tuple[str, str, str, str]],
) -> None:
    gone = [start + old + end for start, old, _, end in pairs]
    come = [start + new + end for start, _, new, end in pairs]
    whole, cut = (
        [units("\n".join(side)) for side in both]
        for both in ((gone, come), differing_sentences(gone, come))
    )
    for unit in UNITS:
        for one, other in ((0, 1), (1, 0)):
            assert whole[one][unit] - whole[other][unit] == cut[one][unit] - cut[other][unit]


@given(wikitext=WIKITEXTS)
def test_no_edit_changes_nothing(wikitext: str) -> None:
    assert edit_elements(wikitext, wikitext, NAMESPACES) == ()


@pytest.mark.parametrize("group", sorted({kind.name.partition(":")[0] for kind in kinds()}))
def test_no_text_takes_long(group: str) -> None:
    for kind in kinds():
        if kind.name.partition(":")[0] == group:
            text = kind.text(6_000)
            began = time.process_time()
            edit_elements(text[:3_000], text, NAMESPACES)
            # What takes the square of the text takes seconds.
            assert time.process_time() - began < 1, kind.name
