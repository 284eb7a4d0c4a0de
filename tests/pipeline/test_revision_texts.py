"""Texts that a result lacks, filled in from a wiki on loopback, by `fetch --revisions`."""

import gzip
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from exports import export, files, history, rows, wikibias
from made_edits import DUMPS, corpus
from months import sample, stub_of
from results import extract, manifest_of, transitions
from wiki_server import (
    LANG,
    Wiki,
    as_new,
    fill,
    ids,
    result,
    revisions_of,
    saying,
    wiki,
    wiki_of,
    without_texts,
)
from wikibias.errors import UsageError
from wikibias.kits import parquet
from wikibias.kits.folders import locked
from wikibias.kits.schemas import TRANSITIONS_TABLE
from wikibias.pipeline import manifest
from wikibias.pipeline.revision_texts import TextCache, WantedRevision, text_cache

__all__ = ["as_new", "result", "wiki"]


def facts(result: Path) -> object:
    """Return what the metadata of the table and the manifest say of the texts."""
    (path,) = (result / "transitions").iterdir()
    (entry,) = (manifest.load(result) or {})["inputs"]
    assert (parquet.read_meta(path) or {})["texts"] == entry["texts"]
    return entry["texts"]


def test_all_texts_are_filled_in_and_what_was_without_them_goes(result: Path, wiki: Wiki) -> None:
    ended = fill(result, wiki).silent()
    assert "109 texts filled in." in ended.out
    assert wiki.asked == [ids(result)[:50], ids(result)[50:]]
    assert wiki.most_open == 1
    assert rows(result, "transitions") == rows(corpus(LANG), "transitions")
    assert not files(result, "diffs", "edits", "rejects", "corpus")
    assert facts(result) == {"filled": 109}


def test_what_cannot_be_had_stays_null_and_is_counted_once_asked(result: Path, wiki: Wiki) -> None:
    deleted, hidden, other, untold, *_ = ids(result)
    del wiki.known[deleted]
    wiki.hidden = {hidden}
    wiki.known[other] = replace(wiki.known[other], text="the text of another revision")
    wiki.untold = {untold}
    ended = fill(result, wiki).well()
    lacking = {"deleted": 0, "suppressed": 0, "mismatch": 0, "untold": 0}
    by_id = dict(zip((deleted, hidden, other, untold), lacking, strict=True))
    for row in rows(result, "transitions"):
        for side in ("before", "after"):
            state = by_id.get(row[f"{side}_rev_id"])
            if state:
                assert row[f"{side}_text"] is None
                assert row[f"{side}_sha1"]
                lacking[state] += 1
            else:
                assert row[f"{side}_text"] is not None
                assert row[f"{side}_sha1"] is None
    left = sum(lacking.values())
    assert f"{109 - left} texts filled in; {left} cannot be had (" in ended.out
    assert facts(result) == {"filled": 109 - left, **lacking}
    wiki.asked.clear()
    wiki.untold = set()
    again = fill(result, wiki)
    assert wiki.asked == [[untold]]
    assert f"{lacking['untold']:,} text" in again.out
    assert "not the one of the dump" in again.out
    assert wikibias("diff", "-q", result).code == 0


def test_a_wiki_that_fails_midway_costs_only_what_it_did_not_tell(result: Path, wiki: Wiki) -> None:
    wiki.answers.extend([lambda handler, asked: handler.tell(wiki.told({}, asked)), saying(b"<p>")])
    ended = fill(result, wiki)
    assert ended.code == 1
    (line,) = ended.err.splitlines()
    assert line.startswith(f"Error: {wiki.api}: answers with a web page")
    assert fill(result, wiki, "--dry-run").out.splitlines()[1:] == [
        "71 revisions without a text, of which the wiki has told 50 already.",
        f"Asks for 21, in 1 request: {wiki.api}",
    ]
    wiki.asked.clear()
    assert fill(result, wiki).code == 0
    assert wiki.asked == [ids(result)[50:]]
    assert facts(result) == {"filled": 109}


