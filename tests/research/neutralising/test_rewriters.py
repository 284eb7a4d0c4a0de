"""Rewriters by name, and their folders."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rewriting import pairs
from wikibias.errors import UsageError, WikibiasError
from wikibias.research.neutralising import rewriters


@pytest.mark.parametrize(
    ("name", "options", "says"),
    [
        ("edit-tabel", {}, "did you mean 'edit-table'?"),
        ("copy", {"least": 0.5}, "does not take --least"),
    ],
)
def test_what_nobody_has_registered(name: str, options: dict[str, Any], says: str) -> None:
    with pytest.raises(UsageError, match=says):
        rewriters.create(name, **options)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rewriters.save(rewriters.create("edit-table"), tmp_path, {"data": {}})
    return tmp_path


def test_a_file_that_was_changed_is_not_read(folder: Path) -> None:
    (folder / "ngrams.parquet").write_bytes(b"other")
    with pytest.raises(WikibiasError, match="has the checksum of"):
        rewriters.load(folder)
    (folder / "ngrams.parquet").unlink()
    with pytest.raises(WikibiasError, match="no file 'ngrams"):
        rewriters.load(folder)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "damaged"),
        ('{"format": "wikibias-rewriter/9"}', "of this version"),
        ('{"format": "wikibias-rewriter/1"}', "damaged"),
        ('{"format": "wikibias-rewriter/1", "files": {}, "rewriter": "x"}', "nothing installed"),
        ('{"format": "wikibias-rewriter/1", "files": {"../x": {}}}', "no file"),
    ],
)
def test_a_description_that_cannot_be_used(folder: Path, text: str, says: str) -> None:
    (folder / rewriters.FOLDER.description).write_text(text)
    with pytest.raises(WikibiasError, match=says):
        rewriters.load(folder)


def test_a_copy_leaves_every_sentence_as_it_is(tmp_path: Path) -> None:
    texts = ["The notorious mill.", "", "?"]
    rewriters.save(rewriters.create("copy").fit(pairs()), tmp_path, {})
    assert rewriters.load(tmp_path).rewrite(texts) == texts


def test_a_folder_without_a_rewriter(tmp_path: Path) -> None:
    with pytest.raises(WikibiasError, match="in it; give the folder"):
        rewriters.load(tmp_path)
    assert not rewriters.FOLDER.holds(tmp_path)
