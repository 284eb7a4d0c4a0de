"""Balanced files of statements."""

from pathlib import Path

import pytest

import hube_sets


def test_as_many_neutral_as_biased(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "h.statements_biased.txt").write_text("a grand  mill\n\nthe finest barn\n")
    for kind in hube_sets.KINDS:
        lines = "".join(f"{kind} mill {n}\n" for n in range(9))
        (tmp_path / f"h.statements_neutral_{kind}.txt").write_text(lines)
    monkeypatch.setattr("sys.argv", ["", str(tmp_path), str(tmp_path / "out")])
    found = []
    for _ in range(2):
        hube_sets.main()
        found.append((tmp_path / "out" / "featured.tsv").read_text())
    assert found[0] == found[1]
    rows = [line.split("\t") for line in found[0].splitlines()]
    assert [label for label, _ in rows] == ["biased"] * 2 + ["neutral"] * 2
    assert rows[0][1] == "a grand mill"
    assert len({text for _, text in rows}) == 4
