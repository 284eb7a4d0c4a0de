"""What is left to do; a plan says what the run then does, as `tests/cli/test_progress.py` shows."""

import json
import shutil
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from exports import Files, export, files, history, wikibias
from results import check_refused, extract, manifest_of, times, untouched
from wikibias.api.commands import extract as extract_by_function
from wikibias.config.confidence import load_confidence
from wikibias.config.thresholds import load_config
from wikibias.dumps.parts import Part, find_parts
from wikibias.errors import UsageError, WikibiasError
from wikibias.kits.schemas import DIFFS_TABLE
from wikibias.pipeline import jobs, plan
from wikibias.pipeline.jobs import CorpusJob, first_missing, recorded, remove_of_part
from wikibias.pipeline.settings import make_settings
from wikibias.pipeline.stages import named, per_part


def planned(out: Path, parts: list[Path], *, restart: bool = False) -> plan.Plan:
    found = find_parts([str(path) for path in parts])
    return plan.plan_run(
        plan.Request(out, found, make_settings("en", load_config()), restart=restart)
    )


@pytest.mark.parametrize(
    "gone", ["transitions", "diffs", "edits", "rejects", "text/dev.tsv", "README.md", ""]
)
def test_it_names_what_the_run_writes_which_is_only_what_is_missing(
    gone: str, parts: list[Path], out: Path, done: Files
) -> None:
    if "." in gone:
        (out / gone).unlink()
    elif gone:
        jobs.output(out, gone, parts[1].name).unlink()
    found, before = planned(out, parts), times(out)
    assert extract(out, "-q", *parts).code == 0
    after = times(out)
    written = {name for name in after if after[name] != before.get(name)}
    tables = {f"{table}/{name}.parquet" for name in found.todo for table in found.tables}
    assert tables == {name for name in written if name.endswith(".xml.parquet")}
    assert found.builds == any(name.startswith("corpus/") for name in written)
    assert files(out) == done


def test_to_start_over_is_to_do_all(parts: list[Path], out: Path, done: Files) -> None:
    found = planned(out, parts, restart=True)
    assert [*found.todo] == [path.name for path in parts]
    assert (found.builds, found.is_new) == (True, False)
    assert [*found.removes] == ["transitions", "diffs", "rejects", "edits", "corpus"]


def test_a_result_is_told_by_manifest_or_tables(parts: list[Path], out: Path, done: Files) -> None:
    assert plan.is_result(out)
    (out / "manifest.json").write_text("{")
    assert plan.is_result(out)
    (out / "manifest.json").write_text('{"name": "theirs"}')
    assert plan.is_result(out)  # its tables are ours


def test_the_ruins_of_a_run_are_a_result(tmp_path: Path) -> None:
    (tmp_path / "page_splits.jsonl").touch()
    assert not plan.is_result(tmp_path)
    (tmp_path / ".lock").touch()
    assert plan.is_result(tmp_path)
    (tmp_path / "thesis.tex").touch()
    assert not plan.is_result(tmp_path)


def test_nothing_is_begun_or_thrown_away_for_inputs_that_are_not_there(tmp_path: Path) -> None:
    lost = [Part("a.xml", (str(tmp_path / "a.xml"),))]
    with pytest.raises(UsageError, match="no such file"):
        plan.refuse_lost_inputs(tmp_path / "new", lost, restart=False)
    plan.refuse_lost_inputs(tmp_path, lost, restart=False)
    (tmp_path / "manifest.json").touch()
    with pytest.raises(UsageError, match="left as it was"):
        plan.refuse_lost_inputs(tmp_path, lost, restart=True)


def names(out: Path) -> list[str]:
    """Return the parts that a manifest lists."""
    return [entry["part"] for entry in manifest_of(out)["inputs"]]


TABLES = ("transitions", "diffs", "edits", "rejects")


