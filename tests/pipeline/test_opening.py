"""How a run begins in a folder: whose it is, and what may be thrown away."""

from __future__ import annotations

from pathlib import Path

import pytest

from wikibias.dumps.parts import Part
from wikibias.errors import UsageError
from wikibias.pipeline.plan import is_result, refuse_lost_inputs


def test_a_result_is_told_by_its_manifest_or_its_tables(
    parts: list[Path], out: Path, done: dict[str, bytes]
) -> None:
    assert is_result(out)
    (out / "manifest.json").write_text("{")
    assert is_result(out)
    (out / "manifest.json").write_text('{"name": "theirs"}')
    assert is_result(out)  # its tables are ours


def test_the_ruins_of_a_run_are_a_result(tmp_path: Path) -> None:
    (tmp_path / "page_splits.jsonl").touch()
    assert not is_result(tmp_path)
    (tmp_path / ".lock").touch()
    assert is_result(tmp_path)
    (tmp_path / "thesis.tex").touch()
    assert not is_result(tmp_path)


def test_nothing_is_begun_or_thrown_away_for_inputs_that_are_not_there(tmp_path: Path) -> None:
    lost = [Part("a.xml", (str(tmp_path / "a.xml"),))]
    with pytest.raises(UsageError, match="no such file"):
        refuse_lost_inputs(tmp_path / "new", lost, restart=False)
    refuse_lost_inputs(tmp_path, lost, restart=False)
    (tmp_path / "manifest.json").touch()
    with pytest.raises(UsageError, match="left as it was"):
        refuse_lost_inputs(tmp_path, lost, restart=True)
