"""Tests of CSV as spreadsheets and people leave it."""

from __future__ import annotations

import csv
from io import StringIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikibias.errors import WikibiasError
from wikibias.kits.cells import harmless
from wikibias.research.annotation.delimited import read_delimited

CELLS = st.text(st.sampled_from("aé,;\t\"\n '=中"), max_size=6)


def read(folder: Path, content: str | bytes) -> dict[str, list[str]]:
    """Return the columns of a file of such content, with nothing guessed."""
    path = folder / "t.csv"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return read_delimited(path)[0]


class TestCertain:
    @pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
    @pytest.mark.parametrize("mark", [",", ";", "\t"])
    def test_marks_and_encodings(self, tmp_path: Path, encoding: str, mark: str) -> None:
        content = f'item{mark}text\r\na{mark}"ü, or; so\t"\r\n'.encode(encoding)
        assert read(tmp_path, content) == {"item": ["a"], "text": ["ü, or; so\t"]}

    def test_the_line_by_which_excel_is_told_the_mark(self, tmp_path: Path) -> None:
        assert read(tmp_path, "sep=;\r\na;b,c\r\n1;2\r\n") == {"a": ["1"], "b,c": ["2"]}

    def test_a_mark_within_a_name_parts_nothing(self, tmp_path: Path) -> None:
        assert read(tmp_path, '"a, b, or c";d\n1;2\n') == {"a, b, or c": ["1"], "d": ["2"]}

    def test_blank_rows_and_columns_at_the_end(self, tmp_path: Path) -> None:
        content = ",,\n\na,b,,\n1,2,,\n , ,,\n3,,\n"
        assert read(tmp_path, content) == {"a": ["1", "3"], "b": ["2", ""]}

    def test_a_cell_of_any_length(self, tmp_path: Path) -> None:
        assert read(tmp_path, f"a,b\n{'x' * 1_000_000},1\n") == {"a": ["x" * 1_000_000], "b": ["1"]}

    def test_rows_are_numbered_as_a_spreadsheet_does(self, tmp_path: Path) -> None:
        (tmp_path / "t.csv").write_text('a,b\n1,"x\ny"\n\n2,z\n')
        assert read_delimited(tmp_path / "t.csv")[1] == [2, 4]


class TestGuessed:
    def test_other_encodings_are_told_by_the_words_that_must_be_there(self, tmp_path: Path) -> None:
        path = tmp_path / "t.csv"
        for encoding, text in (
            ("cp1252", "Élan"),
            ("cp1251", "Мелницата в Елан"),
            ("cp1250", "Mlýn stojí u řeky"),
            ("mac-roman", "Élan à côté"),
        ):
            path.write_bytes(f"text\n{text}\n".encode(encoding))
            said: list[str] = []
            found, _ = read_delimited(path, texts=["A mill.", text], warn=said.append)
            assert found == {"text": [text]}
            assert len(said) == 1
            assert f"read as {encoding}, which is a guess" in said[0]

    def test_without_a_hint_western_europe_is_likely(self, tmp_path: Path) -> None:
        (tmp_path / "t.csv").write_bytes(b"text\nna\xefve \x81\n")
        said: list[str] = []
        found, _ = read_delimited(tmp_path / "t.csv", warn=said.append)
        assert found == {"text": ["naïve \ufffd"]}

    def test_short_rows_are_filled(self, tmp_path: Path) -> None:
        (tmp_path / "t.csv").write_text("a,b,c\n1\n1,2,3\n1,2\n")
        said: list[str] = []
        found, _ = read_delimited(tmp_path / "t.csv", warn=said.append)
        assert found == {"a": ["1", "1", "1"], "b": ["", "2", "2"], "c": ["", "3", ""]}
        assert "2 rows shorter than the header, the first 2" in said[0]


class TestRefused:
    @pytest.mark.parametrize(
        ("content", "said"),
        [
            (b"PK\x03\x04rest", "save it as CSV"),
            (b"\xd0\xcf\x11\xe0rest", "save it as CSV"),
            (b"a\n\xff\n", "not UTF-8; save it as UTF-8"),
            (b"\xff\xfea", "not UTF-8"),
            ("a\nb\n".encode("utf-16-le"), "NUL byte"),
            (b"a,b\n1\n", ":2: 1 cells where the header has 2"),
            (b"a,b\n1,2,3\n", ":2: 3 cells where the header has 2"),
            (b"a,,b,,c\n", "two columns have one name"),
            (b'a\n"x"y\n', "not a CSV file that can be read"),
        ],
    )
    def test_says_in_a_line_what_to_do(self, tmp_path: Path, content: bytes, said: str) -> None:
        with pytest.raises(WikibiasError, match=said):
            read(tmp_path, content)


@pytest.mark.hypothesis
@given(
    st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=4),
    st.sampled_from(",;\t"),
    st.sampled_from(("utf-8", "utf-16")),
)
def test_what_a_program_wrote_comes_back(
    tmp_path_factory: pytest.TempPathFactory,
    rows: list[tuple[str, str]],
    mark: str,
    encoding: str,
) -> None:
    text = StringIO()
    writer = csv.writer(text, delimiter=mark)
    writer.writerow(("number", "one", "two"))
    writer.writerows((1, *map(harmless, row)) for row in rows)
    path = tmp_path_factory.mktemp("t") / "t.csv"
    path.write_bytes(text.getvalue().encode(encoding))
    found, _ = read_delimited(path)
    assert list(zip(found["one"], found["two"], strict=True)) == rows
