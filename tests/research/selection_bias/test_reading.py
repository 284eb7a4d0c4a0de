"""Documents of our folders, of tables and of texts, with what each tells of them."""

from __future__ import annotations

import gzip
import shutil
from collections import Counter
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exports import wikibias
from made_pairs import written_pairs
from sample_corpora import corpus
from wikibias.errors import UsageError, WikibiasError
from wikibias.research.selection_bias.reading import (
    of_columns,
    read_corpus,
    read_text,
    sentences_of,
)
from wikibias.text.normalisation import normalise

ALL = 20_000


def test_a_result_folder_tells_all_facts() -> None:
    found = read_corpus(corpus(), most=ALL, seed=0)
    assert (found.name, found.language, found.of) == ("en", "en", len(found))
    assert Counter(found.facts["label"])["biased"] * 2 == len(found)
    assert set(found.facts["split"]) <= {"train", "dev", "test"}
    assert "POV" in set(found.facts["tag"])
    assert all(len(year) == 4 and year.isdigit() for year in found.facts["year"])
    assert set(found.facts["tier"]) <= {"high", "medium", "low"}
    assert set(found.facts["language"]) == {"en"}
    assert found.pages is not None
    assert all(page.startswith("demoenwiki:") for page in found.pages)
    assert all(text == text.lower() for text in found.texts)


def test_the_corpus_in_a_result_and_its_exports_are_the_same_documents(tmp_path: Path) -> None:
    folder = corpus()
    whole = read_corpus(folder, most=ALL, seed=0)
    inner = read_corpus(folder / "corpus", most=ALL, seed=0)
    assert inner == whole
    for form in ("parquet", "jsonl", "csv", "hf"):
        done = wikibias("export", "--format", form, "-o", tmp_path / form, folder)
        assert done.code == 0, done.err
        found = read_corpus(tmp_path / form, most=ALL, seed=0)
        assert (found.texts, found.facts, found.pages) == (whole.texts, whole.facts, whole.pages)
        assert found.language == "en"
    done = wikibias("export", "--format", "fasttext", "-o", tmp_path / "fasttext", folder)
    assert done.code == 0, done.err
    found = read_corpus(tmp_path / "fasttext", most=ALL, seed=0)
    assert Counter(found.texts) == Counter(whole.texts)
    assert Counter(found.facts["label"]) == Counter(whole.facts["label"])


@pytest.mark.parametrize(("lang", "said"), [("fr", ""), ("", "fr"), ("", "")])
def test_a_folder_without_manifest_keeps_the_apostrophes_of_its_language(
    lang: str, said: str, tmp_path: Path
) -> None:
    content = f"norm,lang\nl'église est belle,{lang}\n"
    (tmp_path / "train.csv").write_text(content, "utf-8")
    found = read_corpus(tmp_path, most=ALL, seed=0, language=said)
    is_known = bool(lang or said)
    assert found.language == ("fr" if is_known else "")
    assert ("l'église" in found.texts[0]) == is_known


def test_a_manifest_beside_a_folder_that_is_none_of_ours_is_not_its_own(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text("no JSON", "utf-8")
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "train.txt").write_text("The river.\n", "utf-8")
    assert read_corpus(folder, most=ALL, seed=0).name == "mine"


def test_a_sample_is_drawn_by_its_seed() -> None:
    few = read_corpus(corpus(), most=10, seed=3)
    whole = read_corpus(corpus(), most=ALL, seed=3)
    assert (len(few), few.of) == (10, whole.of)
    assert few == read_corpus(corpus(), most=10, seed=3)
    assert few.texts != read_corpus(corpus(), most=10, seed=4).texts
    assert set(few.texts) <= set(whole.texts)


def test_judged_sentences_are_those_of_their_own_folder(tmp_path: Path) -> None:
    shutil.copytree(corpus(), tmp_path / "en")
    shutil.copytree(tmp_path / "en" / "corpus", tmp_path / "en" / "judged")
    found = read_corpus(tmp_path / "en" / "judged", most=ALL, seed=0)
    assert (found.name, found.language) == ("en", "en")
    assert found.texts == read_corpus(corpus(), most=ALL, seed=0).texts


def test_several_labels_are_put_together(tmp_path: Path) -> None:
    labels = [["citation"], ["point-of-view", "citation"], []]
    table = pa.table({"norm": ["a mill", "a river", "a village"], "labels": labels})
    (tmp_path / "labelled").mkdir()
    pq.write_table(table, tmp_path / "labelled" / "train.parquet")
    for folder in (tmp_path, tmp_path / "labelled"):
        found = read_corpus(folder, most=ALL, seed=0)
        assert found.facts["label"] == ["citation", "citation|point-of-view", "none"]
        assert found.facts["split"] == ["train"] * 3


def test_of_sentence_pairs_those_before_the_edit_are_taken(tmp_path: Path) -> None:
    found = read_corpus(written_pairs(tmp_path / "pairs", 5), most=ALL, seed=0)
    assert Counter(found.facts["label"]) == {"biased": 5, "neutral": 2}
    assert found.pages is not None


def test_a_folder_without_sentences_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no sentences in it; make a corpus"):
        read_corpus(tmp_path, most=ALL, seed=0)


def test_a_table_tells_facts_by_the_names_of_its_columns() -> None:
    columns: dict[str, list[Any]] = {
        "sentence": ["The Village's 2 mills!", None, " ", "A river."],
        "label": [1, 0, 1, 0.0],
        "year": [2004.0, None, 2004, "2005-01-01"],
        "tags": [["POV", "Advert"], None, None, '["POV"]'],
        "page_title": ["Mill", "", "", "Trent"],
    }
    found = of_columns("t.csv", columns, None, "en", most=ALL, seed=0)
    assert found.texts == ["the village s numtkn mills", "a river"]
    assert found.facts["label"] == ["1", "0"]
    assert found.facts["year"] == ["2004", "2005"]
    assert found.facts["tag"] == ["Advert|POV", "POV"]
    assert found.pages == [":Mill", ":Trent"]
    assert (found.of, found.language) == (2, "en")
    assert set(found.facts) == {"label", "year", "tag"}


