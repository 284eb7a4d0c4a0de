"""Words as numbers, targets of encoders and temperatures of logits; needs no torch."""

import json
from dataclasses import asdict
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import expit
from sklearn.linear_model import LogisticRegression

from put import put
from sample_sentences import examples
from wikibias.errors import WikibiasError
from wikibias.kits.evaluation import calibration_error
from wikibias.models.estimators.registry import HERE, Run
from wikibias.research.neural.calibration import held_out, missing, temperature, temperatures
from wikibias.research.neural.encoder import fitted, joined, targets, without_doubtful
from wikibias.research.neural.words import (
    LONGEST_SENTENCE,
    Vocabulary,
    character_ngrams,
    frequent,
    read_vectors,
    words,
)


def test_words_are_lower_case_and_marks_stand_alone() -> None:
    text = "The Mill, 「水車」!"
    assert words(text) == ["the", "mill", ",", "「", "水", "車", "」", "!"]


def test_a_long_text_is_read_from_its_beginning() -> None:
    assert len(words("mill " * 10_000)) == LONGEST_SENTENCE


def test_the_commonest_come_first() -> None:
    sentences = [["the", "mill"], ["the", "barn", "mill"], ["the", "tower"]]
    assert frequent(sentences, 2) == ["the", "mill"]


def test_an_unknown_word_is_told_by_its_letters() -> None:
    vocabulary = Vocabulary(["mill"], ["the", "mill"], 1000)
    found = vocabulary.numbered([["the", "mill"], [], ["mills", "the"]])
    assert found.known == [0, 1, 0, 0]
    assert found.learnt == [1, 2, 0, 0]
    assert found.places == [[0, 1], [2], [3, 0]]
    assert found.starts[0] == 0
    mill, mills = (set(character_ngrams(word, 1000)) for word in ("mill", "mills"))
    assert mill & mills


def test_the_same_ngrams_on_each_machine() -> None:
    assert character_ngrams("of", 1000) == [155, 205, 434]


@pytest.mark.parametrize("word", ["", "x", "\ud800", "y" * 100_000])
def test_any_word_has_some(word: str) -> None:
    found = character_ngrams(word, 7)
    assert 1 <= len(found) <= 150
    assert all(0 <= each < 7 for each in found)


def test_it_is_kept_as_json() -> None:
    vocabulary = Vocabulary(["mill"], ["the"], 5)
    assert Vocabulary(**json.loads(json.dumps(asdict(vocabulary)))) == vocabulary


def read(
    path: Path, content: bytes, wanted: tuple[str, ...] = (), most: int = 9
) -> dict[str, object]:
    found = read_vectors(put(path / "v.vec", content), wanted, most)
    return {word: row.tolist() for word, row in zip(found.words, found.vectors, strict=True)}


@pytest.mark.parametrize(
    "content",
    [
        b"river 1 2\nmill 3 4\n",
        b"2 2\nriver 1 2\nmill 3 4\n",
        b"2 2\r\nriver 1 2 \r\nmill\t3\t4",
        b"2 2\nriver 1 2\n\nmill 3 4\n\n",
        b"river   1 2\nmill 3  4\n",
        b"River 1 2\nmill 3 4\nriver 5 6\n",
    ],
)
def test_each_form_gives_the_same(content: bytes, tmp_path: Path) -> None:
    assert read(tmp_path, content) == {"river": [1, 2], "mill": [3, 4]}


def test_a_word_may_hold_spaces(tmp_path: Path) -> None:
    assert read(tmp_path, b"2 1\n. . . 7\nat name 8\n") == {". . .": [7], "at name": [8]}


def test_the_first_and_those_wanted_are_kept(tmp_path: Path) -> None:
    lines = b"".join(f"w{i} {i}\n".encode() for i in range(1000))
    assert read(tmp_path, lines, ("w998", "none"), 2) == {"w0": [0], "w1": [1], "w998": [998]}


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(WikibiasError, match="cannot be read"):
        read_vectors(tmp_path / "none", (), 9)


def test_a_line_without_end_is_not_read_to_its_end() -> None:
    with pytest.raises(WikibiasError, match="longer than 100,000 bytes"):
        read_vectors(Path("/dev/zero"), (), 9)


NUMBERS = st.floats(-1e5, 1e5, width=32)
WORD = st.text(st.characters(categories=("L", "N", "P", "S")), min_size=1, max_size=8)


