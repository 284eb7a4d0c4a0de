"""Progress bars on a terminal, and nothing elsewhere."""

import time

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


def test_what_is_shown_is_the_sum_of_the_last_of_each_part(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    with progress(PARTS, quiet=False) as update:
        update("a.xml", "detect", 10, 1, 2)
        update("b.xml", "detect", 10, 3, 4)
        update("a.xml", "detect", 20, 5, 6)
        update("b.xml", "filter", 0, 0, 0)
    assert "8 pages, 10 transitions" in capsys.readouterr().err


def test_many_parts_are_shown_in_a_time_that_grows_as_they_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")

    def spent(parts: int) -> float:
        with progress(PARTS, quiet=False) as update:
            began = time.process_time()
            for number in range(parts):
                update(f"{number}.xml", "detect", 10, 1, 2)
            return time.process_time() - began

    # Four times the parts take four times as long; in the square it would be sixteen.
    assert min(spent(4000) for _ in range(3)) < 8 * min(spent(1000) for _ in range(3))


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
