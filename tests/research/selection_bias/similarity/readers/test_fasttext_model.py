"""Models of fastText read without it: the same vectors, and no damage ends the process."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikibias.errors import WikibiasError
from wikibias.models.estimators.fasttext import errors_named
from wikibias.research.selection_bias.similarity.cosine import unit
from wikibias.research.selection_bias.similarity.readers.fasttext_model import read_model
from wikibias.research.selection_bias.similarity.sought import sought

fasttext = pytest.importorskip("fasttext", reason="the extra fasttext is not installed")

LINES = ["the river and the mill", "réfugiés at the river bank", "a white house by the mill"] * 30
UNSEEN = ["rivers", "x", "Réfugiés", "日本語", "millstone"]


@pytest.fixture(scope="module", params=["skipgram", "cbow", "no groups", "classifier"])
def trained(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Train a small model, and return it with its file."""
    return make(tmp_path_factory.mktemp("model"), request.param)


def make(folder: Path, kind: str) -> tuple[Any, Path]:
    text = folder / "text.txt"
    options = {"dim": 7, "epoch": 1, "thread": 1, "minCount": 1, "bucket": 500, "verbose": 0}
    with errors_named("cannot learn"):
        if kind == "classifier":
            text.write_text("".join(f"__label__a {line}\n" for line in LINES), "utf-8")
            model = fasttext.train_supervised(str(text), wordNgrams=2, **options)
        else:
            text.write_text("\n".join(LINES), "utf-8")
            if kind == "no groups":
                options |= {"minn": 0, "maxn": 0}
            learnt = kind if kind == "cbow" else "skipgram"
            model = fasttext.train_unsupervised(str(text), model=learnt, **options)
        model.save_model(str(folder / "model.bin"))
    return model, folder / "model.bin"


def test_the_vectors_are_those_of_fasttext(trained: tuple[Any, Path]) -> None:
    model, path = trained
    found = read_model(path, sought([*model.words, *UNSEEN]))
    assert found.dimensions == 7
    # The package gives them the length 1, others of its name do not.
    for word in (*model.words, *(word.lower() for word in UNSEEN)):
        own = unit([found.vectors[word], model.get_word_vector(word)])
        assert np.allclose(own[0], own[1], atol=1e-6, equal_nan=True), word


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the file of a model of words and groups of letters."""
    return make(tmp_path_factory.mktemp("model"), "skipgram")[1]


def test_a_phrase_is_not_made_of_its_letters(path: Path) -> None:
    found = read_model(path, sought(["White Mills"])).vectors
    assert set(found) == {"white", "mills"}


def changed(path: Path, place: int, value: bytes) -> Path:
    content = bytearray(path.read_bytes())
    content[place : place + len(value)] = value
    other = path.with_name("changed.bin")
    other.write_bytes(content)
    return other


@pytest.mark.parametrize(
    ("place", "value", "why"),
    [
        (4, struct.pack("<i", 99), "fastText's form 99; one of 11 and 12"),
        (8, struct.pack("<i", 10**9), "a damaged model of fastText"),
        (40, struct.pack("<i", 2**31 - 1), "a damaged model of fastText"),
        (64, struct.pack("<i", 2**31 - 1), "a damaged model of fastText"),
        (48, struct.pack("<i", 2**31 - 1), "a damaged model of fastText"),
        (68, struct.pack("<i", -5), "a damaged model of fastText"),
    ],
)
def test_a_changed_number_is_refused(place: int, value: bytes, why: str, path: Path) -> None:
    with pytest.raises(WikibiasError) as error:
        read_model(changed(path, place, value), sought(["river"]))
    assert why in str(error.value)


def test_counts_beyond_any_file_are_refused(tmp_path: Path) -> None:
    head = struct.pack("<ii12id", 793_712_314, 12, 2, *[1] * 11, 1.0)
    (tmp_path / "m.bin").write_bytes(head + struct.pack("<iiiqq", 0, 0, 0, 0, 2**62) + bytes(99))
    with pytest.raises(WikibiasError, match="a damaged model of fastText"):
        read_model(tmp_path / "m.bin", sought(["river"]))


def test_a_compressed_model_says_what_to_give(tmp_path: Path) -> None:
    text = tmp_path / "text.txt"
    text.write_text("".join(f"__label__a {line}\n" for line in LINES), "utf-8")
    with errors_named("cannot learn"):
        model = fasttext.train_supervised(
            str(text), dim=4, epoch=1, thread=1, wordNgrams=2, bucket=500, verbose=0
        )
        model.quantize(str(text), dsub=2, retrain=False)
        model.save_model(str(tmp_path / "model.ftz"))
    with pytest.raises(WikibiasError, match=r"compressed \(\.ftz\)"):
        read_model(tmp_path / "model.ftz", sought(["river"]))


@given(data=st.data())
@pytest.mark.hypothesis
def test_no_damage_does_more_than_an_error(data: st.DataObject, path: Path) -> None:
    size = path.stat().st_size
    place = data.draw(st.integers(4, min(size, 600)))
    other = changed(path, place, data.draw(st.binary(min_size=1, max_size=8)))
    if data.draw(st.booleans()):
        other.write_bytes(other.read_bytes()[: data.draw(st.integers(4, size))])
    try:
        found = read_model(other, sought(["river", "unseen"]))
    except WikibiasError as error:
        assert "\n" not in str(error)  # noqa: PT017
    else:
        assert all(len(row) == found.dimensions for row in found.vectors.values())
