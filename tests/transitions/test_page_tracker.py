"""Where the edit session of a revision began."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exports import Page, Revision, dumped, mended, result_of, rows, tagged
from histories import MATCHER, history, revisions
from results import detect, extract
from wikibias.config.choices import SpanPolicy
from wikibias.config.thresholds import Reverts
from wikibias.transitions.page_tracker import EditSessions, TagSpan, TagSpans
from wikibias.transitions.pending import RevertDetector


def bases(editors: list[str | None]) -> list[int | None]:
    """Return, for each revision, the one before its session."""
    sessions, found = EditSessions(), []
    for revision in revisions(["x"] * len(editors), editors=editors):
        base = sessions.base(revision)
        found.append(base.id if base else None)
        sessions.follow(revision)
    return found


def test_a_session_is_consecutive_edits_of_one_editor() -> None:
    assert bases(["E", "E", "F", "E", "E", "E"]) == [None, None, 2, 3, 3, 3]
    # Each edit of a hidden editor is one.
    assert bases(["E", None, None, "E"]) == [None, 1, 2, 3]


REMOVAL_UNDONE = ["a", "{{POV}} a", "x", "{{POV}} a", "{{POV}} b", "b"]
ADDITION_UNDONE = ["a", "{{POV}} a", "a"]
TOGETHER = ["{{POV}}{{Weasel}} a", "{{POV}}{{Weasel}}{{Peacock}} a", "a"]


@pytest.mark.parametrize(
    ("texts", "policy", "spans"),
    [
        (["a", "{{POV}} a", "{{POV}} b", "b", "c"], "all", [(("POV",), 2, 4)]),
        (REMOVAL_UNDONE, "skip reverted", [(("POV",), 2, 6)]),
        (REMOVAL_UNDONE, "all", [(("POV",), 2, 3), (("POV",), 4, 6)]),
        (ADDITION_UNDONE, "skip reverted", []),
        (ADDITION_UNDONE, "all", [(("POV",), 2, 3)]),
        (TOGETHER, "all", [(("POV", "Weasel"), 1, 3), (("Peacock",), 2, 3)]),
    ],
)
def test_a_span_goes_from_the_first_tagged_to_the_first_untagged_revision(
    texts: list[str], policy: SpanPolicy, spans: list[tuple[tuple[str, ...], int, int]]
) -> None:
    hours = [24 * number for number in range(len(texts))]
    found = [each.provenance for each in history(texts, hours, spans=policy)]
    found = [each for each in found if each.pairing == "tagged-span"]
    assert [(each.tags, each.before_rev_id, each.after_rev_id) for each in found] == spans
    for each, (_, first, end) in zip(found, spans, strict=True):
        assert each.days_tagged == each.revisions_tagged == end - first


TEXTS = st.lists(
    st.sampled_from(["a", "b", "{{POV}} a", "{{Weasel}} b", "{{POV}}{{Weasel}}", None]), max_size=14
)


@given(TEXTS, st.booleans(), st.integers(0, 4))
def test_spans_agree_with_a_plain_walk_over_the_whole_history(
    texts: Sequence[str | None], skip: bool, radius: int
) -> None:
    """Hold the stream against a walk that knows from the start what will be undone."""
    made = revisions(texts)
    limits = Reverts(radius=radius, days=100)
    detector = RevertDetector(limits)
    undone: set[int] = set()
    for revision in made:
        undone |= set(detector.undone_by(revision))
    expected: list[tuple[str, int, int]] = []
    since: dict[str, int] = {}
    for revision in made:
        if revision.text is None or (skip and revision.id in undone):
            continue
        tags = MATCHER.tags(revision.text)
        expected += [(tag, since.pop(tag), revision.id) for tag in sorted(since) if tag not in tags]
        for tag in tags:
            since.setdefault(tag, revision.id)
    spans, detector = TagSpans(skip_reverted=skip, radius=radius), RevertDetector(limits)
    found: list[TagSpan] = []
    for position, revision in enumerate(made):
        spans.undo(detector.undone_by(revision))
        found += spans.ended(position)
        if revision.text is not None:
            spans.see(revision, MATCHER.tags(revision.text), position)
    found += spans.ended()
    flat = [(tag, s.first.revision.id, s.end.revision.id) for s in found for tag in s.tags]
    assert sorted(flat, key=lambda f: (f[2], f[0])) == sorted(expected, key=lambda f: (f[2], f[0]))


def test_pairings_through_the_command_line(tmp_path: Path) -> None:
    """Of a page whose text was mended while it was tagged, and one tagged from the start."""
    slow = [mended(1, 1), tagged(1, 1), tagged(2, 1), mended(2, 1)]
    pages = [
        Page("Mill", [Revision(text) for text in slow]),
        Page("Farm", [Revision(tagged(3, 2)), Revision(mended(3, 2))]),
    ]
    dump = dumped(tmp_path, pages)

    def found(name: str, *pairings: str) -> list[dict[str, Any]]:
        options = [word for each in pairings for word in ("--pairing", each)]
        extract(tmp_path / name, "-q", *options, dump).silent()
        return rows(tmp_path / name, "diffs")

    default = found("d")
    assert [(r["before_rev_id"], r["after_rev_id"]) for r in default] == [(3, 4), (5, 6)]
    assert {r["pairing"] for r in default} == {"removal-edit"}
    added = found("a", "addition-edit")
    assert [(r["kind"], r["before_rev_id"], r["after_rev_id"]) for r in added] == [("added", 1, 2)]
    assert "without any doubt" in added[0]["removed"][0]
    assert "survey" in added[0]["added"][0]
    both = found("b", "tagged-span", "removal-edit")
    assert [(r["pairing"], r["before_rev_id"]) for r in both] == [
        ("removal-edit", 3),
        ("tagged-span", 2),
        ("removal-edit", 5),
        ("tagged-span", 5),
    ]
    ids = [row["sentence_id"] for row in rows(tmp_path / "b", "corpus")]
    assert len(ids) == len(set(ids))
    assert any("tagged-span-2-4" in str(name) for name in ids)


def test_family_narrows_the_set(tmp_path: Path) -> None:
    page = Page("Mill", [Revision("{{POV}}{{Weasel}} a"), Revision("a")])
    out = result_of(tmp_path, [page], "detect", "-q", "--family", "weasel")
    assert [row["tags"] for row in rows(out, "transitions")] == [["Weasel"]] * 2
    detect(tmp_path / "x", "--family", "weasle", tmp_path / "a.xml").refused("'weasel'")
