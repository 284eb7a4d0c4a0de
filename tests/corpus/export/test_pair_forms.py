"""Exports of a folder of sentence pairs, through the command line."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import pytest

from exports import sha256, wikibias
from sample_corpora import corpus
from wikibias.corpus.export.pair_forms import PAIR_FORMS, export_pairs
from wikibias.errors import UsageError
from wikibias.kits.parquet import read_records, writing
from wikibias.kits.schemas import SENTENCE_PAIRS_TABLE


@cache
def pairs() -> Path:
    """Return a folder of pairs."""
    out = Path(mkdtemp(prefix="wikibias-")) / "pairs"
    done = wikibias("pairs", corpus(), "--rules", "own", "--out", out)
    assert done.code == 0, done.err
    return out


@pytest.mark.parametrize("form", [form for form in PAIR_FORMS if form != "hf"])
def test_the_same_pairs_give_the_same_files(form: str, tmp_path: Path) -> None:
    for name in ("one", "other"):
        done = wikibias("export", "--format", form, "--out", tmp_path / name, pairs())
        assert done.code == 0, done.err
    one, other = (
        {path.relative_to(tmp_path / name): sha256(path) for path in (tmp_path / name).rglob("*.*")
         if path.is_file()}
        for name in ("one", "other")
    )  # fmt: skip
    assert one == other
    assert "export.json" in {path.name for path in one}


def test_json_lines_have_all_columns(tmp_path: Path) -> None:
    export_pairs(pairs(), "jsonl", tmp_path / "out")
    rows = [
        json.loads(line)
        for path in sorted((tmp_path / "out").glob("*.jsonl"))
        for line in path.read_text(encoding="utf-8").splitlines()
    ]
    table = list(read_records(pairs() / "pairs.parquet", SENTENCE_PAIRS_TABLE))
    assert sorted(row["pair_id"] for row in rows) == sorted(pair.pair_id for pair in table)
    assert set(rows[0]) == {
        each.name for each in SENTENCE_PAIRS_TABLE.columns if not each.on_request
    }


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
    done = wikibias("pairs", corpus(), "--rules", "own", "--out", folder)
    assert done.code == 0, done.err


def test_a_form_that_pairs_do_not_have() -> None:
    with pytest.raises(UsageError, match="have no form fasttext; give hf, jsonl, wnc"):
        export_pairs(pairs(), "fasttext", None)


def test_a_form_that_only_pairs_have() -> None:
    done = wikibias("export", "--format", "wnc", corpus())
    assert done.code == 2
    assert "run `wikibias pairs" in done.err
    assert len(done.err.splitlines()) == 1


def test_a_pair_with_an_unknown_split(tmp_path: Path) -> None:
    folder = tmp_path / "pairs"
    folder.mkdir()
    made = next(read_records(pairs() / "pairs.parquet", SENTENCE_PAIRS_TABLE))
    with writing(folder / "pairs.parquet", SENTENCE_PAIRS_TABLE, dict) as table:
        table.write(replace(made, split="valid"))
    done = wikibias("export", "--format", "bio", folder)
    assert done.code == 1
    assert "unknown split, 'valid'" in done.err
