"""A stage is a value: a new one is a module with a function and a line in the list of stages."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from exports import export, history, rows, wikibias
from wikibias.kits.schemas import EDITS_TABLE
from wikibias.pipeline import stages
from wikibias.pipeline.jobs import PartJob
from wikibias.pipeline.stages import Stage

LONG = replace(EDITS_TABLE, name="long")


def keep_long(job: PartJob) -> None:
    """Write the edits that removed more than one sentence."""
    found = [kept for kept in job.read(EDITS_TABLE) if len(kept.removed) > 1]
    for kept in found:
        job.write(LONG, kept)
    job.facts["long"] = len(found)


STAGE = Stage(
    name="keep-long",
    title="the long edits",
    description="Keep the long edits",
    reads=(EDITS_TABLE,),
    writes=(LONG,),
    settings=("detect", "diff", "filter"),
    run=keep_long,
)


@pytest.fixture
def dump(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(stages, "STAGES", [*stages.STAGES[:3], STAGE, *stages.STAGES[3:]])
    path = tmp_path / "wiki.xml"
    path.write_bytes(export([history("Village", 2)]))
    return path


def test_extract_does_it_and_the_manifest_lists_it(dump: Path, tmp_path: Path) -> None:
    out = tmp_path / "o"
    done = wikibias("extract", "--lang", "en", "--workers", 1, "-o", out, dump)
    assert (done.code, done.err) == (0, "")
    (entry,) = json.loads((out / "manifest.json").read_text())["inputs"]
    assert entry["stages"] == ["detect", "diff", "filter", "keep-long"]
    assert entry["state"] == "whole"
    assert len(rows(out, "long")) == len(rows(out, "edits")) > 0


def test_it_has_a_command_and_status_knows_it(dump: Path, tmp_path: Path) -> None:
    out = tmp_path / "o"
    assert "Stage 4: the long edits." in wikibias("--help").out
    assert wikibias("extract", "--lang", "en", "--workers", 1, "-o", out, dump).code == 0
    (out / "long/wiki.xml.parquet").unlink()
    shown = wikibias("status", out).out
    assert "missing  wiki.xml (done: detect, diff, filter)" in shown
    assert wikibias("keep-long", "-q", out).code == 0
    assert "1 whole" in wikibias("status", out).out


def test_restart_of_an_earlier_stage_makes_it_again(dump: Path, tmp_path: Path) -> None:
    out = tmp_path / "o"
    assert wikibias("extract", "--lang", "en", "--workers", 1, "-o", out, dump).code == 0
    assert wikibias("filter", "-q", "--restart", out).code == 0
    assert not (out / "long/wiki.xml.parquet").exists()
    assert wikibias("build", out).errors[0].endswith("run that first")
    assert wikibias("keep-long", "-q", out).code == 0
    assert wikibias("build", "-q", out).code == 0
