"""Whether and when a change of tags was taken back."""

from collections.abc import Sequence

import pytest

import histories
from histories import START, history
from wikibias.records import NO_HISTORY, Kind, Provenance
from wikibias.transitions.pending import Followup

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


def test_a_revert_that_leaves_the_tag_away_ends_it_too() -> None:
    texts = ["He is a mayor.", "{{POV}} He was the best.", MENDED, "He is a mayor."]
    assert seen([*texts, "He is."], "removed", [0, 24, 48, 60, 99]) == (None, 0.5)


def test_an_addition_stands_until_its_tag_goes() -> None:
    assert seen([MENDED, TAGGED, TAGGED + " So.", MENDED + " So."], "added", [0, 24, 48, 72]) == (
        None,
        2.0,
    )


def test_only_the_next_revisions_are_seen() -> None:
    texts: list[str | None] = [TAGGED, *(f"{MENDED} {n}" for n in range(20)), TAGGED]
    assert seen(texts, "removed", [24.0 * n for n in range(22)]) == (None, 15.0)


def test_a_clock_that_goes_back_gives_no_negative_days() -> None:
    aftermath = Followup("removed", ("POV",), START)
    aftermath.see(["POV"], START.replace(year=2019))
    assert aftermath.added_to(NO_HISTORY, None).tag_back_days == 0.0


def history_of_tag_duration(
    texts: Sequence[str | None], hours: Sequence[float] | None = None
) -> list[Provenance]:
    return [t.provenance for t in histories.history(texts, hours)]


def test_tag_duration() -> None:
    hours = [0, 24, 30, 48, 72]
    found = history_of_tag_duration(["a", "{{POV}} a", None, "{{POV}} b", "b"], hours=hours)
    assert [(p.days_tagged, p.revisions_tagged) for p in found] == [(None, None), (2.0, 3)]


def test_of_several_tags_the_longest_duration_counts() -> None:
    texts = ["{{POV}} a", "{{POV}}{{Weasel}} a", "a"]
    assert history_of_tag_duration(texts, hours=[0, 24, 48])[-1].days_tagged == 2.0


def test_the_duration_of_a_tag_that_comes_back_starts_over() -> None:
    texts = ["{{POV}} a", "a", "{{POV}} b", "b"]
    assert [p.revisions_tagged for p in history_of_tag_duration(texts)] == [None, 1, None, 1]
