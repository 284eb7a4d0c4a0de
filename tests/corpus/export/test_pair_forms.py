"""Exports of a folder of sentence pairs, through the command line."""

import shutil
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exports import wikibias
from made_edits import PROVENANCE, corpus
from made_pairs import pair as made_pair
from wikibias.corpus.export import pair_forms
from wikibias.corpus.export.corpora import Corpus, export
from wikibias.edits.word_diff import edited_spans
from wikibias.errors import UsageError
from wikibias.kits.document import markdown
from wikibias.kits.parquet import read_records, writing
from wikibias.kits.schemas import SENTENCE_PAIRS_TABLE
from wikibias.records import SentencePair


@cache
def pairs() -> Path:
    """Return a folder of pairs."""
    out = Path(mkdtemp(prefix="wikibias-")) / "pairs"
    wikibias("pairs", corpus(), "--rules", "own", "--out", out).well()
    return out


def export_pairs(folder: Path, form: str, out: Path | None) -> Path:
    return export(Corpus(folder, config="sentence_pairs"), form, out)


def test_hugging_face_reads_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("huggingface_hub")
    out = export_pairs(pairs(), "hf", tmp_path / "hf")
    card = (out / "README.md").read_text(encoding="utf-8")
    assert "class_label" in card
    assert "## Licence" in card
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    datasets = pytest.importorskip("datasets")
    found = datasets.load_dataset(str(out), cache_dir=str(tmp_path / "cache"))
    assert sum(split.num_rows for split in found.values()) == sum(
        1 for _ in read_records(pairs() / "pairs.parquet", SENTENCE_PAIRS_TABLE)
    )


def test_by_default_it_stands_beside_the_folder_which_can_be_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "pairs"
    shutil.copytree(pairs(), folder)
    assert export_pairs(folder, "bio", None) == tmp_path / "pairs-bio"
    monkeypatch.chdir(folder)
    assert export_pairs(Path(), "bio", None).resolve() == tmp_path / "pairs-bio"
    wikibias("pairs", corpus(), "--rules", "own", "--out", folder).well()


def test_a_form_that_pairs_do_not_have() -> None:
    with pytest.raises(UsageError, match="there is no form fasttext; choose hf, jsonl, wnc"):
        export_pairs(pairs(), "fasttext", None)


def test_a_pair_with_an_unknown_split(tmp_path: Path) -> None:
    folder = tmp_path / "pairs"
    folder.mkdir()
    made = next(read_records(pairs() / "pairs.parquet", SENTENCE_PAIRS_TABLE))
    with writing(folder / "pairs.parquet", SENTENCE_PAIRS_TABLE, dict) as table:
        table.write(replace(made, split="valid"))
    done = wikibias("export", "--format", "bio", folder)
    assert done.code == 1
    assert "unknown split, 'valid'" in done.err


def test_it_counts_and_names_licence_and_time(tmp_path: Path) -> None:
    facts, made = pair_forms.PairFacts(), made_pair(split="train", tier="high")
    facts.add(made)
    facts.add(replace(made, label="neutral", split="test", tier=None))
    early = datetime(2006, 5, 4, tzinfo=UTC)
    facts.add(replace(made, provenance=replace(PROVENANCE, before_timestamp=early)))
    (tmp_path / "train.parquet").write_bytes(b"")
    data, card = pair_forms.pair_card(facts, {"train": "train.parquet"}, tmp_path)
    text = markdown(card)
    assert data["language"] == ["en"]
    assert "gfdl" in [each.lower() for each in data["license"]]
    assert data["configs"][0]["data_files"] == [{"split": "train", "path": "train.parquet"}]
    assert "| train | 2 | 0 |" in text
    assert "| none | 0 | 1 |" in text
    assert "from 2006-05-04 to" in text
    assert "## Licence\n\n- " in text


def test_of_a_file_of_pairs_nothing_is_claimed(tmp_path: Path) -> None:
    data, card = pair_forms.pair_card(pair_forms.PairFacts(), {}, tmp_path)
    text = markdown(card)
    assert "language" not in data
    assert "a file of sentence pairs" in text
    assert "When the revisions were saved is not recorded." in text


TEXTS = st.text(min_size=1, max_size=40)


def pair(source: str, target: str, **facts: Any) -> SentencePair:
    """Return a pair with its edits."""
    single = len(pair_forms.words(source)) == len(pair_forms.words(target)) + 1
    told = {"source": source, "target": target, "single_word": single, "split": "train"}
    return made_pair(**{**told, "edits": edited_spans(source, target), **facts})


