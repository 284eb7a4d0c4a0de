"""Transitions, corpora, tables and classifiers, by the interface for Python."""

import re
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import wikibias
from exports import wikibias as run
from made_edits import DUMPS
from paths import ROOT

DAMAGED = ROOT / "tests" / "fixtures" / "dumps" / "truncated.xml.bz2"


def test_a_corpus_is_what_pandas_reads(workplace: Path) -> None:
    corpus = wikibias.load_corpus("corpora/en")
    files = [pd.read_parquet(f"corpora/en/corpus/{s}.parquet") for s in ("train", "dev", "test")]
    pd.testing.assert_frame_equal(corpus, pd.concat(files, ignore_index=True))
    assert {*pd.read_parquet("corpora/en/corpus")["sentence_id"]} == {*corpus["sentence_id"]}


@pytest.mark.parametrize("name", ["edits", "rejects", "transitions"])
def test_a_table_is_what_pandas_reads(name: str, workplace: Path) -> None:
    table = wikibias.load_table("corpora/en", name)  # type: ignore[arg-type]
    pd.testing.assert_frame_equal(table.to_pandas(), pd.read_parquet(f"corpora/en/{name}"))


def test_pairs_are_a_table_where_they_were_asked_for(workplace: Path, tmp_path: Path) -> None:
    with pytest.raises(wikibias.UsageError, match="corpora/en holds no sentence pairs"):
        wikibias.load_table("corpora/en", "pairs")
    out = Path(shutil.copytree("corpora/en", tmp_path / "en"))
    assert run("build", "--restart", "--pairs", "--quiet", out).code == 0
    pairs = wikibias.load_table(out, "pairs").to_pandas()
    assert len(pairs) > 0
    pd.testing.assert_frame_equal(pairs, pd.read_parquet(out / "aligned" / "pairs.parquet"))


def test_wrong_names_are_told(workplace: Path) -> None:
    with pytest.raises(wikibias.UsageError, match="did you mean 'edits'"):
        wikibias.load_table("corpora/en", "edit")  # type: ignore[arg-type]
    with pytest.raises(wikibias.UsageError, match="did you mean 'page_title'"):
        wikibias.load_table("corpora/en", "edits", columns=["page_titel"])
    with pytest.raises(wikibias.UsageError, match="did you mean 'train'"):
        wikibias.load_corpus("corpora/en", "trian")  # type: ignore[arg-type]
    with pytest.raises(wikibias.UsageError, match="corpora/de holds no corpus"):
        wikibias.load_corpus("corpora/de")
    assert wikibias.load_table("corpora/en", columns="text").column_names == ["text"]


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
    (tmp_path / "notes.txt").touch()
    for folder, said in (
        (tmp_path, "no model.json in it, but notes.txt; give the folder that `wikibias classify`"),
        (tmp_path / "gone", "gone: no such folder; give the folder that `wikibias classify` made"),
    ):
        with pytest.raises(wikibias.WikibiasError, match=re.escape(said)):
            wikibias.load_classifier(folder)


_OF_ENRICHMENT = ("scope", "section", "pointed_at", "edited_text", "only_tags")
_OF_INTENTS = (
    *("line_before", "line_after", "line_section"),
    *("fact_element", "fact_action", "fact_number"),
)


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_they_are_those_of_extract(lang: str, workplace: Path) -> None:
    frame = wikibias.to_pandas(wikibias.find_transitions(DUMPS[lang], lang), texts=True)
    table = wikibias.load_table(f"corpora/{lang}", "transitions").to_pandas()
    only_in_tables = {*table.columns} - {*frame.columns}
    assert only_in_tables == {*_OF_ENRICHMENT, *_OF_INTENTS}
    pd.testing.assert_frame_equal(frame, table[frame.columns])


def test_edits_found_by_their_summary_are_those_of_detect(workplace: Path, tmp_path: Path) -> None:
    out = tmp_path / "both"
    both = ("--signal", "tag", "--signal", "summary")
    assert run("detect", "-q", "--lang", "en", *both, "-o", out, DUMPS["en"]).code == 0
    table = wikibias.load_table(out, "transitions").to_pandas()
    found = wikibias.find_transitions(DUMPS["en"], "en", signal=("tag", "summary"))
    frame = wikibias.to_pandas(found, texts=True)
    pd.testing.assert_frame_equal(frame, table[frame.columns])
    alone = wikibias.find_transitions(DUMPS["en"], "en", signal="summary")
    summaries = [found.provenance.after_rev_id for found in alone]
    assert summaries == table[table["signal"] == "summary"]["after_rev_id"].tolist() != []


