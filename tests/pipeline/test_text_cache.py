"""The texts that a wiki was asked for: kept, found again, and what of a damaged file is said."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from wikibias.errors import DiskError, UsageError
from wikibias.pipeline.revision_texts import TextCache, WantedRevision, text_cache

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
    with pytest.raises(UsageError, match=r"is damaged .*remove it"), text_cache(tmp_path / NAME):
        pass


@pytest.mark.parametrize("packed", [b"no zlib", "text", 7, None])
def test_a_damaged_text_is_named(packed: object, tmp_path: Path) -> None:
    with text_cache(tmp_path / NAME) as cache:
        cache.keep(WIKI, [(1, "ok", "a")])
    with sqlite3.connect(tmp_path / NAME) as connection:
        connection.execute("UPDATE texts SET text = ?", [packed])
    connection.close()
    with pytest.raises(UsageError, match="revision 1"), text_cache(tmp_path / NAME) as cache:
        cache.text(WIKI, 1)


def test_a_link_is_not_written_through(tmp_path: Path) -> None:
    (tmp_path / NAME).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UsageError, match="link"), text_cache(tmp_path / NAME):
        pass


def test_a_folder_that_cannot_be_written_to(tmp_path: Path) -> None:
    with pytest.raises(DiskError, match="cannot write"), text_cache(tmp_path / "gone" / NAME):
        pass
