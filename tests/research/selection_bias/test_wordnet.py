"""Wu-Palmer similarity, held against NLTK's own, and the figures of real WordNet."""

import itertools
import json
import math
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tiny_wordnet
from wikibias.errors import UsageError, WikibiasError
from wikibias.kits.plugins import how_to_install
from wikibias.research.selection_bias import wordnet
from wikibias.research.selection_bias.similarity import SIMILARITIES, Wanted
from wikibias.research.selection_bias.wordnet_files import NOUN_FILES, Nouns

pytest.importorskip("nltk", reason="needs the extra `wordnet`")


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    return tiny_wordnet.write(tmp_path / "wn", tiny_wordnet.SENSES)


@pytest.fixture(scope="session")
def real() -> Nouns:
    """Return the WordNet of the system."""
    for folder in map(Path, wordnet.FOLDERS):
        if (folder / "data.noun").is_file():
            return Nouns(folder)
    pytest.skip("WordNet is not installed (apt-get install wordnet-base)")


def measure(folder: Path) -> wordnet.WuPalmer:
    made = SIMILARITIES["wordnet"](Wanted(wordnet=folder))
    assert isinstance(made, wordnet.WuPalmer)
    return made


def best(nouns: Nouns, first: str, second: str) -> float:
    """Return the similarity by NLTK alone."""
    pairs = itertools.product(nouns.senses(first), nouns.senses(second))
    return max((one.wup_similarity(other) for one, other in pairs), default=math.nan)


def test_it_is_twice_the_depth_of_what_is_above_both_by_their_own_depths(tiny: Path) -> None:
    # thing 1, being 2, animal 3, mammal 4, canine 5: dog is one step below companion (depth 3) and
    # two below mammal, which is deeper.
    found = measure(tiny).matrix(["dog", "cat"], ["cat", "beast", "tool"])
    assert found[0].tolist() == pytest.approx([8 / 11, 6 / 9, 4 / 5])  # the ratchet is a tool
    assert found[1].tolist() == pytest.approx([1, 6 / 8, 2 / 6])


def test_all_pairs_of_a_tiny_wordnet_are_as_in_nltk(tiny: Path) -> None:
    nouns, words = Nouns(tiny), sorted({w for of, _, _ in tiny_wordnet.SENSES.values() for w in of})
    expected = [[best(nouns, one, other) for other in words] for one in words]
    np.testing.assert_allclose(measure(tiny).matrix(words, words), expected, rtol=1e-12)


def test_keywords_are_compared_the_same_however_many_fit_at_once(
    tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ["dog", "unheard", "cat", "woman", "rex"]
    at_once = measure(tiny).matrix(words, words)
    monkeypatch.setattr(wordnet, "_CELLS", 1)
    np.testing.assert_array_equal(measure(tiny).matrix(words, words), at_once)


def test_plurals_case_and_phrases_are_looked_up(tiny: Path) -> None:
    made = measure(tiny)
    words = ["Dogs", "women", "guide dog", "REX", "guide cat", "red", "", "a" * 10_000]
    assert made.knows(words).tolist() == [True] * 4 + [False] * 4
    found = made.matrix(["women", "red"], ["woman", "guide cat"])
    assert found[0, 0] == 1
    assert np.isnan(found[[0, 1, 1], [1, 0, 1]]).all()


def test_it_tells_the_version_and_the_folder_by_its_name_alone(tiny: Path) -> None:
    about = measure(tiny).about
    assert about["title"] == "Wu-Palmer similarity in WordNet 9.1"
    assert (about["name"], about["version"], about["folder"]) == ("wordnet", "9.1", "wn")


def test_the_folder_is_that_given_or_its_dict_or_that_of_the_environment(
    tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tiny.rename(tiny.parent / "dict")
    assert measure(tiny.parent).about["folder"] == "dict"
    monkeypatch.setenv("WNSEARCHDIR", str(tiny.parent / "dict"))
    assert SIMILARITIES["wordnet"](Wanted()).about["version"] == "9.1"


def test_without_wordnet_one_line_says_what_to_type(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wordnet, "FOLDERS", ())
    monkeypatch.delenv("WNSEARCHDIR", raising=False)
    with pytest.raises(UsageError, match=r"WordNet is not installed; run `apt-get .*--wordnet$"):
        SIMILARITIES["wordnet"](Wanted())
    with pytest.raises(UsageError, match=f"{tmp_path}: no WordNet in it; run `apt-get "):
        measure(tmp_path)


def test_without_nltk_one_line_says_what_to_type(
    tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wordnet, "find_spec", lambda name: None)
    with pytest.raises(UsageError) as caught:
        measure(tiny)
    assert str(caught.value).endswith(f"is not installed; run: {how_to_install('wordnet')}")


def test_a_sense_above_itself_ends_in_one_line(tmp_path: Path) -> None:
    senses: dict[str, Any] = {"a": (["egg"], ["b"], []), "b": (["hen"], ["a"], [])}
    made = measure(tiny_wordnet.write(tmp_path / "round", senses))
    with pytest.raises(WikibiasError, match="round: not WordNet's files, or damaged"):
        made.matrix(["egg"], ["hen"])


def test_the_pairs_of_the_real_wordnet_come_out(real: Nouns, shared: Path) -> None:
    made = wordnet.WuPalmer(real, "wordnet")
    pairs = json.loads((shared / "selection" / "wup_pairs.json").read_text("utf-8"))["pairs"]
    for pair in pairs:
        one, other = pair["a"], pair["b"]
        found = np.nan_to_num(made.matrix([one], [other]))[0, 0]
        assert found == pytest.approx(pair["wup_max_over_senses"], abs=5e-7), (one, other)
        first = [real.senses(word)[:1] for word in (one, other)]
        of_first = first[0][0].wup_similarity(first[1][0]) if all(first) else 0
        assert of_first == pytest.approx(pair["wup_first_senses"], abs=5e-7), (one, other)
    assert made.matrix(["dog"], ["cat"])[0, 0] == pytest.approx(0.857143, abs=5e-7)


def test_random_nouns_of_the_real_wordnet_are_as_in_nltk(real: Nouns) -> None:
    nouns = sorted(real._reader.all_lemma_names("n"))
    chosen = random.Random(0).sample(nouns, 40)
    expected = [[best(real, one, other) for other in chosen] for one in chosen]
    found = wordnet.WuPalmer(real, "wordnet").matrix(chosen, chosen)
    np.testing.assert_allclose(found, expected, rtol=1e-12)


pytest.importorskip("nltk", reason="needs the extra `wordnet`")


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
