"""Exports of whole corpora, as the programs read them that they are for, and their folders."""

import csv
import json
import shutil
from contextlib import suppress
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exports import history, result_of, rows, wikibias
from made_edits import corpus
from results import extract, write_parts
from tagged_sentences import labelled, write_dump
from wikibias.config.choices import SPLITS
from wikibias.corpus.export import corpora
from wikibias.corpus.export.folder import RECORD, export_folder, recorded
from wikibias.errors import UsageError, WikibiasError
from wikibias.kits.tables import original
from wikibias.pipeline.manifest import load_recorded

FRENCH = ("fr", "--pairs", "--with-editors")
RUNS: list[tuple[str, ...]] = [("en",), FRENCH]


def of(*run: str) -> corpora.Corpus:
    folder = corpus(*run)
    return corpora.Corpus(folder, load_recorded(folder))


def corpus_rows(found: corpora.Corpus) -> list[dict[str, Any]]:
    files = map(found.split, SPLITS)
    return [row for file in files for row in pq.read_table(file).to_pylist()]


def test_datasets_reads_sentences_and_pairs_typed(tmp_path: Path) -> None:
    """It keeps what it has read: corpora of one name are not taken for each other."""
    datasets = pytest.importorskip("datasets", reason="datasets is not installed")
    for run in RUNS:
        found = of(*run)
        out, known = corpora.export(found, "hf", tmp_path / "hf"), corpus_rows(found)
        for folder in (found.folder, out):
            read = datasets.load_dataset(str(folder), cache_dir=str(tmp_path / "cache"))
            features = read["train"].features
            assert features["label"].names == ["neutral", "biased"]
            assert features["tags"].feature.dtype == "string"
            assert features["after_timestamp"].dtype == "timestamp[ms, tz=UTC]"
            said = {
                row["sentence_id"]: (features["label"].int2str(row["label"]), split)
                for split, part in read.items()
                for row in part
            }
            assert said == {row["sentence_id"]: (row["label"], row["split"]) for row in known}
            assert set(read) == {row["split"] for row in known}
            assert ("editor" in features) == ("--with-editors" in run)
        linked = {r["sentence_id"] for r in known if r["role"] == "removed" and r["pair_id"]}
        if linked:
            pairs = datasets.load_dataset(str(out), "pairs", cache_dir=str(tmp_path / "cache"))
            assert linked == {i for of in pairs.values() for row in of for i in row["sentence_ids"]}
        assert ("config_name: pairs" in (out / "README.md").read_text("utf-8")) == bool(linked)


