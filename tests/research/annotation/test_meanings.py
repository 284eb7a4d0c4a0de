"""Tests of what labels mean."""

from __future__ import annotations

import pytest

from wikibias.errors import UsageError, WikibiasError
from wikibias.research.annotation.answers import coded, is_biased, meanings


@pytest.mark.parametrize(("label", "biased"), [("1", True), ("Biased", True), ("No", False)])
def test_some_labels_are_known(label: str, biased: bool) -> None:
    assert is_biased(label, meanings(None)) is biased


def test_others_are_named_on_top() -> None:
    labels = meanings("lex=biased,info=neutral,0=biased")
    assert [is_biased(label, labels) for label in ("lex", "info", "0", "1")] == [
        True,
        False,
        True,
        True,
    ]
    assert is_biased("Info", labels) is False
    assert is_biased("other", labels) is None
    assert is_biased("lex", meanings("Lex=biased,Info=neutral")) is True


def test_refuses_what_is_no_meaning() -> None:
    with pytest.raises(UsageError, match="unknown meaning"):
        meanings("lex=bad,info=neutral")


class TestCoded:
    def test_tells_what_was_not_read_from_what_was_not_given(self) -> None:
        assert coded(["1", "no", "?", None], meanings(None), "f").tolist() == [1, 0, -1, -2]

    def test_names_the_row_of_an_unknown_label(self) -> None:
        with pytest.raises(WikibiasError, match=r"f: row 2: unknown label 'lex'.*--labels"):
            coded(["1", "lex"], meanings(None), "f")
