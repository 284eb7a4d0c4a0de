"""What the end of a run says of what could not be worked out."""

from __future__ import annotations

from pathlib import Path

from wikibias.cli.run_summary import commands_of_corpus, unreadable_lines


def test_the_first_are_named_and_the_rest_counted() -> None:
    page = {"page": "Mill", "page_id": 3, "revision": 7, "cause": "no reason"}
    lines = unreadable_lines(1200, [("a.xml", page)] * 100, "manifest.json")
    assert len(lines) == 7
    assert lines[0].startswith("Error: 1,200 pages or revisions could not be worked out")
    assert lines[1] == "  a.xml: Mill (page 3, revision 7): no reason"
    assert lines[-1] == "  and 1,195 more: see manifest.json"
    assert unreadable_lines(0, [], "manifest.json") == []


def test_sentences_with_several_labels_have_a_classifier_of_their_own() -> None:
    out, none = Path("corpora/en"), {"train": 0, "test": 0}
    report = "wikibias report corpora/en"
    learn = "wikibias classify --task labels --model nb-lr corpora/en"
    assert commands_of_corpus(out, {"splits": none, "labelled": {"notes": []}}) == [learn, report]
    assert commands_of_corpus(out, {"splits": {"train": 3}}) == [report]
    assert commands_of_corpus(out, {"splits": none}) == commands_of_corpus(out, None) == []
