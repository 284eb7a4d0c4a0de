"""Quotations and brackets, and the stops in them that end nothing."""

import re

import pytest

from growth import slow
from hostile_texts import Kind
from wikibias.text.rule_splitter import Enclosures

STOP = re.compile(r'([.?!])((?:["”“)]|\s?»)*)(?=(\s*)(["“„«(]*)(.?))')


def held(text: str, start: int = 0) -> list[bool]:
    """Return for each stop of a text but the last whether it ends nothing."""
    enclosures = Enclosures(text)
    return [enclosures.hold(start, found) for found in STOP.finditer(text) if found[5]]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It stands. It fell.", [False]),
        ('He wrote "It stands. It fell." and left.', [True, False]),
        ("Er schrieb „Es steht. Es fiel.“ und ging.", [True, False]),
        ("Han skrev ”Den står. Den föll.” och gick.", [True, False]),
        ("Il écrit « Elle part. Elle vient. » et sort.", [True, False]),
        ("The mill (see below. It fell) stands.", [True]),
        ("“It stands. It fell,” he said.", [True]),
        ("“It stands. It fell.” He left.", [False, False]),
        ("(It stands. It fell.) He left.", [False, False]),
        ('It is 5" wide. It is old.', [False]),
        ("The miller's. The millers'. No.", [False, False]),
        ("It has (no end. It goes on.", [False]),
    ],
)
def test_what_opens_within_a_sentence_holds_its_stops(text: str, expected: list[bool]) -> None:
    assert held(text) == expected


def test_in_scripts_without_case_a_quotation_does_not_end_its_sentence() -> None:
    assert held("כתב בפנקס «הקרח דק.» ואז שתק.") == [True]
    assert held("«מי אמר?» שאל האיש.") == [True]
    assert held("הוא אמר: «לא.» הדיון תם.") == [False]


def test_what_is_never_closed_takes_no_time() -> None:
    kinds = [Kind(mark, f"{mark}a. ") for mark in '("“„«»‘‚']
    kinds += [Kind(f"space {mark}", f" {mark} . ") for mark in '("«»']
    assert slow(held, kinds, 20_000) == {}
