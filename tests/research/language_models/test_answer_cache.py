"""Answers that are paid for once."""

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from wikibias.errors import DiskError, UsageError
from wikibias.research.language_models.answer_cache import answer_cache
from wikibias.research.language_models.messages import Reply

REPLY = Reply("NOT BIASED\x00\x1b[2J é", 12, 3, "stop", "small", "1", "seed")


def test_an_answer_is_found_again(tmp_path: Path) -> None:
    path = tmp_path / "made" / "answers.cache"
    with answer_cache(path) as cache:
        assert cache.get("a") is None
        cache.keep("a", REPLY)
        cache.keep("b", Reply(""))
    with answer_cache(path) as cache:
        assert cache.get("a") == REPLY
        assert cache.get("b") == Reply("")


def test_it_remembers_the_tables_it_made(tmp_path: Path) -> None:
    with answer_cache(tmp_path / "c") as cache:
        cache.note_written("12ab")
        cache.note_written("12ab")
        assert cache.has_written("12ab")
        assert not cache.has_written("34cd")


def test_a_rehearsal_makes_no_file(tmp_path: Path) -> None:
    with answer_cache(tmp_path / "c", read_only=True) as cache:
        assert cache.get("a") is None
    assert not (tmp_path / "c").exists()


def test_a_rehearsal_reads_what_is_there(tmp_path: Path) -> None:
    with answer_cache(tmp_path / "c") as cache:
        cache.keep("a", REPLY)
    with answer_cache(tmp_path / "c", read_only=True) as cache:
        assert cache.get("a") == REPLY


def test_a_second_run_on_one_file_is_refused(tmp_path: Path) -> None:
    with (
        answer_cache(tmp_path / "c"),
        pytest.raises(UsageError, match="another run uses"),
        answer_cache(tmp_path / "c"),
    ):
        pass


def test_one_of_an_older_version_is_read_and_goes_on(tmp_path: Path) -> None:
    with answer_cache(tmp_path / "c") as cache:
        cache.keep("a", REPLY)
    with sqlite3.connect(tmp_path / "c") as older:
        older.execute("ALTER TABLE answers DROP COLUMN left_out")
    older.close()
    for read_only in (True, False):
        with answer_cache(tmp_path / "c", read_only=read_only) as cache:
            assert cache.get("a") == replace(REPLY, left_out="")
    with answer_cache(tmp_path / "c") as cache:
        cache.keep("a", REPLY)
        assert cache.get("a") == REPLY


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(DiskError, match="cannot write"), answer_cache(tmp_path / "file" / "c"):
        pass
