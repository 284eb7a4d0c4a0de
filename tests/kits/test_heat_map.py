"""Heat maps."""

from __future__ import annotations

from wikibias.kits.document import LEVELS, HeatCell, heat_map

TOPICS = [("1", "law"), ("2", "song")]


def test_cells_hold_their_numbers_and_are_shaded_from_lowest_to_highest() -> None:
    made = heat_map(
        ["fair", "own"],
        TOPICS,
        [[0.1, 0.6], [None, 0.349]],
        title="t",
        corner="keyword",
        last=("B1", [0.1, 0.4745]),
    )
    assert made.rows == [
        ("fair", [HeatCell("0.10", 1), HeatCell("0.60", LEVELS)]),
        ("own", [HeatCell("–", 0), HeatCell("0.35", 3)]),
    ]
    assert made.last == ("B1", [HeatCell("0.10", 0), HeatCell("0.47", 0)])
    assert next(cell.text for cell in made.legend) == "0.10 to 0.20"
    assert [cell.level for cell in made.legend] == [1, 2, 3, 4, 5]


def test_equal_numbers_have_one_shade_and_no_legend() -> None:
    made = heat_map(["a"], TOPICS, [[0.0, -0.0001]], title="t", corner="")
    assert [cell.text for cell in made.rows[0][1]] == ["0.00", "0.00"]
    made = heat_map(["a"], TOPICS, [[0.2, 0.2]], title="t", corner="")
    assert {cell.level for cell in made.rows[0][1]} == {1}
    assert not made.legend
    assert made.last is None


def test_no_rows_are_a_map_too() -> None:
    assert heat_map([], TOPICS, [], title="t", corner="").rows == []
