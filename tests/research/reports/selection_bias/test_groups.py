"""Groups of sentences."""

from __future__ import annotations

import itertools
import re

from selection_bias_results import Wanted, full, made, minimal
from wikibias.kits.charts import WIDTH, width_of
from wikibias.reports.selection_bias_page import page
from wikibias.research.reports.selection_bias.groups import groups
from wikibias.research.reports.selection_bias.result import Result


def test_each_fact_has_charts_differences_and_a_table() -> None:
    part = groups(Result(full()))
    assert part is not None
    titles = [block.title for block in part.blocks[1:]]
    assert titles[:2] == ["enwiki-2019, by class", "enwiki-2019, by year"]
    first = part.blocks[1]
    assert [drawing.title for drawing in first.figures] == ["B1", "B2 mean-max"]
    assert len(next(iter(first.folded.values())).rows) == 2 * 3


def test_labels_of_twelve_groups_do_not_overlap() -> None:
    values = [f"a rather long name of group {number}" for number in range(12)]
    part = groups(Result(made(Wanted(groups={"tag": values}))))
    assert part is not None
    drawing = part.blocks[1].figures[0]
    found = re.findall(
        r'<text x="([\d.]+)" y="([\d.]+)" text-anchor="end"[^>]*>([^<]*)<', drawing.markup
    )
    assert len(found) == 12
    heights = [float(y) for _, y, _ in found]
    assert all(below - above >= 14 for above, below in itertools.pairwise(heights))
    assert all(float(x) - width_of(text) >= -8 for x, _, text in found)
    assert all(float(x) < WIDTH / 2 for x, _, _ in found)


def test_no_groups_have_no_section() -> None:
    assert groups(Result(minimal())) is None


def test_groups_of_which_none_differs_are_shut() -> None:
    result = full()
    for each in result["differences"]:
        if each["by"] == "label":
            each["difference"] = {"value": 0.01, "low": -0.1, "high": 0.12}
    part = groups(Result(result))
    assert part is not None
    label, year = part.blocks[1:3]
    assert (label.shut, year.shut) == ("(none of 3 differences is clear)", "")
    shown = page(result)
    assert shown.count('<details class="shut">') == 2
    assert "<h3>enwiki-2019, by class</h3>" in shown


def test_tiers_stand_from_low_to_high() -> None:
    tiers = ["high", "other", "medium", "low"]
    part = groups(Result(made(Wanted(groups={"tier": tiers}))))
    assert part is not None
    (table,) = part.blocks[1].folded.values()
    assert [row[0] for row in table.rows] == ["low", "medium", "high", "other"]
