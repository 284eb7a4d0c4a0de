"""The file of answers: at once on the disk, in order, and no other file taken for it."""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wikibias.errors import DiskError, UsageError
from wikibias.research.annotation.answer_store import (
    TABLES,
    AnswerStore,
    answer_file,
    answer_store,
    read_answer_rows,
)
from wikibias.research.annotation.tasks import read_table
from wikibias.research.language_models.asking import answer_cache

SAID = {"bias": "biased", "comment": "„so“"}


def said(path: Path) -> Path:
    """Return a file of answers that holds one."""
    with answer_store(path) as store:
        assert store.answer("mila", "s1", SAID)
    return path


def test_an_answer_comes_back_as_a_row_of_a_table(tmp_path: Path) -> None:
    path = said(tmp_path / "a.db")
    assert read_answer_rows(path) == [{"item": "s1", "annotator": "mila", **SAID}]
    assert read_table(path).to_dict("records") == read_answer_rows(path)


def test_reading_leaves_the_folder_as_it_is(tmp_path: Path) -> None:
    path = said(tmp_path / "a.db")
    # Even a file that comes and goes would change the time of the folder.
    os.utime(tmp_path, (0, 0))
    assert len(read_answer_rows(path)) == 1
    assert (list(tmp_path.iterdir()), tmp_path.stat().st_mtime) == ([path], 0)


