"""A page whose changes lie in several parts, when each part ends, and survival curves."""

import math
from array import array
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from histories import START, Told, transitions_of, write_transitions
from wikibias.config.choices import Per
from wikibias.curation.tag_statistics import Lives, median, share_after
from wikibias.curation.tagged_intervals import TaggedInterval, tagged_intervals, without_reverts
from wikibias.errors import UsageError, WikibiasError

END = START + timedelta(days=100)


class TestParts:
    TOLD = (
        Told(1, "Mill", ["a", "{{POV}} a", "b", "{{POV}} c", "{{POV}} d"]),
        Told(2, "Weir", ["a", "{{Weasel}} a", "{{Weasel}} b", "b"]),
        Told(9, "Lock", ["{{POV}} a", "a"]),
    )

    def test_page_in_two_parts_is_put_together(self, tmp_path: Path) -> None:
        changes = transitions_of(self.TOLD)
        whole = list(
            tagged_intervals(write_transitions(tmp_path / "one", "p", changes, newest=END))
        )
        for number in range(len(changes) + 1):
            folder = tmp_path / str(number)
            write_transitions(folder, "z-old", changes[:number], newest=END)
            write_transitions(folder, "a-new", changes[number:], newest=END)
            assert sorted(map(repr, tagged_intervals(folder))) == sorted(map(repr, whole))

    def test_rows_that_two_parts_repeat_count_once(self, tmp_path: Path) -> None:
        changes = transitions_of(self.TOLD)
        for part in "ab":
            write_transitions(tmp_path, part, changes, newest=END)
        assert len(list(tagged_intervals(tmp_path))) == 4

    def test_each_part_ends_when_its_dump_does(self, tmp_path: Path) -> None:
        mill, weir = Told(1, "Mill", ["{{POV}} a"]), Told(2, "Weir", ["{{POV}} a"])
        write_transitions(tmp_path, "p1", transitions_of([mill]), newest=END)
        write_transitions(tmp_path, "xxwiki-20210101-p2", transitions_of([weir]))
        lock = Told(3, "Lock", ["{{POV}} a"])
        write_transitions(tmp_path, "xxwiki-2021-02-01-p3", transitions_of([lock]))
        ends = {spell.page_id: spell.observed_until for spell in tagged_intervals(tmp_path)}
        assert ends == {
            1: END,
            2: datetime(2021, 1, 1, tzinfo=UTC),
            3: datetime(2021, 2, 1, tzinfo=UTC),
        }

    def test_last_change_tells_where_nothing_else_does(self, tmp_path: Path) -> None:
        texts = ["a", "{{POV}} a", "{{POV}} {{Weasel}} b"]
        changes = transitions_of([Told(1, "Mill", texts, [0, 24, 72])])
        pov, _ = tagged_intervals(write_transitions(tmp_path, "p", changes))
        assert (pov.days, pov.stands) == (2.0, True)

    def test_tag_of_a_page_that_a_later_dump_lacks_does_not_stand(self, tmp_path: Path) -> None:
        mill, weir = Told(1, "Mill", ["{{POV}} a"]), Told(2, "Weir", ["{{POV}} a"])
        lock = Told(7, "Lock", ["{{POV}} a"])
        later = END + timedelta(days=30)
        old, new = transitions_of([mill, lock]), transitions_of([weir])
        write_transitions(tmp_path, "w-20200401-p1", old, newest=END, page_ids=(1, 9))
        write_transitions(tmp_path, "w-20200501-p1", new, newest=later, page_ids=(1, 5))
        write_transitions(tmp_path, "w-20200401-p2", [], newest=later, page_ids=(1, 9))
        found = {spell.page_title: spell for spell in tagged_intervals(tmp_path)}
        assert {title: spell.stands for title, spell in found.items()} == {
            "Mill": False,  # deleted
            "Weir": True,
            "Lock": True,  # the part of the later dump that would hold it is not there
        }
        assert (found["Mill"].taken_out, found["Mill"].observed_until) == (None, END)

    @pytest.mark.parametrize("column", ["wiki", "after_timestamp", "diff_url"])
    def test_cell_that_is_missing_is_damage(self, column: str, tmp_path: Path) -> None:
        changes = transitions_of(self.TOLD)
        (path,) = write_transitions(tmp_path, "p", changes).glob("*/*.parquet")
        table = pq.read_table(path)
        at = table.column_names.index(column)
        empty: Any = pa.array([None] * table.num_rows, table.schema.types[at])
        pq.write_table(table.set_column(at, column, empty), path)
        with pytest.raises(WikibiasError, match=f"is damaged .a row has no {column}"):
            list(tagged_intervals(tmp_path))

    def test_title_is_the_last_known(self, tmp_path: Path) -> None:
        changes = transitions_of([Told(1, "Mill", ["{{POV}} a", "a"])])
        write_transitions(tmp_path, "old", changes[:1])
        write_transitions(
            tmp_path, "new", transitions_of([Told(1, "Moulin", ["{{POV}} a", "a"])])[1:]
        )
        (spell,) = tagged_intervals(tmp_path)
        assert spell.page_title == "Moulin"


