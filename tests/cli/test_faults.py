"""What is not a fault of wikibias is said as such."""

from __future__ import annotations

import errno
import os

import pytest

from wikibias.cli.faults import check_arguments, line_about
from wikibias.errors import UsageError


@pytest.mark.parametrize("word", ["", "a\0b", os.fsdecode(b"\xff.xml"), "--out="])
def test_words_that_name_nothing(word: str) -> None:
    check_arguments(["extract", "--like=x", "é.xml", "-"])
    with pytest.raises(UsageError):
        check_arguments(["extract", word])


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (MemoryError(), "not enough memory; give fewer --workers"),
        (RecursionError("maximum recursion depth exceeded"), "nested too deeply"),
        (PermissionError(errno.EACCES, "Permission denied", "x"), "x: permission denied"),
        (OSError(errno.ENAMETOOLONG, "File name too long", "y"), "y: File name too long"),
        (OSError(errno.EMFILE, "Too many open files"), "a file: Too many open files"),
    ],
)
def test_a_machine_at_its_end(error: Exception, said: str) -> None:
    assert said in str(line_about(error))


@pytest.mark.parametrize("error", [KeyError("x"), ValueError("x"), OSError("x")])
def test_the_rest_is_our_fault(error: Exception) -> None:
    assert line_about(error) is None
