"""`wikibias clean`: the wikitext of a page in, a paragraph a line out."""

import os
import pty
import subprocess
import sys
from pathlib import Path

from exports import wikibias

PAGE = "'''Elm''' is a [[town]].{{POV}}<ref>A book.</ref>\n\n* One\n"
COMMAND = [sys.executable, "-m", "wikibias", "clean", "--lang", "en"]


def test_a_file_and_standard_input(tmp_path: Path) -> None:
    file = tmp_path / "page.txt"
    file.write_text(PAGE)
    assert wikibias("clean", "--lang", "en", file).out == "Elm is a town.\nOne\n"
    assert wikibias("clean", "--lang", "en", stdin=PAGE.encode()).out == "Elm is a town.\nOne\n"


def test_kinds_of_lines() -> None:
    done = wikibias("clean", "--lang", "fr", "--blocks", stdin=PAGE.encode())
    assert done.out == "paragraph\tElm is a town.\nlist\tOne\n"


def test_nothing_gives_nothing() -> None:
    done = wikibias("clean", "--lang", "en", stdin=b"{{POV}}")
    assert (done.code, done.out) == (0, "")


def test_what_cannot_be_cleaned_is_named() -> None:
    assert wikibias("clean", "--lang", "e", stdin=b"").code == 2
    done = wikibias("clean", "--lang", "en", stdin=b"a.\n\xff\n")
    assert done.code == 1
    assert "not UTF-8 (byte 4)" in done.errors[0]
    done = wikibias("clean", "--lang", "en", stdin=b"x" * 2_500_001)
    assert done.code == 1
    assert "longer than 2,500,000 characters" in done.errors[0]


def test_broken_markup_is_cleaned_by_patterns_and_said_so() -> None:
    done = wikibias("clean", "--lang", "en", stdin=b"A mill.\n" + b"[[a|" * 50_000)
    assert done.code == 0
    assert done.out.startswith("A mill. [[a|")
    assert "cleaned by patterns alone" in done.err


def test_a_pipe_gets_the_bytes_and_a_terminal_nothing_that_draws() -> None:
    evil = b"One \x1b[2Jred."
    piped = subprocess.run(COMMAND, input=evil, capture_output=True, check=True)
    assert piped.stdout == evil + b"\n"
    ours, theirs = pty.openpty()
    subprocess.run(COMMAND, input=evil, stdout=theirs, check=True)
    os.close(theirs)
    shown = os.read(ours, 1000)
    os.close(ours)
    assert b"\x1b" not in shown
    assert b"\\x1b[2Jred." in shown
