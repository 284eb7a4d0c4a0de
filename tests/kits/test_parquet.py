"""Tables on disk: their columns follow from dataclasses; what is written is read again."""

import json
import subprocess
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from multiprocessing.reduction import ForkingPickler
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from exports import dumped, history
from made_edits import CONTEXT, PROVENANCE
from wikibias.errors import WikibiasError
from wikibias.kits import parquet, schemas
from wikibias.kits.parquet import (
    ARROW,
    DamagedTableError,
    arrow_array,
    check_columns,
    copy_typed,
    iter_rows,
    rows_with,
)
from wikibias.kits.schemas import ColumnType, Table
from wikibias.records import RejectedEdit

SENTENCE = "Sentence {} says little. "


@dataclass(frozen=True)
class Note:
    """A row with a list, a text and numbers."""

    sentences: tuple[str, ...]
    text: str | None = None
    count: int | None = None
    share: float | None = None
    is_new: bool | None = None
    when: datetime | None = None


NOTES = Table("notes", Note)


def write(path: Path, notes: list[Note]) -> None:
    with parquet.writing(path, NOTES, lambda: {"notes": len(notes)}) as writer:
        for note in notes:
            writer.write(note)


def test_rows_come_back_with_what_is_not_known(tmp_path: Path) -> None:
    when = datetime(2019, 3, 1, 12, 0, 59, tzinfo=UTC)
    early = datetime(1969, 12, 31, 23, 59, 59, tzinfo=UTC)
    notes = [
        Note(("a «b»", ""), "\U0001f600", 2**62, 0.5, is_new=True, when=when),
        Note(()),
        Note(("",), "", 0, 0.0, is_new=False, when=early),
    ] * 20
    write(tmp_path / "x.parquet", notes)
    assert list(parquet.read_records(tmp_path / "x.parquet", NOTES)) == notes
    assert parquet.read_meta(tmp_path / "x.parquet") == {"notes": 60}
    # What others read with pyarrow is the same.
    found = pq.read_table(tmp_path / "x.parquet").to_pylist()
    assert [Note(**{**row, "sentences": tuple(row["sentences"])}) for row in found] == notes


def test_some_rows_by_their_numbers(tmp_path: Path) -> None:
    write(tmp_path / "x.parquet", [Note((), count=number) for number in range(100)])
    for rows in ([], [0], [15, 16, 99], list(range(100))):
        found = parquet.read_records(tmp_path / "x.parquet", NOTES, rows)
        assert [note.count for note in found] == rows


def test_groups_are_bounded_by_all_their_text(tmp_path: Path) -> None:
    sentences = tuple(SENTENCE.format(n) * 4 for n in range(1000))
    write(tmp_path / "lists.parquet", [Note(sentences)] * 120)
    write(tmp_path / "texts.parquet", [Note((), "x" * 10**5)] * 120)
    for name in ("lists", "texts"):
        groups = pq.read_metadata(tmp_path / f"{name}.parquet")
        assert groups.num_row_groups >= 3


def test_an_extraction_does_without_pandas(tmp_path: Path) -> None:
    dump = dumped(tmp_path, [history("Mill", 4)])
    program = (
        "import sys\nfrom wikibias.cli import main\n"
        "try:\n    main(sys.argv[1:])\nexcept SystemExit as end:\n    assert not end.code\n"
        "print('pandas' in sys.modules)"
    )
    command = [sys.executable, "-c", program, "extract", "-q", "--lang", "en", "--workers", "1"]
    command += ["-o", str(tmp_path / "out"), str(dump)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.stderr, done.stdout.split()) == ("", ["False"])
    assert list((tmp_path / "out" / "corpus").glob("*.parquet"))


@pytest.mark.parametrize(
    "wrong",
    [
        Note((), "half \ud83d"),
        Note(("whole", "half \ude00")),
        Note((), count=2**63),
        Note((), count=-(2**63) - 1),
    ],
)
def test_a_row_that_does_not_fit_is_left_out_alone(wrong: Note, tmp_path: Path) -> None:
    sound = [Note(("a",), "b", 2**63 - 1), Note(("c",), "d", -(2**63))]
    with parquet.writing(tmp_path / "x.parquet", NOTES, dict) as writer:
        writer.write(sound[0])
        with pytest.raises(parquet.RowError, match=r"text|sentences|count"):
            writer.write(wrong)
        writer.write(sound[1])
    assert list(parquet.read_records(tmp_path / "x.parquet", NOTES)) == sound


NAMES = ("neutral", "biased")


def table(folder: Path, labels: list[str | None]) -> Path:
    path = folder / "a.parquet"
    pq.write_table(pa.table({"label": labels, "text": ["a"] * len(labels)}), path)
    return path


def test_classes_as_numbers_and_as_categories(tmp_path: Path) -> None:
    source = table(tmp_path, ["biased", None, "neutral"])
    features = {"label": {"names": list(NAMES), "_type": "ClassLabel"}}
    numbers, categories = tmp_path / "n.parquet", tmp_path / "c.parquet"
    assert copy_typed(source, numbers, {"label": NAMES}, numbered=True, features=features) == 3
    assert copy_typed(source, categories, {"label": NAMES}, numbered=False) == 3
    assert pq.read_table(numbers)["label"].to_pylist() == [1, None, 0]
    told = json.loads(pq.read_schema(numbers).metadata[b"huggingface"])
    assert told == {"info": {"features": features}}
    read = pq.read_table(categories)
    assert pa.types.is_dictionary(read.schema.field("label").type)
    assert read["label"].to_pylist() == ["biased", None, "neutral"]
    assert read["text"].to_pylist() == ["a"] * 3


