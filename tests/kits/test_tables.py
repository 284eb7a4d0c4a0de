"""Foreign tables as frames, their rows by lines, and the labels and reasons of rows."""

import gzip
import io
import json
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikibias.errors import UsageError, WikibiasError
from wikibias.kits import tables
from wikibias.text.segmentation import normalise

TEXT = tables.Columns(text=("norm", "text"), label="label", page="page_id", needed=("text",))


def write(path: Path, content: str | bytes) -> Path:
    raw = content if isinstance(content, bytes) else content.encode()
    path.write_bytes(gzip.compress(raw) if path.suffix == ".gz" else raw)
    return path


FORMS = {
    "a.csv": 'label,text,other\nbiased,"a, ""b""\nc",1\n\n,,\nneutral,\'=d,2\n',
    "b.csv": "label;text;other\nbiased;a;1\n\n;;\nneutral;d;2\n",
    "a.tsv": '\ufefflabel\ttext\tother\nbiased\t"a\t1\n\nneutral\td\t2\n',
    "a.jsonl": '{"label": "biased", "text": "a"}\n\n{"norm": "d", "label": "neutral"}\n',
    "a.json": '[{"label": "biased", "text": "a"}, {"label": "neutral", "text": "d"}]',
}


@pytest.mark.parametrize(
    ("name", "texts", "lines"),
    [
        ("a.csv", ['a, "b"\nc', "=d"], [2, 6]),
        ("b.csv", ["a", "d"], [2, 5]),
        ("a.tsv", ['"a', "d"], [2, 4]),
        ("a.jsonl", ["a", "d"], [1, 3]),
        ("a.json", ["a", "d"], [1, 2]),
    ],
)
@pytest.mark.parametrize("packed", ["", ".gz"])
def test_a_table_of_any_form_is_a_frame(
    name: str, texts: list[str], lines: list[int], packed: str, tmp_path: Path
) -> None:
    path = write(tmp_path / (name + packed), FORMS[name])
    frame = tables.read_frame(path, TEXT)
    assert [*frame["text"]] == texts
    assert [*frame["label"]] == ["biased", "neutral"]
    assert [*frame.index] == lines
    assert "page" not in frame
    assert frame.attrs["names"]["text"] == "text"
    assert [number for number, _ in tables.read_rows(path, TEXT)] == lines


def test_parquet_keeps_its_values_and_the_names_of_its_classes(tmp_path: Path) -> None:
    label = {"_type": "ClassLabel", "names": ["neutral", "biased"]}
    noted = {"huggingface": json.dumps({"info": {"features": {"label": label}}})}
    table = pa.table({"label": [0, 1], "norm": ["a", None], "page_id": [7, None]})
    pq.write_table(table.replace_schema_metadata(noted), tmp_path / "a.parquet")
    frame = tables.read_frame(tmp_path / "a.parquet", TEXT)
    assert frame.to_dict("list") == {
        "text": ["a", None],
        "label": ["neutral", "biased"],
        "page": [7, None],
    }
    assert [*frame.index] == [1, 2]
    assert [*tables.read_frame(tmp_path / "a.parquet")] == ["label", "norm", "page_id"]


def test_a_column_that_only_later_objects_have(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", '{"text": "a"}\n{"text": "b", "page_id": 7}\n')
    assert [*tables.read_frame(path, TEXT)["page"]] == [None, 7]
    assert [*tables.read_frame(path)["page_id"]] == [None, 7]


@pytest.mark.parametrize(
    ("content", "header", "expected"),
    [
        ("one a\ttwo b\n", None, [("one a", "two b")]),
        ("source\ttarget\none\ttwo\n", None, [("one", "two")]),
        ("source\ttarget\none\ttwo\n", True, [("one", "two")]),
        ("source\ttarget\none\ttwo\n", False, [("source", "target"), ("one", "two")]),
    ],
)
def test_columns_by_their_numbers(
    content: str, header: bool | None, expected: list[tuple[str, str]], tmp_path: Path
) -> None:
    path = write(tmp_path / "a.tsv", content)
    frame = tables.read_frame(
        path, tables.Columns(source="1", target="2", split=None), header=header
    )
    assert [*frame.itertuples(index=False, name=None)] == expected


def test_a_known_name_makes_a_header(tmp_path: Path) -> None:
    path = write(tmp_path / "a.tsv", "text\tits label\nthe mill\tbiased\n")
    assert [*tables.read_frame(path, TEXT, header=None)["text"]] == ["the mill"]


KEYS = ", ".join(f'"k{number}": 1' for number in range(9_000))


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.jsonl", lambda: f"{{}}\n{{{KEYS}, {KEYS.replace('k', 'm')}}}\n", ":2: 18,000 columns"),
        ("a.csv", lambda: ",".join(map(str, range(60_000))), ":1: 60,000 columns"),
        ("a.json", lambda: f"[{'{},' * 1_000_000}{{}}]", "more than 1,000,000 values"),
        ("a.jsonl", lambda: f"{{{KEYS}}}\n" + "{}\n" * 5_000, r":\d+: the rows have few of the 9"),
        ("a.jsonl", lambda: "{}\n" * 1_000 + f"{{{KEYS}}}\n", ":1001: the rows have few of"),
    ],
)
def test_bounds_of_hostile_tables(
    name: str,
    content: Callable[[], str],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tables, "_MOST_GAPS", 2_000_000)
    (tmp_path / name).write_text(content())
    tracemalloc.start()
    with pytest.raises(WikibiasError, match=said):
        tables.read_frame(tmp_path / name)
    assert tracemalloc.get_traced_memory()[1] < 300_000_000
    tracemalloc.stop()


