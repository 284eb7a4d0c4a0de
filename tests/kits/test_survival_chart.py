"""Survival curves over a time that goes from minutes to years."""

import re
import xml.etree.ElementTree as ET

from wikibias.kits.charts import points, survival_chart

SVG = "{http://www.w3.org/2000/svg}"


def drawn(**series: list[tuple[float, float]]) -> ET.Element:
    chart = survival_chart(series, title="Lives", alt="half end within a day.")
    return ET.fromstring(chart.file())


def test_lines_go_down_in_steps_from_all_to_the_last_share() -> None:
    (path,) = drawn(one=[(0, 1), (1, 0.5), (400, 0.5)]).findall(f"{SVG}path")
    places = [
        tuple(map(float, pair.split())) for pair in re.split(r"[ML]", path.get("d") or "")[1:]
    ]
    heights = [y for _, y in places]
    assert heights == sorted(heights)
    assert len(set(heights)) == 2
    assert [x for x, _ in places] == sorted(x for x, _ in places)
    assert places[-1][0] == 360


def test_the_axis_names_times_that_people_know() -> None:
    root = drawn(one=[(0, 1), (0.5, 0.5), (400, 0.1)])
    texts = [text.text for text in root.findall(f"{SVG}text")]
    assert [text for text in texts if text in ("minute", "hour", "day", "month", "10 years")] == [
        "hour",
        "day",
        "month",
    ]
    assert "time since the tag was put in" in texts


def test_no_life_and_a_life_of_no_time_can_be_drawn() -> None:
    assert drawn().findall(f"{SVG}path") == []
    assert len(drawn(one=[(0, 1), (0, 0)]).findall(f"{SVG}path")) == 1


def test_a_curve_goes_from_all_to_the_last_day_seen() -> None:
    assert points([(1, 0.5)], 5) == [(0, 1), (1, 0.5), (5, 0.5)]
    assert points([], 3) == [(0, 1), (3, 1)]


def test_of_many_steps_the_last_one_is_drawn() -> None:
    many = [(float(day), 1 - day / 2000) for day in range(1, 1500)]
    found = points(many, 2000)
    assert len(found) < 500
    assert found[-2:] == [many[-1], (2000, many[-1][1])]


def test_the_last_mark_is_named_though_it_stands_at_the_edge() -> None:
    root = drawn(one=[(1, 1), (30, 0.5), (366, 0)])
    (year,) = (text for text in root.findall(f"{SVG}text") if text.text == "year")
    assert (year.get("x"), year.get("text-anchor")) == ("360", "end")
