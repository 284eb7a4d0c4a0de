"""Corpora, tables and classifiers, by the interface for Python."""

import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import wikibias
from exports import wikibias as run
from paths import ROOT

DAMAGED = ROOT / "tests" / "fixtures" / "dumps" / "truncated.xml.bz2"


def test_a_corpus_is_what_pandas_reads(workplace: Path) -> None:
    corpus = wikibias.load_corpus("corpora/en")
    files = [pd.read_parquet(f"corpora/en/corpus/{s}.parquet") for s in ("train", "dev", "test")]
    pd.testing.assert_frame_equal(corpus, pd.concat(files, ignore_index=True))


@pytest.mark.parametrize("name", ["edits", "rejects", "transitions"])
def test_a_table_is_what_pandas_reads(name: str, workplace: Path) -> None:
    table = wikibias.load_table("corpora/en", name)  # type: ignore[arg-type]
    pd.testing.assert_frame_equal(table.to_pandas(), pd.read_parquet(f"corpora/en/{name}"))


def test_pairs_are_a_table_where_they_were_asked_for(workplace: Path, tmp_path: Path) -> None:
    with pytest.raises(wikibias.UsageError, match="corpora/en holds no pairs"):
        wikibias.load_table("corpora/en", "pairs")
    out = Path(shutil.copytree("corpora/en", tmp_path / "en"))
    assert run("build", "--restart", "--pairs", "--quiet", out).code == 0
    pairs = wikibias.load_table(out, "pairs").to_pandas()
    assert len(pairs) > 0
    pd.testing.assert_frame_equal(pairs, pd.read_parquet(out / "corpus" / "pairs.parquet"))


def test_wrong_names_are_told(workplace: Path) -> None:
    with pytest.raises(wikibias.UsageError, match="did you mean 'edits'"):
        wikibias.load_table("corpora/en", "edit")  # type: ignore[arg-type]
    with pytest.raises(wikibias.UsageError, match="did you mean 'page_title'"):
        wikibias.load_table("corpora/en", "edits", columns=["page_titel"])
    with pytest.raises(wikibias.UsageError, match="did you mean 'train'"):
        wikibias.load_corpus("corpora/en", "trian")  # type: ignore[arg-type]
    with pytest.raises(wikibias.UsageError, match="corpora/de holds no corpus"):
        wikibias.load_corpus("corpora/de")


def test_extract_keeps_what_comes_before_the_damage(tmp_path: Path) -> None:
    with pytest.raises(wikibias.DumpError, match="cut off"):
        wikibias.extract(DAMAGED, "fr", tmp_path / "out")
    assert wikibias.load_table(tmp_path / "out", "transitions").num_rows > 0


def test_predictions_are_those_of_the_command(workplace: Path) -> None:
    sentences = list(wikibias.load_corpus("corpora/en", "test")["text"])
    classifier = wikibias.load_classifier("corpora/en/models/sgd")
    done = run("predict", "corpora/en/models/sgd", stdin="\n".join(sentences).encode())
    told = [float(line.split("\t")[0]) for line in done.out.splitlines()]
    np.testing.assert_allclose(classifier.predict(sentences), told, atol=1e-6)
    assert (classifier.name, classifier.lang) == ("sgd", "en")


def test_a_blank_sentence_has_no_probability(workplace: Path) -> None:
    classifier = wikibias.load_classifier("corpora/en/models/sgd")
    blank, full = classifier.predict([" ", "It is truly the finest."])
    assert np.isnan(blank)
    assert 0 <= full <= 1
    assert len(classifier.predict([])) == 0


def test_a_folder_without_a_model_is_told(tmp_path: Path) -> None:
    with pytest.raises(wikibias.WikibiasError, match="give the folder"):
        wikibias.load_classifier(tmp_path)
