"""The difference of two revisions, sentence by sentence."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from wikibias.edits.sentence_diff import difference
from wikibias.records import Sentence

SENTENCES = st.lists(st.sampled_from("abcdef").map(lambda t: Sentence(t.upper(), t)), max_size=12)


@given(SENTENCES, SENTENCES)
def test_difference_agrees_with_taking_away_one_by_one(
    left: list[Sentence], right: list[Sentence]
) -> None:
    lacking, shared = difference(left, right)
    rest = [s.norm for s in right]
    expected = []
    for sentence in left:
        if sentence.norm in rest:
            rest.remove(sentence.norm)
        else:
            expected.append(sentence)
    assert lacking == expected
    assert len(lacking) + len(shared) == len(left)
    assert len(shared) == len(difference(right, left)[1])
