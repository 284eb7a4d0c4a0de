"""WordNet's nouns, from files that may not be WordNet's."""

from __future__ import annotations

from pathlib import Path

import pytest

import tiny_wordnet
from wikibias.errors import WikibiasError

pytest.importorskip("nltk", reason="needs the extra `wordnet`")
from wikibias.research.selection_bias.similarity.wordnet_files import NOUN_FILES, Nouns


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    return tiny_wordnet.write(tmp_path / "wn", tiny_wordnet.SENSES)


def test_the_senses_of_a_noun_come_in_their_order(tiny: Path) -> None:
    nouns = Nouns(tiny)
    assert [sense.name() for sense in nouns.senses("dogs")] == ["dog.n.01", "dog.n.02"]
    assert [sense.name() for sense in nouns.senses("women")] == ["woman.n.01"]
    assert nouns.senses("running") == []


def test_instances_have_something_above_them_too(tiny: Path) -> None:
    nouns = Nouns(tiny)
    (rex,) = nouns.senses("rex")
    assert [sense.name() for sense in nouns.above(rex)] == ["dog.n.01"]
    assert nouns.depths(rex) == (4, 6)


@pytest.mark.parametrize("name", NOUN_FILES)
def test_files_that_are_not_wordnets_end_in_one_line(tiny: Path, name: str) -> None:
    (tiny / name).write_bytes(b"\xff\xfe no dictionary\n\n" * 50)
    with pytest.raises(WikibiasError, match="wn: not WordNet's files, or damaged"):
        Nouns(tiny).senses("dog")


def test_a_sense_that_is_not_where_the_index_says_ends_in_one_line(tiny: Path) -> None:
    data = (tiny / "data.noun").read_bytes()
    (tiny / "data.noun").write_bytes(b"  2 one line more\n" + data)
    with pytest.raises(WikibiasError, match="wn: not WordNet's files, or damaged"):
        Nouns(tiny).senses("dog")
