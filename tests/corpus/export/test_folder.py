"""The folder of an export is complete or as it was, and never that of somebody else."""

from contextlib import suppress
from pathlib import Path

import pytest

from wikibias.corpus.export.folder import RECORD, export_folder, recorded
from wikibias.errors import UsageError


def write(out: Path, content: str, name: str = "a/b.txt", *, overwrite: bool = False) -> None:
    with export_folder(out, {"format": "csv"}, overwrite=overwrite) as folder:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content)


def names(folder: Path) -> list[str]:
    return sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file())


def test_an_export_that_nobody_changed_is_replaced_whole(tmp_path: Path) -> None:
    out = tmp_path / "out"
    write(out, "1")
    write(out, "2", "c.txt")
    assert names(out) == ["c.txt", RECORD]
    found = recorded(out)
    assert found is not None
    assert found["format"] == "csv"
    assert names(tmp_path) == ["out/c.txt", f"out/{RECORD}"]


@pytest.mark.parametrize("name", ["notes.txt", ".hidden", "a/own.txt", "a/b.txt"])
def test_what_is_not_ours_stays(name: str, tmp_path: Path) -> None:
    out = tmp_path / "out"
    write(out, "1")
    (out / name).write_text("mine")
    with pytest.raises(UsageError, match=name):
        write(out, "2")
    assert (out / name).read_text() == "mine"
    write(out, "2", "c.txt", overwrite=True)
    assert (out / name).read_text() == "mine"
    assert (out / "c.txt").read_text() == "2"
    write(out, "3", name, overwrite=True)
    assert (out / name).read_text() == "3"
    assert not [path for path in names(out) if "wikibias" in path]


def test_a_folder_of_somebody_else(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("x")
    with pytest.raises(UsageError, match=r"thesis\.tex"):
        write(tmp_path, "1")
    assert names(tmp_path) == ["thesis.tex"]


def test_a_link_inside_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    out = tmp_path / "out"
    out.mkdir()
    (out / "a").symlink_to(tmp_path / "far")
    with pytest.raises(UsageError):
        write(out, "1")
    with pytest.raises(UsageError, match="link"):
        write(out, "1", overwrite=True)
    assert names(tmp_path / "far") == []


@pytest.mark.parametrize("before", [False, True])
def test_an_interrupt_leaves_what_was_there(before: bool, tmp_path: Path) -> None:
    out = tmp_path / "out"
    if before:
        write(out, "1")
    was = names(tmp_path)
    with (
        suppress(KeyboardInterrupt),
        export_folder(out, {"format": "csv"}, overwrite=False) as folder,
    ):
        (folder / "a.txt").write_text("half")
        raise KeyboardInterrupt
    assert names(tmp_path) == was


def test_what_a_killed_run_left_goes(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with export_folder(out, {"format": "csv"}, overwrite=False) as folder:
        left = folder
    left.mkdir()
    (left / "a.txt").write_text("half")
    write(out, "1")
    assert not left.exists()
