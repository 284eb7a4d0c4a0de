"""The names under which words and phrases are looked up."""

from __future__ import annotations

from wikibias.research.selection_bias.similarity.sought import names, sought


def test_as_it_is_then_lower_cased() -> None:
    assert names("Islam") == ["Islam", "islam"]
    assert names("pro-life") == ["pro-life"]


def test_the_words_of_a_phrase_may_be_joined() -> None:
    assert names("gun  Control") == [
        *("gun  Control", "gun  control"),
        *("gun Control", "gun control"),
        *("gun_Control", "gun_control"),
        *("gun-Control", "gun-control"),
    ]


def test_what_is_sought_has_the_words_of_phrases() -> None:
    found = sought(["White House", "tax"])
    assert found.words == {"White", "House", "tax"}
    assert found.names >= {"White", "white", "house", "tax", "white_house", "White-House"}
