"""Whether and when a change of tags was taken back, and by which revert."""

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from histories import MATCHER, ORIGIN, START, history, revisions
from wikibias.config.thresholds import Reverts
from wikibias.records import NO_HISTORY, History, Kind, Page, ReadRevision
from wikibias.transitions.detection import transitions
from wikibias.transitions.pending import Followup, Restores, RevertDetector

TAGGED, MENDED = "{{POV}} He was the very best.", "He was mayor."


def seen(
    texts: list[str | None], kind: Kind, hours: list[float]
) -> tuple[float | None, float | None]:
    """Return the two columns of the first transition of a kind."""
    found = next(t for t in history(texts, hours) if t.provenance.kind == kind).history
    return found.tag_back_days, found.survived_days


@pytest.mark.parametrize(
    ("later", "hours", "tag_back", "survived"),
    [
        pytest.param([], [], None, None, id="nothing follows"),
        pytest.param([None], [72], None, None, id="what follows is not known"),
        pytest.param(["He was mayor twice."], [72], None, 3.0, id="it stood"),
        pytest.param(["{{POV}} He was mayor twice."], [36], 1.5, 1.5, id="the tag is back"),
        pytest.param([TAGGED, "He was mayor twice."], [12, 99], 0.5, 0.5, id="reverted"),
        pytest.param(
            ["{{weasel}} He was.", "{{POV}} He was."], [24, 48], 2.0, 2.0, id="another tag"
        ),
    ],
)
def test_after_a_removal(
    later: list[str | None], hours: list[float], tag_back: float | None, survived: float | None
) -> None:
    at = [-24.0, 0.0, *hours]
    assert seen([TAGGED, MENDED, *later], "removed", at) == (tag_back, survived)


MANY = [TAGGED, *(f"{MENDED} {n}" for n in range(20)), TAGGED]
UNDONE = ["He is.", "{{POV}} He was the best.", MENDED, "He is.", "He is it."]


@pytest.mark.parametrize(
    ("texts", "kind", "hours", "survived"),
    [
        pytest.param(UNDONE, "removed", [0, 24, 48, 60, 99], 0.5, id="a revert without the tag"),
        pytest.param(
            [MENDED, TAGGED, TAGGED + " So.", MENDED + " So."], "added", [0, 24, 48, 72], 2.0,
            id="an addition until its tag goes",
        ),
        pytest.param(MANY, "removed", [24.0 * n for n in range(22)], 15.0, id="the next ones only"),
    ],
)  # fmt: skip
def test_how_long_it_survived(
    texts: list[str | None], kind: Kind, hours: list[float], survived: float
) -> None:
    assert seen(texts, kind, hours) == (None, survived)


def test_a_clock_that_goes_back_gives_no_negative_days() -> None:
    aftermath = Followup("removed", ("POV",), START)
    aftermath.see(["POV"], START.replace(year=2019))
    assert aftermath.added_to(NO_HISTORY, None).tag_back_days == 0.0


@pytest.mark.parametrize(
    ("texts", "hours", "stood"),
    [
        (["a", "{{POV}} a", None, "{{POV}} b", "b"], [0, 24, 30, 48, 72], [(2.0, 3)]),
        # Of several tags the longest counts.
        (["{{POV}} a", "{{POV}}{{Weasel}} a", "a"], [0, 24, 48], [(2.0, 2)]),
        (["{{POV}} a", "a", "{{POV}} b", "b"], [0, 24, 48, 96], [(1.0, 1), (2.0, 1)]),
    ],
)
def test_how_long_a_tag_stood(
    texts: list[str | None], hours: list[float], stood: list[tuple[float, int]]
) -> None:
    sources = [each.provenance for each in history(texts, hours)]
    found = [(each.kind, (each.days_tagged, each.revisions_tagged)) for each in sources]
    assert [days for kind, days in found if kind == "removed"] == stood
    assert {days for kind, days in found if kind == "added"} == {(None, None)}


