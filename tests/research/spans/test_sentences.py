"""Sentences with labels, as they come from pairs."""

from __future__ import annotations

import pytest

from wikibias.research.spans.sentences import key, of_neutral, of_pair, split_words


@pytest.mark.parametrize(
    ("source", "target", "labels"),
    [
        ("A truly old mill.", "An old mill.", "B-bias I-bias O O O"),
        ("The famous old mill stood.", "The mill stood.", "O B-bias I-bias O O O"),
        ("The mill stood.", "The mill stood there.", "O O O O"),
        ("He was a hero and a saint.", "He was a man and a bishop.", "O O O B-bias O O B-bias O"),
        ("水车极好", "水车好", "O O B-bias O"),
    ],
)
def test_what_the_edit_changed_is_marked(source: str, target: str, labels: str) -> None:
    found = of_pair(source, target)
    assert list(found.labels) == labels.split()
    assert found.edited
    assert found.biased == ("B-bias" in labels)


def test_a_neutral_sentence_has_no_span() -> None:
    found = of_neutral("The mill stood.", "7")
    assert (found.words, found.biased, found.group) == (("The", "mill", "stood", "."), False, "7")


def test_words_know_where_they_stand() -> None:
    text = "“Quite fine”, he said."
    words, places = split_words(text)
    assert [text[start:end] for start, end in places] == list(words)


def test_spaces_marks_and_case_do_not_make_another_sentence() -> None:
    assert key(["An", "on", "-", "air", "Show", "."]) == key(["an", "on-air", "show"])
