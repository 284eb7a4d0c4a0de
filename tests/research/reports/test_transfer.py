"""The page of a cross table."""

from __future__ import annotations

from pathlib import Path

from sample_examples import examples
from wikibias.models.estimators.registry import create
from wikibias.research.reports.transfer import write_cross_page
from wikibias.research.transfer import Judging, LabelledSet, cross_table, learning_curve


def test_the_page_shows_each_cell_and_curve_and_escapes_names(tmp_path: Path) -> None:
    sets = [LabelledSet("<b>", examples("a", 60, 1)), LabelledSet("plain", examples("b", 60, 2))]
    how = Judging(folds=3, grouped_by="random", resamples=10)

    def make() -> object:
        return create("majority")

    cells = list(cross_table(sets, make, how))  # type: ignore[arg-type]
    curve = list(learning_curve(sets[0], [20, 30], make, how))  # type: ignore[arg-type]
    write_cross_page(sets, {"majority": cells}, {"majority": {"<b>": curve}}, tmp_path)
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "<b>" not in page
    assert "&lt;b&gt; on plain" in page
    assert "F1 of majority by the number of training sentences" in page
