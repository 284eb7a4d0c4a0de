"""The sentences that edits tell of, one a page and normal form."""

from __future__ import annotations

from dataclasses import replace

import pytest

from made_edits import whole
from made_labelled import INTENTS, featured, intent_edit, tag_edit
from wikibias.corpus.candidates import MOST_LABELS, Candidates, Choice, read
from wikibias.corpus.evidence import FEATURED, REMOVED, intent_evidence
from wikibias.corpus.rows import labels_of
from wikibias.corpus.several_labels import without_doubles
from wikibias.errors import UsageError
from wikibias.records import Edit

CHOICE = Choice(lengths=range(1, 300), negatives="mixed")


def joined(*edits: Edit, lengths: range = range(1, 300)) -> Candidates:
    choice = replace(CHOICE, lengths=lengths)
    return without_doubles(read(intent_evidence(edits, INTENTS), choice, INTENTS))


def labels(found: Candidates) -> list[tuple[str, ...]]:
    return [labels_of(bits, INTENTS) for bits in found.labels.tolist()]


def test_a_sentence_of_two_edits_gets_both_labels() -> None:
    found = joined(
        intent_edit("citation", removed=["A mill"]),
        intent_edit("clarification", removed=["a mill!"], number=3),
    )
    assert labels(found) == [("citation", "clarification")]
    assert found.judged.tolist() == found.labels.tolist()
    assert found.number.tolist() == [0]


def test_the_same_sentence_on_another_page_stands_by_itself() -> None:
    found = joined(
        intent_edit("citation", removed=["A mill"]),
        intent_edit("clarification", page=2, removed=["A mill"]),
    )
    assert labels(found) == [("citation",), ("clarification",)]


def test_what_was_wanting_anywhere_is_no_negative() -> None:
    found = joined(
        intent_edit("citation", removed=["A mill"]),
        intent_edit("clarification", number=3, unchanged=["A mill"]),
        featured(2, ["A mill", "A church"]),
    )
    assert found.role.tolist() == [REMOVED, FEATURED]
    # Nobody has said anything of clarification here that counts.
    assert labels_of(int(found.judged[0]), INTENTS) == ("citation",)
    assert found.left_out == {"wanting_elsewhere": 1}


def test_a_negative_stands_once() -> None:
    found = joined(featured(2, ["A church"]), featured(3, ["A church"]))
    assert (found.role.tolist(), found.left_out) == ([FEATURED], {"duplicate": 1})


def test_what_a_featured_article_says_goes_before_what_an_edit_left() -> None:
    found = joined(
        intent_edit("citation", removed=["A mill"], unchanged=["A church"]),
        featured(1, ["A church"]),
    )
    assert found.role.tolist() == [REMOVED, FEATURED]
    assert labels_of(int(found.judged[1]), INTENTS) == INTENTS


def test_lengths_and_lines() -> None:
    made = intent_edit("citation", removed=["One", "One two three four"], unchanged=[])
    listed = whole("One two")._replace(block="list")
    found = joined(made, tag_edit({}), lengths=range(2, 4))
    assert (len(found.number), found.left_out) == (0, {"too_short": 1, "too_long": 1})
    other = intent_edit("citation", unchanged=[listed])  # type: ignore[list-item]
    assert joined(other, lengths=range(2, 4)).left_out == {"list": 1}


def test_too_many_labels() -> None:
    many = [str(number) for number in range(MOST_LABELS + 1)]
    with pytest.raises(UsageError, match="63 labels"):
        read([], CHOICE, many)