def test_many_rows_and_none(tmp_path: Path) -> None:
    source = table(tmp_path, ["biased"] * 2500)
    assert copy_typed(source, tmp_path / "b.parquet", {"label": NAMES}, numbered=False) == 2500
    assert pq.read_table(tmp_path / "b.parquet").num_rows == 2500
    pq.write_table(pq.read_table(source).slice(0, 0), source)
    assert copy_typed(source, tmp_path / "e.parquet", {"label": NAMES}, numbered=True) == 0


def test_a_damaged_file_and_a_value_that_is_no_class_are_named(tmp_path: Path) -> None:
    source = table(tmp_path, ["biased", "=cmd"])
    with pytest.raises(DamagedTableError, match="label is none of neutral, biased"):
        copy_typed(source, tmp_path / "b.parquet", {"label": NAMES}, numbered=True)
    source.write_bytes(b"no table")
    with pytest.raises(DamagedTableError, match=r"a\.parquet is damaged"):
        copy_typed(source, tmp_path / "b.parquet", {}, numbered=True)
    with pytest.raises(WikibiasError, match=r"none\.parquet: not a Parquet file"):
        list(iter_rows(tmp_path / "none.parquet", ["label"]))


def test_rows_are_found_by_a_cell_of_any_type(tmp_path: Path) -> None:
    """Row groups close at 2,000 rows, so the file has three."""
    notes = [
        Note((f"only {number}", "shared" if number % 2500 == 7 else ""), f"t{number:05}", number)
        for number in range(5000)
    ]
    path = tmp_path / "x.parquet"
    write(path, notes)
    assert pq.ParquetFile(path).num_row_groups == 3
    assert rows_with(path, "count", {4321, 17, 99_999}) == [17, 4321]
    assert rows_with(path, "text", ["t02000"]) == [2000]
    assert rows_with(path, "sentences", ["shared", "only 7"]) == [7, 2507]
    assert rows_with(path, "count", []) == []
    assert rows_with(path, "count", [1 << 70, 3]) == [3]
    assert rows_with(path, "text", ["\ud800", "t00003"]) == [3]
    rows = rows_with(path, "count", [1999, 2000, 4999])
    assert list(parquet.read_records(path, NOTES, rows)) == [notes[row] for row in rows]


def test_no_cell_of_a_null_column_is_found_and_a_missing_column_is_damage(tmp_path: Path) -> None:
    write(tmp_path / "x.parquet", [Note((), "a"), Note(("b",))])
    assert rows_with(tmp_path / "x.parquet", "count", [0]) == []
    assert rows_with(tmp_path / "x.parquet", "text", ["a", ""]) == [0]
    with pytest.raises(parquet.DamagedTableError):
        rows_with(tmp_path / "x.parquet", "weight", [1])


def test_a_file_has_the_types_of_its_table(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    write(path, [Note(("a",), "b", 1, when=datetime(2020, 1, 1, tzinfo=UTC))])
    check_columns(path, NOTES)
    table = pq.read_table(path)
    pq.write_table(table.drop(["text"]), path)
    check_columns(path, NOTES)
    pq.write_table(table.set_column(2, "count", pa.array(["1"])), path)
    with pytest.raises(parquet.DamagedTableError, match="column count is of type string"):
        check_columns(path, NOTES)


def write_foreign(path: Path, **noted: Any) -> Path:
    table = pa.table({"label": [0, 1, 7], "text": ["a", "b", "c"], "norm": ["x", "y", "z"]})
    if noted:
        table = table.replace_schema_metadata({"huggingface": json.dumps(noted)})
    pq.write_table(table, path)
    return path


def test_numbers_of_classes_come_back_as_their_names(tmp_path: Path) -> None:
    label = {"_type": "ClassLabel", "names": ["neutral", "biased"]}
    path = write_foreign(tmp_path / "a.parquet", info={"features": {"label": label, "text": {}}})
    rows = list(iter_rows(path, ["label", "norm"]))
    assert rows[0] == {"norm": "x", "label": "neutral"}
    assert [row["label"] for row in rows] == ["neutral", "biased", 7]
    # Notes of another form count for nothing.
    others: list[dict[str, Any]] = [{"info": 1}, {"info": {"features": []}}, {"x": {}}]
    for noted in others:
        path = write_foreign(tmp_path / "a.parquet", **noted)
        assert [row["label"] for row in iter_rows(path, ["label"])] == [0, 1, 7]


CELLS: dict[ColumnType, list[Any]] = {
    "string": ["a", "", "né"],
    "strings": [["a", "bé"], [], [""]],
    "bools": [[True, False], []],
    "doubles": [[0.5, -1.0], []],
    "ints": [[1, -2], [], [3]],
    "int32": [0, -(2**31), 2**31 - 1],
    "int64": [0, -(2**63), 2**63 - 1],
    "double": [0.0, 1e300],
    "bool": [True, False] * 9,
    "time": [datetime(2006, 3, 1, 12, 30, 5, tzinfo=UTC), datetime(1969, 12, 31, tzinfo=UTC)],
}


def stored(cell: Any) -> Any:
    """Return a cell with texts in UTF-8, as a writer keeps them."""
    if isinstance(cell, list):
        return [stored(each) for each in cell]
    return cell.encode() if isinstance(cell, str) else cell


@pytest.mark.parametrize("kind", ARROW)
def test_the_cells_come_back(kind: ColumnType) -> None:
    for cells in (CELLS[kind], [None, *CELLS[kind], None]):
        made = arrow_array(kind, [stored(cell) for cell in cells])
        made.validate(full=True)
        assert made.type == ARROW[kind]
        assert made.to_pylist() == cells


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
    for table in (
        schemas.TRANSITIONS_TABLE,
        schemas.DIFFS_TABLE,
        schemas.EDITS_TABLE,
        schemas.REJECTS_TABLE,
        schemas.CORPUS_TABLE,
    ):
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
