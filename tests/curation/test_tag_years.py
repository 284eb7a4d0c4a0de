"""What happened to each tag in each year."""

from __future__ import annotations

import tempfile
from itertools import pairwise
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from made_transitions import Told, transitions_of, write_transitions
from wikibias.curation.tag_spells import TagSpell, spells
from wikibias.curation.tag_years import TagYear, sums_by_tag, sums_by_year, tag_years

# The clock of `histories` begins with 2020, a leap year.
YEAR = 366 * 24


def rows_of(tmp_path: Path, *pages: Told) -> list[TagYear]:
    folder = write_transitions(tmp_path, "x-20230701", transitions_of(pages))
    return tag_years(spells(folder), {("enwiki", "POV"): "pov"}, {})


def test_additions_removals_and_stock_by_year(tmp_path: Path) -> None:
    mill = Told(1, "Mill", ["a", "{{NPOV}} a", "b", "{{POV}} c"], [0, 10, 20, YEAR + 10])
    weir = Told(2, "Weir", ["{{POV}} a", "{{POV}} b", "c"], [0, 10, 2 * YEAR])
    lock = Told(3, "Lock", ["a", "{{POV}} a", "a", "b"], [0, 1, 2, 3])
    rows = rows_of(tmp_path, mill, weir, lock)
    assert {row.family for row in rows} == {"pov"}
    assert [
        (r.year, r.additions, r.additions_reverted, r.removals, r.stock, r.calls) for r in rows
    ] == [
        (2020, 3, 1, 2, 1, None),
        (2021, 1, 0, 0, 2, None),
        (2022, 0, 0, 1, 1, None),
        (2023, 0, 0, 0, 1, None),
    ]


def test_what_is_not_told_is_counted_apart(tmp_path: Path) -> None:
    cut_off = Told(1, "Mill", ["{{POV}} a", "{{POV}} b", "c"], [0, 1, YEAR], first_parent=9)
    first, second, *_ = rows_of(tmp_path, cut_off)
    assert (first.additions, first.unseen, first.stock) == (0, 1, 1)
    assert (second.removals, second.unseen, second.stock) == (1, 0, 0)


def test_calls_are_counted_for_tags_that_no_edit_put_in() -> None:
    calls = {"enwiki": {("Weasel", 2004): 3, ("Weasel", 2006): 4}}
    rows = tag_years([], {}, calls)
    assert [(row.tag, row.year, row.calls, row.stock) for row in rows] == [
        ("Weasel", 2004, 3, 0),
        ("Weasel", 2005, 0, 0),
        ("Weasel", 2006, 4, 0),
    ]
    assert sums_by_tag(rows)["Weasel"]["calls"] == 7


TEXTS = st.lists(st.sampled_from(["", "{{POV}}", "{{Weasel}}", "{{POV}}{{Weasel}}"]), min_size=1)


@given(st.lists(TEXTS, min_size=1, max_size=3), st.booleans())
def test_each_stock_follows_from_that_of_the_year_before(
    pages: list[list[str]], cut_off: bool
) -> None:
    told = [
        Told(
            number,
            f"Page {number}",
            [f"{tags} text {place}" for place, tags in enumerate(of)],
            [2000.0 * place for place in range(len(of))],
            first_parent=5 if cut_off else None,
        )
        for number, of in enumerate(pages, 1)
    ]
    found = list(spells_of(told))
    rows = tag_years(found, {}, {})
    for tag in {row.tag for row in rows}:
        of = [row for row in rows if row.tag == tag]
        for before, after in pairwise(of):
            assert after.year == before.year + 1
            assert after.stock == before.stock + after.additions - after.removals + after.unseen
        assert of[-1].stock == sum(spell.tag == tag and spell.stands for spell in found)


def spells_of(pages: list[Told]) -> list[TagSpell]:
    with tempfile.TemporaryDirectory() as folder:
        return list(spells(write_transitions(Path(folder), "p", transitions_of(pages))))


def test_sums_of_all_tags_and_of_each(tmp_path: Path) -> None:
    mill = Told(1, "Mill", ["{{POV}}{{Weasel}} a", "{{POV}} b"], [0, YEAR])
    rows = rows_of(tmp_path, mill)
    years = sums_by_year(rows)
    assert (years[2020]["additions"], years[2020]["stock"], years[2021]["stock"]) == (2, 2, 1)
    tags = sums_by_tag(rows)
    assert (tags["POV"]["stock"], tags["Weasel"]["stock"], tags["Weasel"]["removals"]) == (1, 0, 1)


def test_years_go_up_to_the_last_with_a_tag(tmp_path: Path) -> None:
    late = Told(1, "Mill", ["a", "{{Weasel}} a"], [0, 2 * YEAR])
    early = Told(2, "Weir", ["{{POV}} a", "b"], [0, 10])
    assert list(sums_by_year(rows_of(tmp_path, late, early))) == [2020, 2021, 2022, 2023]
    assert list(sums_by_year(rows_of(tmp_path, early))) == [2020]
    assert sums_by_year([]) == {}
