"""The clean-up of the published scores."""

from __future__ import annotations

import pytest

from wikibias.research.spans.clean_up import GOLD_ENDS, PREDICTED_ENDS, cleaned

CASES = [
    # words, labels, of a gold sentence, of a predicted one where it differs
    ("the famous mill burned .", "B I O O O", "O B O O O", None),
    ("The , famous mill .", "B I I O O", "O O B O O", None),
    ("a mill , and famous", "O B I I O", "O B I O O", "O B I I O"),
    ("a mill , famous it", "O B I O O", "O B O O O", None),
    ("mill amd famous it", "B I O O", "B I O O", "B O O O"),
    ("a mill of the", "O O B I", "O O B O", None),
    ("a mill of and", "O O B I", "O O B I", None),
    ("famous mills stood", "I I O", "B I O", None),
    ("a mill famous it", "O I I O", "O B I O", None),
]


@pytest.mark.parametrize(("words", "labels", "gold", "predicted"), CASES)
def test_spans_give_up_articles_and_commas_at_their_edges(
    words: str, labels: str, gold: str, predicted: str | None
) -> None:
    assert cleaned(words.split(), labels.split(), GOLD_ENDS) == gold.split()
    wanted = (predicted or gold).split()
    assert cleaned(words.split(), labels.split(), PREDICTED_ENDS) == wanted


def test_kinds_stay() -> None:
    assert cleaned(["the", "mad", "."], ["B-framing", "I-framing", "O"], GOLD_ENDS) == [
        "O",
        "B-framing",
        "O",
    ]
