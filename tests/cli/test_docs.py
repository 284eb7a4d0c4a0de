"""`wikibias docs`: pages and sample dumps can be had where no checkout is."""

from pathlib import Path

import pytest

from exports import wikibias
from paths import ROOT

PAGES = sorted((ROOT / "docs").rglob("*.md"))
SHIPPED = sorted((ROOT / "samples").glob("*wiki-*"))


def test_the_list_names_every_page_once() -> None:
    ended = wikibias("docs")
    assert ended.code == 0
    named = [line.split()[0] for line in ended.out.splitlines()[:-1]]
    assert sorted(named) == sorted(page.stem for page in PAGES)
    assert len(set(named)) == len(named)
    assert "Tutorial: from a dump to a question answered" in ended.out


def test_a_page_as_it_is() -> None:
    ended = wikibias("docs", "add-a-language")
    assert ended.code == 0
    assert ended.out == (ROOT / "docs/how-to/add-a-language.md").read_text("utf-8")


def test_an_unknown_page_names_the_nearest() -> None:
    wikibias("docs", "tutoral").refused("did you mean 'tutorial'?")


def test_a_command_is_a_name_of_its_page() -> None:
    assert wikibias("docs", "pairs").out == wikibias("docs", "sentence-pairs").out
    assert wikibias("docs", "cross-evaluate").out == wikibias("docs", "classify").out


def test_both_dumps_and_what_to_type_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    ended = wikibias("docs", "--samples")
    assert ended.code == 0
    written = sorted((tmp_path / "samples").iterdir())
    assert [path.read_bytes() for path in written] == [path.read_bytes() for path in SHIPPED]
    *named, following = ended.out.splitlines()
    assert named == [f"samples/{path.name}" for path in SHIPPED]
    assert following == f"Next: wikibias extract --lang en {named[0]}"
    assert wikibias("docs", "--samples").out == ended.out


def test_another_file_of_the_name_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / SHIPPED[1].name).write_text("mine")
    wikibias("docs", "--samples", "-o", tmp_path).refused("is another file; choose another --out")
    assert (tmp_path / SHIPPED[1].name).read_text() == "mine"


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    wikibias("docs", "--samples", "-o", tmp_path / "file" / "below").refused("cannot write", code=1)
