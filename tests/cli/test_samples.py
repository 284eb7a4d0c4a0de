"""`wikibias samples`: dumps to try wikibias with, where no checkout is."""

from pathlib import Path

import pytest

from exports import wikibias
from paths import ROOT

SHIPPED = sorted((ROOT / "samples").glob("*wiki-*"))


def test_both_dumps_and_what_to_type_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    ended = wikibias("samples")
    assert ended.code == 0
    written = sorted((tmp_path / "samples").iterdir())
    assert [path.read_bytes() for path in written] == [path.read_bytes() for path in SHIPPED]
    *named, following = ended.out.splitlines()
    assert named == [f"samples/{path.name}" for path in SHIPPED]
    assert following == f"Next: wikibias extract --lang en {named[0]}"
    assert wikibias("samples").out == ended.out


def test_another_file_of_the_name_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / SHIPPED[1].name).write_text("mine")
    ended = wikibias("samples", "-o", tmp_path)
    assert ended.code == 2
    assert "is another file; choose another --out" in ended.errors[0]
    assert (tmp_path / SHIPPED[1].name).read_text() == "mine"


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    ended = wikibias("samples", "-o", tmp_path / "file" / "below")
    assert ended.code == 1
    assert "cannot write" in ended.errors[0]
