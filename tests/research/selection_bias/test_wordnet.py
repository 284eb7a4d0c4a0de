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

pytest.importorskip("nltk", reason="needs the extra `wordnet`")

from wikibias.research.selection_bias import wordnet
from wikibias.research.selection_bias.wordnet import NOUN_FILES, WuPalmer, wordnet_folder


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    return tiny_wordnet.write(tmp_path / "wn", tiny_wordnet.SENSES)


@pytest.fixture(scope="session")
def real() -> WuPalmer:
    """Return the measure of the WordNet of the system."""
    try:
        return WuPalmer(wordnet_folder())
    except UsageError:
        pytest.skip("WordNet is not installed (apt-get install wordnet-base)")


def senses(made: WuPalmer, word: str) -> list[Any]:
    """Return the senses of a noun as NLTK's objects."""
    return list(made._reader.synsets(word, "n"))


def best(made: WuPalmer, first: str, second: str) -> float:
    """Return the similarity by NLTK alone."""
    pairs = itertools.product(senses(made, first), senses(made, second))
    return max((one.wup_similarity(other) for one, other in pairs), default=math.nan)


def test_it_is_twice_the_depth_of_what_is_above_both_by_their_own_depths(tiny: Path) -> None:
    # thing 1, being 2, animal 3, mammal 4, canine 5: dog is one step below companion (depth 3) and
    # two below mammal, which is deeper.
    found = WuPalmer(tiny).matrix(["dog", "cat"], ["cat", "beast", "tool"])
    assert found[0].tolist() == pytest.approx([8 / 11, 6 / 9, 4 / 5])  # the ratchet is a tool
    assert found[1].tolist() == pytest.approx([1, 6 / 8, 2 / 6])


def test_all_pairs_of_a_tiny_wordnet_are_as_in_nltk(tiny: Path) -> None:
    made, words = (
        WuPalmer(tiny),
        sorted({w for of, _, _ in tiny_wordnet.SENSES.values() for w in of}),
    )
    expected = [[best(made, one, other) for other in words] for one in words]
    np.testing.assert_allclose(made.matrix(words, words), expected, rtol=1e-12)


def test_plurals_case_and_phrases_are_looked_up(tiny: Path) -> None:
    made = WuPalmer(tiny)
    words = ["Dogs", "women", "guide dog", "REX", "guide cat", "red", "", "a" * 10_000]
    assert made.knows(words).tolist() == [True] * 4 + [False] * 4
    found = made.matrix(["women", "red"], ["woman", "guide cat"])
    assert found[0, 0] == 1
    assert np.isnan(found[[0, 1, 1], [1, 0, 1]]).all()


def test_it_tells_the_version_and_the_folder_by_its_name_alone(tiny: Path) -> None:
    about = WuPalmer(tiny).about
    assert about["title"] == "Wu-Palmer similarity in WordNet 9.1"
    assert (about["name"], about["version"], about["folder"]) == ("wordnet", "9.1", "wn")


def test_the_folder_is_that_of_the_environment_or_one_line_says_what_to_type(
    tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WNSEARCHDIR", str(tiny))
    assert wordnet_folder() == tiny.resolve()
    monkeypatch.setattr(wordnet, "FOLDERS", ())
    monkeypatch.setenv("WNSEARCHDIR", str(tiny.parent))
    with pytest.raises(UsageError, match=r"WordNet is not installed; run `apt-get .*WNSEARCHDIR$"):
        wordnet_folder()


def test_a_sense_above_itself_ends_in_one_line(tmp_path: Path) -> None:
    round_: dict[str, Any] = {"a": (["egg"], ["b"], []), "b": (["hen"], ["a"], [])}
    made = WuPalmer(tiny_wordnet.write(tmp_path / "round", round_))
    with pytest.raises(WikibiasError, match="round: not WordNet's files, or damaged"):
        made.matrix(["egg"], ["hen"])


def test_the_pairs_of_the_real_wordnet_come_out(real: WuPalmer, shared: Path) -> None:
    pairs = json.loads((shared / "selection" / "wup_pairs.json").read_text("utf-8"))["pairs"]
    for pair in pairs:
        one, other = pair["a"], pair["b"]
        found = np.nan_to_num(real.matrix([one], [other]))[0, 0]
        assert found == pytest.approx(pair["wup_max_over_senses"], abs=5e-7), (one, other)
        first = [senses(real, word)[:1] for word in (one, other)]
        of_first = first[0][0].wup_similarity(first[1][0]) if all(first) else 0
        assert of_first == pytest.approx(pair["wup_first_senses"], abs=5e-7), (one, other)
    assert real.matrix(["dog"], ["cat"])[0, 0] == pytest.approx(0.857143, abs=5e-7)


def test_random_nouns_of_the_real_wordnet_are_as_in_nltk(real: WuPalmer) -> None:
    nouns = sorted(real._reader.all_lemma_names("n"))
    chosen = random.Random(0).sample(nouns, 40)
    expected = [[best(real, one, other) for other in chosen] for one in chosen]
    found = real.matrix(chosen, chosen)
    np.testing.assert_allclose(found, expected, rtol=1e-12)


@pytest.mark.parametrize("name", NOUN_FILES)
def test_files_that_are_not_wordnets_end_in_one_line(tiny: Path, name: str) -> None:
    (tiny / name).write_bytes(b"\xff\xfe no dictionary\n\n" * 50)
    with pytest.raises(WikibiasError, match="wn: not WordNet's files, or damaged"):
        WuPalmer(tiny).knows(["dog"])


def test_a_sense_that_is_not_where_the_index_says_ends_in_one_line(tiny: Path) -> None:
    data = (tiny / "data.noun").read_bytes()
    (tiny / "data.noun").write_bytes(b"  2 one line more\n" + data)
    with pytest.raises(WikibiasError, match="wn: not WordNet's files, or damaged"):
        WuPalmer(tiny).knows(["dog"])
