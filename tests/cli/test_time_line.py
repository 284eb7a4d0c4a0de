"""The time line of a page's tags in plain characters."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from rich.cells import cell_len

from wikibias.cli.time_line import time_line
from wikibias.reports.page_story import PageStory, pages_titled
from wikibias.reports.result_folder import ResultFolder


@pytest.fixture
def page(demo: Path) -> PageStory:
    (found,) = pages_titled(ResultFolder(demo), "Varnholt Institute")
    return found


def test_each_tag_has_a_line_and_the_years_stand_below(page: PageStory) -> None:
    bar, years = time_line(page, 80)
    assert bar.startswith("POV section +==")
    assert bar.endswith("=K")
    assert bar.count("x") == 1
    assert years.split() == ["2011", "2012"]


def test_a_tag_that_stands_goes_on_to_the_end(page: PageStory) -> None:
    first = page.spells[0]
    standing = replace(first, taken_out=None, taken_out_rev=None, stands=True)
    bar, _ = time_line(replace(page, spells=(standing,)), 60)
    assert bar.endswith("==>")


@pytest.mark.parametrize(
    "tag", ["中立性に疑問のあるページを示すとても長い名前の札", "\x1b[31mPOV", "a" * 200]
)
@pytest.mark.parametrize("width", [10, 50, 120])
def test_no_name_breaks_the_lines(tag: str, width: int, page: PageStory) -> None:
    spells = tuple(replace(spell, tag=tag) for spell in page.spells)
    lines = time_line(replace(page, spells=spells), width)
    assert max(map(cell_len, lines)) <= max(width, 24 + 1 + 20)
    assert "\x1b" not in "".join(lines)


def test_spells_of_centuries_and_of_no_time(page: PageStory) -> None:
    first = page.spells[0]
    long = replace(first, taken_out=first.put_in + timedelta(days=300 * 365))
    assert len(time_line(replace(page, spells=(long,)), 60)) == 2
    moment = replace(first, taken_out=first.put_in, observed_until=first.put_in)
    bar, _ = time_line(replace(page, spells=(moment,)), 60)
    assert "x" in bar