def test_a_folder_in_which_a_run_is_at_work(result: Path, wiki: Wiki) -> None:
    with locked(result):
        fill(result, wiki).refused("another run of wikibias is at work")
    assert wiki.queries == []


def test_one_api_is_not_that_of_two_wikis(result: Path, wiki: Wiki) -> None:
    (path,) = (result / "transitions").iterdir()
    meta = parquet.read_meta(path) or {}
    found = [*parquet.read_records(path, TRANSITIONS_TABLE)]
    with parquet.writing(path, TRANSITIONS_TABLE, lambda: meta) as writer:
        for row in (found[0], replace(found[1], provenance=replace(found[1].provenance, wiki="x"))):
            writer.write(row)
    fill(result, wiki).refused("demofrwiki and x")


def test_a_whole_extraction_of_stubs_is_refused_with_what_to_do(tmp_path: Path) -> None:
    stub = tmp_path / "frwiki-20260101-stub-meta-history1.xml.gz"
    stub.write_bytes(gzip.compress(stub_of(export())))
    wikibias("extract", "--lang", "en", "-o", tmp_path / "r", stub).refused(
        "is a stub dump, which has no texts: run `wikibias detect --signal summary`",
        "fetch --revisions",
    )
    assert not (tmp_path / "r").exists()


def test_stubs_by_another_name_are_told_by_their_content(tmp_path: Path) -> None:
    stub = tmp_path / "x.xml"
    stub.write_bytes(stub_of(export([history("Mill", 1)])))
    for command, signal, code in (
        ("extract", "summary", 1),
        ("detect", "tag", 1),
        ("detect", "summary", 0),
    ):
        out = tmp_path / f"{command}-{signal}"
        ended = wikibias(command, "--lang", "en", "--signal", signal, "-o", out, stub)
        assert ended.code == code
        assert ("x.xml is a stub dump, which has no texts" in ended.err) == bool(code)
    assert "1 stub dump, without texts." in ended.out
    assert "Next: " not in ended.out


@pytest.mark.parametrize(("lang", "reader"), [("en", "fast"), ("fr", "mwxml")])
def test_stubs_give_what_the_full_dump_gives(lang: str, reader: str, tmp_path: Path) -> None:
    options = ("-q", "--lang", lang, "--signal", "summary", "--reader", reader)
    full, out = tmp_path / "full", tmp_path / "r"
    assert extract(full, *options, "--pairs", DUMPS[lang]).code == 0
    stub = tmp_path / f"demo{lang}wiki-20260101-stub-meta-history.xml.gz"
    stub.write_bytes(gzip.compress(stub_of(sample(lang))))
    found = transitions(out, *options, stub)
    asked = f"Next: wikibias fetch --revisions {out}"
    assert asked in wikibias("status", out).out
    assert all(row["before_text"] is row["after_text"] is None for row in found)
    assert all(row["before_sha1"] and row["after_sha1"] for row in found)
    with wiki_of(revisions_of([DUMPS[lang]])) as server:
        assert fill(out, server).code == 0
    assert asked not in wikibias("status", out).out
    for command, more in (("diff", ()), ("filter", ()), ("build", ("--pairs",))):
        assert wikibias(command, "-q", out, *more).code == 0

    def content(folder: Path, kind: str) -> list[dict[str, object]]:
        return [{**row, "part": ""} for row in rows(folder, kind)]

    # `wikibias pairs` reads no more than these and the settings.
    for kind in ("transitions", "diffs", "edits", "rejects", "corpus"):
        assert content(out, kind) == content(full, kind) != []
    assert files(out, "text", "aligned") == files(full, "text", "aligned")
    assert manifest_of(out)["settings"] == manifest_of(full)["settings"]


def test_next_month_only_what_is_new_is_asked_for(tmp_path: Path, wiki: Wiki) -> None:
    stub, out = gzip.compress(stub_of(sample(LANG))), tmp_path / "r"
    for month in ("20260101", "20260201"):
        part = tmp_path / f"demofrwiki-{month}-stub-meta-history.xml.gz"
        part.write_bytes(stub)
        wikibias("detect", "-q", "--lang", LANG, "--signal", "summary", "-o", out, part).silent()
        assert "10 texts filled in." in fill(out, wiki).out
    assert len(wiki.asked) == 1
    assert {row["part"] for row in rows(out, "transitions")} == {part.name}


