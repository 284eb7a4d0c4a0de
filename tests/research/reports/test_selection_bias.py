"""The page on selection bias, and what the terminal shows of a result."""

import copy
from functools import cache
from typing import Any

import pytest

from made_documents import FILLER_LIST, NEAR_LIST, alike, planted
from wikibias.kits.document import Section, Table
from wikibias.kits.html import html
from wikibias.research.reports.selection_bias import page, summary
from wikibias.research.selection_bias.documents import Documents, KeywordList
from wikibias.research.selection_bias.measure import measure
from wikibias.research.selection_bias.samples import Settings

SETTINGS = Settings(topics=(2,), words=(3, 5, 8), seeds=(0, 1), lists=19)


@cache
def _measured() -> dict[str, Any]:
    other = planted(240, 5)
    other = Documents("<other>", other.texts, other.facts, None, "en", 240)
    odd = KeywordList("<script>", "a & b", FILLER_LIST.words[:3])
    lists = [NEAR_LIST, FILLER_LIST, odd]
    return measure([(planted(), lists), (other, lists)], SETTINGS, alike)


@pytest.fixture
def result() -> dict[str, Any]:
    return copy.deepcopy(_measured())


def test_the_page_has_a_section_for_all_that_was_measured(result: dict[str, Any]) -> None:
    found = page(result)
    ids = [each.id for each in found.sections if isinstance(each, Section)]
    measured = ["overview", "topics", "grid", "groups", "corpora", "correlations"]
    assert ids == [*measured, "provenance"]
    shown = html(found)
    assert "&lt;script&gt;" in shown
    assert "<script>" not in shown
    assert "&lt;other&gt;" in shown
    for topic in result["topics"]:
        assert topic["words"][0] in shown


def test_what_was_not_measured_has_no_section(result: dict[str, Any]) -> None:
    result["figures"] = [e for e in result["figures"] if (e["topics"], e["words"]) == (2, 8)]
    result["figures"] = [e for e in result["figures"] if e["group"] is None]
    for part in ("differences", "correlations", "topics"):
        result[part] = []
    ids = [each.id for each in page(result).sections if isinstance(each, Section)]
    assert ids == ["overview", "topics", "provenance"]
    html(page(result))


def test_figures_that_are_not_defined_are_dashes(result: dict[str, Any]) -> None:
    for each in result["figures"]:
        each["baseline"] = None
        for interval in (each["b1"], *each["b2"].values()):
            interval.update(value=None, low=None, high=None)
    tables = [each for each in summary(result) if isinstance(each, Table)]
    assert tables[0].rows[0][2:7] == ["–"] * 5
    html(page(result))


def test_the_terminal_tells_figures_and_what_they_say(result: dict[str, Any]) -> None:
    blocks = summary(result)
    tables = [each for each in blocks if isinstance(each, Table)]
    assert [row[0] for row in tables[0].rows] == ["near", "fillers", "<script>"]
    assert tables[0].title.startswith("planted: 320 sentences, 2 topics of 8 words, cosine of")
    lines = [each for each in blocks if isinstance(each, str)]
    near = "Topics of planted are closer to 'near' than to 19 of 19 random lists"
    assert any(line.startswith(near) for line in lines)
    assert lines[-1] == "And 2 lists more, in the table above."
