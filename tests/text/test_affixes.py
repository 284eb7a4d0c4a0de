"""Where two texts differ."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from wikibias.text.similarity import changed

TEXTS = st.text("ab", max_size=12)


@given(TEXTS, TEXTS)
@example("aa", "aaa")
@example("", "")
def test_what_is_outside_is_the_same_and_no_more_is(old: str, new: str) -> None:
    start, end = changed(old, new)
    rest = len(new) - end
    assert 0 <= start <= end <= len(new)
    assert start + rest <= len(old)
    assert old[:start] == new[:start]
    assert old[len(old) - rest :] == new[end:]
    if start < min(end, len(old) - rest):
        assert old[start] != new[start]
        assert old[len(old) - rest - 1] != new[end - 1]
    assert changed(old.encode(), new.encode()) == (start, end)
