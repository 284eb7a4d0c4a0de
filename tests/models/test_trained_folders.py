"""Folders of taggers and rewriters: what is read of them, and what is removed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from wikibias.errors import WikibiasError
from wikibias.models.model_folder import FolderKind

KIND = FolderKind("rewriter", "wikibias neutralise train", 1_000)


def written(folder: Path, content: str = "abc") -> None:
    def write(temporary: Path) -> dict[str, int]:
        (temporary / "model.json").write_text(content)
        return {"seed": 3}

    KIND.save(folder, write, {"data": "pairs"})


def test_what_was_saved_is_described_and_verified(tmp_path: Path) -> None:
    written(tmp_path)
    described = KIND.describe(tmp_path)
    assert (described["seed"], described["data"]) == (3, "pairs")
    assert KIND.holds(tmp_path)
    KIND.verify(tmp_path, described["files"])
    (tmp_path / "model.json").write_text("abd")
    with pytest.raises(WikibiasError, match="has the checksum of"):
        KIND.verify(tmp_path, described["files"])


def test_a_large_file_and_a_link_are_not_read(tmp_path: Path) -> None:
    written(tmp_path / "a", "x" * 2_000)
    files = KIND.describe(tmp_path / "a")["files"]
    with pytest.raises(WikibiasError, match="it is not read"):
        KIND.verify(tmp_path / "a", files)
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "model.json").symlink_to(tmp_path / "a" / "model.json")
    with pytest.raises(WikibiasError, match=r"no file 'model\.json'"):
        KIND.verify(tmp_path / "b", files)


@pytest.mark.parametrize("name", ["../mine.txt", "/{folder}/mine.txt", ".", "sub/../../mine.txt"])
def test_no_file_of_anybody_else_is_removed(name: str, tmp_path: Path) -> None:
    mine = tmp_path / "mine.txt"
    mine.write_text("mine")
    folder = tmp_path / "model"
    written(folder)
    described = KIND.describe(folder)
    described["files"][name.format(folder=tmp_path)] = {"bytes": 4, "sha256": ""}
    (folder / KIND.description).write_text(json.dumps(described))
    KIND.clear(folder)
    assert mine.read_text() == "mine"
    assert not list(folder.iterdir())


@pytest.mark.parametrize(
    "text", ["{", '{"format": "wikibias-rewriter/9"}', '{"format": "wikibias-rewriter/1"}']
)
def test_what_cannot_be_read_can_be_replaced(text: str, tmp_path: Path) -> None:
    (tmp_path / KIND.description).write_text(text)
    (tmp_path / "notes.txt").write_text("mine")
    assert KIND.holds(tmp_path)
    KIND.clear(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / KIND.description).write_text('{"format": "wikibias-tagger/1"}')
    KIND.clear(tmp_path)
    assert (tmp_path / KIND.description).is_file()
