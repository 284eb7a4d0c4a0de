"""The edits of a result folder with their verdicts."""

import shutil
from pathlib import Path

import pytest

from exports import Page, Revision, export, rows, wikibias
from sample_corpora import corpus
from wikibias.config.choices import RevertPolicy
from wikibias.pipeline.filter import Judged, judged_edits
from wikibias.pipeline.manifest import load_recorded, parts_of, settings_of


def judged(folder: Path, reverts: RevertPolicy | None = None) -> list[Judged]:
    """Return what a folder gives."""
    manifest = load_recorded(folder)
    parts = [part.name for part in parts_of(manifest)]
    return list(judged_edits(folder, settings_of(folder, manifest), parts, reverts))


def test_the_verdicts_are_those_of_the_run() -> None:
    verdicts = [reason for _, reason in judged(corpus())]
    dropped = sorted(row["verdict"] for row in rows(corpus(), "rejects"))
    assert sorted(reason for reason in verdicts if reason) == dropped
    assert verdicts.count(None) == len(rows(corpus(), "edits"))


def test_without_diffs_the_same_edits_are_compared_now(tmp_path: Path) -> None:
    bare = tmp_path / "bare"
    shutil.copytree(corpus(), bare)
    shutil.rmtree(bare / "diffs")
    assert judged(bare) == judged(corpus())


@pytest.mark.parametrize("compared", [True, False])
def test_an_edit_without_its_texts_has_the_verdict_of_the_run(
    compared: bool, tmp_path: Path
) -> None:
    dump, out = tmp_path / "enwiki.xml", tmp_path / "en"
    revisions = [Revision("Elm", lost=True), Revision("Mill", lost=True, comment="NPOV")]
    dump.write_bytes(export([Page("Elm", revisions)]))
    command = "extract" if compared else "detect"
    wikibias(command, "-q", "--lang", "en", "--signal", "summary", "-o", out, dump)
    assert [reason for _, reason in judged(out)] == ["unknown_text"]


def test_reverted_edits_can_be_kept() -> None:
    assert any(reason == "reverted" for _, reason in judged(corpus()))
    assert not any(reason == "reverted" for _, reason in judged(corpus(), "keep"))
