"""What a run is asked to do: put together, recorded, read back and compared."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from exports import dumped, history, rows, wikibias
from results import extract, manifest_of
from wikibias.config.thresholds import Config, Text
from wikibias.errors import UsageError
from wikibias.kits.schemas import EDITS_TABLE
from wikibias.pipeline import settings, stages
from wikibias.pipeline.jobs import PartJob
from wikibias.pipeline.stages import STAGES, Stage, named


def make(lang: str = "en", **choices: Any) -> settings.Settings:
    return settings.make_settings(lang, Config(), **choices)


def test_what_is_not_given_has_its_default() -> None:
    found = make()
    assert (found.detect.lang, found.detect.per, found.diff.scope) == ("en", "tag", "page")
    assert (found.filter.reverts, found.build.split, found.build.seed) == ("drop", "page", 0)
    with pytest.raises(TypeError, match="no setting 'sed'"):
        make(sed=1)


def test_no_order_counts_in_a_list() -> None:
    one = make(families=("weasel", "pov"), namespaces=(1, 0, 1))
    assert one == make(families=("pov", "weasel", "pov"), namespaces=(0, 1))
    assert make(pairing=()) == make()


@pytest.mark.parametrize(
    "choices",
    [
        {"tagset": "npv"},
        {"families": ("pof",)},
        {"filters": "outlyer"},
        {"signal": ("tag", "sumary")},
    ],
    ids=str,
)
def test_an_unknown_name_is_refused_with_the_nearest(choices: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="did you mean"):
        make(**choices)


def test_reverted_spans_are_looked_for_only_where_they_are_kept() -> None:
    assert make(reverts="keep").detect.span_policy == "skip reverted"
    assert make(reverts="keep", pairing=("tagged-span",)).detect.span_policy == "all"


def test_a_record_gives_the_settings_back() -> None:
    made = make("fr", families=("pov",), limit=3, seed=7)
    found = settings.settings_from(made.as_dict())
    assert found == made
    assert settings.language_of(found) == settings.language_of(made)
    assert settings.tagset_of(found) == settings.tagset_of(made)


@pytest.mark.parametrize(
    "wrong", [{"sed": 1}, {"seed": "1"}, {"seed": None}, {"split": "word"}], ids=str
)
def test_a_record_of_another_version_is_refused(wrong: dict[str, Any]) -> None:
    record = make().as_dict()
    record["build"] |= wrong
    with pytest.raises(TypeError):
        settings.settings_from(record)


def test_changes_are_named() -> None:
    other = settings.make_settings("en", Config(text=Text(min_tokens=3)), seed=2)
    assert settings.changes(make().as_dict(), other.as_dict()) == [
        "build.min_tokens: 6 -> 3",
        "build.seed: 0 -> 2",
    ]
    assert settings.changes({"a": 1}, {}) == ["a: 1 -> unset"]
    assert settings.changes(make().as_dict(), make(reader="mwxml").as_dict()) == []


def test_only_what_has_a_confidence_depends_on_what_tells_it() -> None:
    versions = [make(lang).build.confidence_version for lang in ("en", "fr", "fi", "tr")]
    assert len(set(versions)) == 3
    assert versions[2] == versions[3]  # neither has words
    assert make(signal=("citation", "featured")).build.confidence_version == ""
    assert make(signal=("citation", "summary")).build.confidence_version == versions[0]


def test_what_an_earlier_version_did_not_know_was_not_done() -> None:
    assert settings.changes({}, {"version": ""}) == []
    assert settings.changes({}, {"pairs": False}) == settings.changes({"pairs": False}, {}) == []
    assert settings.changes({}, {"pairs": True}) == ["pairs: unset -> True"]
    assert settings.changes({"pairs": True}, {"pairs": False}) == ["pairs: True -> False"]


def test_the_filters_of_a_run_follow_from_its_settings() -> None:
    assert settings.filter_lists(make()).off == frozenset()
    assert settings.filter_lists(make(), "keep").off == {"reverted"}


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
    run=f"{__name__}:keep_long",
)


@pytest.fixture
def dump(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(stages, "STAGES", [*stages.STAGES[:3], STAGE, *stages.STAGES[3:]])
    return dumped(tmp_path, [history("Village", 2)], "wiki.xml")


def test_a_stage_more_has_a_command_and_all_others_know_it(dump: Path, tmp_path: Path) -> None:
    out = tmp_path / "o"
    extract(out, dump).silent()
    (entry,) = manifest_of(out)["inputs"]
    assert entry["stages"] == ["detect", "diff", "filter", "keep-long"]
    assert entry["state"] == "whole"
    assert len(rows(out, "long")) == len(rows(out, "edits")) > 0
    assert "Stage 4: the long edits." in wikibias("--help-all").out
    (out / "long/wiki.xml.parquet").unlink()
    assert "missing  wiki.xml (done: detect, diff, filter)" in wikibias("status", out).out
    assert wikibias("keep-long", "-q", out).code == 0
    assert "1 whole" in wikibias("status", out).out
    assert wikibias("filter", "-q", "--restart", out).code == 0
    assert not (out / "long/wiki.xml.parquet").exists()
    assert wikibias("build", out).errors[0].endswith("run that first")
    assert wikibias("keep-long", "-q", out).code == 0
    assert wikibias("build", "-q", out).code == 0


def test_a_stage_reads_what_an_earlier_one_writes() -> None:
    written: set[str] = set()
    for stage in STAGES:
        assert {table.name for table in stage.reads} <= written
        tables = [table.name for table in stage.writes]
        assert written.isdisjoint(tables)
        written |= set(tables)
    assert STAGES[0].reads == ()


def test_the_settings_of_a_stage_are_also_those_of_the_stages_before() -> None:
    """Or the output of a later one would stand although an earlier one was redone otherwise."""
    for before, after in pairwise(STAGES):
        assert set(before.settings) <= set(after.settings)
        assert before.is_per_part >= after.is_per_part
    assert [named(stage.name) for stage in STAGES] == STAGES
