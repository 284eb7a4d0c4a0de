"""`wikibias export` as people type it."""

import csv
import os
import shlex
import shutil
import socket
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from clusters import wait_for
from command_to_kill import forked
from exports import Outcome, wikibias
from hub_server import Hub, hub
from made_edits import corpus
from paths import SAMPLES
from sample_sentences import examples
from wikibias.kits import hub as storage_hub
from wikibias.models.examples import Splits
from wikibias.models.training import Task, run_model
from workbooks import read_workbook

__all__ = ["hub"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a corpus to write into."""
    return Path(shutil.copytree(corpus(), tmp_path / "en"))


def test_it_writes_beside_the_corpus_and_again_over_what_nobody_changed(folder: Path) -> None:
    for _ in range(2):
        done = wikibias("export", "--format", "csv", folder).well()
        assert done.out.strip().endswith("export/csv")
    (folder / "export/csv/train.csv").write_text("mine")
    wikibias("export", "--format", "csv", folder).refused("train.csv", alone=True)
    wikibias("export", "--format", "csv", "--overwrite", folder).well()
    # The run itself goes on as before, and the export does not disturb it.
    wikibias("status", folder).well()


def test_a_link_for_the_folder_is_not_followed(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    (folder / "export").symlink_to(tmp_path / "far")
    assert wikibias("export", "--format", "csv", folder).code == 2
    assert list((tmp_path / "far").iterdir()) == []


def test_what_needs_no_library_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wikibias.kits.hub.find_spec", lambda name: None)
    wikibias("export", folder).refused("choose --format csv, jsonl or parquet")


def test_a_corpus_with_several_labels_and_what_has_no_pairs(tmp_path: Path) -> None:
    sample, out = next(SAMPLES.glob("qualityenwiki-*.7z")), tmp_path / "out"
    wikibias("extract", "-q", "--lang", "en", "--signal", "citation", "-o", out, sample).well()
    refused = wikibias("export", "--format", "csv", out)
    assert (refused.code, "holds no corpus" in refused.err) == (2, False)
    advised = shlex.split(refused.err.split("`")[1])
    wikibias(*advised[1:]).well()
    of_pairs = wikibias("export", "--format", "bio", out / "labelled")
    assert "of several labels there is no form bio; choose" in of_pairs.err
    pairs = wikibias("pairs", out, "-o", tmp_path / "pairs")
    pairs.refused("has no edit of a tag or summary")
    assert not (tmp_path / "pairs").exists()


def test_a_sheet_has_the_columns_and_the_separator_asked_for(folder: Path) -> None:
    options = ("--columns", "text, label,diff_url,text", "--sep", ";", "--format", "csv")
    wikibias("export", *options, folder).well()
    with (folder / "export/csv/dev.csv").open(encoding="utf-8-sig", newline="") as lines:
        header, *found = csv.reader(lines, delimiter=";")
    assert header == ["text", "label", "diff_url"]
    wanted = pq.read_table(folder / "corpus/dev.parquet", columns=header).to_pylist()
    assert found == [[*row.values()] for row in wanted]
    wikibias("export", "--format", "tsv", "--columns", "label", folder).well()
    assert set((folder / "export/tsv/dev.tsv").read_text("utf-8-sig").split()) == {
        *("label", "biased", "neutral")
    }


def test_a_file_for_excel(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("xlsxwriter", reason="the extra excel is not installed")
    wikibias("export", "--format", "xlsx", folder).well()
    assert {path.name for path in (folder / "export/xlsx").iterdir()} == {
        *("corpus.xlsx", "export.json")
    }
    sheets = read_workbook(folder / "export/xlsx/corpus.xlsx")
    assert [*sheets] == ["train", "dev", "test"]
    header, *found = sheets["dev"]
    assert header == ["text", "label", "tier", "page_title", "tags", "diff_url"]
    wanted = pq.read_table(folder / "corpus/dev.parquet", columns=header).to_pylist()
    assert found == [[*{**row, "tags": ", ".join(row["tags"])}.values()] for row in wanted]
    monkeypatch.setitem(sys.modules, "xlsxwriter", None)
    said = wikibias("export", "--format", "xlsx", folder).refused("xlsx needs the library")
    assert "XlsxWriter" in said


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")
def test_a_kill_leaves_nothing_half(folder: Path) -> None:
    with forked("export", "--format", "csv", folder) as run:
        going = run.process.is_alive
        wait_for(lambda: not going() or list((folder / "export").glob(".wikibias*")))
        run.process.terminate()
        code = run.ended()
    # It was quicker, or there is nothing.
    left = [path.name for path in (folder / "export").iterdir()]
    assert (left, code) in (([], 130), (["csv"], 0))


pytest.importorskip("huggingface_hub", reason="huggingface_hub is not installed")


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an export in the form hf."""
    out = tmp_path_factory.mktemp("push") / "hf"
    wikibias("export", "--out", out, corpus()).well()
    return out


def push(folder: Path, *more: object) -> Outcome:
    return wikibias("export", folder, "me/corpus", *more)


def test_a_corpus_arrives_whole_in_one_commit(hub: Hub, exported: Path) -> None:
    assert push(corpus()).well().out.strip().endswith(f"{hub.url}/datasets/me/corpus")
    sent = {
        path.relative_to(exported).as_posix(): path.read_bytes()
        for path in exported.rglob("*")
        if path.is_file()
    }
    assert hub.files["me/corpus"] == sent
    assert hub.commits == ["me/corpus"]
    # Addresses on this machine are nobody's business.
    assert not [name for name, content in sent.items() if os.fsencode(corpus().parent) in content]


def test_an_export_is_uploaded_as_it_is_again_and_again(hub: Hub, exported: Path) -> None:
    for _ in range(2):
        push(exported).well()
    assert hub.files["me/corpus"]["README.md"] == (exported / "README.md").read_bytes()


def test_private_is_private(hub: Hub, exported: Path) -> None:
    push(exported, "--private").well()
    assert hub.private == {"me/corpus": True}
    hub.private["me/corpus"] = False
    push(exported, "--private").refused("public already")
    assert len(hub.commits) == 1


def test_names_of_editors_are_not_made_public(hub: Hub, tmp_path: Path) -> None:
    named = corpus("fr", "--with-editors", "--split", "sentence")
    wikibias("export", "--out", tmp_path / "hf", named).well()
    for folder in (named, tmp_path / "hf"):
        push(folder).refused("personal data")
    assert hub.files == {}
    push(named, "--private").well()


def test_several_corpora_are_one_data_set(hub: Hub, tmp_path: Path) -> None:
    both = (corpus(), corpus("fr"))
    wikibias("export", *both, "-o", tmp_path / "both").well()
    planned = wikibias("export", "--dry-run", *both, "me/both").well().out
    assert "  fr/sentences/train.parquet (0.0" in planned
    # A line each, and nothing of what is in them.
    *listed, last = planned.splitlines()
    assert last.startswith("Dry run: would upload 13 files (0.")
    assert [line[:2] for line in listed] == ["  "] * 10 + ["  "] * 3
    assert hub.files == {}
    wikibias("export", *both, "me/both").well()
    sent = {name: (tmp_path / "both" / name).read_bytes() for name in hub.files["me/both"]}
    assert hub.files["me/both"] == sent
    assert "Already there: 13 files" in wikibias("export", tmp_path / "both", "me/both").well().out
    assert hub.commits == ["me/both"]
    tone = ("export", "--format", "tone-check", *both)
    assert wikibias(*tone, "--dry-run", "me/t").well().out.count(".jsonl (") == 6
    wikibias(*tone, "-o", tmp_path / "tone").well()
    assert "    path: fr/train.jsonl" in (tmp_path / "tone" / "README.md").read_text()
    wikibias("export", *both).refused("--out says where")
    wikibias("export", corpus(), "frr").refused("'frr' does not exist")
    wikibias("export", corpus(), corpus(), "-o", tmp_path / "c").refused("would be a second en")
    named = corpus("fr", "--with-editors", "--split", "sentence")
    wikibias("export", corpus(), named, "me/both").refused("personal data")
    wikibias("export", "--dry-run", corpus()).refused("goes with REPOSITORY")
    other = ("export", "--format", "csv", corpus(), "-o", tmp_path / "both")
    wikibias(*other).refused("holds an export as hf; give another --out")
    (tmp_path / "judged").mkdir()
    (tmp_path / "judged" / "train.parquet").touch()
    wikibias("export", tmp_path / "judged").refused("is no result, but files already")
    chosen = wikibias("export", "--columns", "text", corpus(), "me/p")
    chosen.refused("--columns and --sep are for a file")


def test_a_model_arrives_with_its_card(hub: Hub, tmp_path: Path) -> None:
    splits = Splits({name: examples(name, 240, n) for n, name in enumerate(("train", "test"))})
    run_model("sgd", Task(splits, tmp_path / "m", lang="en"))
    push(tmp_path / "m").well()
    files = hub.files["me/corpus"]
    assert set(files) == {"README.md", "model.json", "model.skops", "scores.json"}
    assert b"model-index" in files["README.md"]


@pytest.mark.parametrize(
    ("end", "status", "said"),
    [
        ("/whoami-v2", 401, "the token is not accepted"),
        ("/commit/main", 403, "this token may not write there"),
        ("/create", 500, "not \\x1b[31mtoday (status 500)"),
    ],
)
def test_what_it_refuses(end: str, status: int, said: str, hub: Hub, exported: Path) -> None:
    hub.refuse[end] = status
    push(exported).refused(said, code=1, alone=True)


def test_without_a_server(hub: Hub, exported: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    push(exported).refused("http://127.0.0.1:9 cannot be reached", code=1, alone=True)


def test_a_silent_server(hub: Hub, exported: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storage_hub, "_PATIENCE", 1)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{silent.getsockname()[1]}")
        push(exported).refused("does not answer within 1 seconds", code=1)


def test_names_and_folders_that_are_none(hub: Hub, exported: Path, tmp_path: Path) -> None:
    wikibias("push", exported, "a/b/c").refused("no name of a repository")
    wikibias("export", exported, "me/my own").refused("'me/my own': no name of a repository")
    assert push(tmp_path).code == 2
    wikibias("export", "--format", "csv", "--out", tmp_path / "c", corpus()).well()
    push(tmp_path / "c").refused("an export as csv")
    assert hub.files == {}
