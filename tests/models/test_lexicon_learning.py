"""Learning a lexicon from pairs."""

from __future__ import annotations

from pathlib import Path

import pytest

from wikibias.corpus.sentence_pairs.reading import PairText
from wikibias.errors import WikibiasError
from wikibias.models.lexicon_learning import learn, may_replace, write_lexicon
from wikibias.models.lexicons import read_lexicon

PLACES = [f"{kind} of {town}" for kind in ("mill", "barn", "tower") for town in "abcdefgh"]


def pair(source: str, target: str) -> PairText:
    return PairText("1", source, target, None, None, 1)


PAIRS = [
    *(
        pair(f"The splendid {place} was built then.", f"The {place} was built then.")
        for place in PLACES
    ),
    # A word that is moved about is no sign of bias.
    *(pair(f"Today the {place} stands.", f"The {place} stands today.") for place in PLACES),
]


def test_what_edits_take_out_is_learnt_and_what_they_move_is_not() -> None:
    found = learn(PAIRS)
    assert [each.word for each in found.words] == ["splendid"]
    assert (found.pairs, found.words[0].first, found.words[0].second) == (48, 24, 0)


def test_an_edit_war_counts_once() -> None:
    found = learn([*PAIRS, *PAIRS])
    assert (found.pairs, found.repeated) == (48, 48)
    assert found.words == learn(PAIRS).words


def test_sentences_written_anew_are_left_out() -> None:
    assert learn([*PAIRS, pair("Quite awful stuff.", "A mill.")]).rewritten == 1


def test_too_few_pairs_are_said() -> None:
    with pytest.raises(WikibiasError, match="no word stands out in 1 pair"):
        learn(PAIRS[:1])


def test_a_lexicon_is_written_with_its_card_and_read_again(tmp_path: Path) -> None:
    path = tmp_path / "mine.tsv"
    write_lexicon(learn(PAIRS), path, {"language": "en", "data": "invented"})
    assert [*read_lexicon(path)] == ["splendid"]
    text = path.read_text(encoding="utf-8")
    assert "# language: en\n# data: invented\n# words: 1," in text
    assert "\nsplendid\t24\t0\t" in text


def test_only_a_learnt_lexicon_is_replaced(tmp_path: Path) -> None:
    learnt, own = tmp_path / "learnt.tsv", tmp_path / "own.txt"
    write_lexicon(learn(PAIRS), learnt, {})
    own.write_text("mine\n", encoding="utf-8")
    assert [may_replace(path) for path in (learnt, own, tmp_path / "new")] == [True, False, True]
