"""The rows of a grid search on disk."""

from __future__ import annotations

from pathlib import Path

from wikibias.models.model_folder import Journal


def test_a_journal_survives_a_cut_and_forgets_another_search(tmp_path: Path) -> None:
    path = tmp_path / "grid.jsonl"
    Journal(path, "one").add([{"n": 0, "f1": 0.5}, {"n": 1, "f1": 0.6}])
    path.write_text(path.read_text()[:-8])
    assert Journal(path, "one").table() == [{"n": 0, "f1": 0.5}]
    assert Journal(path, "two").table() == []
