"""The columns of files follow from dataclasses; records come back as they were written."""

from dataclasses import dataclass
from datetime import UTC, datetime
from multiprocessing.reduction import ForkingPickler
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from made_edits import CONTEXT, PROVENANCE
from wikibias.kits import parquet, schemas
from wikibias.kits.schemas import Table
from wikibias.records import (
    CorpusSentence,
    Edit,
    KeptEdit,
    Provenance,
    RejectedEdit,
    Sentence,
    TagContext,
    Transition,
)

TIMES = st.datetimes(
    datetime(1, 1, 2),  # noqa: DTZ001
    datetime(9999, 12, 30),  # noqa: DTZ001
    timezones=st.just(UTC),
).map(lambda time: time.replace(microsecond=0))
# Numbers as large as their column holds, and all text but halves of a surrogate pair.
for_type = {
    int: st.integers(-(2**63), 2**63 - 1),
    float: st.floats(allow_nan=False),
    datetime: TIMES,
    Sentence: st.builds(Sentence, st.text(), st.text()),
}
PROVENANCES = st.builds(
    Provenance,
    namespace=st.integers(-(2**31), 2**31 - 1),
    page_id=for_type[int],
    before_rev_id=st.none() | for_type[int],
    after_rev_id=for_type[int],
    before_timestamp=st.none() | TIMES,
    after_timestamp=TIMES,
    days_tagged=st.none() | for_type[float],
    revisions_tagged=st.none() | for_type[int],
)
SENTENCES = st.lists(for_type[Sentence], max_size=4).map(tuple)
EDITS = st.builds(
    Edit,
    provenance=PROVENANCES,
    removed=SENTENCES,
    added=SENTENCES,
    unchanged=SENTENCES,
    after_chars=for_type[int],
)
RECORDS: dict[Table[Any], st.SearchStrategy[Any]] = {
    schemas.TRANSITIONS_TABLE: st.builds(
        Transition,
        provenance=PROVENANCES,
        context=st.from_type(TagContext),
        session_base_text=st.none(),
    ),
    schemas.DIFFS_TABLE: EDITS,
    schemas.EDITS_TABLE: st.builds(
        KeptEdit,
        provenance=PROVENANCES,
        removed=SENTENCES,
        added=SENTENCES,
        after_chars=for_type[int],
    ),
    schemas.REJECTS_TABLE: st.builds(RejectedEdit, provenance=PROVENANCES),
    schemas.CORPUS_TABLE: st.builds(CorpusSentence, provenance=PROVENANCES),
}


@given(data=st.data())
@settings(max_examples=25, deadline=None)
def test_records_come_back(data: st.DataObject) -> None:
    table = data.draw(st.sampled_from([*RECORDS]))
    records = data.draw(st.lists(RECORDS[table], max_size=2))
    with TemporaryDirectory() as folder:
        path = Path(folder) / "x.parquet"
        with parquet.writing(path, table, dict, with_editors=True) as writer:
            for record in records:
                writer.write(record)
        assert list(parquet.read_records(path, table)) == records
        rows = range(0, len(records), 2)
        assert list(parquet.read_records(path, table, rows)) == records[::2]
    assert [table.record_of(table.row(record)) for record in records] == records


def test_the_columns_that_users_have_keep_their_types() -> None:
    expected = {
        "wiki": "string",
        "page_id": "int64",
        "namespace": "int32",
        "tags": "strings",
        "after_timestamp": "time",
        "reverted": "bool",
        "days_tagged": "double",
        "pointed_at": "strings",
        "removed": "strings",
        "removed_norm": "strings",
        "after_chars": "int64",
        "unchanged": "strings",
        "editor": "string",
    }
    found = {column.name: column.type for column in schemas.DIFFS_TABLE.columns}
    assert {name: found[name] for name in expected} == expected


def test_columns_have_names_of_their_own_and_the_editor_is_last_and_on_request_only() -> None:
    for table in RECORDS:
        names = [column.name for column in table.columns]
        assert len(set(names)) == len(names)
        assert [column.name for column in table.columns if column.on_request] == names[-1:]
        assert names[-1] == "editor"


@dataclass(frozen=True)
class Odd:
    """What no column can hold."""

    content: dict[str, str]


def test_a_field_that_no_column_can_hold_is_named() -> None:
    with pytest.raises(TypeError, match=r"Odd\.content: no column can hold"):
        _ = Table("odd", Odd).columns


@dataclass(frozen=True)
class Narrow:
    """Two of the columns of a table."""

    page_id: int
    removed: tuple[str, ...]


def test_a_table_with_fewer_columns_reads_the_same_file(tmp_path: Path) -> None:
    record = RejectedEdit(PROVENANCE, CONTEXT, "spelling", ("a", ""), ())
    with parquet.writing(tmp_path / "x.parquet", schemas.REJECTS_TABLE, dict) as writer:
        writer.write(record)
    assert "editor" not in pq.read_schema(tmp_path / "x.parquet").names
    assert pq.read_schema(tmp_path / "x.parquet").field("tags").type == pa.list_(pa.string())
    found = parquet.read_records(tmp_path / "x.parquet", Table("rejects", Narrow))
    assert list(found) == [Narrow(PROVENANCE.page_id, ("a", ""))]


def test_a_table_goes_to_other_processes_after_it_was_used() -> None:
    table = schemas.DIFFS_TABLE
    assert table.columns
    assert table.record_of({}).removed == ()
    # As the engines send it.
    assert ForkingPickler.loads(ForkingPickler.dumps(table)) == table
