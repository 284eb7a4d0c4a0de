"""`wikibias sentences`: a paragraph a line in, a sentence a line out."""

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from exports import wikibias

TEXT = "Dr. Smith left. Why? Nobody knows.\n\nOne line more.\n"
SPLIT = "Dr. Smith left.\nWhy?\nNobody knows.\n\nOne line more.\n\n"
COMMAND = [sys.executable, "-m", "wikibias", "sentences", "--lang", "en"]


def test_a_file_and_standard_input(tmp_path: Path) -> None:
    file = tmp_path / "text.txt"
    file.write_text(TEXT)
    assert wikibias("sentences", "--lang", "en", file).out == SPLIT
    assert wikibias("sentences", "--lang", "en", stdin=TEXT.encode()).out == SPLIT


@pytest.mark.parametrize("segmenter", ["rules", "spacy"])
def test_a_segmenter_by_name(segmenter: str) -> None:
    done = wikibias(
        "sentences", "--lang", "fr", "--segmenter", segmenter, stdin=b"Il part. Elle reste.\n"
    )
    assert (done.code, done.out) == (0, "Il part.\nElle reste.\n\n")


def test_names_that_nobody_knows() -> None:
    done = wikibias("sentences", "--lang", "en", "--segmenter", "rule", stdin=b"")
    assert done.code == 2
    assert "unknown segmenter 'rule'; did you mean 'rules'?" in done.errors[0]
    assert wikibias("sentences", "--lang", "e", stdin=b"").code == 2


def test_what_is_no_text() -> None:
    done = wikibias("sentences", "--lang", "en", stdin=b"a.\n\xff\n")
    assert done.code == 1
    assert done.out == "a.\n\n"
    assert ":2: not UTF-8 (byte 1)" in done.errors[0]


def test_each_paragraph_is_answered_before_the_next_is_read() -> None:
    with subprocess.Popen(
        [*COMMAND], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=dict(os.environ)
    ) as process:
        assert process.stdin
        assert process.stdout
        for line in (b"It rains.\n", b"It snows.\n"):
            process.stdin.write(line)
            process.stdin.flush()
            assert process.stdout.readline() == line
            assert process.stdout.readline() == b"\n"
        process.stdin.close()
        assert process.wait() == 0


def test_a_reader_that_ends_early_is_no_error() -> None:
    pipe = subprocess.PIPE
    with subprocess.Popen(COMMAND, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        process.stdin.write(TEXT.encode())
        process.stdin.close()
        assert process.stderr.read() == b""


def test_a_pipe_gets_the_bytes_and_a_terminal_nothing_that_draws() -> None:
    evil = b"One \x1b[2Jred."
    piped = subprocess.run(COMMAND, input=evil, capture_output=True, check=True)
    assert piped.stdout == evil + b"\n\n"
    ours, theirs = pty.openpty()
    subprocess.run(COMMAND, input=evil, stdout=theirs, check=True)
    os.close(theirs)
    shown = os.read(ours, 1000)
    os.close(ours)
    assert b"\x1b" not in shown
    assert b"\\x1b[2Jred." in shown
