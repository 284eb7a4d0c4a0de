"""How well lexicons point at changed words."""

from __future__ import annotations

from pathlib import Path

import pytest

from wikibias.corpus.sentence_pairs.reading import PairText, read_pairs
from wikibias.models.lexicon_scores import LexiconScore, score_lexicons
from wikibias.models.lexicons import Lexicon, joined


def test_marks_are_counted_beside_what_was_changed() -> None:
    pairs = [
        PairText("1", "A splendid, rare mill.", "A rare mill.", None, None, 1),
        PairText("2", "A fine barn.", "A barn.", None, None, 2),
    ]
    (found,) = score_lexicons(pairs, [Lexicon.of("mine", ["splendid", "rare"])])
    assert found == LexiconScore(
        "mine", 2, pairs=2, hit=1, silent=1, marked=2, right=1, changed=found.changed
    )


@pytest.mark.parametrize(
    ("names", "hit"),
    [
        # Of all 832 rows 162, 356 and 422 by word pieces; so about half of that here.
        (["npov_lexicon"], 71),
        (["positive_liu2005", "negative_liu2005"], 174),
        (["strong_subjectives_riloff2003", "weak_subjectives_riloff2003"], 212),
    ],
)
def test_lists_of_the_field_on_published_pairs(shared: Path, names: list[str], hit: int) -> None:
    folder = shared / "pairs"
    lexicon = joined("+".join(str(folder / "lexicons" / f"{name}.txt") for name in names))
    (found,) = score_lexicons(read_pairs(folder / "wnc_word_test.even.tsv"), [lexicon])
    assert (found.pairs, found.hit) == (416, hit)