@given(
    st.lists(st.sampled_from(["a", "b", "c", "d", None]), max_size=30),
    st.integers(1, 6),
    st.sets(st.integers(0, 29)),
)
def test_reverts_agree_with_a_plain_search(
    texts: list[str | None], radius: int, passed_by: set[int]
) -> None:
    """Hold the detector against a search through the whole history."""
    history_of = revisions(texts)
    detector = RevertDetector(Reverts(radius=radius, days=100))
    for position, revision in enumerate(history_of):
        if position in passed_by:
            detector.pass_by(revision)
            continue
        expected: list[int] = []
        if revision.has_text:
            for back in range(1, radius + 2):
                if position - back < 0:
                    break
                if history_of[position - back].text == revision.text:
                    expected = [r.id for r in history_of[position - back + 1 : position]]
                    break
        assert detector.undone_by(revision) == expected


def removal(texts: list[str | None]) -> History:
    return next(t for t in history(texts) if t.provenance.kind == "removed").history


def test_revisions_without_text_between_are_counted() -> None:
    assert removal(["{{POV}} a", "b"]).revisions_between == 0
    assert removal([None, "{{POV}} a", None, None, "b", None]).revisions_between == 2


def test_tags_that_are_left_or_swapped_in() -> None:
    added = history(["{{weasel}} a", "{{weasel}} {{POV}} a"])[-1]
    assert added.provenance.tags == ("POV",)
    assert (added.history.tags_left, added.history.tags_swapped_in) == (("Weasel",), ())
    both = removal(["{{POV}} {{weasel}} a", "{{weasel}} {{peacock}} a"])
    assert (both.tags_left, both.tags_swapped_in) == (("Weasel",), ("Peacock",))
    none = removal(["{{POV}} a", "a"])
    assert (none.tags_left, none.tags_swapped_in) == ((), ())


@pytest.mark.parametrize("parent", [None, 0, 1, 17])
def test_the_parent_is_what_the_dump_says(parent: int | None) -> None:
    first, second = (cast(ReadRevision, r) for r in revisions(["{{POV}} a", "b"]))
    page = Page(7, "P", 0, iter([first, replace(second, parent_id=parent)]))
    found = list(transitions([page], ORIGIN, MATCHER, per="tag", reverts=Reverts()))[-1]
    assert found.history.parent_rev_id == parent


def test_a_span_has_the_history_of_the_edit_that_ended_it() -> None:
    texts = ["a", "{{POV}} {{weasel}} b", "{{POV}} {{weasel}} c", "{{weasel}} a", "d", "e"]
    found = history(texts, spans="skip reverted")
    ended = {t.provenance.after_rev_id: t.history for t in found if t.provenance.kind == "removed"}
    spans = [t for t in found if t.provenance.pairing == "tagged-span"]
    assert [t.provenance.after_rev_id for t in spans] == [4, 5]
    assert all(t.history == ended[t.provenance.after_rev_id] for t in spans)
    assert [t.history.tags_left for t in spans] == [("Weasel",), ()]


def test_a_span_of_one_tag_of_several_has_its_tags_left_per_any_too() -> None:
    texts = ["a", "{{POV}} {{weasel}} b", "{{weasel}} c", "d", "e"]
    spans = history(texts, per="any", spans="skip reverted")
    left = [t.history.tags_left for t in spans if t.provenance.pairing == "tagged-span"]
    assert left == [("Weasel",), ()]


PARAGRAPHS = [
    f"The {name} was built in the {time} century by the masons of the valley, and the town has "
    f"kept its doors open to travellers ever since, as the chronicle of the {name} says."
    for name, time in zip(
        ("church", "mill", "school", "bridge", "market hall", "granary", "chapel", "weigh house"),
        ("tenth", "twelfth", "third", "fifth", "sixth", "ninth", "last", "seventh"),
        strict=True,
    )
] * 3
PAGE = "\n".join(PARAGRAPHS)
PRAISE = "\n".join(f"It is the finest {n} that any town ever had, as all agree." for n in range(40))
TAG = "{{POV}}\n"


