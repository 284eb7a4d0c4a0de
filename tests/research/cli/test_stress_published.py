"""The stress tests that Horych et al. (2025) released come out as in their Table 3."""

import json
from pathlib import Path
from typing import Any

import pytest

from exports import wikibias

FILTERS = {"prejudice": "neutral-templates", "loaded": "changed"}
"""What the authors' notebook leaves out of two tests, and the paper does not say."""


@pytest.fixture(scope="module")
def expected(shared: Path) -> list[dict[str, Any]]:
    path = shared / "annotation" / "expected.json"
    if not path.is_file():
        pytest.skip(f"no {path}")
    found: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["checklist"]
    return found


def figures(file: Path, out: Path, *options: str) -> dict[str, Any]:
    only = [word for choice in options for word in ("--only", choice)]
    done = wikibias("stress", file, *only, "--out", out)
    assert done.code == 0, done.err
    found: dict[str, Any] = json.loads((out / "stress.json").read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize("test", ["factual", "locations", "pronouns", "prejudice", "loaded"])
def test_figures_of_the_paper(
    test: str, expected: list[dict[str, Any]], shared: Path, tmp_path: Path
) -> None:
    file = shared / "annotation" / "checklist" / f"{test}.parquet"
    out = tmp_path / "out"
    printed = figures(file, out, *([FILTERS[test]] if test in FILTERS else []))
    changed = figures(file, out, "changed")
    whole = figures(file, out)
    rows = [row for row in expected if row["test"] == test]
    assert {row["system"] for row in rows} == set(printed["models"])
    for row in rows:
        found = printed["models"][row["system"]][test]
        assert found["kind"] == row["kind"]
        assert found["rows"] == row["n"]
        assert found["as_expected"]["value"] == pytest.approx(row["recomputed"], abs=5e-7)
        every = whole["models"][row["system"]][test]
        assert every["rows"] == row["rows_in_file"]
        if "all_1900" in row:
            assert every["as_expected"]["value"] == pytest.approx(row["all_1900"], abs=5e-7)
        for name, value in row.get("by_category", {}).items():
            share = found["categories"][name]["as_expected"]["value"]
            assert share == pytest.approx(value, abs=5e-7)
        if "originals" in row:
            assert found["originals"] == row["originals"]
            assert found["changed"] == row["n_changed"]
        if "recomputed_changed_only" in row:
            share = changed["models"][row["system"]][test]["as_expected"]["value"]
            assert share == pytest.approx(row["recomputed_changed_only"], abs=5e-7)
        if "common_rows" in row:
            common = printed["common"][test]
            assert common["rows"] == row["common_rows"]
            for name, share in common["models"].items():
                assert share["value"] == pytest.approx(row[f"{name}_on_common"], abs=5e-7)
