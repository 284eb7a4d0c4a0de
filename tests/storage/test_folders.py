"""What may be written where."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from wikibias.errors import UsageError
from wikibias.storage.folders import LONGEST_NAME, is_file_name, refuse_foreign, refuse_links


@pytest.mark.parametrize("name", ["a.xml", ".a", "a b.7z", "é.xml", "a\nb", "x" * LONGEST_NAME])
def test_names_that_files_have(name: str) -> None:
    assert is_file_name(name)


@pytest.mark.parametrize(
    "name",
    ["", ".", "..", "../x", "/etc/x", "a/b", "a\0", "x" * 241, "é" * 121, "\udcff", None, 7, ["a"]],
)
def test_names_that_lead_elsewhere_or_nowhere(name: object) -> None:
    assert not is_file_name(name)


@pytest.mark.skipif(os.name != "nt", reason="names as Windows has them")
@pytest.mark.parametrize("name", ["..\\x", "c:x", "a:stream"])
def test_names_that_lead_elsewhere_on_windows(name: str) -> None:
    assert not is_file_name(name)


def test_only_an_empty_folder_or_one_of_ours_is_written_to(tmp_path: Path) -> None:
    refuse_foreign(tmp_path / "new", lambda _: False)
    refuse_foreign(tmp_path, lambda _: False)
    (tmp_path / ".DS_Store").touch()
    refuse_foreign(tmp_path, lambda _: False)
    (tmp_path / "thesis.tex").touch()
    refuse_foreign(tmp_path, lambda _: True)
    with pytest.raises(UsageError, match=r"thesis\.tex.*an empty folder"):
        refuse_foreign(tmp_path, lambda _: False)


def test_a_folder_inside_may_not_be_a_link(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out/edits").mkdir()
    (tmp_path / "out/diffs").symlink_to(tmp_path)
    refuse_links(tmp_path / "out", ["edits", "corpus"])
    with pytest.raises(UsageError, match="diffs is a link"):
        refuse_links(tmp_path / "out", ["edits", "diffs"])
