"""What the CRF sees of a word."""

from __future__ import annotations

from wikibias.research.lexicons import Lexicon
from wikibias.research.spans.features import features


def of(*words: str) -> list[set[str]]:
    return [set(each) for each in features(words, [0.0] * len(words))]


def test_a_word_by_its_form_its_pieces_and_its_neighbours() -> None:
    mill, famous, _ = of("Mill", "famously", "1723")
    assert {"0=mill", "shape=Xx", "+1=famously", "-1=<"} <= mill
    assert {"suf=ly", "suf=usly", "pre=fa", "gram=^fam", "-1|0=mill|famously"} <= famous
    assert "shapes=Xx|x" in famous


def test_any_script() -> None:
    (word,) = of("великолепный")
    assert {"suf=ный", "shape=x"} <= word
    assert "shape=x" in of("水")[0]
    assert "shape=9" in of("۱۲")[0]


def test_rates_and_lists() -> None:
    lists = [Lexicon.of("praise", ["truly fine"])]
    first, second, third = (
        set(f) for f in features(["Truly", "fine", "mill"], [0, 0.16, 0.02], lists)
    )
    assert "in=praise" in first & second
    assert {"rate>=0.15", "rate=highest"} <= second
    assert "rate=highest" not in third
    assert features([], []) == []
