"""The fit of the cost model: it finds the costs that made the times, and what a dump holds."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exports import export, history
from fit_costs import Measured, costs_of, fitted, miss, report, solved, unpacking_of
from fit_dumps import Sample
from page_sections import replace_section
from paths import SCRIPTS
from wikibias.planning.cost_model import TASKS, Form, Unpacking, Work

FORMS: tuple[Form, ...] = ("7z", "xml")
UNPACKING = {"7z": Unpacking(0.1, 0.05, 0.001), "xml": Unpacking(0.0, 0.0, 0.002)}


def measured(form: Form, mb: float, packed: float, revisions: float, parts: int = 1) -> Measured:
    """Return a dump whose commands take half a second, and 2 ms an MB and 0.1 ms a revision."""
    work = Work(form, parts, packed, mb, revisions)
    unpacking = UNPACKING[form].seconds(work)
    seconds = 0.5 + unpacking + 0.002 * mb + 0.0001 * revisions
    return Measured(
        Sample(f"{form} {mb}", Path("x"), work),
        unpacking + 0.05,
        dict.fromkeys(TASKS, seconds),
        dict.fromkeys(TASKS, 100.0 + mb),
        dict.fromkeys(TASKS, 2000.0 * parts),
    )


DUMPS = [
    measured(form, mb, packed, revisions, parts)
    for form in FORMS
    for mb, packed, revisions, parts in (
        (100, 2, 9_000, 1),
        (300, 9, 1_000, 1),
        (50, 4, 20_000, 2),
        (900, 11, 70_000, 1),
        (1, 0.1, 100, 1),
    )
]


def test_costs_are_found_again() -> None:
    unpacking = unpacking_of(DUMPS)
    for form in FORMS:
        for each in DUMPS:
            work = each.sample.work
            if work.form == form:
                assert unpacking[form].seconds(work) == pytest.approx(
                    UNPACKING[form].seconds(work), abs=0.02
                )
    costs = costs_of("tags count", DUMPS, unpacking)
    assert costs.start == pytest.approx(0.5, abs=0.02)
    assert costs.article_revision == pytest.approx(0.0001, rel=0.05)
    assert costs.bytes_part == pytest.approx(2000)
    assert costs.memory_mb == 1000


def test_the_model_meets_a_dump_that_it_has_not_seen() -> None:
    other = [measured("7z", 500, 7, 30_000)]
    model = fitted(DUMPS, other, 0.1)
    assert abs(miss(model, "extract", other[0])) < 0.05
    assert model.fitted.worst < 0.05
    shown = report(model, DUMPS, other)
    assert "| 7z 500 |" in shown
    assert "not used for the fit" in shown


@given(
    st.lists(st.tuples(st.floats(0.1, 100), st.floats(0.1, 100)), min_size=3, max_size=9),
    st.floats(0, 10),
    st.floats(0, 10),
)
def test_no_cost_is_below_nought(
    amounts: list[tuple[float, float]], one: float, other: float
) -> None:
    seconds = [one * a + other * b + 0.001 for a, b in amounts]
    found = solved(amounts, seconds)
    assert min(found) >= 0
    for (a, b), wanted in zip(amounts, seconds, strict=True):
        assert found[0] * a + found[1] * b == pytest.approx(wanted, abs=0.01, rel=0.05)


def test_what_a_dump_holds(tmp_path: Path) -> None:
    path = tmp_path / "x.xml"
    path.write_bytes(export([history(f"Village {n}", 3, topic=n) for n in range(2)]))
    script = str(SCRIPTS / "fit_work.py")
    done = subprocess.run([sys.executable, script, "xml", path], capture_output=True, check=True)
    found = Work(**json.loads(done.stdout))
    assert (found.form, found.parts, found.tagged_parts) == ("xml", 1, 1)
    assert found.mb == found.packed_mb == path.stat().st_size / 1e6
    assert (found.hits, found.transitions) == (6, 12)
    assert found.calls > 0
    assert found.article_share == 1


def test_a_section_of_a_page_is_replaced(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("a\n<!-- made: x -->\nold\n<!-- end: x -->\nb\n", encoding="utf-8")
    replace_section("x", "new \\1\n", page)
    assert page.read_text() == "a\n<!-- made: x -->\n\nnew \\1\n\n<!-- end: x -->\nb\n"
    with pytest.raises(ValueError, match="no section y"):
        replace_section("y", "new", page)
