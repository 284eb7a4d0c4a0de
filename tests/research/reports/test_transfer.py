"""The page of a cross table."""

from sample_examples import examples
from wikibias.kits.html import html
from wikibias.models.estimators.registry import create
from wikibias.research.reports.transfer import page
from wikibias.research.transfer import Judging, LabelledSet, cross_table


def test_the_page_shows_each_cell_and_escapes_names() -> None:
    sets = [LabelledSet("<b>", examples("a", 60, 1)), LabelledSet("plain", examples("b", 60, 2))]
    how = Judging(folds=3, grouped_by="random", resamples=10)

    def make() -> object:
        return create("majority")

    cells = list(cross_table(sets, make, how))  # type: ignore[arg-type]
    shown = html(page(sets, {"majority": cells}))
    assert "<b>" not in shown
    assert "&lt;b&gt; on plain" in shown
