"""Columns of texts that belong together, from tables of any form."""

from __future__ import annotations

from pathlib import Path

import pytest

from wikibias.errors import UsageError, WikibiasError
from wikibias.research.neutralising.columns import read_columns

NAMED = {"source": "before", "target": "after"}
FILES = {
    "a.tsv": 'before\tafter\nthe "old mill\tthe mill\nb b\tc c\n',
    "a.csv": 'before,after\n"the ""old mill",the mill\nb b,c c\n',
    "a.jsonl": '{"before": "the \\"old mill", "after": "the mill"}\n'
    '{"after": "c c", "before": "b b", "more": null}\n',
}


@pytest.mark.parametrize("name", FILES)
def test_columns_by_name(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(FILES[name])
    found = read_columns(path, NAMED, pytest.fail)
    assert found == {"source": ['the "old mill', "b b"], "target": ["the mill", "c c"]}


@pytest.mark.parametrize("header", ["", "before\tafter\n"])
def test_columns_by_number_with_a_header_and_without(header: str, tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text(f"{header}the old mill\tthe mill\n")
    found = read_columns(path, {"source": "1", "target": "2"}, pytest.fail)
    assert found == {"source": ["the old mill"], "target": ["the mill"]}


def test_rows_that_are_left_out_are_told(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text("before\tafter\n\nthe old mill\tthe mill\nthe hall\t\n")
    told: list[str] = []
    found = read_columns(path, NAMED, told.append, needed=("source", "target"))
    assert found["source"] == ["the old mill"]
    assert [line.removeprefix(f"{path}: ") for line in told] == [
        "left out 1 blank row (the first in line 2)",
        "left out 1 row without target (the first in line 4)",
    ]


@pytest.mark.parametrize(
    ("text", "columns", "kind", "says"),
    [
        ("before\tafter\na b\n", NAMED, WikibiasError, "a.tsv:2: 1 column where"),
        ("befor\tafter\na b\tc\n", NAMED, UsageError, "did you mean 'befor'?"),
        ("a b\tc d\n", NAMED, UsageError, "has no header; give the number"),
        ("a b\tc d\n", {"source": "3"}, UsageError, "--source 3: .*2 columns"),
        ("before\tafter\n", NAMED, WikibiasError, "no row"),
        ("", NAMED, WikibiasError, "no row"),
    ],
)
def test_what_is_wrong_is_told_in_one_line(
    text: str, columns: dict[str, str], kind: type[Exception], says: str, tmp_path: Path
) -> None:
    path = tmp_path / "a.tsv"
    path.write_text(text)
    with pytest.raises(kind, match=says) as caught:
        read_columns(path, columns, lambda _: None)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "says"), [("{", "no JSON"), ("[1]", "no JSON object"), ("{}", "has no 'before'")]
)
def test_lines_that_are_no_objects_of_these_columns(text: str, says: str, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(text)
    with pytest.raises(WikibiasError, match=says):
        read_columns(path, NAMED, pytest.fail)