def test_folder_without_transitions_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="holds no transitions"):
        next(tagged_intervals(tmp_path))


DAY = 24.0


def found(
    tmp_path: Path,
    texts: Sequence[str | None],
    hours: Sequence[float] | None = None,
    *,
    per: Per = "tag",
) -> list[TaggedInterval]:
    changes = transitions_of([Told(1, "Mill", texts, hours)], per=per, spans="all")
    return list(tagged_intervals(write_transitions(tmp_path, "p", changes, newest=END)))


def lives(found: Sequence[TaggedInterval]) -> list[tuple[str, float, bool]]:
    return [(s.tag, round(s.days, 3), s.stands) for s in found]


def test_put_in_and_taken_out(tmp_path: Path) -> None:
    (spell,) = found(tmp_path, ["a", "{{NPOV}} a", "{{POV}} b", "b"], [0, 24, 30, 72])
    assert (spell.tag, spell.alias) == ("POV", "NPOV")
    assert spell.put_in == START + timedelta(days=1)
    assert spell.taken_out == START + timedelta(days=3)
    assert (spell.put_in_rev, spell.taken_out_rev) == (1002, 1004)
    assert spell.put_in_diff_url.endswith("?diff=1002&oldid=1001")
    assert spell.taken_out_diff_url.endswith("?diff=1004&oldid=1003")
    assert (spell.days, spell.stands, spell.observed_until) == (2.0, False, END)
    assert not any((spell.reverted, spell.taken_out_reverted, spell.begins_unseen))


def test_what_stands_is_observed_until_the_dump_ends(tmp_path: Path) -> None:
    (spell,) = found(tmp_path, ["a", "{{POV}} a"], [0, 24])
    assert spell.stands
    assert spell.taken_out is None
    assert spell.taken_out_rev is None
    assert (spell.days, spell.observed_until) == (99.0, END)


def test_those_of_a_page_by_its_id(tmp_path: Path) -> None:
    told = [Told(number, f"Mill {number}", ["a", "{{POV}} a", "b"]) for number in (1, 2, 3)]
    write_transitions(tmp_path, "p", transitions_of(told), newest=END)
    write_transitions(tmp_path, "q", transitions_of(told[:1]), newest=END)
    everything = {spell.page_id: spell for spell in tagged_intervals(tmp_path)}
    assert list(tagged_intervals(tmp_path, {3, 1})) == [everything[1], everything[3]]
    assert list(tagged_intervals(tmp_path, {4})) == []


def test_several_tags_each_have_a_life_of_their_own(tmp_path: Path) -> None:
    texts = ["{{POV}}{{Weasel}} a", "{{POV}}{{Peacock}} a", "a"]
    assert lives(found(tmp_path, texts, [0, 24, 48])) == [
        ("Weasel", 1.0, False),
        ("POV", 2.0, False),
        ("Peacock", 1.0, False),
    ]


def test_tag_of_the_first_revision_stands_from_then_on(tmp_path: Path) -> None:
    (spell,) = found(tmp_path, ["{{POV}} a"])
    assert (spell.put_in, spell.put_in_rev, spell.begins_unseen) == (START, 1001, False)


