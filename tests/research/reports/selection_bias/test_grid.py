"""Curves over topics, words and sizes."""

from __future__ import annotations

from selection_bias_results import Wanted, full, made, minimal
from wikibias.research.reports.selection_bias.grid import curves, side_by_side, sizes
from wikibias.research.reports.selection_bias.result import Result


def test_each_list_has_curves_of_both_figures_and_a_table() -> None:
    part = curves(Result(full()))
    assert part is not None
    assert len(part.blocks) == 1 + 6
    first = part.blocks[1]
    assert [drawing.title for drawing in first.figures] == [
        *("B1 by number of topics", "B1 by number of words of a topic"),
        *("B2 by number of topics", "B2 by number of words of a topic"),
    ]
    (table,) = first.folded.values()
    assert [row[:2] for row in table.rows] == [
        ["2", "8"], ["8", "8"], ["8", "20"], ["8", "50"], ["20", "8"],
    ]  # fmt: skip
    assert first.figures[0].alt.startswith("B1: 2 0.")


def test_one_setting_has_no_curves() -> None:
    result = Result(minimal())
    assert curves(result) is None
    assert sizes(result) is None
    assert side_by_side(result) is None


def test_differences_of_corpora_need_no_curves() -> None:
    result = made(Wanted(("old", "new"), topics=(8,), words=(8,)))
    part = side_by_side(Result(result))
    assert part is not None
    assert [block.title for block in part.blocks] == ["Differences between corpora"]
    result["differences"] = []
    assert side_by_side(Result(result)) is None


def test_only_what_is_drawn_is_explained() -> None:
    part = curves(Result(full()))
    assert part is not None
    said = " ".join(part.blocks[0].says)
    assert "intervals over seeds" in said
    assert "random lists lie" in said
    result = made(Wanted(seeds=1))
    for each in result["figures"]:
        each["baseline"] = None
    part = curves(Result(result))
    assert part is not None
    said = " ".join(part.blocks[0].says)
    assert "intervals over seeds" not in said
    assert "random lists" not in said


def test_one_number_of_words_has_curves_over_topics_alone() -> None:
    part = curves(Result(made(Wanted(words=(8,)))))
    assert part is not None
    assert [d.title for d in part.blocks[1].figures] == [
        "B1 by number of topics",
        "B2 by number of topics",
    ]


def test_sizes_have_a_curve_for_each_list() -> None:
    part = sizes(Result(full()))
    assert part is not None
    assert len(part.blocks[0].figures) == 2 * len(part.blocks[0].folded) == 12


def test_corpora_share_a_chart() -> None:
    part = side_by_side(Result(full()))
    assert part is not None
    assert [block.title for block in part.blocks] == [
        *("", "tag-set", "classes", "scripts", "Differences between corpora")
    ]
    assert part.blocks[-1].tables[0].title.startswith("Differences")
    for name in ("enwiki-2019", "enwiki-2024"):
        assert f"{name}: 2 0." in part.blocks[1].figures[0].alt
