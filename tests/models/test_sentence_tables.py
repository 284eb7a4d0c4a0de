"""Tables of labelled sentences, of ours and of others: what is read, and what is wrong."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from wikibias.errors import WikibiasError
from wikibias.models.examples import LABELS, Examples
from wikibias.models.reading import read_table


def read(path: Path) -> Examples:
    (found,) = read_table(path, LABELS, pytest.fail).values()
    return found


def test_the_normal_form_comes_before_the_text(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"label": "biased", "text": "The Best!", "norm": "the best"}\n')
    assert (read(path).texts, read(path).normalised) == (["the best"], True)
    path.write_text('{"label": "biased", "text": "The Best!"}\n\n')
    assert (read(path).texts, read(path).normalised) == (["The Best!"], False)


def test_a_cell_that_a_spreadsheet_would_calculate_comes_back(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text('label,sentence\nbiased,\'=1+1 is "great"\nneutral,"one\ntwo, three"\n')
    assert read(path).texts == ['=1+1 is "great"', "one\ntwo, three"]


def test_what_is_no_sentence_is_left_out_and_counted(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(
        '{"label": "biased", "text": null, "page_id": 1}\n'
        '{"label": "biased", "text": "one", "page_id": 7}\n'
        '{"label": "neutral", "text": "' + "x" * 20_001 + '"}\n'
    )
    said: list[str] = []
    (found,) = read_table(path, LABELS, said.append).values()
    assert (found.texts, found.rows.tolist()) == (["one"], [2])
    assert found.pages is not None
    assert found.pages.tolist() == [7]
    assert said == [
        f"{path}:1: left out 1 row without a sentence",
        f"{path}:3: left out 1 row longer than 20,000 characters",
    ]


def test_pages_that_are_no_numbers_are_not_known(tmp_path: Path) -> None:
    """In a table of others; in a corpus it is an error."""
    path = tmp_path / "a.csv"
    path.write_text("label,text,page_id\nbiased,one,A page\n")
    assert read(path).pages is None
    with pytest.raises(WikibiasError, match="page_id is no number"):
        read_table(path, LABELS, pytest.fail, needed=["page_id"])


WRONG = {
    "a.jsonl": [
        ("{", ":1: no JSON ("),
        ("[1]\n", ":1: no JSON object"),
        ("[" * 100_000, ":1: no JSON ("),
        ('{"text": "one"}', "no column 'label'"),
        ('{"label": "biased"}', "no column of sentences"),
        ('{"label": ["biased"], "text": "one"}', "row 1: unknown label"),
        (
            '{"label": "biased", "text": "one", "split": ["x"]}',
            "row 1: unknown split",
        ),
        ("\x00", ":1: a NUL byte"),
    ],
    "a.csv": [
        ("", "no column 'label'"),
        ("Label;Sentence\nbiased;one\n", "names 'Label;Sentence', and commas part the columns"),
        ("label,text\nrem,one\n", "row 1: unknown label 'rem'"),
        ('label,text\nbiased,"one', "not a CSV file"),
    ],
    "a.parquet": [("PAR1", "not a Parquet file")],
}


@pytest.mark.parametrize(("name", "number"), [(n, i) for n in WRONG for i in range(len(WRONG[n]))])
def test_what_is_wrong_is_named(name: str, number: int, tmp_path: Path) -> None:
    content, said = WRONG[name][number]
    path = tmp_path / name
    path.write_text(content)
    with pytest.raises(WikibiasError) as caught:
        read_table(path, LABELS, pytest.fail)
    assert said in str(caught.value)
    assert str(path) in str(caught.value)


def test_a_table_of_a_corpus_is_read_by_the_columns_that_count(corpus: Path) -> None:
    path = corpus / "corpus" / "test.parquet"
    pd.read_parquet(path).assign(label="odd").to_parquet(path)
    with pytest.raises(WikibiasError, match="row 1: unknown label 'odd'"):
        read_table(path, LABELS, pytest.fail)
