"""What outputs say of themselves, and what is removed of them."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from exports import files
from wikibias.config.thresholds import load_config
from wikibias.dumps.parts import Part
from wikibias.errors import WikibiasError
from wikibias.kits.schemas import DIFFS_TABLE
from wikibias.pipeline.jobs import CorpusJob, first_missing, recorded, remove_of_part
from wikibias.pipeline.settings import Settings, make_settings
from wikibias.pipeline.stages import named, per_part

PART = "part1.xml"


@pytest.fixture(scope="module")
def settings() -> Settings:
    return make_settings("en", load_config())


@pytest.fixture
def folder(template: Path, tmp_path: Path) -> Path:
    """A whole result, to be changed at will."""
    return Path(shutil.copytree(template / "out", tmp_path / "out"))


def missing(folder: Path, settings: Settings) -> list[str]:
    return [stage.name for stage in first_missing(folder, PART, per_part(), settings)]


def test_what_is_left_follows_from_tables_and_settings(folder: Path, settings: Settings) -> None:
    kept = replace(settings, filter=replace(settings.filter, reverts="keep"))
    assert missing(folder, kept) == ["filter"]
    seeded = replace(settings, build=replace(settings.build, seed=1))
    assert missing(folder, seeded) == []
    tagged = replace(settings, diff=replace(settings.diff, scope="tagged"))
    assert missing(folder, tagged) == ["diff", "filter"]
    assert missing(folder, settings) == []
    for table, left in (("rejects", ["filter"]), ("diffs", ["diff", "filter"])):
        (folder / table / f"{PART}.parquet").unlink()
        assert missing(folder, settings) == left


def test_only_one_part_is_removed(folder: Path) -> None:
    before = files(folder)
    remove_of_part(folder, per_part()[1:], PART)
    gone = {f"{table}/{PART}.parquet" for table in ("diffs", "edits", "rejects")}
    assert before.keys() - files(folder).keys() == gone
    remove_of_part(folder, per_part()[1:], PART)


def test_a_table_that_is_gone_is_named(folder: Path, settings: Settings) -> None:
    job = CorpusJob(folder, [], settings, {})
    with pytest.raises(WikibiasError, match="is gone; run the same command again"):
        job.read(DIFFS_TABLE, Part("gone.xml", ("gone.xml",)))


@pytest.mark.parametrize(
    "wrong",
    [
        {"unreadable_edits": "1"},
        {"unreadable_verdicts": None},
        {"first_unreadable": ["x"]},
        {"first_unreadable_edits": [{"page": "Mill"}]},
        {"verdicts": {"kept": "many"}},
    ],
    ids=str,
)
def test_facts_of_another_form_are_none(wrong: dict[str, object], folder: Path) -> None:
    stage = named("filter")
    path = folder / stage.writes[-1].name / f"{PART}.parquet"
    facts = recorded(folder, stage, PART) or {}
    for changed in ({}, wrong):
        marked = {"wikibias": json.dumps(facts | changed)}
        pq.write_table(pq.read_table(path).replace_schema_metadata(marked), path)
        assert (recorded(folder, stage, PART) is None) == bool(changed)
