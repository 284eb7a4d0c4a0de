from collections.abc import Callable
from xml.etree import ElementTree

import pytest

from wikibias.kits.charts import WIDTH, Drawing, columns, curves, funnel

SVG = "{http://www.w3.org/2000/svg}"


def of(drawing: Drawing, name: str) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(drawing.file()).iter(f"{SVG}{name}"))


def texts(drawing: Drawing) -> list[str]:
    return [element.text or "" for element in of(drawing, "text")]


DRAWN: dict[str, Callable[[], Drawing]] = {
    "columns": lambda: columns(["2006", "2007"], {"a": [1, 2]}, title="t", alt="x", axis="year"),
    "no columns": lambda: columns([], {"a": []}, title="t", alt="x"),
    "curves": lambda: curves({"a": [(0, 1), (0.9, 0.5)]}, title="t", alt="x", axis="days"),
    "no points": lambda: curves({"a": []}, title="t", alt="x", axis="days"),
    "funnel": lambda: funnel({"a": 3, "b": 0}, 9, title="t"),
}


@pytest.mark.parametrize("name", DRAWN)
def test_every_chart_is_drawn_within_its_width_and_its_bytes_repeat(name: str) -> None:
    drawing = DRAWN[name]()
    assert drawing == DRAWN[name]()
    for rect in of(drawing, "rect"):
        assert 0 <= float(rect.get("x", "")) <= WIDTH
        assert float(rect.get("x", "")) + float(rect.get("width", "")) <= WIDTH + 0.2


def test_a_column_is_as_high_as_its_value() -> None:
    high, low, none = (
        float(rect.get("height", ""))
        for rect in of(columns(["a", "b", "c"], {"": [4, 2, 0]}, title="t", alt="x"), "rect")
    )
    assert high == pytest.approx(2 * low, rel=0.01)
    assert none == 0


def test_as_many_names_are_written_as_there_is_room_for() -> None:
    years = [str(year) for year in range(2001, 2027)]
    drawing = columns(years, {"": [1] * 26}, title="t", alt="x")
    written = [text for text in texts(drawing) if text in years]
    assert written[0] == "2001"
    assert 4 <= len(written) <= 9


def test_shares_are_written_in_percent() -> None:
    drawing = curves({"a": [(0, 1), (1, 0)]}, title="t", alt="x", axis="days")
    assert {"0%", "100%", "days"} <= set(texts(drawing))


def test_a_funnel_says_what_each_step_takes() -> None:
    drawing = funnel({"spelling": 3, "outlier": 0, "reverted": 5}, 2, title="t", end="kept")
    assert drawing.alt == "Of 10, spelling 3, reverted 5 drop out; 2 are kept (20%)."
    assert "outlier" not in drawing.markup
