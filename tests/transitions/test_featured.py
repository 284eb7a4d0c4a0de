"""Featured articles: a mark of their own wiki that stood for two weeks."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest

from histories import MATCHER, NAMESPACES, ORIGIN, revisions
from wikibias.config.languages import load_language
from wikibias.config.thresholds import Reverts
from wikibias.errors import DumpError
from wikibias.records import Page, ReadRevision, Revision, Transition
from wikibias.tags.scanner import FeaturedMatcher
from wikibias.transitions.detection import transitions

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
    reverts: Reverts | None = None,
) -> list[Transition]:
    """Return the rows of a page; with `read`, of revisions in which a reader looked for marks."""
    made: list[Revision] = revisions(texts, [day * DAY for day in days])
    if read:
        made = [_read(each) for each in made]
    pages = iter([Page(7, "River", namespace, iter(made))])
    limits = reverts or Reverts()
    origin = replace(ORIGIN, part=part)
    return list(transitions(pages, origin, None, per="tag", reverts=limits, marks=MARKS))


def _read(revision: Revision) -> Revision:
    assert isinstance(revision, ReadRevision)
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
    def damaged() -> Iterator[Revision]:
        yield from revisions([PLAIN, MARKED], [0, DAY])
        raise DumpError("is damaged")

    origin = replace(ORIGIN, part="enwiki-20260101-pages-meta-history.xml.7z")
    pages = iter([Page(7, "River", 0, damaged())])
    found = transitions(pages, origin, None, per="tag", reverts=Reverts(), marks=MARKS)
    rows: list[Transition] = []
    with pytest.raises(DumpError):
        rows.extend(found)
    assert rows == []
    whole = iter([Page(7, "River", 0, iter(revisions([PLAIN, MARKED], [0, DAY])))])
    assert (
        len(list(transitions(whole, origin, None, per="tag", reverts=Reverts(), marks=MARKS))) == 1
    )


@pytest.mark.parametrize("days", [[0, 1, 14], [0, 1, 14.9]])
def test_a_mark_that_stood_for_less_makes_none(days: list[float]) -> None:
    assert featured([PLAIN, MARKED, PLAIN + " It is long."], days) == []


def test_two_weeks_to_the_hour_are_enough() -> None:
    assert len(featured([PLAIN, MARKED, PLAIN + " It is long."], [0, 1, 15])) == 1


def test_a_mark_whose_edit_was_undone_makes_none() -> None:
    """Nor does it begin the time of a later one."""
    assert featured([PLAIN, MARKED, PLAIN, PLAIN + " It is long."], [0, 1, 1.5, 40]) == []
    [row] = featured([PLAIN, MARKED, PLAIN, MARKED + " It is long.", PLAIN + "?"], [0, 1, 2, 9, 30])
    assert (row.provenance.before_rev_id, row.provenance.days_tagged) == (4, 21.0)


def test_an_edit_that_was_undone_does_not_end_it() -> None:
    """And is no state of the article, however long the mark stood in it."""
    vandalised = MARKED + " Bob was here."
    texts = [MARKED, "", MARKED, vandalised, MARKED, PLAIN + " It is long."]
    [row] = featured(texts, [0, 5, 5.1, 8, 9.5, 20])
    assert (row.provenance.days_tagged, row.provenance.before_rev_id) == (20.0, 1)
    assert row.provenance.after_rev_id == 5
    assert row.after_text == MARKED


def test_an_article_may_be_featured_twice() -> None:
    """Demoted, and put back years later."""
    texts = [MARKED, PLAIN, MARKED + " It is long.", PLAIN + " It is wide."]
    first, second = featured(texts, [0, 100, 400, 500])
    assert (first.provenance.after_rev_id, first.provenance.days_tagged) == (1, 100.0)
    assert (second.provenance.after_rev_id, second.provenance.days_tagged) == (3, 100.0)


def test_one_kind_of_mark_may_take_the_place_of_another() -> None:
    category = PLAIN + "\n[[category:featured_articles|River]]"
    [row] = featured([MARKED, category, PLAIN + " It is long."], [0, 8, 20])
    assert row.provenance.tags == ("Category:Featured articles",)
    assert row.provenance.days_tagged == 20.0


@pytest.mark.parametrize(
    "text",
    [
        "{{Link FA|de}}\n" + PLAIN,
        "<!-- {{Featured article}} -->" + PLAIN,
        "<nowiki>{{Featured article}}</nowiki>" + PLAIN,
        "[[:Category:Featured articles]] " + PLAIN,
        "<!-- [[Category:Featured articles]] -->" + PLAIN,
        "[[Category:Featured articles in need of review]] " + PLAIN,
    ],
)
def test_what_is_no_mark_of_the_article_makes_none(text: str) -> None:
    assert featured([text, PLAIN], [0, 40]) == []


def test_only_articles_are_featured() -> None:
    assert featured([MARKED, PLAIN], [0, 40], namespace=1) == []


def test_a_revision_without_text_neither_begins_nor_ends_it() -> None:
    [row] = featured([None, MARKED, None, MARKED + " It is long.", PLAIN], [0, 1, 3, 8, 30])
    assert (row.provenance.before_rev_id, row.provenance.after_rev_id) == (2, 4)
    assert row.provenance.days_tagged == 29.0


def test_a_damaged_text_is_not_taken() -> None:
    made = revisions([MARKED, MARKED + " It is long.", PLAIN], [0, 30 * DAY, 40 * DAY])
    assert isinstance(made[0], ReadRevision)
    made[0] = replace(made[0], text=MARKED + "?")
    damaged: list[int] = []
    [row] = transitions(
        iter([Page(7, "River", 0, iter(made))]),
        ORIGIN,
        None,
        per="tag",
        reverts=Reverts(),
        marks=MARKS,
        on_damage=lambda _, revision: damaged.append(revision.id),
    )
    assert row.provenance.after_rev_id == 2
    assert damaged == [1]


def test_marks_are_no_tags() -> None:
    """Though the reader gives both together."""
    made = [_read(each) for each in revisions([PLAIN, MARKED, PLAIN], [0, 1, 30 * DAY])]
    pages = iter([Page(7, "River", 0, iter(made))])
    found = transitions(pages, ORIGIN, MATCHER, per="tag", reverts=Reverts(), marks=MARKS)
    assert [row.provenance.signal for row in found] == ["featured"]
