"""The tags of a page over time."""

from __future__ import annotations

from pathlib import Path

import pytest

from exports import Page, Revision, export, history, wikibias
from wikibias.reports.page_story import pages_titled, spellings
from wikibias.reports.result_folder import ResultFolder


def test_all_changes_with_their_verdicts(demo: Path) -> None:
    (page,) = pages_titled(ResultFolder(demo), "Varnholt Institute")
    assert (page.page_id, page.wiki, page.tags) == (11, "demoenwiki", ["POV section"])
    changes = [(c.change.provenance.after_rev_id, c.verdict) for c in page.changes]
    assert changes == [(47, None), (50, "spelling"), (51, None), (52, "kept")]
    assert [(spell.put_in_rev, spell.taken_out_rev) for spell in page.spells] == [
        (47, 50),
        (51, 52),
    ]
    assert page.began == page.spells[0].put_in
    assert page.until == page.spells[1].taken_out
    assert page.observed_until.year == 2025


def test_an_edit_with_two_intents_is_one_line(intents: Path) -> None:
    (page,) = pages_titled(ResultFolder(intents), "Edda Rosk")
    lines = [(line.made.after_rev_id, line.what, line.verdict) for line in page.lines]
    assert lines[0] == (9, "clarification, point-of-view", "kept")
    assert len({revision for revision, *_ in lines}) == len(lines) < len(page.changes)
    (featured,) = pages_titled(ResultFolder(intents), "Skerrow Lighthouse")
    assert [line.what for line in featured.lines][-1] == "Featured article"


@pytest.mark.parametrize("title", ["Halvern_Dairies", "halvern Dairies", " Halvern  Dairies "])
def test_a_title_may_be_written_in_several_ways(title: str, demo: Path) -> None:
    assert [page.page_id for page in pages_titled(ResultFolder(demo), title)] == [2]


@pytest.mark.parametrize(
    ("typed", "one"),
    [
        ("mill_pond", "Mill pond"),
        ("talk:mill pond", "Talk:Mill pond"),
        ("Mill: a pond", "Mill: a pond"),
        ("élan", "Élan"),
    ],
)
def test_spellings(typed: str, one: str) -> None:
    assert one in spellings(typed)


def test_no_such_page(demo: Path) -> None:
    assert pages_titled(ResultFolder(demo), "Nowhere") == []


def test_a_tag_that_stands(tmp_path: Path) -> None:
    page = Page("Mill", [Revision("a"), Revision("{{POV}} a")])
    (tmp_path / "a.xml").write_bytes(export([page]))
    out = tmp_path / "o"
    assert wikibias("detect", "--lang", "en", "-o", out, tmp_path / "a.xml").code == 0
    (found,) = pages_titled(ResultFolder(out), "Mill")
    assert found.spells[0].stands
    assert found.changes[0].verdict is None


def test_a_page_that_was_renamed_between_two_dumps(tmp_path: Path) -> None:
    revisions = history("Mill", 2).revisions
    for date, title, most in (("20200101", "Mill", 2), ("20200201", "Old Mill", 4)):
        page = Page(title, revisions[:most])
        (tmp_path / f"enwiki-{date}-p1.xml").write_bytes(export([page]))
    out, dumps = tmp_path / "o", sorted(tmp_path.glob("*.xml"))
    for paths in (dumps[:1], dumps):
        ended = wikibias("extract", "-q", "--lang", "en", "--workers", 1, "-o", out, *paths)
        assert ended.code == 0
    for title in ("Mill", "Old Mill"):
        (found,) = pages_titled(ResultFolder(out), title)
        assert found.title == "Old Mill"
        assert [c.change.provenance.after_rev_id for c in found.changes] == [1, 2, 3, 4]
