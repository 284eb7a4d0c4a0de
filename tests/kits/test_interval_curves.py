"""Curves with intervals and bands."""

from __future__ import annotations

import itertools
from xml.etree import ElementTree

from wikibias.kits.charts import WIDTH, Dot, Drawing, Measured, interval_curves, width_of

SVG = "{http://www.w3.org/2000/svg}"


def drawn(series: dict[str, list[Measured]]) -> Drawing:
    return interval_curves(series, title="t", alt="x", axis="topics")


def of(drawing: Drawing, name: str) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(drawing.file()).iter(f"{SVG}{name}"))


def test_each_value_has_a_dot_its_interval_a_line_and_its_band_an_area() -> None:
    points = [
        Measured(2, Dot(0.3, 0.2, 0.4), Dot(0.1, 0.05, 0.15)),
        Measured(8, Dot(0.2), Dot(0.1, 0.05, 0.15)),
        Measured(20, Dot(None)),
    ]
    drawing = drawn({"B1": points})
    assert len(of(drawing, "circle")) == 2
    assert sum("solid" in str(line.get("class")) for line in of(drawing, "line")) == 1
    (area,) = of(drawing, "polygon")
    assert len(area.get("points", "").split()) == 4


def test_negative_values_lie_below_zero_within_the_drawing() -> None:
    drawing = drawn({"B1": [Measured(2, Dot(-0.3, -0.35, -0.2)), Measured(8, Dot(0.2))]})
    texts = [text.text for text in of(drawing, "text")]
    assert "-0.4" in texts
    low, high = (float(circle.get("cy", "")) for circle in of(drawing, "circle"))
    assert 0 < high < low < float(str(drawing.markup.split('viewBox="0 0 360 ')[1]).split('"')[0])


def test_names_of_places_do_not_overlap() -> None:
    places = [2, 3, 4, 5, 6, 7, 8, 9, 10, 95, 96, 97, 98, 99, 100]
    drawing = drawn({"B1": [Measured(place, Dot(0.2)) for place in places]})
    below = [text for text in of(drawing, "text") if text.get("text-anchor") == "middle"]
    marks = [text for text in below if text.text != "topics"]
    ends = []
    for text in marks:
        x, half = float(text.get("x", "")), width_of(str(text.text)) / 2
        ends.append((x - half, x + half))
    ends.sort()
    assert all(left[1] <= right[0] for left, right in itertools.pairwise(ends))
    assert ends[0][0] >= 0
    assert ends[-1][1] <= WIDTH
    assert {text.text for text in marks} >= {"100"}


def test_one_place_and_none_are_drawings_too() -> None:
    assert len(of(drawn({"B1": [Measured(8, Dot(0.2))]}), "circle")) == 1
    assert of(drawn({"B1": []}), "circle") == []
    assert of(drawn({"B1": [Measured(8, Dot(0.0))]}), "circle")
