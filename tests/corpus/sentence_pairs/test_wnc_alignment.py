"""Which sentence belongs to which."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from wikibias.corpus.sentence_pairs.wnc import counterparts
from wikibias.edits.word_diff import bleu_of, ngrams

SENTENCES = st.lists(
    st.lists(st.sampled_from("ab"), min_size=1, max_size=6), min_size=1, max_size=12
)


@given(SENTENCES, SENTENCES)
def test_the_likest_of_three_before_and_two_behind_of_equals_the_last(
    sources: list[list[str]], targets: list[list[str]]
) -> None:
    sources, targets = sources[: len(targets)], targets[: len(sources)]
    for number, at in enumerate(counterparts(sources, targets)):
        near = range(max(0, number - 3), min(len(targets), number + 3))
        points = {j: bleu_of(ngrams(sources[number]), ngrams(targets[j])) for j in near}
        assert at == max(near, key=lambda j: (points[j], j))


def test_a_sentence_that_moved_farther_is_not_found() -> None:
    sentences = [f"{word} stands alone near the mill".split() for word in "one two six ten".split()]
    moved = [*sentences[1:], sentences[0]]
    assert list(counterparts(sentences, moved)) != [3, 0, 1, 2]
    assert list(counterparts(sentences[:3], [*sentences[1:3], sentences[0]])) == [2, 0, 1]
