"""Where a tag or a featured mark comes or goes, and whether the change was undone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from histories import MATCHER, NAMESPACES, ORIGIN, history, revisions
from wikibias import records
from wikibias.config.choices import Per
from wikibias.config.languages import load_language
from wikibias.config.thresholds import Reverts
from wikibias.errors import DumpError
from wikibias.tags.matcher import Matcher
from wikibias.tags.scanner import FeaturedMatcher
from wikibias.transitions.detection import transitions


def seen(found: list[records.Transition]) -> list[str]:
    sources = (each.provenance for each in found)
    return [f"{s.kind} {s.before_rev_id}-{s.after_rev_id} {' '.join(s.tags)}" for s in sources]


BOTH = ["{{POV}}{{Weasel}}", "{{POV}}", ""]
ALIASES = ["{{POV}}", "{{NPOV}}", "{{ pov\n}}", "{{Template:Neutrality|date=x}}"]
WRAPPED = [
    "{{POV}} a",
    "{{Multiple issues|{{NPOV}}}} a",
    "{{Article issues|POV=May 2008|weasel=}} a",
    "{{Multiple issues|\n{{Npov|date=x}}\n{{stub}}}} a",
    "{{NPOV}} a",
]


@pytest.mark.parametrize(
    ("texts", "per", "expected"),
    [
        (["a", "{{POV}} a", "{{POV}} b", "b"], "tag", ["added 1-2 POV", "removed 3-4 POV"]),
        (BOTH, "tag", ["added None-1 POV Weasel", "removed 1-2 Weasel", "removed 2-3 POV"]),
        (BOTH, "any", ["added None-1 POV Weasel", "removed 2-3 POV"]),
        (["", BOTH[0], "x"], "tag", ["added 1-2 POV Weasel", "removed 2-3 POV Weasel"]),
        (["{{POV}}", "{{Weasel}}"], "any", ["added None-1 POV"]),
        (ALIASES, "tag", ["added None-1 POV"]),
        (WRAPPED, "tag", ["added None-1 POV"]),
        (["{{POV}} a", None, "{{POV}} b"], "tag", ["added None-1 POV"]),
        (["{{POV}} a", None, None, "b"], "tag", ["added None-1 POV", "removed 1-4 POV"]),
        ([None, "{{POV}}", ""], "tag", ["added None-2 POV", "removed 2-3 POV"]),
    ],
)
def test_where_tags_come_and_go(texts: list[str | None], per: Per, expected: list[str]) -> None:
    assert seen(history(texts, per=per)) == expected


def test_tagged_from_the_first_revision_on() -> None:
    (added,) = history(["{{POV}}"])
    assert added.before_text == ""
    assert added.provenance.before_timestamp is None


BETWEEN = [f"edit {number}" for number in range(16)]


@pytest.mark.parametrize(
    ("texts", "hours", "expected"),
    [
        (["{{POV}} a", "a", "{{POV}} a"], None, [False, True, False]),
        (["{{POV}} a", "{{POV}} b", "c", "d", "{{POV}} b"], None, [False, True, False]),
        (["{{POV}} a", "a", "{{POV}} a"], [0, 1, 49], [False, True, False]),
        (["{{POV}} a", "a", "{{POV}} a"], [0, 1, 50], [False, False, False]),
        (["{{POV}} a", *BETWEEN, "{{POV}} a"], None, [False, False, False]),
        (["{{POV}} a", *BETWEEN[1:], "{{POV}} a"], None, [False, True, False]),
        # What restores an older revision is not itself reverted.
        (["a", "{{POV}} a", "a"], None, [True, False]),
    ],
)
def test_what_a_revert_within_reach_undoes_is_reverted(
    texts: list[str], hours: list[float] | None, expected: list[bool]
) -> None:
    assert [each.provenance.reverted for each in history(texts, hours)] == expected


def test_reach_of_a_revert_is_a_choice() -> None:
    found = history(["{{POV}} a", "x", "y", "{{POV}} a"], reverts=Reverts(radius=1, days=9))
    assert not found[1].provenance.reverted


TEXTS = st.lists(st.sampled_from(["a", "{{POV}} a", "{{Weasel}} a", "{{POV}}{{Weasel}}", None]))


@given(TEXTS)
def test_transitions_agree_with_a_plain_comparison(texts: list[str | None]) -> None:
    """Hold the stream against a list of all known revisions, compared pair by pair."""
    known = [(n, MATCHER.tags(t)) for n, t in enumerate(texts, start=1) if t is not None]
    expected = []
    first: tuple[int | None, dict[str, str]] = (None, {})
    for (before_id, before), (after_id, after) in zip([first, *known], known, strict=False):
        if gone := sorted(before.keys() - after.keys()):
            expected.append(f"removed {before_id}-{after_id} {' '.join(gone)}")
        if new := sorted(after.keys() - before.keys()):
            expected.append(f"added {before_id}-{after_id} {' '.join(new)}")
    assert seen(history(texts)) == expected


def test_bots_are_marked() -> None:
    made = [
        replace(r, editor_kind="bot")
        for r in revisions(["{{POV}}", "a"])
        if isinstance(r, records.ReadRevision)
    ]
    assert [t.provenance.by_bot for t in found_in(page(made))] == [True, True]


def page(made: Iterable[records.Revision], namespace: int = 0) -> records.Page:
    return records.Page(7, "P", namespace, iter(made))


def broken(made: list[records.Revision], error: Exception) -> Iterator[records.Revision]:
    """Yield revisions, then fail as reading or matching may."""
    yield from made
    raise error


def found_in(
    *pages: records.Page, matcher: Matcher | None = MATCHER, **choices: Any
) -> list[records.Transition]:
    origin = replace(ORIGIN, part=choices.pop("part", "p"))
    options = {"per": "tag", "reverts": Reverts(), **choices}
    return list(transitions(iter(pages), origin, matcher, **options))


def pages_with(error: Exception) -> list[records.Page]:
    other = records.Page(8, "Q", 0, iter(revisions(["{{POV}} a"])))
    return [page(broken(revisions(["{{POV}} a", "a"]), error)), other]


@pytest.mark.parametrize("error", [MemoryError(), RecursionError(), ValueError("an odd page")])
def test_what_a_page_raises_ends_this_page_only(error: Exception) -> None:
    skipped: list[records.Unreadable] = []
    found = found_in(*pages_with(error), skip=skipped.append)
    assert [(t.provenance.page_id, t.provenance.kind) for t in found] == [
        (7, "added"),
        (7, "removed"),
        (8, "added"),
    ]
    (named,) = skipped
    assert (named.page, named.page_id, named.revision) == ("P", 7, None)
    assert named.cause.startswith(type(error).__name__)


@pytest.mark.parametrize("error", [DumpError("is cut off"), KeyboardInterrupt()])
def test_damage_and_interrupts_are_no_fault_of_a_page(error: Exception) -> None:
    skipped: list[records.Unreadable] = []
    with pytest.raises(type(error)):
        found_in(*pages_with(error), skip=skipped.append)
    assert skipped == []


class OddIntents:
    """Finds an intent in every edit, but fails on the third revision."""

    facts: tuple[records.EditFact, ...] = ()
    intents: Mapping[str, tuple[records.ChangedLine, ...]] = {
        "odd": (records.ChangedLine("a", "b", ""),)
    }

    def __init__(self, error: Exception) -> None:
        self._error = error

    def judge(self, before: records.Revision, after: records.Revision) -> OddIntents:
        if after.id == 3:
            raise self._error
        return self


def test_what_an_edit_raises_costs_its_intents_only() -> None:
    skipped: list[records.Unreadable] = []
    odd = OddIntents(ValueError("an odd edit"))
    made = page(revisions(["a", "b", "{{POV}} c", "d"]))
    found = found_in(made, skip=skipped.append, intents=odd)
    told = [(t.provenance.signal, t.provenance.after_rev_id) for t in found]
    assert told == [("odd", 2), ("tag", 3), ("tag", 4), ("odd", 4)]
    (named,) = skipped
    assert (named.page_id, named.revision) == (7, 3)
    assert "an odd edit" in named.cause


def test_a_damaged_text_is_no_odd_edit() -> None:
    skipped: list[records.Unreadable] = []
    odd = OddIntents(DumpError("is damaged"))
    with pytest.raises(DumpError):
        found_in(page(revisions(["a", "b", "c"])), skip=skipped.append, intents=odd)
    assert skipped == []


MARKS = FeaturedMatcher("en", load_language("en").featured, NAMESPACES)
DAY = 24
PLAIN = "The river rises in the hills."
STAR = "{{Featured article}}\n"
MARKED = STAR + PLAIN


def featured(
    texts: Sequence[str | None],
    days: Sequence[float],
    *,
    namespace: int = 0,
    read: bool = False,
    part: str = "p",
) -> list[records.Transition]:
    """Return the rows of a page; with `read`, of revisions in which a reader looked for marks."""
    made: list[records.Revision] = revisions(texts, [day * DAY for day in days])
    if read:
        made = [_read(each) for each in made]
    return found_in(page(made, namespace), matcher=None, part=part, marks=MARKS)


def _read(revision: records.Revision) -> records.Revision:
    assert isinstance(revision, records.ReadRevision)
    return replace(revision, tags=MARKS.tags(revision.text or ""))


@pytest.mark.parametrize("read", [False, True])
def test_a_mark_that_stood_for_two_weeks_makes_a_row(read: bool) -> None:
    texts = [PLAIN, MARKED, MARKED + " It is long.", PLAIN + " It is wide."]
    [row] = featured(texts, [0, 10, 12, 40], read=read)
    made = row.provenance
    assert (made.signal, made.pairing, made.kind) == ("featured", "featured-span", "added")
    assert (made.tags, made.aliases) == (("Featured article",), ("Featured article",))
    assert (made.before_rev_id, made.after_rev_id) == (2, 3)
    assert (row.before_text, row.after_text) == ("", MARKED + " It is long.")
    assert (made.days_tagged, made.revisions_tagged) == (30.0, 2)
    assert row.history.survived_days == 28.0
    assert not made.reverted


def test_a_mark_that_still_stands_counts_up_to_the_last_revision() -> None:
    [row] = featured([PLAIN, MARKED, MARKED + " It is long."], [0, 1, 21])
    assert row.provenance.days_tagged == 20.0
    assert row.provenance.revisions_tagged is None
    assert row.provenance.after_rev_id == 2
    assert row.provenance.diff_url.endswith("diff=2")


@pytest.mark.parametrize(
    ("part", "days"),
    [
        ("enwiki-20200201-pages-meta-history.xml.7z", 30.0),
        ("enwiki-20200112-pages-meta-history.xml.7z", None),
        ("enwiki-20209999-pages-meta-history.xml.7z", None),
        ("dump.xml", None),
    ],
)
def test_the_last_revision_stood_until_the_date_of_the_dump(part: str, days: float | None) -> None:
    found = featured([PLAIN, MARKED], [0, 1], part=part)
    assert [row.provenance.days_tagged for row in found] == [days] * (days is not None)
    assert [row.history.survived_days for row in found] == [days] * (days is not None)


def test_of_a_damaged_page_nobody_knows_how_long_the_last_revision_stood() -> None:
    damaged = page(broken(revisions([PLAIN, MARKED], [0, DAY]), DumpError("is damaged")))
    origin = replace(ORIGIN, part="enwiki-20260101-pages-meta-history.xml.7z")
    found = transitions([damaged], origin, None, per="tag", reverts=Reverts(), marks=MARKS)
    with pytest.raises(DumpError):
        next(found)
    assert len(featured([PLAIN, MARKED], [0, 1], part=origin.part)) == 1


LONG, WIDE = " It is long.", " It is wide."
VANDALISED = MARKED + " Bob was here."
CATEGORY = PLAIN + "\n[[category:featured_articles|River]]"


@pytest.mark.parametrize(
    ("texts", "days", "expected"),
    [
        # It has to stand for two weeks.
        ([PLAIN, MARKED, PLAIN + LONG], [0, 1, 14], []),
        ([PLAIN, MARKED, PLAIN + LONG], [0, 1, 14.9], []),
        ([PLAIN, MARKED, PLAIN + LONG], [0, 1, 15], [(2, 2, 14.0)]),
        # One whose edit was undone makes none, nor does it begin the time of a later one.
        ([PLAIN, MARKED, PLAIN, PLAIN + LONG], [0, 1, 1.5, 40], []),
        ([PLAIN, MARKED, PLAIN, MARKED + LONG, PLAIN + "?"], [0, 1, 2, 9, 30], [(4, 4, 21.0)]),
        # An edit that was undone does not end it; nor is it a state of the article, however long
        # the mark stood in it.
        (
            [MARKED, "", MARKED, VANDALISED, MARKED, PLAIN + LONG],
            [0, 5, 5.1, 8, 9.5, 20],
            [(1, 5, 20.0)],
        ),
        # An article may be featured twice: demoted, and put back years later.
        (
            [MARKED, PLAIN, MARKED + LONG, PLAIN + WIDE],
            [0, 100, 400, 500],
            [(1, 1, 100.0), (3, 3, 100.0)],
        ),
        # One kind of mark may take the place of another.
        ([MARKED, CATEGORY, PLAIN + LONG], [0, 8, 20], [(1, 2, 20.0)]),
        # A revision without text neither begins nor ends it.
        ([None, MARKED, None, MARKED + LONG, PLAIN], [0, 1, 3, 8, 30], [(2, 4, 29.0)]),
    ],
)
def test_how_long_a_mark_stood(
    texts: list[str | None], days: list[float], expected: list[tuple[int, int, float]]
) -> None:
    found = featured(texts, days)
    sources = [row.provenance for row in found]
    told = [(s.before_rev_id, s.after_rev_id, s.days_tagged) for s in sources]
    assert told == expected
    assert all(row.after_text == texts[row.provenance.after_rev_id - 1] for row in found)


def test_only_articles_are_featured() -> None:
    assert featured([MARKED, PLAIN], [0, 40], namespace=1) == []


def test_a_damaged_text_is_not_taken() -> None:
    made = revisions([MARKED, MARKED + " It is long.", PLAIN], [0, 30 * DAY, 40 * DAY])
    assert isinstance(made[0], records.ReadRevision)
    made[0] = replace(made[0], text=MARKED + "?")
    damaged: list[int] = []
    told = {"on_damage": lambda _, revision: damaged.append(revision.id)}
    [row] = found_in(page(made), matcher=None, marks=MARKS, **told)
    assert row.provenance.after_rev_id == 2
    assert damaged == [1]


def test_marks_are_no_tags() -> None:
    """Though the reader gives both together."""
    made = [_read(each) for each in revisions([PLAIN, MARKED, PLAIN], [0, 1, 30 * DAY])]
    assert [row.provenance.signal for row in found_in(page(made), marks=MARKS)] == ["featured"]