@pytest.mark.parametrize(
    "options", [{"signal": ()}, {"signal": "tags"}, {"summary_rule": "x"}, {"tagset": "npow"}]
)
def test_a_wrong_name_is_told_at_once(options: dict[str, Any]) -> None:
    with pytest.raises(wikibias.UsageError, match=r"take|did you mean 'npov'"):
        wikibias.find_transitions(DUMPS["en"], "en", **options)


def test_a_tagset_of_ones_own(workplace: Path, tmp_path: Path) -> None:
    (tmp_path / "en.toml").write_text('[[tag]]\nname = "Advert"\nfamily = "mine"\n')
    tagset = wikibias.read_tagset(tmp_path / "en.toml")
    by_file = wikibias.to_pandas(wikibias.find_transitions(DUMPS["en"], "en", tagset))
    assert set(by_file["tags"].map(tuple)) == {("Advert",)}
    npov = wikibias.load_tagset("npov", "en").only(["promotional"])
    by_family = wikibias.to_pandas(wikibias.find_transitions(DUMPS["en"], "en", npov))
    assert len(by_family) >= len(by_file) > 0


def test_no_transitions_make_an_empty_frame() -> None:
    frame = wikibias.to_pandas([])
    assert frame.empty
    assert {"page_title", "kind", "tags", "diff_url"} <= {*frame.columns}


def test_what_comes_before_the_damage_is_yielded() -> None:
    found = wikibias.find_transitions(DAMAGED, "fr")
    kinds = [next(found).provenance.kind for _ in range(2)]
    assert kinds == ["added", "removed"]
    with pytest.raises(wikibias.DumpError, match="cut off"):
        list(found)


def test_a_dump_of_another_language_is_read_only_if_that_is_meant() -> None:
    with pytest.raises(wikibias.UsageError, match="give lang='en', or lang_anyway=True"):
        wikibias.find_transitions(DUMPS["en"], "fr")
    assert next(wikibias.find_transitions(DUMPS["en"], "fr", lang_anyway=True)).provenance.tags


def test_all_pages_of_a_folder_are_read(workplace: Path) -> None:
    titles = [page.title for page in wikibias.read_pages("samples")]
    one = [page.title for page in wikibias.read_pages(sorted(Path("samples").iterdir()))]
    assert titles == one
    assert {"Halvern Dairies", "Fondation Thélusson-Marre"} <= {*titles}


def test_namespaces_are_chosen(workplace: Path) -> None:
    found = {page.namespace for page in wikibias.read_pages("samples", namespaces=range(20))}
    assert found > {0}
    with pytest.raises(wikibias.UsageError, match="take numbers"):
        wikibias.find_transitions(DUMPS["en"], "en", namespaces=["0"])  # type: ignore[list-item]


def test_revisions_are_read_before_the_next_page_and_keep_the_dump_open() -> None:
    page, again = (next(iter(wikibias.read_pages(DUMPS["en"]))) for _ in range(2))
    assert len([*page.revisions]) == len([*again.revisions]) > 1
    for late in list(wikibias.read_pages(DUMPS["en"])):
        with pytest.raises(wikibias.UsageError, match="before you ask for the next page"):
            next(late.revisions)


def test_revisions_before_the_damage_are_yielded() -> None:
    seen = []
    pages = wikibias.read_pages(DAMAGED, "fr")
    with pytest.raises(wikibias.DumpError, match="cut off"):  # noqa: PT012 (from the loop)
        for page in pages:
            seen += [revision.id for revision in page.revisions]
    assert len(seen) > 10


def test_a_wrong_name_of_a_dump_is_told_at_once() -> None:
    with pytest.raises(wikibias.UsageError, match="unknown language 'english'; did you mean 'en'"):
        wikibias.read_pages(DAMAGED, "english")
    with pytest.raises(wikibias.UsageError, match="no dump was given"):
        wikibias.read_pages([])
    with pytest.raises(wikibias.DumpError, match=r"nowhere.*No such file"):
        next(wikibias.read_pages("nowhere.xml.bz2"))


def test_sentences_of_a_frame_are_read_in_their_order(workplace: Path) -> None:
    classifier = wikibias.load_classifier("corpora/en/models/sgd")
    sentences = wikibias.load_corpus("corpora/en").text
    shuffled = sentences.sample(frac=1, random_state=3)[5:]
    assert list(classifier.predict(shuffled)) == list(classifier.predict(list(shuffled)))
    wrong: list[Any] = ["One text.", shuffled.to_frame(), [None], pd.Series([1.5])]
    for each in wrong:
        with pytest.raises(wikibias.UsageError):
            classifier.predict(each)