def test_a_part_is_added_in_any_way(parts: list[Path], out: Path, done: Files) -> None:
    new = parts[0].with_name("part3b.xml")
    new.write_bytes(export([history("New", 2, topic=9)], first_id=900_000))
    whole, both, sharded, called = (out.with_name(name) for name in "abcd")
    for folder in (both, sharded, called):
        shutil.copytree(out, folder)
    before = times(out)
    ended = extract(out, new)
    assert (ended.code, ended.err) == (0, f"Adds 1 part to the 4 of {out}.\n")
    assert untouched(before, times(out), "part3b.xml")
    assert extract(whole, *parts, new).code == 0
    assert files(out, *TABLES) == files(whole, *TABLES)
    assert names(out) == names(whole)
    assert extract(both, *parts, new).code == 0
    for shard in (["--shard", "1/2"], ["--shard", "2/2"], []):
        assert extract(sharded, *shard, new).code == 0
    extract_by_function(new, "en", called)
    assert files(out) == files(both) == files(sharded) == files(called)


def test_a_part_that_is_whole_may_be_gone(parts: list[Path], out: Path) -> None:
    assert extract(out, *parts).code == 0
    done = files(out)
    for part in parts[1:]:
        part.unlink()
    assert extract(out, parts[0]).code == 0
    assert extract(out, parts[2]).code == 0
    assert files(out) == done
    # One that is unfinished may not.
    (out / "transitions/part2.xml.parquet").unlink()
    extract(out, parts[0]).refused("part2.xml", code=1)


def test_a_part_of_another_wiki_is_refused(parts: list[Path], out: Path, done: Files) -> None:
    new = parts[0].with_name("other.xml")
    new.write_bytes(export([history("Ville", 1)], lang="fr"))
    before = times(out), (out / "manifest.json").read_bytes()
    check_refused(
        extract(out, new, "--lang-anyway"),
        f"other.xml is a dump of inventedfrwiki, and {out} holds inventedenwiki",
        "choose another --out",
    )
    check_refused(extract(out, parts[0].with_name("part9.xml")), "part9.xml: no such file")
    assert (times(out), (out / "manifest.json").read_bytes()) == before


def test_without_a_manifest_parts_are_asked_for(parts: list[Path], out: Path, done: Files) -> None:
    (out / "manifest.json").unlink()
    check_refused(extract(out, parts[1]), "lost its manifest", "holds part1.xml as well")
    assert extract(out, *parts).code == 0
    assert files(out) == done


def test_standard_input_may_be_added_but_not_added_to(parts: list[Path], out: Path) -> None:
    """What was not read to its end is asked for."""
    assert extract(out, parts[1]).code == 0
    command = ("extract", "--lang", "en", "--workers", 1, "-o", out, "-")
    assert wikibias(*command, stdin=parts[0].read_bytes()).code == 0
    assert names(out) == ["stdin", "part2.xml"]
    check_refused(extract(out, parts[2]), "input stdin cannot be compared")
    (out / "transitions/stdin.parquet").unlink()
    check_refused(extract(out, parts[1]), "standard input", "--restart")


def test_what_a_folder_holds_with_what_is_given(parts: list[Path], out: Path, done: Files) -> None:
    new = [Part("part10.xml", ("part10.xml",)), Part("part3.xml", (str(parts[2]),))]
    union = [part.name for part in plan.with_recorded(out, new)]
    assert union == ["part1.xml", "part2.xml", "part3.xml", "part4.xml", "part10.xml"]
    assert plan.with_recorded(out / "nothing", new) == new