def test_the_column_of_the_text_is_guessed_or_named() -> None:
    columns = {"text": ["One."], "norm": ["two"], "quote": ["Three."]}
    for name, text in ((None, "two"), ("text", "one"), ("quote", "three")):
        assert of_columns("t", columns, name, "", most=ALL, seed=0).texts == [text]
    with pytest.raises(UsageError, match="did you mean 'quote'"):
        of_columns("t", columns, "quotes", "", most=ALL, seed=0)
    with pytest.raises(UsageError, match="say with --text-column which of body, id"):
        of_columns("t", {"body": ["a"], "id": [1]}, None, "", most=ALL, seed=0)
    with pytest.raises(UsageError, match="no text in the column 'id'"):
        of_columns("t", {"body": ["a"], "id": [None]}, "id", "", most=ALL, seed=0)


def test_apostrophes_are_kept_where_the_language_keeps_them() -> None:
    columns = {"text": ["L'église d'Arles"]}
    assert of_columns("t", columns, None, "fr", most=9, seed=0).texts == ["l'église d'arles"]
    assert of_columns("t", columns, None, "", most=9, seed=0).texts == ["l église d arles"]


@pytest.mark.parametrize("packed", [False, True])
def test_a_text_has_a_document_a_line(tmp_path: Path, packed: bool) -> None:
    path = tmp_path / ("t.txt.gz" if packed else "t.txt")
    content = "\ufeffOne river.\r\n\r\n  \r\n...\nTwo\tmills, here\n".encode()
    path.write_bytes(gzip.compress(content) if packed else content)
    found = read_text(path, "en", most=ALL, seed=0)
    assert found.texts == ["one river", "two mills here"]
    assert (found.facts, found.pages, found.name) == ({}, None, path.name)


@pytest.mark.parametrize(
    "content", ["rem\tOne river\nadd\tA mill\n", "__label__rem One river\n__label__add A mill\n"]
)
def test_a_label_before_each_sentence_is_a_fact(tmp_path: Path, content: str) -> None:
    path = tmp_path / "t.txt"
    path.write_text(content, "utf-8")
    found = read_text(path, "en", most=ALL, seed=0)
    assert found.texts == ["one river", "a mill"]
    assert found.facts == {"label": ["rem", "add"]}


@pytest.mark.parametrize("ending", [".csv", ".CSV", ".csv.gz", ".CSV.GZ"])
def test_a_table_is_no_text_however_its_ending_is_written(ending: str, tmp_path: Path) -> None:
    content = b"text,label\nThe river.,biased\n"
    path = tmp_path / f"t{ending}"
    path.write_bytes(gzip.compress(content) if ending.lower().endswith("gz") else content)
    found = read_text(path, "en", most=ALL, seed=0)
    assert (found.texts, found.facts) == (["the river"], {"label": ["biased"]})
    assert [*sentences_of(path)] == ["The river."]


def test_what_is_no_year_is_none_and_a_label_is_no_text() -> None:
    columns: dict[str, list[Any]] = {
        "text": ["one", "two", "three", "four"],
        "year": [2020.0, "NaN", 1577836800000, ""],
        "after_timestamp": ["", "", "", "2019-01-01T00:00:00Z"],
        "label": ["x" * 1_000, None, "[" * 1_000, ["y" * 1_000]],
    }
    facts = of_columns("t", columns, None, "en", most=ALL, seed=0).facts
    assert facts["year"] == ["2020", "", "", "2019"]
    assert max(map(len, facts["label"])) == 100


def test_a_text_that_is_kept_as_bytes(tmp_path: Path) -> None:
    pq.write_table(pa.table({"text": ["é".encode(), b"\xff mill"]}), tmp_path / "train.parquet")
    assert read_corpus(tmp_path, most=ALL, seed=0).texts == ["é", "mill"]


def test_texts_that_cannot_be_read(tmp_path: Path) -> None:
    path = tmp_path / "t.txt"
    with pytest.raises(UsageError, match="cannot be read"):
        read_text(path, "en", most=ALL, seed=0)
    path.write_bytes(b"fine\nna\xefve\n")
    with pytest.raises(WikibiasError, match=":2: not UTF-8"):
        read_text(path, "en", most=ALL, seed=0)
    path.write_bytes(b"\n\n")
    with pytest.raises(UsageError, match="no text in it"):
        read_text(path, "en", most=ALL, seed=0)
    packed = tmp_path / "t.gz"
    packed.write_bytes(gzip.compress(b"a line\n" * 9999)[:-30])
    with pytest.raises(WikibiasError, match="cannot be unpacked"):
        read_text(packed, "en", most=ALL, seed=0)
    packed.write_bytes(b"no gz")
    with pytest.raises(WikibiasError, match="cannot be unpacked"):
        read_text(packed, "en", most=ALL, seed=0)


@given(st.binary(max_size=60) | st.text(max_size=60).map(str.encode))
def test_any_bytes_are_documents_or_refused(content: bytes) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "t.txt"
        path.write_bytes(content)
        with suppress(WikibiasError):
            found = read_text(path, "en", most=3, seed=0)
            assert 0 < len(found) <= min(3, found.of)
            assert all(text == normalise(text) != "" for text in found.texts)
