"""A thread unpacks ahead: the bytes and the errors are the same, and it ends with its reader."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import count

import pytest

from wikibias.dumps.compression.ahead import ahead


def blocks(number: int, error: Exception | None = None) -> Iterator[bytes]:
    yield from (b"%d" % at for at in range(number))
    if error is not None:
        raise error


def test_blocks_come_in_order() -> None:
    with ExitStack() as stack:
        assert list(ahead(blocks(100), stack)) == list(blocks(100))


def test_an_error_comes_in_its_turn() -> None:
    with ExitStack() as stack:
        found = ahead(blocks(2, OSError("damaged")), stack)
        assert [next(found), next(found)] == [b"0", b"1"]
        with pytest.raises(OSError, match="damaged"):
            next(found)


def test_a_few_are_taken_ahead_and_the_thread_ends() -> None:
    numbers, before = count(), threading.active_count()
    with ExitStack() as stack:
        found = ahead((b"%d" % at for at in numbers), stack)
        assert [next(found) for _ in range(5)] == [b"0", b"1", b"2", b"3", b"4"]
    assert threading.active_count() == before
    assert next(numbers) <= 12