def test_history_that_is_cut_off_does_not_tell_when_it_was_put_in(tmp_path: Path) -> None:
    page = Told(1, "Mill", ["{{POV}} a", "a"], first_parent=77)
    (spell,) = tagged_intervals(write_transitions(tmp_path, "p", transitions_of([page])))
    assert spell.begins_unseen
    assert spell.taken_out_rev == 1002


def test_blanked_page_has_no_tag_and_one_of_unknown_text_keeps_it(tmp_path: Path) -> None:
    texts = ["{{POV}} a", None, "{{POV}} a", "", "{{POV}} a"]
    assert lives(found(tmp_path, texts, [0, 24, 48, 72, 73])) == [
        ("POV", 3.0, False),
        ("POV", round(100 - 73 / 24, 3), True),
    ]


class TestReverts:
    def test_addition_that_is_undone_is_told_apart(self, tmp_path: Path) -> None:
        (spell,) = seen = found(tmp_path, ["a", "{{POV}} a", "a", "b"])
        assert (spell.reverted, spell.days) == (True, 1 / 24)
        assert list(without_reverts(seen)) == []

    def test_removal_that_is_undone_ends_a_spell_but_no_life(self, tmp_path: Path) -> None:
        texts = ["a", "{{POV}} a", "a mill", "{{POV}} a", "{{POV}} b", "b"]
        first, second = seen = found(tmp_path, texts, [0, 24, 48, 49, 50, 96])
        assert (first.taken_out_reverted, second.put_in_restores) == (True, True)
        (life,) = without_reverts(seen)
        assert (life.put_in, life.taken_out, life.days) == (first.put_in, second.taken_out, 3.0)
        assert (life.put_in_rev, life.taken_out_rev) == (1002, 1006)

    def test_tag_that_is_put_in_anew_lives_anew(self, tmp_path: Path) -> None:
        seen = found(tmp_path, ["a", "{{POV}} a", "b", "{{POV}} c"])
        assert lives(list(without_reverts(seen))) == lives(seen)

    def test_addition_that_was_undone_and_brought_back_lives(self, tmp_path: Path) -> None:
        texts = ["a", "{{POV}} a", "a", "{{POV}} a", "b"]
        first, second = seen = found(tmp_path, texts, [0, 1, 2, 3, 26])
        assert (first.reverted, second.reverted) == (True, False)
        (life,) = without_reverts(seen)
        assert life.days == pytest.approx(25 / 24)


class TestWhatIsNotTold:
    def test_per_any_tells_only_of_the_first_and_the_last_tag(self, tmp_path: Path) -> None:
        texts = ["a", "{{POV}} a", "{{POV}}{{Weasel}} a", "{{Weasel}} a", "a"]
        pov, weasel = sorted(
            found(tmp_path, texts, [0, 1, 2, 3, 4], per="any"), key=lambda spell: spell.tag
        )
        assert (pov.tag, pov.taken_out, pov.stands) == ("POV", None, False)
        assert pov.observed_until == START + timedelta(hours=1)
        assert (weasel.tag, weasel.begins_unseen, weasel.taken_out_rev) == ("Weasel", True, 1005)

    def test_lost_addition_shows_in_the_removal(self, tmp_path: Path) -> None:
        changes = transitions_of([Told(1, "Mill", ["a", "{{POV}} a", "{{POV}} b", "b"])])
        (spell,) = tagged_intervals(write_transitions(tmp_path, "p", changes[1:]))
        assert (spell.begins_unseen, spell.put_in_rev, spell.put_in_diff_url) == (True, 1003, "")

    def test_lost_removal_shows_in_the_next_addition(self, tmp_path: Path) -> None:
        texts = ["a", "{{POV}} a", "b", "{{POV}} c"]
        added, _, again = transitions_of([Told(1, "Mill", texts)])
        first, second = tagged_intervals(
            write_transitions(tmp_path, "p", [added, again], newest=END)
        )
        assert (first.taken_out, first.stands, first.days) == (None, False, 0.0)
        assert second.stands


TEXTS = st.lists(st.sampled_from(["", "{{POV}}", "{{Weasel}}", "{{POV}}{{Weasel}}", None]))


