"""Identity reverts."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from histories import revisions
from wikibias.config.thresholds import Reverts
from wikibias.transitions.reverts import RevertDetector


@given(
    st.lists(st.sampled_from(["a", "b", "c", "d", None]), max_size=30),
    st.integers(1, 6),
    st.sets(st.integers(0, 29)),
)
def test_reverts_agree_with_a_plain_search(
    texts: list[str | None], radius: int, passed_by: set[int]
) -> None:
    """Hold the detector against a search through the whole history."""
    history_of = revisions(texts)
    detector = RevertDetector(Reverts(radius=radius, days=100))
    for position, revision in enumerate(history_of):
        if position in passed_by:
            detector.pass_by(revision)
            continue
        expected: list[int] = []
        if revision.has_text:
            for back in range(1, radius + 2):
                if position - back < 0:
                    break
                if history_of[position - back].text == revision.text:
                    expected = [r.id for r in history_of[position - back + 1 : position]]
                    break
        assert detector.undone_by(revision) == expected
