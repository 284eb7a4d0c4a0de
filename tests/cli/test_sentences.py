"""`wikibias sentences`: paragraphs to sentences, and wikitext to paragraphs."""

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from exports import wikibias

TEXT = "Dr. Smith left. Why? Nobody knows.\n\nOne line more.\n"
SPLIT = "Dr. Smith left.\nWhy?\nNobody knows.\n\nOne line more.\n\n"
PAGE = "'''Elm''' is a [[town]].{{POV}}<ref>A book.</ref>\n\n* One\n"
COMMAND = [sys.executable, "-m", "wikibias", "sentences", "--lang", "en"]


@pytest.mark.parametrize(
    ("options", "text", "shown"),
    [
        (["sentences"], TEXT, SPLIT),
        (["sentences", "--clean"], PAGE, "Elm is a town.\nOne\n"),
        (["sentences", "--blocks"], PAGE, "paragraph\tElm is a town.\nlist\tOne\n"),
        (["clean"], PAGE, "Elm is a town.\nOne\n"),
        (["clean", "--blocks"], "{{POV}}", ""),
    ],
)
def test_a_file_and_standard_input(
    options: list[str], text: str, shown: str, tmp_path: Path
) -> None:
    file = tmp_path / "text.txt"
    file.write_text(text)
    assert wikibias(*options, "--lang", "en", file).out == shown
    done = wikibias(*options, "--lang", "en", stdin=text.encode())
    assert (done.code, done.out, done.err) == (0, shown, "")


@pytest.mark.parametrize("segmenter", ["rules", "spacy"])
def test_a_segmenter_by_name(segmenter: str) -> None:
    done = wikibias(
        "sentences", "--lang", "fr", "--segmenter", segmenter, stdin=b"Il part. Elle reste.\n"
    )
    assert (done.code, done.out) == (0, "Il part.\nElle reste.\n\n")


def test_names_that_nobody_knows() -> None:
    wikibias("sentences", "--lang", "en", "--segmenter", "rule", stdin=b"").refused(
        "unknown segmenter 'rule'; did you mean 'rules'?"
    )
    assert wikibias("sentences", "--lang", "e", stdin=b"").code == 2
    assert wikibias("sentences", "--clean", "--lang", "e", stdin=b"").code == 2


@pytest.mark.parametrize(
    ("option", "text", "shown", "said"),
    [
        ([], b"a.\n\xff\n", "a.\n\n", ":2: not UTF-8 (byte 1)"),
        (["--clean"], b"a.\n\xff\n", "", "not UTF-8 (byte 4)"),
        (["--clean"], b"x" * 2_500_001, "", "longer than 2,500,000 characters"),
    ],
)
def test_what_is_no_text(option: list[str], text: bytes, shown: str, said: str) -> None:
    done = wikibias("sentences", "--lang", "en", *option, stdin=text)
    assert (done.code, done.out) == (1, shown)
    assert said in done.errors[0]


def test_broken_markup_is_cleaned_by_patterns_and_said_so() -> None:
    text = b"A mill.\n" + b"[[a|" * 50_000
    done = wikibias("sentences", "--clean", "--lang", "en", stdin=text)
    assert done.code == 0
    assert done.out.startswith("A mill. [[a|")
    assert "cleaned by patterns alone" in done.err


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


@pytest.mark.parametrize(("option", "end"), [([], b"\n\n"), (["--clean"], b"\n")])
def test_a_pipe_gets_the_bytes_and_a_terminal_nothing_that_draws(
    option: list[str], end: bytes
) -> None:
    evil, command = b"One \x1b[2Jred.", [*COMMAND, *option]
    piped = subprocess.run(command, input=evil, capture_output=True, check=True)
    assert piped.stdout == evil + end
    ours, theirs = pty.openpty()
    subprocess.run(command, input=evil, stdout=theirs, check=True)
    os.close(theirs)
    shown = os.read(ours, 1000)
    os.close(ours)
    assert b"\x1b" not in shown
    assert b"\\x1b[2Jred." in shown