@settings(max_examples=60, deadline=None)
@given(
    words=st.lists(WORD, min_size=1, max_size=8, unique_by=str.lower),
    width=st.integers(1, 5),
    header=st.booleans(),
    data=st.data(),
)
@pytest.mark.hypothesis
def test_what_is_written_is_read_again(
    words: list[str],
    width: int,
    header: bool,
    data: st.DataObject,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    rows = [data.draw(st.lists(NUMBERS, min_size=width, max_size=width)) for _ in words]
    lines = [f"{len(words)} {width}"] if header or width == 1 else []
    lines += [f"{word} {' '.join(map(repr, row))}" for word, row in zip(words, rows, strict=True)]
    path = put(tmp_path_factory.mktemp("v") / "v", "\n".join(lines))
    found = read_vectors(path, (), 9)
    assert found.words == [word.lower() for word in words]
    assert np.array_equal(found.vectors, np.array(rows, dtype=np.float32))


@settings(max_examples=200, deadline=None)
@given(content=st.binary(max_size=200))
@pytest.mark.hypothesis
def test_any_bytes_are_read_or_not(
    content: bytes, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = put(tmp_path_factory.mktemp("v") / "v", content)
    try:
        found = read_vectors(path, (), 9)
    except WikibiasError as error:
        assert "\n" not in str(error).replace(str(path), "")  # noqa: PT017
    else:
        assert len(found.words) == len(found.vectors)
        assert np.isfinite(found.vectors).all()


@pytest.mark.parametrize("wanted", [0.25, 1.0, 4.0])
def test_a_temperature_is_found_again(wanted: float) -> None:
    rng = np.random.default_rng(0)
    logits = rng.normal(0, 2, 20_000)
    truth = rng.random(20_000) < expit(logits)
    found = temperature(logits * wanted, truth)
    assert found is not None
    assert found == pytest.approx(wanted, rel=0.05)
    before = calibration_error(truth, expit(logits * wanted))
    after = calibration_error(truth, expit(logits * wanted / found))
    assert before is not None
    assert after is not None
    assert after < 0.02
    assert after <= before + 0.01


def test_of_a_few_sentences_nothing_is_fitted() -> None:
    truth = np.array([True] * 9 + [False] * 40)
    assert temperature(np.zeros(49), truth) is None


def test_a_share_of_each_combination_is_held_out() -> None:
    labels = np.array([[True, False]] * 40 + [[False, False]] * 60 + [[True, True]] * 5)
    judged = np.ones_like(labels)
    chosen = held_out(labels, judged, 0.1, seed=0)
    assert [int(part.sum()) for part in np.split(chosen, [40, 100])] == [4, 6, 0]
    assert np.array_equal(chosen, held_out(labels, judged, 0.1, seed=0))
    assert not np.array_equal(chosen, held_out(labels, judged, 0.1, seed=1))


def test_each_output_has_its_own_temperature_and_one_without_is_named() -> None:
    rng = np.random.default_rng(5)
    logits = rng.normal(size=(400, 2))
    labels = rng.random((400, 2)) < expit(logits / 2)
    judged = np.ones_like(labels)
    judged[:, 1] = np.arange(400) < 4
    said: list[str] = []
    first, second = temperatures(logits, labels, judged, ["a", "b"], said.append)
    assert first == temperature(logits[:, 0], labels[:, 0])
    assert second is None
    assert [line[:9] for line in said] == ["label b: "]


def test_what_is_missing_comes_with_what_to_type() -> None:
    libraries = ("torch", "transformers", "safetensors", "accelerate")
    absent = [name for name in libraries if find_spec(name) is None]
    said = missing()
    assert (said is None) is (not absent)
    if said is not None:
        assert "install" in said
        assert ("wikibias docs install" in said) == ("torch" in absent)
        assert all(name in said for name in absent)


def test_each_of_several_trainings_has_a_checkpoint_of_its_own() -> None:
    run = Run("cpu", Path("out"), overwrite=True)
    assert run.part("first") == Run("cpu", Path("out/first"), overwrite=True)
    assert HERE.part("first") == HERE


def test_types_are_learnt_where_there_is_any() -> None:
    labels = np.array([[True, False], [False, False], [False, False], [True, True]])
    judged = np.array([[True, True], [True, True], [True, False], [False, True]])
    any_first, known = targets(labels, judged)
    assert any_first.tolist() == [
        [True, True, False],
        [False, False, False],
        [False, False, False],
        [True, False, True],
    ]
    assert known.tolist() == [
        [True, True, True],
        [True, False, False],
        [False, False, False],  # it has none that is known, and not all are judged
        [True, False, True],
    ]


def test_a_type_is_as_likely_as_any_and_it() -> None:
    assert joined(np.array([[0.5, 0.5, 1.0]])).tolist() == [[0.25, 0.5]]


TRAIN = examples("train", 200, 1)
LABELS = TRAIN.biased.reshape(-1, 1)
JUDGED = np.ones_like(LABELS)


def test_wrong_labels_go_first() -> None:
    words = ["splendid", "plain"]
    texts = [f"The {words[row % 2]} mill of village {row}" for row in range(100)]
    noisy = np.array([[row % 2 == 0 or row in (11, 51, 71)] for row in range(100)])
    kept = without_doubtful(texts, noisy, JUDGED[:100], 3 / 53 + 1e-9)
    assert np.flatnonzero(~kept).tolist() == [11, 51, 71]


def test_a_label_of_three_sentences_keeps_them() -> None:
    few = np.zeros_like(LABELS)
    few[:3] = True
    assert without_doubtful(TRAIN.texts, few, JUDGED, 0.5).all()


RNG = np.random.default_rng(0)
ROWS = RNG.normal(size=(300, 6))
TRUTH = ROWS @ RNG.normal(size=6) + RNG.normal(size=300) > 0.3


@pytest.mark.parametrize("c", [0.01, 1.0])
def test_it_is_that_of_scikit_learn(c: float) -> None:
    known = LogisticRegression(C=c, max_iter=1000, tol=1e-8).fit(ROWS, TRUTH)
    found = fitted(ROWS, TRUTH, c)
    assert found[:-1] == pytest.approx(known.coef_[0], abs=1e-3)
    assert found[-1] == pytest.approx(known.intercept_[0], abs=1e-3)


def test_a_start_is_left_only_for_good_reasons() -> None:
    start = np.arange(7, dtype=float)
    assert fitted(ROWS, TRUTH, 1e-9, start)[:-1] == pytest.approx(start[:-1], abs=1e-2)
    near_zero, near_start = fitted(ROWS, TRUTH, 0.1), fitted(ROWS, TRUTH, 0.1, start)
    assert np.linalg.norm(near_start - start) < np.linalg.norm(near_zero - start)