def restored(texts: Sequence[str | None]) -> int | None:
    """Return what the last removal of a tag restores."""
    return [t for t in history(texts) if t.provenance.kind == "removed"][-1].history.restores_rev_id


def word_changed(text: str, number: int) -> str:
    return text.replace(PARAGRAPHS[0], f"{PARAGRAPHS[0]} So says page {number} of the book.", 1)


NEAR = PAGE + "\nIt is small."
PRAISED = f"{TAG}{PAGE}\n{PRAISE}"
LATER = [f"{PRAISED} {number}" for number in range(40)]
REWRITTEN = "\n".join(reversed(PARAGRAPHS)).replace("built", "raised")


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        ([PAGE, PRAISED, PAGE], 1),
        # The removal of the tag alone, unless the text has been edited in between.
        ([PAGE, TAG + PAGE, PAGE], 1),
        ([PAGE, TAG + PAGE, TAG + word_changed(PAGE, 1), word_changed(PAGE, 1)], None),
        # Nearly equal, where the replaced one is far away.
        ([TAG + PAGE, PRAISED, PAGE], 1),
        ([TAG + PAGE, PRAISED, NEAR], 1),
        ([TAG + PAGE, PRAISED, REWRITTEN], None),
        ([None, PAGE, None, PRAISED, None, PAGE], 2),
        # An emptied page is not nearly another short one.
        (["Hello you there", TAG + PAGE, "What is this about"], None),
        # Beyond the radius an earlier text is forgotten.
        ([TAG + PAGE, *LATER[:14], PAGE], 1),
        ([TAG + PAGE, *LATER, PAGE], None),
    ],
)
def test_what_the_removal_of_a_tag_restores(texts: list[str | None], expected: int | None) -> None:
    assert restored(texts) == expected


@pytest.mark.parametrize("count", [1, 5, 14])
def test_an_edit_of_a_word_restores_nothing_where_all_are_nearly_the_same(count: int) -> None:
    texts = [TAG + word_changed(PAGE, number) for number in range(count)]
    assert restored([*texts, word_changed(PAGE, 99)]) is None


@pytest.mark.parametrize("between", [14, 40])
def test_the_text_before_the_tag_is_found_however_far_back(between: int) -> None:
    tagged = [f"{TAG}{word_changed(PAGE, number)}\n{PRAISE}" for number in range(between)]
    assert restored([PAGE, *tagged, PAGE]) == restored([PAGE, *tagged, NEAR]) == 1


def test_the_text_before_the_tag_is_that_before_it_came_last() -> None:
    other = PAGE.replace("masons", "monks")
    texts = [
        PAGE,
        f"{TAG}{PAGE}\n{PRAISE}",
        other,
        *[f"{TAG}{other}\n{PRAISE} {n}" for n in range(30)],
    ]
    assert restored([*texts, other]) == 3
    assert restored([*texts, PAGE]) is None


LINES = st.lists(st.sampled_from([*PARAGRAPHS[:8], "It's <small>.", "'''Old'''", ""]), max_size=12)


@given(st.lists(LINES, min_size=2, max_size=5), LINES)
def test_looking_for_lines_first_changes_nothing(earlier: list[list[str]], new: list[str]) -> None:
    """Hold the finder against one that compares all lines of all texts."""
    texts = ["\n".join(lines) for lines in [*earlier, new]]
    *others, before, revision = revisions(texts)
    found = Restores().restored_by(revision, before, ["POV"], list(reversed(others)))
    distances = [
        sum(abs(a.count(line) - new.count(line)) * len(line) for line in {*a, *new})
        for a in earlier
    ]
    limit = min(0.1 * distances[-1], 0.05 * len(texts[-1]))
    near = [
        r.id
        for r, distance in zip(others, distances, strict=False)
        if r.text == texts[-1] or (limit >= 20 and distance <= limit)
    ]
    assert (found is None) == (not near)
    assert found is None or found.rev_id in near