def test_a_restart_says_where_texts_are_and_asks_for_none_again(result: Path, wiki: Wiki) -> None:
    assert fill(result, wiki).code == 0
    wiki.asked.clear()
    done = wikibias("extract", "--lang", LANG, "--restart", "-o", result, DUMPS[LANG]).well()
    assert "revision_texts.sqlite; `wikibias fetch --revisions" in done.err
    for path in (result / "transitions").iterdir():
        without_texts(path)
    assert "109 texts filled in" in fill(result, wiki).out
    assert wiki.asked == []


WIKI = "frwiki"
NAME = "texts.sqlite"


def wanted(*numbers: int, wiki: str = WIKI) -> list[WantedRevision]:
    """Return what is wanted of revisions."""
    return [WantedRevision(wiki, number, None, 2020) for number in numbers]


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[TextCache]:
    """A new cache."""
    with text_cache(tmp_path / NAME) as opened:
        yield opened


def test_what_is_kept_is_not_missing_any_more(cache: TextCache, tmp_path: Path) -> None:
    cache.want(wanted(3, 1, 2, 1))
    cache.want(wanted(1, wiki="enwiki"))
    assert (cache.wanted(), cache.missing(WIKI), cache.missing("enwiki")) == (4, 3, 1)
    cache.keep(WIKI, [(1, "ok", "été\n"), (2, "deleted", None)])
    assert [cache.state(WIKI, number) for number in (1, 2, 3)] == ["ok", "deleted", None]
    assert [cache.text(WIKI, number) for number in (1, 2, 3)] == ["été\n", None, None]
    with text_cache(tmp_path / NAME) as again:
        again.want(wanted(1, 2, 3))
        assert [[one.id for one in batch] for batch in again.batches(WIKI, 50)] == [[3]]


def test_batches_are_in_order_and_end_though_nothing_is_kept(cache: TextCache) -> None:
    cache.want(wanted(*range(120, 0, -1)))
    found = [[one.id for one in batch] for batch in cache.batches(WIKI, 50)]
    assert [len(batch) for batch in found] == [50, 50, 20]
    assert [number for batch in found for number in batch] == [*range(1, 121)]


def test_to_look_ahead_makes_no_file(tmp_path: Path) -> None:
    with text_cache(tmp_path / NAME, read_only=True) as cache:
        cache.want(wanted(1))
        assert cache.missing(WIKI) == 1
    assert not [*tmp_path.iterdir()]
    with text_cache(tmp_path / NAME) as cache:
        cache.keep(WIKI, [(1, "ok", "")])
    before = (tmp_path / NAME).read_bytes()
    with text_cache(tmp_path / NAME, read_only=True) as cache:
        cache.want(wanted(1, 2))
        assert cache.missing(WIKI) == 1
    assert (tmp_path / NAME).read_bytes() == before


@pytest.mark.parametrize("content", [b"no database" * 100, b"SQLite format 3\0" + bytes(500)])
def test_a_damaged_file_is_named(content: bytes, tmp_path: Path) -> None:
    (tmp_path / NAME).write_bytes(content)
    with pytest.raises(UsageError, match=r"is damaged, .*remove it"), text_cache(tmp_path / NAME):
        pass


@pytest.mark.parametrize("packed", [b"no zlib", "text", 3_000_000_000, None])
def test_a_damaged_text_is_named(packed: object, tmp_path: Path) -> None:
    with text_cache(tmp_path / NAME) as cache:
        cache.keep(WIKI, [(1, "ok", "a")])
    with sqlite3.connect(tmp_path / NAME) as connection:
        connection.execute("UPDATE texts SET text = ?", [packed])
    connection.close()
    with (
        pytest.raises(UsageError, match=r"revision 1.*remove it"),
        text_cache(tmp_path / NAME) as cache,
    ):
        cache.text(WIKI, 1)
