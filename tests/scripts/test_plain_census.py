"""A plain count of what a dump calls: the tables of `tags count` are equal to it."""

from __future__ import annotations

from pathlib import Path

import pytest

from exports import Page, Revision, export, wikibias
from plain_census import differences, main, plain


@pytest.mark.parametrize("name", ["aawiki-20260101", "chwiki-20180501", "shintowiki-en-tagged"])
def test_tables_of_real_dumps_are_equal_to_a_plain_count(
    name: str, shared: Path, tmp_path: Path
) -> None:
    (dump,) = (shared / "dumps").glob(f"{name}*.7z")
    wikibias("tags", "count", "-q", "-o", tmp_path, dump)
    assert list(differences(tmp_path, plain([dump]))) == []


def test_a_difference_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = tmp_path / "a.xml", tmp_path / "b.xml"
    first.write_bytes(export([Page("Mill", [Revision("{{POV}}"), Revision("{{POV}}{{Stub}}")])]))
    second.write_bytes(export([Page("Mill", [Revision("{{POV}}"), Revision("{{Stub}}")])]))
    out = str(tmp_path / "o")
    wikibias("tags", "count", "-q", "-o", out, first)
    assert main(out, str(first)) == 0
    assert main(out, str(second)) == 1
    assert capsys.readouterr().out.splitlines() == [
        "4 counts are equal.",
        "POV: 2 revisions, not 1",
        "POV 2019: 2, not 1",
    ]
