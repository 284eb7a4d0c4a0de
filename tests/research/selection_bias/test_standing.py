"""In how many documents keywords stand."""

from __future__ import annotations

from wikibias.research.selection_bias.standing import standing

TEXTS = [
    "the gay rights march was long",
    "a march for the rights of gay people",
    "rights rights rights",
    "東京は日本の首都である",
]


def test_words_phrases_and_tags_stand_whole() -> None:
    found = standing(
        TEXTS, ["Rights", "gay rights", "#march", "right", "---", "首都", "日本の首都"]
    )
    assert found == {
        "Rights": 3,
        "gay rights": 1,
        "#march": 2,
        "right": 0,
        "---": 0,
        "首都": 1,
        "日本の首都": 1,
    }


def test_no_text_has_any() -> None:
    assert standing([], ["a"]) == {"a": 0}