@pytest.mark.parametrize("content", [b"", b"<mediawiki>", b"\x00\x01"])
def test_a_file_that_is_no_dump_has_no_wiki(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_bytes(content)
    assert plan.wiki_of(Part("a.xml", (str(tmp_path / "a.xml"),))) is None
    assert plan.wiki_of(Part("b", ("https://example.org/b",))) is None


LANGUAGE = 'name = "Test"\nspacy = "en"\n'
TAGSET = '[[tag]]\nname = "POV"\nfamily = "npov"\nscope = "article"\n'


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a language, a tag set and a result of them."""
    (tmp_path / "configs").mkdir()
    (tmp_path / "configs/xx.toml").write_text(LANGUAGE)
    (tmp_path / "tagsets/npov").mkdir(parents=True)
    (tmp_path / "tagsets/npov/xx.toml").write_text(TAGSET)
    (tmp_path / "a.xml").write_bytes(export([history("Village", 2)]))
    monkeypatch.chdir(tmp_path)
    wikibias("extract", "-q", "--lang", "xx", "--lang-anyway", "-o", "o", "a.xml").well()
    return tmp_path


def test_another_language_means_starting_over(place: Path) -> None:
    with (place / "configs/xx.toml").open("a") as file:
        file.write('abbreviations = ["ca."]\n')
    wikibias("extract", "--lang", "xx", "--lang-anyway", "-o", "o", "a.xml").refused(
        "diff.language_version", "Start over with --restart"
    )
    assert "`wikibias detect`" in wikibias("diff", "--restart", "o").errors[-1]


def test_other_words_of_confidence_mean_another_corpus_and_nothing_else(place: Path) -> None:
    again = ("extract", "--lang", "xx", "--lang-anyway", "-o", "o", "a.xml")
    made, corpus = files(place / "o", "diffs", "edits"), files(place / "o", "corpus")
    (place / "configs/word_families").mkdir()
    (place / "configs/word_families/xx.toml").write_text('strong_praise = "finest glorious"\n')
    said = "build.confidence_version: the weights or words that tell the confidence have changed"
    wikibias(*again).refused(said, "Redo from there with `wikibias build --restart o`")
    wikibias("detect", *again[1:]).well()
    load_confidence.cache_clear()
    wikibias("build", "--restart", "o").well()
    wikibias(*again).well()
    assert files(place / "o", "diffs", "edits") == made
    assert files(place / "o", "corpus").keys() == corpus.keys()
    assert files(place / "o", "corpus") != corpus
    load_confidence.cache_clear()


def test_another_tag_set_is_not_used_by_a_later_stage(place: Path) -> None:
    (place / "tagsets/npov/xx.toml").write_text(
        TAGSET + '\n[[tag]]\nname = "Advert"\nfamily = "npov"\nscope = "article"\n'
    )
    wikibias("diff", "--restart", "o").refused("the tag set 'npov' for 'xx' has changed")


def test_filters_and_corpus_need_neither(place: Path) -> None:
    (place / "configs/xx.toml").unlink()
    assert wikibias("filter", "-q", "--restart", "o").code == 0
    assert wikibias("build", "-q", "o").code == 0


PART = "part1.xml"


def missing(out: Path, **choices: Any) -> list[str]:
    settings = make_settings("en", load_config(), **choices)
    return [stage.name for stage in first_missing(out, PART, settings)]


def test_what_is_left_follows_from_tables_and_settings(out: Path, done: Files) -> None:
    assert missing(out, reverts="keep") == ["filter"]
    assert missing(out, seed=1) == []
    assert missing(out, scope="tagged") == ["diff", "filter"]
    assert missing(out) == []
    for table, left in (("rejects", ["filter"]), ("diffs", ["diff", "filter"])):
        (out / table / f"{PART}.parquet").unlink()
        assert missing(out) == left


def test_only_one_part_is_removed(out: Path, done: Files) -> None:
    remove_of_part(out, per_part()[1:], PART)
    gone = {f"{table}/{PART}.parquet" for table in ("diffs", "edits", "rejects")}
    assert done.keys() - files(out).keys() == gone
    remove_of_part(out, per_part()[1:], PART)


def test_a_table_that_is_gone_is_named(tmp_path: Path) -> None:
    job = CorpusJob(tmp_path, [], make_settings("en", load_config()), {})
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
def test_facts_of_another_form_are_none(wrong: dict[str, object], out: Path, done: Files) -> None:
    stage = named("filter")
    path = out / stage.writes[-1].name / f"{PART}.parquet"
    facts = recorded(out, stage, PART) or {}
    for changed in ({}, wrong):
        marked = {"wikibias": json.dumps(facts | changed)}
        pq.write_table(pq.read_table(path).replace_schema_metadata(marked), path)
        assert (recorded(out, stage, PART) is None) == bool(changed)
