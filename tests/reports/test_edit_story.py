"""The whole story of an edit, gathered from the tables of a result folder."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from exports import export, history, rows, wikibias
from wikibias.reports.edit_story import stories_at
from wikibias.reports.result_folder import ResultFolder


def test_the_verdicts_asked_again_are_those_that_were_given(demo: Path) -> None:
    result = ResultFolder(demo)
    judged = {
        row["after_rev_id"]: row["verdict"]
        for kind in ("edits", "rejects")
        for row in rows(demo, kind)
    }
    assert len(set(judged.values())) == 11
    for revision, verdict in judged.items():
        stories = [story for story in stories_at(result, revision) if story.edit]
        assert [(s.verdict, s.verdict_now) for s in stories] == [(verdict, verdict)]


def test_where_the_tag_stood_and_what_came_before_and_after(demo: Path) -> None:
    (story,) = stories_at(ResultFolder(demo), 50)
    (tag,) = story.tags
    assert (tag.tag, tag.scope, tag.pointed_at) == ("POV section", "section", "Criticism")
    assert tag.spell is not None
    assert (tag.spell.put_in_rev, tag.spell.taken_out_rev) == (47, 50)
    assert story.earlier is not None
    assert story.earlier.provenance.after_rev_id == 47
    assert story.later is not None
    assert story.later.provenance.after_rev_id == 51


def test_removed_sentences_stand_beside_what_they_became(demo: Path) -> None:
    (story,) = stories_at(ResultFolder(demo), 7)
    before, after = story.pairs[0]
    assert [s.sentence_id for s in before] == ["demoenwiki-7-removed-0"]
    assert [s.sentence_id for s in after] == ["demoenwiki-7-added-0"]
    sides = [(len(before), len(after)) for before, after in story.pairs]
    assert sides == [(1, 1), (1, 0), (1, 1), (1, 1), (1, 0), (0, 1), (0, 1)]
    assert len(story.unchanged) == 9


def test_an_addition_is_told_but_not_compared(demo: Path) -> None:
    (story,) = stories_at(ResultFolder(demo), 4)
    assert story.edit is None
    assert "removal-edit only" in story.why_not_compared
    assert story.tags[0].spell is not None
    assert story.tags[0].spell.taken_out_rev == 7


def test_another_pairing_tells_both(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_bytes(export([history("Village", 2)]))
    options = ("--pairing", "removal-edit", "--pairing", "tagged-span", "--workers", 1)
    out = tmp_path / "o"
    assert (
        wikibias("extract", "-q", "--lang", "en", *options, "-o", out, tmp_path / "a.xml").code == 0
    )
    stories = list(stories_at(ResultFolder(out), 2))
    assert [s.provenance.pairing for s in stories] == ["removal-edit", "tagged-span"]
    assert all(story.edit for story in stories)


@pytest.mark.parametrize(("stage", "words"), [("detect", "nothing is compared"), ("diff", "")])
def test_a_folder_that_has_not_come_far(stage: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_bytes(export([history("Village", 1)]))
    out = tmp_path / "o"
    assert (
        wikibias("detect", "--lang", "en", "--workers", 1, "-o", out, tmp_path / "a.xml").code == 0
    )
    if stage == "diff":
        assert wikibias("diff", "--workers", 1, out).code == 0
    (story,) = stories_at(ResultFolder(out), 2)
    assert words in story.why_not_compared
    assert story.verdict is None
    assert (story.verdict_now == "kept") == (stage == "diff")


def test_filters_that_changed_since_are_seen(demo: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(demo, tmp_path / "changed")
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["settings"]["filter"]["limits"]["spelling_distance"] = 0
    (folder / "manifest.json").write_text(json.dumps(manifest))
    (story,) = stories_at(ResultFolder(folder), 50)
    assert (story.verdict, story.verdict_now) == ("spelling", "kept")
