"""How alike two texts are."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from wikibias.text.similarity import changed, edit_distance, similarity


@pytest.mark.parametrize(
    ("left", "right", "most", "distance"),
    [
        ("", "", 1, 0),
        ("honor", "honour", 1, 1),
        ("recieve", "receive", 3, 2),
        ("kitten", "sitting", 3, 3),
        ("kitten", "sitting", 1, 2),
        ("né", "ne", 1, 1),
    ],
)
def test_edit_distance_up_to_a_limit(left: str, right: str, most: int, distance: int) -> None:
    assert edit_distance(left, right, most) == distance
    assert edit_distance(right, left, most) == distance


def test_a_swap_of_neighbours_is_one_slip() -> None:
    assert similarity("peacock", "peacock") == 1
    assert similarity("peacock", "paecock") == pytest.approx(6 / 7)
    assert similarity("peacock", "weasel", least=0.8) == 0


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
