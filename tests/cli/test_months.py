"""Lines about the dumps of several months."""

from __future__ import annotations

from wikibias.cli.months import month_lines, repeat_lines


def page(title: str, **more: str) -> dict[str, object]:
    """Return a page as the manifest names it."""
    return {"wiki": "frwiki", "page_id": 1, "page_title": title, **more}


def test_nothing_is_said_of_one_dump_alone() -> None:
    manifest = {"inputs": [{"part": "frwiki-20261101-history1.xml.bz2"}, {"part": "a.xml"}]}
    assert list(month_lines(manifest)) == []


def test_a_line_each() -> None:
    inputs = [{"part": f"frwiki-2026{month}01-h.xml"} for month in (10, 11)]
    manifest = {
        "inputs": [*inputs, {"part": "frwiki-2026-11-01-p7.xml"}],
        "repeated": {"removed": 1, "added": 1_200, "spans": 0},
        "gone_pages": [page(f"Page {number}") for number in range(7)],
        "renamed_pages": [page("Town", was="Village")],
    }
    assert list(month_lines(manifest)) == [
        "Dumps: 2026-10-01 (1 part), 2026-11-01 (2 parts).",
        *repeat_lines(manifest),
    ]
    many = [page(f"Page {number}") for number in range(100)]
    (line,) = repeat_lines({"repeated": {"removed": 2, "added": 0, "summary_edits": 1}})
    assert line.startswith("2 removals, 0 additions and 1 summary edit stand in an earlier dump")
    (line,) = repeat_lines({"repeated": {"removed": 0, "added": 0, "summary_edits": 4}})
    assert line.startswith("4 summary edits stand in an earlier dump as well and count once; ")
    line, _ = repeat_lines({"gone_pages": many, "renamed_pages": [page("Town", was="Village")]})
    assert line.startswith("At least 100 pages of an earlier dump")
    assert list(repeat_lines(manifest)) == [
        "1 removal and 1,200 additions stand in an earlier dump as well and count once; "
        "pages and revisions are those of all dumps together.",
        "7 pages of an earlier dump, or tagged revisions of them, are not in the newest one; their "
        "edits stay: Page 0, Page 1, Page 2, Page 3, Page 4, and 2 more (manifest.json).",
        "1 page with another title now: Town (was Village).",
    ]
