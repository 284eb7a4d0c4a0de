"""What the end of a run says of what could not be worked out."""

from __future__ import annotations

from wikibias.cli.run_summary import unreadable_lines


def test_the_first_are_named_and_the_rest_counted() -> None:
    page = {"page": "Mill", "page_id": 3, "revision": 7, "cause": "no reason"}
    lines = unreadable_lines(1200, [("a.xml", page)] * 100, "manifest.json")
    assert len(lines) == 7
    assert lines[0].startswith("Error: 1,200 pages or revisions could not be worked out")
    assert lines[1] == "  a.xml: Mill (page 3, revision 7): no reason"
    assert lines[-1] == "  and 1,195 more: see manifest.json"
    assert unreadable_lines(0, [], "manifest.json") == []