def test_what_else_lies_in_a_corpus_folder_is_no_row_of_it(tmp_path: Path) -> None:
    """A model that was trained there, say, with tables and text of its own."""
    datasets = pytest.importorskip("datasets", reason="datasets is not installed")
    folder = tmp_path / "en"
    shutil.copytree(of("en").folder, folder)
    for name in ("models/sgd/grid.parquet", "models/sgd/predictions-dev.tsv", "train-notes.csv"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("row\tlabel\n1\tbiased\n")
    read = datasets.load_dataset(str(folder), cache_dir=str(tmp_path / "cache"))
    assert {name: len(part) for name, part in read.items()} == {"train": 116, "dev": 10, "test": 12}


def test_a_pair_of_a_split_that_is_none_is_named(tmp_path: Path) -> None:
    pytest.importorskip("huggingface_hub", reason="huggingface_hub is not installed")
    found = of(*FRENCH)
    shutil.copytree(found.folder, tmp_path / "fr")
    path = tmp_path / "fr/aligned/pairs.parquet"
    table = pd.read_parquet(path).assign(split="nowhere")
    table.to_parquet(path)
    with pytest.raises(WikibiasError, match="unknown split, 'nowhere'"):
        corpora.export(corpora.Corpus(tmp_path / "fr", found.manifest), "hf", tmp_path / "hf")
    assert not (tmp_path / "hf").exists()


@pytest.mark.parametrize("run", RUNS, ids=" ".join)
def test_the_card_is_one_of_the_hub(run: tuple[str, ...], tmp_path: Path) -> None:
    hub = pytest.importorskip("huggingface_hub", reason="huggingface_hub is not installed")
    out = corpora.export(of(*run), "hf", tmp_path / "hf")
    for path in (out / "README.md", of(*run).folder / "README.md"):
        card = hub.DatasetCard.load(path)
        assert hub.DatasetCard(str(card)).data.to_dict() == card.data.to_dict()
        assert card.data.language == [run[0]]
        assert card.data.license == ["other"]
        assert [config["config_name"] for config in card.data.configs][:1] == ["sentences"]
    shown = (out / "README.md").read_text(encoding="utf-8")
    assert "{{" not in shown
    assert shown.count("\n# Sentences of edits that took neutrality tags out") == 1


def test_the_same_corpus_gives_the_same_workbook(tmp_path: Path) -> None:
    """Of other forms tests/golden holds the bytes."""
    pytest.importorskip("xlsxwriter", reason="the extra excel is not installed")
    one, two = (corpora.export(of("en"), "xlsx", tmp_path / name) for name in "ab")
    assert (one / "export.json").read_bytes() == (two / "export.json").read_bytes()


def test_a_corpus_without_a_sentence_is_no_data_set(tmp_path: Path) -> None:
    empty = of("en", "--pairing", "addition-edit")
    with pytest.raises(UsageError, match="no sentence"):
        corpora.export(empty, "hf", tmp_path / "hf")
    assert list(tmp_path.iterdir()) == []
    corpora.export(empty, "csv", tmp_path / "csv")


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def exported(form: str, out: Path) -> Path:
    wikibias("export", "--format", form, "--out", out, labelled() / "labelled").well()
    return out


def test_what_datasets_reads(tmp_path: Path) -> None:
    pytest.importorskip("huggingface_hub")
    out = exported("hf", tmp_path / "out")
    schema = pq.read_schema(out / "train.parquet")
    assert str(schema.field("relation").type) == "int64"
    # An intent may have any name.
    assert str(schema.field("signal").type) == "string"
    assert "config_name: labelled" in (out / "README.md").read_text()


_COPIED = ("page_id", "diff_url", "tags", "tier")
_TONE_CHECK = ("lang", "page_title", "text", "label", "check", "page", "rev_id", *_COPIED)


def test_what_tone_check_is_trained_on(tmp_path: Path) -> None:
    out = exported("tone-check", tmp_path / "out")
    lines = lines_of(out / "train.jsonl")
    assert {*lines[0]} == {*_TONE_CHECK}
    assert {line["check"] for line in lines} == {"tone", "weasel"}
    tone = {row["text"]: "weasel" in row["labels"] for row in rows(labelled(), "labelled")}
    assert {line["text"]: bool(line["label"]) for line in lines}.items() <= tone.items()
    assert {line["label"] for line in lines} == {0, 1}
    assert lines[0]["lang"] == "en"


def test_tone_check_of_two_classes(tmp_path: Path) -> None:
    wikibias("export", "--format", "tone-check", "--out", tmp_path / "out", labelled()).well()
    lines = lines_of(tmp_path / "out/train.jsonl")
    corpus = {row["text"]: row for row in rows(labelled(), "corpus")}
    assert lines
    for line in lines:
        row = corpus[line["text"]]
        assert bool(line["label"]) == (row["label"] == "biased")
        # The revision that has the text.
        assert line["rev_id"] == row["before_rev_id" if line["label"] else "after_rev_id"]
        assert [line[name] for name in _COPIED] == [row[name] for name in _COPIED]
        assert line["page"] == row["page_title"]


@pytest.mark.parametrize(
    ("tag", "check"), [("POV", "npov"), ("Advert", "tone"), ("Weasel", "weasel"), ("COI", None)]
)
def test_which_check_a_tag_belongs_to(tmp_path: Path, tag: str, check: str | None) -> None:
    out = result_of(tmp_path, [history("Lirren", 2, tag=tag)], "extract", "-q")
    wikibias("export", "--format", "tone-check", "--out", tmp_path / "out", out).well()
    lines = [x for s in ("train", "dev", "test") for x in lines_of(tmp_path / f"out/{s}.jsonl")]
    assert {(line["check"], *line["tags"]) for line in lines} == {(check, tag)}


def test_what_cannot_be(tmp_path: Path) -> None:
    dump = write_dump(tmp_path / "dump.xml", pages=2)
    words = ("--lang", "en", "--tagset", "inline-cleanup", "--workers", 1, "-q")
    out = tmp_path / "out"
    assert wikibias("extract", *words, "-o", out, dump).code == 0
    (out / "labelled").mkdir()
    wikibias("export", "--format", "jsonl", out / "labelled").refused("build --labels")
    for table in (out / "corpus").iterdir():
        table.unlink()
    refused = wikibias("export", "--format", "jsonl", out)
    refused.refused(f"run `wikibias export --format jsonl {out / 'labelled'}`")
    labels = ("--family", "citation", "--labels", "tags")
    assert wikibias("extract", *words, *labels, "-o", tmp_path / "two", dump).code == 0
    refused = wikibias("export", "--format", "tone-check", tmp_path / "two" / "labelled")
    refused.refused("is about tone")


def parts(folder: Path) -> list[str]:
    return [entry["part"] for entry in load_recorded(folder)["inputs"]]


@pytest.mark.parametrize(
    "options",
    [
        ["--filters", "paper", "--split", "sentence"],
        ["--pairing", "addition-edit", "--pairing", "tagged-span", "--pairing", "removal-edit"],
    ],
)
def test_they_equal_what_a_build_writes(options: list[str]) -> None:
    plain, paired = corpus("en", *options), corpus("en", *options, "--pairs")
    made = list(corpora.pairs_of(plain, parts(plain), written=False))
    assert made
    assert made == list(corpora.pairs_of(paired, parts(paired), written=True))
    assert made == list(corpora.pairs_of(paired, parts(paired), written=False))


def test_a_corpus_that_grew_part_by_part(tmp_path: Path) -> None:
    files, out = write_parts(tmp_path / "in", removals=2), tmp_path / "out"
    assert extract(out, files[2], files[0], "--filters", "paper").code == 0
    assert extract(out, *files, "--filters", "paper").code == 0
    made = list(corpora.pairs_of(out, parts(out), written=False))
    assert wikibias("build", "--restart", "--pairs", out).code == 0
    assert made == list(corpora.pairs_of(out, parts(out), written=True))


def test_edits_that_do_not_belong_to_the_corpus_are_no_source(tmp_path: Path) -> None:
    folder = tmp_path / "en"
    shutil.copytree(corpus(), folder)
    shutil.rmtree(folder / "edits")
    with pytest.raises(WikibiasError, match="wikibias build --restart"):
        list(corpora.pairs_of(folder, parts(folder), written=False))


RISKY = [
    "=HYPERLINK(1)", "+1", "-1", "@x", "＝1", "a\nb\tc", 'say "x", y', "\x1b[31mred", "'=1", "",
]  # fmt: skip


def table(folder: Path, texts: list[str]) -> Path:
    path = folder / "a.parquet"
    tags = [[text] for text in texts]
    pq.write_table(pa.table({"text": texts, "tags": tags, "days": [-1.5] * len(texts)}), path)
    return path


def cells(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as lines:
        return list(csv.DictReader(lines))


def test_no_cell_is_a_formula_or_moves_a_terminal(tmp_path: Path) -> None:
    corpora.write_csv(table(tmp_path, RISKY), tmp_path / "a.csv", ["text", "tags", "days"])
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
    corpora.write_csv(source, tmp_path / "a.csv", ["text", "tags"])
    assert (tmp_path / "a.csv").read_bytes() == b"\xef\xbb\xbftext,tags\r\n"


@settings(max_examples=50)
@given(texts=st.lists(st.text(st.characters(codec="utf-8")), min_size=1, max_size=5))
def test_a_line_of_json_for_each_row(tmp_path_factory: Any, texts: list[str]) -> None:
    folder = tmp_path_factory.mktemp("jsonl")
    corpora.write_jsonl(table(folder, texts), folder / "a.jsonl")
    lines = (folder / "a.jsonl").read_text(encoding="utf-8").split("\n")
    assert lines.pop() == ""
    assert [json.loads(line)["text"] for line in lines] == texts
    assert not any(mark in line for line in lines for mark in "\u2028\u2029")


def test_times_and_what_is_unknown(tmp_path: Path) -> None:
    corpora.write_jsonl(corpus() / "corpus/train.parquet", tmp_path / "a.jsonl")
    first = json.loads((tmp_path / "a.jsonl").read_text(encoding="utf-8").split("\n")[0])
    assert first["after_timestamp"] == "2007-01-09T20:33:04Z"
    assert first["tags"] == ["Advert"]
    assert first["near_duplicates"] is None


def test_fasttext_is_as_the_corpus_has_it(tmp_path: Path) -> None:
    corpora.write_fasttext(corpus() / "corpus/train.parquet", tmp_path / "a.txt")
    assert (tmp_path / "a.txt").read_bytes() == (corpus() / "text/train.txt").read_bytes()


def write(out: Path, content: str, name: str = "a/b.txt", *, overwrite: bool = False) -> None:
    with export_folder(out, {"format": "csv"}, overwrite=overwrite) as folder:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content)


def names(folder: Path) -> list[str]:
    return sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file())


