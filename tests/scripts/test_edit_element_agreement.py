"""What the comparison with mwedittypes counts; the library itself need not be there."""

from __future__ import annotations

from pathlib import Path

import pytest

from edit_element_agreement import Comparison, Tally, compare, edits, simple
from paths import SAMPLES
from wikibias.mediawiki.namespaces import Namespaces


class Told:
    """Tells what the simple form of mwedittypes tells of an edit."""

    def __init__(self, _: str, __: str) -> None:
        pass

    def get_diff(self) -> dict[str, dict[str, int]]:
        return {"Reference": {"insert": 1}, "Word": {"change": 1}, "HTMLEntity": {"insert": 1}}


def test_come_and_gone_are_compared() -> None:
    found = Comparison()
    compare(found, "A mill.", "A mill.<ref>x</ref>", Namespaces.of({}), Told)
    assert found.tallies["reference"] == Tally(1, 1, 1, 1)
    assert found.tallies["word"] == Tally(0, 1, 0, 0)
    assert Tally(2, 3, 2, 1).row("word") == "| word | 2 | 3 | 2 | 67% | 33% |"


def test_its_words_become_ours() -> None:
    told = {"ExternalLink": {"insert": 2, "change": 1}, "Text Formatting": {"remove": 3}}
    assert simple(told) == {
        ("external_link", "inserted"): 2,
        ("external_link", "changed"): 1,
        ("formatting", "removed"): 3,
    }


@pytest.mark.parametrize("number", [0, 5])
def test_edits_are_taken_at_equal_distances(number: int) -> None:
    (dump,) = map(str, Path(SAMPLES).glob("demoenwiki-*.7z"))
    found = list(edits([dump], number, "en"))
    assert number - 2 <= len(found) <= number
    assert all(before != after for before, after, _ in found)
