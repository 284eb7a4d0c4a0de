from collections.abc import Callable
from xml.etree import ElementTree

import pytest

from wikibias.kits.charts import WIDTH, Drawing, bars, columns, curves

SVG = "{http://www.w3.org/2000/svg}"


def of(drawing: Drawing, name: str) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(drawing.file()).iter(f"{SVG}{name}"))


def texts(drawing: Drawing) -> list[str]:
    return [element.text or "" for element in of(drawing, "text")]


DRAWN: dict[str, Callable[[], Drawing]] = {
    "bars": lambda: bars([("a", 3), ("b", 0)], title="t", alt="x"),
    "no bars": lambda: bars([], title="t", alt="x"),
    "columns": lambda: columns(["2006", "2007"], {"a": [1, 2]}, title="t", alt="x", axis="year"),
    "no columns": lambda: columns([], {"a": []}, title="t", alt="x"),
    "stacked": lambda: columns(["1"], {"a": [1], "b": [4]}, title="t", alt="x", stacked=True),
    "curves": lambda: curves({"a": [(0, 1), (9, 0.5)]}, title="t", alt="x", axis="days"),
    "no points": lambda: curves({"a": []}, title="t", alt="x", axis="days"),
}


@pytest.mark.parametrize("name", DRAWN)
def test_every_chart_is_drawn_within_its_width_and_its_bytes_repeat(name: str) -> None:
    drawing = DRAWN[name]()
    assert drawing == DRAWN[name]()
    for rect in of(drawing, "rect"):
        assert 0 <= float(rect.get("x", "")) <= WIDTH
        assert float(rect.get("x", "")) + float(rect.get("width", "")) <= WIDTH + 0.2


def test_a_bar_is_as_long_as_its_value() -> None:
    long, short, none = (
        float(rect.get("width", ""))
        for rect in of(bars([("a", 4), ("b", 2), ("c", 0)], title="t", alt="x"), "rect")
    )
    assert long == pytest.approx(2 * short, rel=0.01)
    assert none == 0


def test_bars_that_are_stacked_stand_on_each_other() -> None:
    drawing = columns(["1"], {"a": [1], "b": [3]}, title="t", alt="x", stacked=True)
    lower, upper = of(drawing, "rect")[2:]  # behind the two of the legend
    assert float(upper.get("y", "")) + float(upper.get("height", "")) == float(lower.get("y", ""))
    assert float(upper.get("height", "")) == pytest.approx(3 * float(lower.get("height", "")), 0.02)


def test_as_many_names_are_written_as_there_is_room_for() -> None:
    years = [str(year) for year in range(2001, 2027)]
    drawing = columns(years, {"": [1] * 26}, title="t", alt="x")
    written = [text for text in texts(drawing) if text in years]
    assert written[0] == "2001"
    assert 4 <= len(written) <= 9


def test_shares_are_written_in_percent() -> None:
    drawing = curves({"a": [(0, 1), (9, 0)]}, title="t", alt="x", axis="days", percent=True)
    assert {"0%", "100%", "days"} <= set(texts(drawing))
