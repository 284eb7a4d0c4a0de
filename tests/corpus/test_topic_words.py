"""The words of a sentence that say what it is about."""

from __future__ import annotations

import pytest

from wikibias.corpus.topic_words import topic_words


@pytest.mark.parametrize(
    ("norm", "words"),
    [
        ("the mill of numtkn stands by a river", ["mill", "stands", "river"]),
        ("", []),
        ("the of", []),
        ("l'église d'arles aujourd'hui", ["église", "d'arles", "aujourd'hui"]),
        ("l'of", []),
        ("水車的村", ["水車", "車的", "的村"]),
        ("的了", []),
        ("的", []),
    ],
)
def test_what_is_left(norm: str, words: list[str]) -> None:
    assert topic_words(norm, {"the", "of", "by", "l'", "的", "了"}) == words


def test_the_number_of_the_published_bulgarian_corpus_is_no_word() -> None:
    assert topic_words("нумткн реки и numtkn езера", {"и"}) == ["реки", "езера"]