@settings(max_examples=25)
@given(TEXTS)
def test_spells_tell_which_tags_each_revision_has(
    tmp_path_factory: pytest.TempPathFactory, tags: list[str | None]
) -> None:
    texts = ["start", *(None if tag is None else f"{tag} text" for tag in tags)]
    seen = found(tmp_path_factory.mktemp("spells"), texts)
    assert all(spell.taken_out is not None or spell.stands for spell in seen)
    known = ""
    for number, text in enumerate(texts):
        known = known if text is None else text
        now = START + timedelta(hours=number)
        there = {s.tag for s in seen if s.put_in <= now and (s.taken_out or END) > now}
        assert there == {tag for tag in ("POV", "Weasel") if f"{{{{{tag}}}}}" in known}
    assert len(list(without_reverts(seen))) <= len(seen)


def lives_of(told: Iterable[tuple[float, bool]]) -> Lives:
    every = list(told)
    return Lives(array("d", [days for days, _ in every]), array("b", [end for _, end in every]))


# Seven lives_of; those of 2 and 5 days were not over when they were last seen.
SEVEN = lives_of([(1, True), (2, False), (3, True), (3, True), (5, False), (8, True), (13, True)])


def test_curve_worked_out_by_hand() -> None:
    curve = SEVEN.curve()
    assert [(s.days, s.at_risk, s.ended) for s in curve] == [
        (1, 7, 1),
        (3, 5, 2),
        (8, 2, 1),
        (13, 1, 1),
    ]
    # 6/7; 6/7 * 3/5; 6/7 * 3/5 * 1/2; 0
    assert [s.share for s in curve] == pytest.approx([6 / 7, 18 / 35, 9 / 35, 0])
    assert (SEVEN.longest, len(SEVEN)) == (13, 7)


def test_interval_by_greenwood_worked_out_by_hand() -> None:
    second = SEVEN.curve()[1]
    # Greenwood: 1 / (7 * 6) + 2 / (5 * 3) = 0.0238095 + 0.1333333 = 0.1571429, its root 0.3964125.
    # log S = log(18 / 35) = -0.6649763; 1.959964 * 0.3964125 / 0.6649763 = 1.1683997.
    # exp(1.1683997) = 3.2168408, its inverse 0.3108640.
    assert second.low == pytest.approx(math.exp(-0.6649763 * 3.2168408), rel=1e-4)
    assert second.high == pytest.approx(math.exp(-0.6649763 * 0.3108640), rel=1e-4)
    assert (SEVEN.curve()[-1].low, SEVEN.curve()[-1].high) == (None, None)


def test_median_is_where_the_curve_crosses_a_half() -> None:
    assert median(SEVEN.curve())[0] == 8
    assert median(lives_of([(1, True), (9, False), (9, False)]).curve()) == (None, 1, None)
    assert median([]) == (None, None, None)


def test_share_holds_until_the_next_step() -> None:
    curve = SEVEN.curve()
    assert share_after(curve, 0) == 1
    assert share_after(curve, 7.9) == share_after(curve, 3) == pytest.approx(18 / 35)
    assert share_after(curve, 100) == 0


@given(st.lists(st.tuples(st.integers(0, 20), st.booleans())))
def test_curve_falls_within_its_interval(told: list[tuple[float, bool]]) -> None:
    curve = lives_of(told).curve()
    shares = [1.0, *(step.share for step in curve)]
    assert all(0 <= after < before for before, after in pairwise(shares))
    for step in curve:
        assert (
            step.low is None or step.high is None or 0 <= step.low <= step.share <= step.high <= 1
        )


@given(st.lists(st.integers(0, 20), min_size=1))
def test_without_censoring_the_curve_is_the_share_that_lasts_longer(days: list[int]) -> None:
    curve = lives_of((day, True) for day in days).curve()
    for step in curve:
        assert step.share == pytest.approx(sum(day > step.days for day in days) / len(days))


@pytest.mark.parametrize("number", range(2, 60, 2))
def test_half_of_an_even_number_have_ended_by_the_median(number: int) -> None:
    """Whatever a product of fractions makes of a half."""
    curve = lives_of([(float(day), True) for day in range(1, number + 1)]).curve()
    assert median(curve)[0] == number / 2
