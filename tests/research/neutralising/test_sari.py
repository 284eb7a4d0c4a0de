"""SARI of a rewrite beside the sentence it comes from and the editor's."""

from __future__ import annotations

from wikibias.research.neutralising.sari import sari

SOURCE = "the notorious mill was closed in 1961".split()
TARGET = "the mill was closed in 1961".split()


def test_the_editors_own_text_gets_all() -> None:
    assert sari(SOURCE, TARGET, TARGET) == 100.0


def test_what_goes_the_right_way_gets_more_than_a_copy_and_a_wrong_deletion_less() -> None:
    copy = sari(SOURCE, SOURCE, TARGET)
    wrong = sari(SOURCE, "the notorious mill was closed".split(), TARGET)
    assert wrong < copy < 100.0


def test_nothing_kept_and_nothing_right_is_near_zero() -> None:
    assert sari(SOURCE, "quite another text of six words".split(), TARGET) < 20
    assert sari([], [], []) == 100.0
