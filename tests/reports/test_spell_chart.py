"""The time line of a page's tags, drawn."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from xml.etree import ElementTree

from wikibias.reports.page_story import PageStory, pages_titled
from wikibias.reports.result_folder import ResultFolder
from wikibias.reports.spell_chart import spell_chart


def page_of(demo: Path) -> PageStory:
    (page,) = pages_titled(ResultFolder(demo), "Varnholt Institute")
    return page


def test_it_says_what_one_sees(demo: Path) -> None:
    drawing = spell_chart(page_of(demo))
    assert drawing.alt == (
        "POV section stood 2 times, at most 153 days from 2011-12-04 on. "
        "1 edit kept for the corpus, marked by rings."
    )
    ElementTree.fromstring(drawing.markup)
    assert drawing.markup.count("<rect ") == 2
    assert drawing.markup.count('class="ring"') == 1
    assert ">2011-12-04<" in drawing.markup
    assert ">2012-10-10<" in drawing.markup


def test_bars_that_look_the_same_are_drawn_once_and_names_stay_text(demo: Path) -> None:
    page = page_of(demo)
    spell = replace(page.spells[0], tag="<b>&", stands=True, taken_out=None)
    later = timedelta(seconds=1)
    many = tuple(replace(spell, put_in=spell.put_in + number * later) for number in range(5000))
    drawing = spell_chart(replace(page, spells=many))
    ElementTree.fromstring(drawing.markup)
    assert drawing.markup.count("<rect ") == 1
    assert "<b>" not in drawing.markup
    assert "still stands" in drawing.alt


def test_everything_lies_on_the_canvas(demo: Path) -> None:
    markup = spell_chart(page_of(demo)).markup
    for x, width in re.findall(r'<rect x="([\d.]+)"[^>]* width="([\d.]+)"', markup):
        assert 0 <= float(x) <= float(x) + float(width) <= 360
