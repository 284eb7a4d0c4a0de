"""A story on the terminal: with and without colour, and what others wrote draws nothing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from rich.cells import cell_len

from wikibias.cli.story_text import show
from wikibias.records import Sentence
from wikibias.reports.inspection import Inspection, inspect, recognised


def shown(
    found: Inspection,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    width: int,
) -> str:
    monkeypatch.setenv("COLUMNS", f"{width}")
    show(found)
    return capsys.readouterr().out


@pytest.mark.parametrize("width", [40, 80, 200])
@pytest.mark.parametrize("words", ["7", "Varnholt Institute"])
def test_it_fits_into_the_terminal(
    words: str,
    width: int,
    demo: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    out = shown(inspect(demo, recognised(words)), capsys, monkeypatch, width)
    assert max(map(cell_len, out.splitlines())) <= width


def test_colour_where_there_is_a_terminal(
    demo: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = inspect(demo, recognised("7"))
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    coloured = shown(found, capsys, monkeypatch, 100)
    assert "\x1b[" in coloured
    assert "[-finest-]" not in coloured
    monkeypatch.setenv("NO_COLOR", "1")
    assert "[-finest-]" in shown(found, capsys, monkeypatch, 100)


def test_text_of_others_draws_nothing(
    demo: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = inspect(demo, recognised("7"))
    (story,) = found.edits
    bad = "\x1b[31m\u202e[bold]\r\n"
    first = replace(story.sentences[0], sentence=Sentence(f"{bad}mill", "mill"))
    made = replace(story.provenance, page_title=bad, comment=bad, editor=bad)
    altered = replace(story, provenance=made, sentences=(first, *story.sentences[1:]))
    out = shown(replace(found, edits=(altered,)), capsys, monkeypatch, 100)
    assert not {"\x1b", "\u202e", "\r"} & set(out)
    assert "[bold]" in out
