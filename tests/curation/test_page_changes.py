"""A page whose changes lie in several parts, and when each part ends."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from histories import START
from made_transitions import Told, transitions_of, write_transitions
from wikibias.curation.tagged_intervals import tagged_intervals
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
        assert [spell.observed_until for spell in tagged_intervals(tmp_path)] == [
            END,
            datetime(2021, 1, 1, tzinfo=UTC),
            datetime(2021, 2, 1, tzinfo=UTC),
        ]

    def test_last_revision_tells_where_nothing_else_does(self, tmp_path: Path) -> None:
        changes = transitions_of([Told(1, "Mill", ["a", "{{POV}} a", "{{POV}} b"], [0, 24, 72])])
        (spell,) = tagged_intervals(write_transitions(tmp_path, "p", changes))
        assert (spell.days, spell.stands) == (2.0, True)

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
