"""Identity reverts."""

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from histories import MATCHER, ORIGIN, history, revisions
from wikibias.config.thresholds import Reverts
from wikibias.records import History, Page, ReadRevision
from wikibias.transitions.detection import transitions
from wikibias.transitions.pending import Restores, RevertDetector


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
    both = removal(["{{POV}} {{weasel}} a", "{{weasel}} {{peacock}} a"])
    assert (both.tags_left, both.tags_swapped_in) == (("Weasel",), ("Peacock",))
    none = removal(["{{POV}} a", "a"])
    assert (none.tags_left, none.tags_swapped_in) == ((), ())


def test_an_addition_swaps_nothing_in() -> None:
    added = history(["{{weasel}} a", "{{weasel}} {{POV}} a"])[-1]
    assert added.provenance.tags == ("POV",)
    assert (added.history.tags_left, added.history.tags_swapped_in) == (("Weasel",), ())


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


def test_an_equal_text_is_a_restore() -> None:
    assert restored([PAGE, f"{TAG}{PAGE}\n{PRAISE}", PAGE]) == 1


def test_the_removal_of_the_tag_alone_restores_the_text_before_it() -> None:
    assert restored([PAGE, TAG + PAGE, PAGE]) == 1
    # Unless the text has been edited in between.
    assert restored([PAGE, TAG + PAGE, TAG + word_changed(PAGE, 1), word_changed(PAGE, 1)]) is None


def test_a_nearly_equal_text_is_a_restore_if_the_replaced_one_is_far_away() -> None:
    earlier, praised = TAG + PAGE, f"{TAG}{PAGE}\n{PRAISE}"
    assert restored([earlier, praised, PAGE]) == 1
    assert restored([earlier, praised, PAGE + "\nIt is small."]) == 1


@pytest.mark.parametrize("count", [1, 5, 14])
def test_an_edit_of_a_word_restores_nothing_though_all_revisions_are_nearly_the_same(
    count: int,
) -> None:
    texts = [TAG + word_changed(PAGE, number) for number in range(count)]
    assert restored([*texts, word_changed(PAGE, 99)]) is None


def test_a_rewrite_restores_nothing() -> None:
    new = "\n".join(reversed(PARAGRAPHS)).replace("built", "raised")
    assert restored([TAG + PAGE, f"{TAG}{PAGE}\n{PRAISE}", new]) is None


@pytest.mark.parametrize(("between", "found"), [(14, 1), (40, 1)])
def test_the_text_before_the_tag_is_found_however_far_back(between: int, found: int) -> None:
    tagged = [f"{TAG}{word_changed(PAGE, number)}\n{PRAISE}" for number in range(between)]
    assert restored([PAGE, *tagged, PAGE]) == found
    # Nearly: a line is new.
    assert restored([PAGE, *tagged, f"{PAGE}\nIt is small."]) == found


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


def test_an_earlier_text_beyond_the_radius_is_forgotten() -> None:
    first, later = TAG + PAGE, [f"{TAG}{PAGE}\n{PRAISE} {number}" for number in range(40)]
    assert restored([first, *later[:14], PAGE]) == 1
    assert restored([first, *later, PAGE]) is None


def test_revisions_without_text_are_passed_over() -> None:
    assert restored([None, PAGE, None, f"{TAG}{PAGE}\n{PRAISE}", None, PAGE]) == 2


def test_an_emptied_page_is_not_nearly_another_short_one() -> None:
    assert restored(["Hello you there", f"{TAG}{PAGE}", "What is this about"]) is None


LINES = st.lists(st.sampled_from([*PARAGRAPHS[:8], "It's <small>.", "'''Old'''", ""]), max_size=12)


@given(st.lists(LINES, min_size=2, max_size=5), LINES)
def test_looking_for_lines_first_changes_no_answer(
    earlier: list[list[str]], new: list[str]
) -> None:
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
    assert found is None or found in near