def test_what_is_being_answered_is_read_as_well(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with answer_store(path) as store:
        for number in range(3):
            store.answer("mila", f"s{number}", SAID)
            assert len(read_answer_rows(path)) == number + 1


def test_an_item_is_answered_once_and_practice_never_counts(tmp_path: Path) -> None:
    with answer_store(tmp_path / "a.db") as store:
        store.answer("mila", "p", SAID, counts=False)
        assert store.rows() == []
        assert store.answer("mila", "s1", SAID)
        assert not store.answer("mila", "s1", {"bias": "neutral"})
        assert [row["bias"] for row in store.rows()] == ["biased"]
        assert (store.answered("mila"), store.answered("ivan")) == ({"p", "s1"}, set())


# Each step answers the next item that is not answered, or takes the last answer back.
@given(st.lists(st.one_of(st.sampled_from(["biased", "neutral"]), st.none()), max_size=30))
@settings(max_examples=60, deadline=None)
def test_undo_takes_back_in_order_and_keeps_drafts(steps: list[str | None]) -> None:
    items = [f"s{number}" for number in range(len(steps))]
    stack: list[tuple[str, str]] = []
    drafts: dict[str, str] = {}
    with answer_store_in_memory() as store:
        for step in steps:
            if step is None:
                last = stack.pop() if stack else None
                assert store.undo("mila") == (last[0] if last else None)
                if last:
                    drafts[last[0]] = last[1]
            else:
                item = next(each for each in items if each not in store.answered("mila"))
                assert store.answer("mila", item, {"bias": step})
                stack.append((item, step))
                drafts.pop(item, None)
            assert [(row["item"], row["bias"]) for row in store.rows()] == stack
            for item in items:
                draft = store.draft("mila", item)
                assert (draft and draft["bias"]) == drafts.get(item)


@contextmanager
def answer_store_in_memory() -> Iterator[AnswerStore]:
    """Give a store of the same tables without a disk, so that hundreds of them take no time."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.executescript(TABLES)
        yield AnswerStore(connection, answer_file(Path("memory")))


_KILLED = """
import os, signal, sys
from pathlib import Path
from wikibias.research.annotation.answer_store import answer_store
with answer_store(Path(sys.argv[1])) as store:
    store.answer("mila", "s1", {"bias": "biased"})
    store._connection.execute("BEGIN IMMEDIATE")
    store._connection.execute("INSERT INTO about VALUES ('half', 'written')")
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGKILL")
def test_what_was_answered_outlives_a_kill_and_nothing_half_does(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    subprocess.run([sys.executable, "-c", _KILLED, path], check=False, timeout=30)
    assert [row["item"] for row in read_answer_rows(path)] == ["s1"]
    with answer_store(path) as store:
        assert store.answer("mila", "s2", SAID)
    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT * FROM about").fetchall() == []


def test_answers_to_other_questions_are_refused(tmp_path: Path) -> None:
    with answer_store(tmp_path / "a.db") as store:
        store.belong("bias?", {"s1": "x"})
        store.belong("which bias?", {"s1": "y"})  # nobody has answered yet
        store.answer("mila", "s1", SAID)
        store.belong("which bias?", {"s1": "y", "s2": "z"})
        with pytest.raises(UsageError, match="answers to other questions"):
            store.belong("bias?", {"s1": "y"})
        with pytest.raises(UsageError, match="another sentence that is called 's1'"):
            store.belong("which bias?", {"s1": "x"})


MANY = """
WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 2000)
INSERT INTO answers (annotator, item, said, counts, at) SELECT 'ada', x, '{}', 1, '' FROM n
"""


class TestAnotherFile:
    def test_none(self, tmp_path: Path) -> None:
        with pytest.raises(UsageError, match="no such file"):
            read_answer_rows(tmp_path / "none.db")

    def test_the_cache_of_language_models(self, tmp_path: Path) -> None:
        caches, answers = tmp_path / "cache.db", said(tmp_path / "answers.db")
        with answer_cache(caches):
            pass
        with pytest.raises(UsageError, match="holds no answers"), answer_store(caches):
            pass
        refused = "holds no answers of language models; name another"
        with pytest.raises(UsageError, match=refused), answer_cache(answers):
            pass

    def test_what_goes_wrong_beside_it_is_not_laid_on_the_file(self, tmp_path: Path) -> None:
        with pytest.raises(ValueError, match="something else"), answer_store(tmp_path / "a.db"):
            raise ValueError("something else")

    def test_an_answer_that_is_none(self, tmp_path: Path) -> None:
        path = said(tmp_path / "a.db")
        with sqlite3.connect(path) as connection:
            connection.execute("UPDATE answers SET said = '[1]'")
        connection.close()
        with pytest.raises(UsageError, match="is damaged"):
            read_answer_rows(path)

    @pytest.mark.parametrize("change", ["annotator = x'ff'", "said = hex(zeroblob(1000000))"])
    def test_cells_that_are_no_texts_or_too_long(self, tmp_path: Path, change: str) -> None:
        path = said(tmp_path / "a.db")
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute(f"UPDATE answers SET {change}")
        with pytest.raises(UsageError, match="is damaged"):
            read_answer_rows(path)

    def test_pages_that_lead_to_one_page_again_and_again(self, tmp_path: Path) -> None:
        path = said(tmp_path / "a.db")
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute(MANY)
            find = "SELECT rootpage FROM sqlite_schema WHERE name = 'answers'"
            (root,) = connection.execute(find).fetchone()
        content = bytearray(path.read_bytes())
        at = (root - 1) * 4096
        # An inner page has the first of its children in the cells, and the last in its head.
        first = int.from_bytes(content[at + 12 : at + 14])
        content[at + 8 : at + 12] = content[at + first : at + first + 4]
        path.write_bytes(content)
        with pytest.raises(UsageError, match="is damaged"):
            read_answer_rows(path)

    def test_a_list_of_tables_whose_pages_lead_to_each_other(self, tmp_path: Path) -> None:
        path = said(tmp_path / "a.db")
        content = path.read_bytes()
        last, count = len(content) // PAGE, int.from_bytes(content[103:105])
        cells = [content[at : at + 2] for at in range(108, 108 + 2 * count, 2)]
        head = content[100:108] + b"".join(cells)
        leaf = head + content[100 + len(head) : PAGE].rjust(PAGE - len(head), b"\0")
        # The index of a table may be named again and again.
        (index,) = (c for c in cells if b"index_answers" in content[int.from_bytes(c) :][:40])
        again = leaf[:3] + (1).to_bytes(2) + leaf[5:8] + index + leaf[10:]
        levels = [inner(page, page) for page in range(last + 2, last + 17)]
        root = inner(last + 1, last + 17, 100)[100:]
        start = content[:28] + (last + 17).to_bytes(4) + content[32:100]
        path.write_bytes(start + root + content[PAGE:] + leaf + again + b"".join(levels))
        with pytest.raises(UsageError, match=r"is damaged.*interrupted"):
            read_answer_rows(path)


PAGE = 4096


def inner(first: int, other: int, start: int = 0) -> bytes:
    """Return an inner page of a tree of SQLite: to one page, then 100 times to another."""
    cells = b"".join(page.to_bytes(4) + bytes([n]) for n, page in enumerate([first] + [other] * 99))
    at = PAGE - len(cells)
    head = b"\5\0\0" + (100).to_bytes(2) + at.to_bytes(2) + b"\0" + other.to_bytes(4)
    head += b"".join((at + 5 * number).to_bytes(2) for number in range(100))
    return b"".join((bytes(start), head, bytes(at - start - len(head)), cells))


class TestADiskThatRefuses:
    def test_a_half_copied_file_in_a_folder_that_may_not_be_written(self, tmp_path: Path) -> None:
        path = tmp_path / "a.db"
        with answer_store(path) as store:
            store.answer("mila", "s1", SAID)
            wal = (tmp_path / "a.db-wal").read_bytes()
        (tmp_path / "a.db-wal").write_bytes(wal)
        # Stands for a folder that takes no new file, which nobody can refuse to root.
        (tmp_path / "a.db-shm").symlink_to(tmp_path / "no" / "such")
        with pytest.raises(DiskError, match=r"cannot read .*; copy it, with a.db-wal"):
            read_answer_rows(path)

    def test_a_folder_that_is_not_there(self, tmp_path: Path) -> None:
        with pytest.raises(DiskError, match="cannot write"), answer_store(tmp_path / "no" / "a.db"):
            pass

    def test_a_file_that_may_not_be_written(self, tmp_path: Path) -> None:
        with answer_store(tmp_path / "a.db") as store:
            store.answer("mila", "s1", SAID)
            store._connection.execute("PRAGMA query_only = ON")
            with pytest.raises(DiskError, match="can be written; all that it holds"):
                store.answer("mila", "s2", SAID)
            assert store.answered("mila") == {"s1"}

    def test_a_full_disk_takes_nothing_that_was_answered(self, tmp_path: Path) -> None:
        with answer_store(tmp_path / "a.db") as store:
            store.answer("mila", "s1", SAID)
            pages = store._connection.execute("PRAGMA page_count").fetchone()[0]
            store._connection.execute(f"PRAGMA max_page_count = {pages}")
            with pytest.raises(DiskError, match="is full; make room"):
                store.answer("mila", "s2", {"comment": "x" * 100_000})
            assert store.answered("mila") == {"s1"}
            assert store.answer("mila", "s2", SAID)
