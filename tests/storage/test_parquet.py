"""Tables on disk: what is written is read again, in little memory."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from exports import export, history
from wikibias.storage import parquet
from wikibias.storage.schemas import Table

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
    dump = tmp_path / "x.xml"
    dump.write_bytes(export([history("Mill", 4)]))
    program = (
        "import sys\nfrom wikibias.cli import main\n"
        "try:\n    main(sys.argv[1:])\nexcept SystemExit as end:\n    assert not end.code\n"
        "print('pandas' in sys.modules)"
    )
    command = [sys.executable, "-c", program, "extract", "-q", "--lang", "en", "--workers", "1"]
    done = subprocess.run(
        [*command, "-o", str(tmp_path / "out"), str(dump)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["False"]
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