PAIRS = (
    pair("The grand mill burnt.", "The mill burnt."),
    pair('"L\'été" fut très beau.', "L'été fut chaud.", split="test"),
    pair("The inn stands.", "The inn stands.", label="neutral"),
)


def test_each_word_of_the_source_has_a_label() -> None:
    made = pair("The sadly forgotten mill, alas, burnt.", "The mill burnt.")
    assert pair_forms.words(made.source) == "The sadly forgotten mill , alas , burnt .".split()
    assert pair_forms.labels(made) == ["O", "B-bias", "I-bias", "O", "O", "B-bias", "O", "O", "O"]


def test_wnc_has_seven_columns_and_a_tag_for_each_word(tmp_path: Path) -> None:
    pair_forms.write_text_form("wnc", tmp_path, PAIRS)
    lines = {path.name: path.read_text(encoding="utf-8") for path in tmp_path.iterdir()}
    assert {name: text.count("\n") for name, text in lines.items()} == {
        "biased.full": 2,
        "biased.word.train": 1,
        "biased.word.dev": 0,
        "biased.word.test": 0,
        "neutral": 1,
    }
    # As shared/data.py of the authors takes a line apart.
    revision, before, after, raw, raw_after, speech, relations = (
        lines["biased.word.train"].strip().split("\t")
    )
    assert revision == str(PAIRS[0].provenance.after_rev_id)
    assert (before, after) == ("the grand mill burnt .", "the mill burnt .")
    assert (raw, raw_after) == ("The grand mill burnt.", "The mill burnt.")
    assert len(before.split()) == len(speech.split()) == len(relations.split())


def test_wikibias_has_classes_and_labels(tmp_path: Path) -> None:
    pair_forms.write_text_form("wikibias", tmp_path, PAIRS)
    classes = (tmp_path / "class_binary" / "train.tsv").read_text(encoding="utf-8")
    assert classes == "The grand mill burnt .\t\t1\nThe mill burnt .\t\t0\n"
    conll = (tmp_path / "tag_binary" / "train_conll.txt").read_text(encoding="utf-8")
    assert conll == "The O\ngrand B-bias\nmill O\nburnt O\n. O\n\n"
    block = (tmp_path / "tag_binary" / "tag_train.tsv").read_text(encoding="utf-8").split("\n")
    sentence, _, _, tags, empty = block[:5]
    assert sentence == "The grand mill burnt . ||| 1"
    assert tags == "O B-bias O O O ||| Original"
    assert not empty
    other = (tmp_path / "tag_binary" / "tag_test_neg.tsv").read_text(encoding="utf-8")
    assert "O O O O ||| Neutral" in other.splitlines()


def test_a_sentence_that_begins_with_a_quotation_mark_is_read_back(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    pair_forms.write_text_form("wikibias", tmp_path, PAIRS)
    # As Classification/dataset.py of the authors reads it.
    table = pandas.read_csv(
        tmp_path / "class_binary" / "test.tsv", sep="\t\t", engine="python", header=None
    )
    assert table.values.tolist() == [['" L\'été " fut très beau .', 1], ["L'été fut chaud .", 0]]


def test_words_with_labels_have_neutral_sentences_too(tmp_path: Path) -> None:
    pair_forms.write_text_form("bio", tmp_path, PAIRS)
    blocks = (tmp_path / "train.bio").read_text(encoding="utf-8").split("\n\n")
    assert blocks == [
        "The O\ngrand B-bias\nmill O\nburnt O\n. O",
        "The O\ninn O\nstands O\n. O",
        "",
    ]


@pytest.mark.parametrize("form", ["wnc", "wikibias", "bio"])
@settings(max_examples=50)
@given(source=TEXTS, target=TEXTS)
def test_no_text_breaks_the_lines(
    tmp_path_factory: pytest.TempPathFactory, form: str, source: str, target: str
) -> None:
    folder = tmp_path_factory.mktemp("out")
    pair_forms.write_text_form(form, folder, [pair(source, target)])
    for path in (path for path in folder.rglob("*") if path.is_file()):
        lines = path.read_bytes().decode("utf-8").split("\n")
        if path.name.startswith("biased"):
            assert {line.count("\t") for line in lines[:-1]} <= {6}
        elif path.name.endswith((".bio", "_conll.txt")):
            assert {line.count(" ") for line in lines if line} <= {1}
