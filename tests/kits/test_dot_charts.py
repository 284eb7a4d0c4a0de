from xml.etree import ElementTree

from wikibias.kits.charts import WIDTH, Dot, Drawing, dots, matrix

SVG = "{http://www.w3.org/2000/svg}"


def of(drawing: Drawing, name: str) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(drawing.file()).iter(f"{SVG}{name}"))


def test_a_value_that_is_not_known_is_left_out() -> None:
    rows = {"F1": [Dot(0.5, 0.4, 0.6), Dot(0.3)], "AUC": [Dot(None), Dot(0.7)]}
    drawing = dots(rows, title="t", alt="x", series=["model", "constant"])
    assert len(of(drawing, "circle")) == 3
    assert sum("solid" in (line.get("class") or "") for line in of(drawing, "line")) == 1


def test_a_value_below_the_scale_widens_it() -> None:
    (circle,) = of(dots({"MCC": [Dot(-0.4)]}, title="t", alt="x"), "circle")
    (end,) = of(dots({"MCC": [Dot(1.0)]}, title="t", alt="x"), "circle")
    assert 0 < float(circle.get("cx", "")) < float(end.get("cx", "")) < WIDTH


def test_no_rows_are_a_drawing_too() -> None:
    assert of(dots({}, title="t", alt="x"), "circle") == []


def test_a_matrix_is_shaded_by_share_and_written_on_in_its_contrast() -> None:
    cells = [[("40\n80%", 0.8), ("10\n20%", 0.2)]]
    drawing = matrix(cells, ["biased"], ["biased", "neutral"], title="t", alt="x", axes=("a", "b"))
    texts = {text.text: text.get("class") for text in of(drawing, "text")}
    assert texts["40"] == "inside"
    assert texts["20%"] == ""
    shades = [rect.get("class") for rect in of(drawing, "rect") if "c0" in str(rect.get("class"))]
    assert shades == ["c0 shade4", "c0 shade1"]


def test_a_band_stands_behind_its_dot_with_a_line_at_its_value() -> None:
    bands: dict[str, list[Dot | None]] = {"own": [Dot(0.2, 0.1, 0.3)], "other": [None]}
    rows = {"own": [Dot(0.5)], "other": [Dot(0.4)]}
    drawing = dots(rows, title="t", alt="x", bands=bands)
    (band,) = of(drawing, "rect")
    (mean,) = [line for line in of(drawing, "line") if line.get("class") == "quiet"]
    begin, wide = float(band.get("x", "")), float(band.get("width", ""))
    assert begin < float(mean.get("x1", "")) < begin + wide
    circles = of(drawing, "circle")
    assert abs(float(circles[0].get("cy", "")) - float(band.get("y", "")) - 6) < 0.2


def test_a_band_outside_the_scale_widens_it() -> None:
    rows, bands = {"a": [Dot(0.5)]}, {"a": [Dot(-0.4, -0.5, -0.3)]}
    (band,) = of(dots(rows, title="t", alt="x", bands=bands), "rect")
    assert float(band.get("x", "")) >= 0