def test_an_export_that_nobody_changed_is_replaced_whole(tmp_path: Path) -> None:
    out = tmp_path / "out"
    write(out, "1")
    write(out, "2", "c.txt")
    assert names(out) == ["c.txt", RECORD]
    found = recorded(out)
    assert found is not None
    assert found["format"] == "csv"
    assert names(tmp_path) == ["out/c.txt", f"out/{RECORD}"]


@pytest.mark.parametrize("name", ["notes.txt", ".hidden", "a/own.txt", "a/b.txt"])
def test_what_is_not_ours_stays(name: str, tmp_path: Path) -> None:
    out = tmp_path / "out"
    write(out, "1")
    (out / name).write_text("mine")
    with pytest.raises(UsageError, match=name):
        write(out, "2")
    assert (out / name).read_text() == "mine"
    write(out, "2", "c.txt", overwrite=True)
    assert (out / name).read_text() == "mine"
    assert (out / "c.txt").read_text() == "2"
    write(out, "3", name, overwrite=True)
    assert (out / name).read_text() == "3"
    assert not [path for path in names(out) if "wikibias" in path]


def test_a_link_inside_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    out = tmp_path / "out"
    out.mkdir()
    (out / "a").symlink_to(tmp_path / "far")
    with pytest.raises(UsageError):
        write(out, "1")
    with pytest.raises(UsageError, match="link"):
        write(out, "1", overwrite=True)
    assert names(tmp_path / "far") == []


@pytest.mark.parametrize("before", [False, True])
def test_an_interrupt_leaves_what_was_there(before: bool, tmp_path: Path) -> None:
    out = tmp_path / "out"
    if before:
        write(out, "1")
    was = names(tmp_path)
    with (
        suppress(KeyboardInterrupt),
        export_folder(out, {"format": "csv"}, overwrite=False) as folder,
    ):
        (folder / "a.txt").write_text("half")
        raise KeyboardInterrupt
    assert names(tmp_path) == was


def test_what_a_killed_run_left_goes(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with export_folder(out, {"format": "csv"}, overwrite=False) as folder:
        left = folder
    left.mkdir()
    (left / "a.txt").write_text("half")
    write(out, "1")
    assert not left.exists()
