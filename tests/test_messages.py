"""Words of messages."""

from __future__ import annotations

import pytest

from wikibias.messages import counted, nearest


@pytest.mark.parametrize(("number", "said"), [(0, "0 parts"), (1, "1 part"), (1234, "1,234 parts")])
def test_a_number_with_what_it_counts(number: int, said: str) -> None:
    assert counted(number, "part") == said


def test_the_nearest_name() -> None:
    known = {"weasel", "peacock"}
    assert nearest("Peecock", known) == "; did you mean 'peacock'? Known: peacock, weasel"
    assert nearest("xyz", known) == ". Known: peacock, weasel"
