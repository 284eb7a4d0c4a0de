"""Progress bars on a terminal, and nothing elsewhere."""

from __future__ import annotations

import pytest

from wikibias.cli.progress import downloads, progress
from wikibias.dumps.parts import Part

PARTS = [Part("a.xml", ("a.xml",))]


def test_one_page_is_counted_in_the_singular(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    with progress(PARTS, quiet=False) as update:
        update("a.xml", "detect", 10, 1, 2)
    assert "1 page, 2 transitions" in capsys.readouterr().err


@pytest.mark.parametrize("terminal", [False, True])
def test_nothing_is_shown_if_quiet_or_not_on_a_terminal(
    terminal: bool, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if terminal:
        monkeypatch.setenv("FORCE_COLOR", "1")
    with progress(PARTS, quiet=terminal) as update:
        update("a.xml", "detect", 10, 1, 2)
    with downloads([], quiet=terminal) as update_download:
        update_download("a.xml", 10)
    assert capsys.readouterr() == ("", "")
