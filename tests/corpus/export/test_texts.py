"""Text forms of a split."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from hypothesis import given
from hypothesis import strategies as st

from sample_corpora import corpus
from wikibias.corpus.export.texts import write_csv, write_fasttext, write_jsonl
from wikibias.kits.cells import original

RISKY = [
    "=HYPERLINK(1)",
    "+1",
    "-1",
    "@x",
    "＝1",
    "a\nb\tc",
    'say "x", y',
    "\x1b[31mred",
    "'=1",
    "",
]


def table(folder: Path, texts: list[str]) -> Path:
    path = folder / "a.parquet"
    tags = [[text] for text in texts]
    pq.write_table(pa.table({"text": texts, "tags": tags, "days": [-1.5] * len(texts)}), path)
    return path


def cells(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as lines:
        return list(csv.DictReader(lines))


def test_no_cell_is_a_formula_or_moves_a_terminal(tmp_path: Path) -> None:
    write_csv(table(tmp_path, RISKY), tmp_path / "a.csv", ["text", "tags", "days"])
    rows = cells(tmp_path / "a.csv")
    assert len(rows) == len(RISKY)
    for row, text in zip(rows, RISKY, strict=True):
        assert not row["text"].startswith(("=", "+", "-", "@", "＝"))
        assert "\x1b" not in row["text"] + row["tags"]
        assert json.loads(row["tags"].replace("\\x1b", "\\u001b")) == [text]
    assert original(rows[0]["text"]) == RISKY[0]
    assert rows[0]["days"] == "'-1.5"


def test_the_mark_says_that_it_is_utf8_and_without_rows_there_is_a_head(tmp_path: Path) -> None:
    source = table(tmp_path, RISKY)
    pq.write_table(pq.read_table(source).slice(0, 0), source)
    write_csv(source, tmp_path / "a.csv", ["text", "tags"])
    assert (tmp_path / "a.csv").read_bytes() == b"\xef\xbb\xbftext,tags\r\n"


@given(texts=st.lists(st.text(st.characters(codec="utf-8")), min_size=1, max_size=5))
def test_a_line_of_json_for_each_row(tmp_path_factory: Any, texts: list[str]) -> None:
    folder = tmp_path_factory.mktemp("jsonl")
    write_jsonl(table(folder, texts), folder / "a.jsonl")
    lines = (folder / "a.jsonl").read_text(encoding="utf-8").split("\n")
    assert lines.pop() == ""
    assert [json.loads(line)["text"] for line in lines] == texts
    assert not any(mark in line for line in lines for mark in "\u2028\u2029")


def test_times_and_what_is_unknown(tmp_path: Path) -> None:
    write_jsonl(corpus() / "corpus/train.parquet", tmp_path / "a.jsonl")
    first = json.loads((tmp_path / "a.jsonl").read_text(encoding="utf-8").split("\n")[0])
    assert first["after_timestamp"] == "2007-01-09T20:33:04Z"
    assert first["tags"] == ["Advert"]
    assert first["near_duplicates"] is None


def test_fasttext_is_as_the_corpus_has_it(tmp_path: Path) -> None:
    write_fasttext(corpus() / "corpus/train.parquet", tmp_path / "a.txt")
    assert (tmp_path / "a.txt").read_bytes() == (corpus() / "corpus/train.txt").read_bytes()
