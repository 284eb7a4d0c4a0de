"""Taggers by name, and their folders."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tagged_pairs import made_sentences
from wikibias.errors import UsageError, WikibiasError
from wikibias.research.spans import registry


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    registry.save(registry.create("frequent").fit(made_sentences(5), []), tmp_path, {})
    return tmp_path


def changed(folder: Path, change: Callable[[Any], object]) -> None:
    path = folder / registry.FOLDER.description
    described = json.loads(path.read_text())
    change(described)
    path.write_text(json.dumps(described))


def test_unknown_names_and_parameters() -> None:
    with pytest.raises(UsageError, match="unknown tagger 'crff'; did you mean 'crf'"):
        registry.create("crff")
    with pytest.raises(UsageError, match="tagger 'longest' does not take --base"):
        registry.create("longest", base="x")


def test_a_file_that_is_not_the_one_that_was_written(folder: Path) -> None:
    (folder / "change_rates.json").write_text("{}")
    with pytest.raises(WikibiasError, match=r"not the file that tagger.json has the checksum of"):
        registry.load(folder)
    (folder / "change_rates.json").unlink()
    with pytest.raises(WikibiasError, match=r"no file 'change_rates.json' of the tagger"):
        registry.load(folder)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda d: d.update(format="wikibias-tagger/9"), "not the description of a tagger of this"),
        (lambda d: d.update(files=None), "damaged"),
        (lambda d: d.update(files={"../x": {"bytes": 1, "sha256": ""}}), "no file '../x'"),
        (lambda d: d["files"]["change_rates.json"].update(bytes=9**20), "larger than 2 GB"),
        (lambda d: d.update(tagger="other"), "nothing installed adds a tagger 'other'"),
        (lambda d: d.update(parameters=7), "damaged"),
        (lambda d: d.update(parameters={"prior": "x"}), "damaged"),
        (lambda d: d.update(parameters={"prior": -3}), "damaged"),
    ],
)
def test_damaged_descriptions(folder: Path, change: Callable[[Any], object], said: str) -> None:
    changed(folder, change)
    with pytest.raises(WikibiasError) as caught:
        registry.load(folder)
    assert said in str(caught.value)
    assert registry.FOLDER.holds(folder)


def test_folders_without_a_tagger(tmp_path: Path) -> None:
    with pytest.raises(WikibiasError, match=r"no tagger.json in it; give the folder that"):
        registry.load(tmp_path)
    assert not registry.FOLDER.holds(tmp_path)
    (tmp_path / registry.FOLDER.description).write_text("{")
    with pytest.raises(WikibiasError, match="damaged"):
        registry.load(tmp_path)