def repeated() -> Any:
    """Return one long text, many times."""
    return pa.DictionaryArray.from_arrays(pa.array([0] * 200_000), pa.array(["a" * 1_000_000]))


@pytest.mark.parametrize(
    "cells",
    [
        lambda: ["a" * 100_000_000],
        lambda: pa.nulls(30_000_000),
        lambda: pa.array([b"a" * 1_000_000] * 100, pa.binary(1_000_000)),
        repeated,
        lambda: pa.ListArray.from_arrays([0, 200_000], repeated()),
        lambda: pa.ListArray.from_arrays([0, 20_000_000], pa.nulls(20_000_000, pa.string())),
    ],
)
def test_a_small_parquet_file_of_much_is_refused(cells: Callable[[], Any], tmp_path: Path) -> None:
    table = pa.table({"text": cells()})
    pq.write_table(table, tmp_path / "a.parquet", compression="zstd", write_statistics=False)
    pa.set_memory_pool(counting := pa.proxy_memory_pool(pa.system_memory_pool()))
    with pytest.raises(WikibiasError, match="many times"):
        tables.read_frame(tmp_path / "a.parquet")
    pa.set_memory_pool(pa.system_memory_pool())
    assert (counting.max_memory() or 0) < 100_000_000


def test_what_parquet_repeats_is_read_in_full(tmp_path: Path) -> None:
    text = ["one", None, "two"] * 9_000
    marks = [[], ["a", "b"], None] * 9_000
    about = [{"by": "x", "of": ["y"]}] * 27_000
    once = pa.array(text).dictionary_encode()
    table = pa.table({"text": once, "marks": marks, "about": about, "about.by": text})
    pq.write_table(table, tmp_path / "a.parquet", row_group_size=10_000)
    frame = tables.read_frame(tmp_path / "a.parquet")
    assert {name: [*frame[name]] for name in frame} == table.to_pydict()


def test_a_parquet_file_of_too_many_columns_is_not_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for columns in (1_000, 8_000):
        table = pa.table({f"c{number}": [1] for number in range(columns)})
        pq.write_table(table, tmp_path / f"{columns}.parquet")
    assert tables.read_frame(tmp_path / "1000.parquet").shape == (1, 1_000)
    monkeypatch.setattr(pq, "ParquetFile", None)
    with pytest.raises(WikibiasError, match="too many columns or groups"):
        tables.read_frame(tmp_path / "8000.parquet")


def test_commas_in_texts_are_no_values() -> None:
    assert tables.json_object(json.dumps({"text": ', \\" ' * 1_000_000}), "a")["text"]


def test_files_that_cannot_be_opened(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"none\.csv: cannot be read \(No such file"):
        tables.read_frame(tmp_path / "none.csv")
    (tmp_path / "a.csv.gz").write_bytes(b"text\n")
    with pytest.raises(WikibiasError, match=r"a\.csv\.gz: cannot be unpacked"):
        tables.read_frame(tmp_path / "a.csv.gz")


@pytest.mark.parametrize(
    "content", ["biased\ta b\n\nneutral\tc\n", "__label__biased a b\n\n__label__neutral c\n"]
)
def test_lines_with_labels(content: str, tmp_path: Path) -> None:
    frame = tables.read_labelled_lines(write(tmp_path / "a.txt", content))
    assert frame.to_dict("list") == {"label": ["biased", "neutral"], "text": ["a b", "c"]}
    assert [*frame.index] == [1, 3]
    assert tables.map_labels(frame, {"biased": 1, "neutral": 0}) == [1, 0]
    with pytest.raises(WikibiasError, match=r"a\.txt:3: unknown label 'neutral'; known: biased"):
        tables.map_labels(frame, {"biased": True})


