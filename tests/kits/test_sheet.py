"""Several drawings in one."""

from __future__ import annotations

import xml.etree.ElementTree as ET

from wikibias.kits.charts import bars, sheet

SVG = "{http://www.w3.org/2000/svg}"


def test_drawings_lie_below_each_other_under_their_titles() -> None:
    one = bars([("a", 1), ("b", 2)], title="Mills <&>", alt="two bars.")
    other = bars([("c", 3)], title="Weirs", alt="one bar.")
    both = sheet([one, other])
    assert (both.title, both.alt) == ("Mills <&>; Weirs", "two bars. one bar.")
    root = ET.fromstring(both.file())
    assert [text.text for text in root.findall(f"{SVG}text")] == ["Mills <&>", "Weirs"]
    first, second = root.findall(f"{SVG}svg")
    ends = float(first.get("y") or 0) + float(first.get("height") or 0)
    assert ends < float(second.get("y") or 0)
    assert float((root.get("viewBox") or "").split()[3]) == float(second.get("y") or 0) + float(
        second.get("height") or 0
    )


def test_nothing_to_draw_is_an_empty_sheet() -> None:
    assert ET.fromstring(sheet([]).file()).findall(f"{SVG}svg") == []