@pytest.mark.parametrize(
    ("content", "message"),
    [("a b\n", "a.txt:1: no tab"), ("__label__a b\nc d\n", "a.txt:2: no __label__")],
)
def test_lines_without_labels(content: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(WikibiasError, match=message):
        tables.read_labelled_lines(write(tmp_path / "a.txt", content))


def test_what_is_left_out_is_said_once_a_reason(tmp_path: Path) -> None:
    warnings: list[str] = []
    frame = tables.read_frame(
        write(tmp_path / "a.jsonl", '{"text": "a"}\n{"text": ""}\n{"text": " "}\n')
    )
    blank, empty = frame["text"].str.isspace(), frame["text"] == ""
    left = tables.leave_out(frame, {"empty": empty, "blank": blank | empty}, warnings.append)
    assert [*left["text"]] == ["a"]
    path = tmp_path / "a.jsonl"
    assert warnings == [f"{path}:2: left out 1 row empty", f"{path}:3: left out 1 row blank"]
    tally = tables.Tally(path, warnings.append, "line")
    tally.add("blank", 4)
    tally.add("blank", 9)
    tally.report()
    assert warnings[-1] == f"{path}:4: left out 2 lines blank (this is the first)"


@pytest.mark.parametrize("name", ["a.jsonl", "a.csv", "a.tsv"])
def test_rows_are_written_to_be_read_again(name: str, tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [{"text": '=a\t"b"', "n": "1"}, {"text": "c", "n": "2"}]
    tables.write_rows(tmp_path / name, rows)
    assert tables.read_frame(tmp_path / name, quoted=True).to_dict("records") == rows
    with pytest.raises(UsageError, match=r"the name must end in \.jsonl, \.csv or \.tsv"):
        tables.write_rows(tmp_path / "a.xlsx", rows)


def test_lines_have_numbers_and_no_ends() -> None:
    stream = io.BytesIO("\ufeffa\r\n\nб".encode())
    assert list(tables.decoded_lines(stream, "f")) == [(1, "a"), (2, ""), (3, "б")]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"a\n\xff", r"f:2: not UTF-8 \(byte 1\); save it as UTF-8 \(Excel: CSV UTF-8; LibreOff"),
        ("a\n".encode("utf-16"), "f:1: not UTF-8"),
        (b"a\0", "f:1: a NUL byte"),
        (b"%PDF-1.4\n%\xe2", "f: a PDF; give its text"),
        (b"a" * 10_000_001, "f:1: longer than 10 MB; give one paragraph a line"),
    ],
)
def test_what_is_no_text_is_refused(content: bytes, said: str) -> None:
    with pytest.raises(WikibiasError, match=said):
        list(tables.decoded_lines(io.BytesIO(content), "f", "paragraph"))


def test_of_json_lines_the_text_is_the_sentence() -> None:
    content = b'{"text": "A mill.", "id": 7}\n\n{"text": "An inn."}\n'
    found = [*tables.given_sentences(io.BytesIO(content), "f.JSONL")]
    assert found == [(1, "A mill."), (2, ""), (3, "An inn.")]
    assert [*tables.given_sentences(io.BytesIO(b'{"a": 1}\n'), "f.txt")] == [(1, '{"a": 1}')]


@pytest.mark.parametrize("line", [b"[1]", b"{", b'{"sentence": "A mill."}', b'{"text": null}'])
def test_a_line_without_a_text_is_named(line: bytes) -> None:
    with pytest.raises(WikibiasError, match=r"f\.jsonl:2: no "):
        list(tables.given_sentences(io.BytesIO(b'{"text": "a"}\n' + line), "f.jsonl"))


RISKY = ["=1+1", '=cmd|" /C calc"!A0', "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "＝1", "＠"]


def test_a_formula_gets_an_apostrophe_and_other_cells_stay() -> None:
    """Spreadsheets may take the apostrophe away, and users may write cells themselves."""
    assert [tables.harmless(cell) for cell in RISKY] == [f"'{cell}" for cell in RISKY]
    for cell in ("", "POV", "a=b", "'tis", "1-2", "日本", "?"):
        assert tables.harmless(cell) == cell
    assert tables.original("=POV") == "=POV"


@pytest.mark.hypothesis
@given(st.text(alphabet="'=-@a＝ \t"))
def test_what_is_read_is_what_was_written(cell: str) -> None:
    assert tables.original(tables.harmless(cell)) == cell
    assert not tables.harmless(cell).startswith(("=", "+", "-", "@", "\t", "\r", "＝"))


@pytest.mark.hypothesis
@given(st.text(), st.booleans())
def test_the_normal_form_of_a_corpus_is_no_formula(text: str, keep: bool) -> None:
    """Which is why the TSV files of a corpus, which programs read, need no apostrophes."""
    norm = normalise(text, keep_apostrophes=keep)
    assert tables.harmless(norm) == norm
