"""Tests of the words for yes and no."""

from __future__ import annotations

from pathlib import Path

import pytest

from wikibias.config.resources import config_dir
from wikibias.config.yes_no import folded, yes_no
from wikibias.errors import UsageError


def own(folder: Path, content: str) -> Path:
    """Return a folder of a user's own words."""
    path = folder / "configs" / "annotation" / "yes_no.toml"
    path.parent.mkdir(parents=True)
    path.write_text(content, "utf-8")
    return folder


def test_words_are_found_however_written() -> None:
    words = yes_no()
    assert [words[folded(word)] for word in ("Yes", " OUI ", "да", "Sí.", "ＴＲＵＥ")] == [True] * 5
    assert [words[folded(word)] for word in ("No", "NON!", "нет", "Hayır")] == [False] * 4
    assert "perhaps" not in words


def test_a_users_own_file_comes_first(tmp_path: Path) -> None:
    with config_dir(own(tmp_path, '[words.eo]\nyes = ["jes"]\nno = ["ne"]\n')):
        assert yes_no() == {"jes": True, "ne": False}


def test_a_word_cannot_say_both(tmp_path: Path) -> None:
    with (
        config_dir(own(tmp_path, '[words.a]\nyes = ["da"]\n[words.b]\nno = ["Da"]\n')),
        pytest.raises(UsageError, match=r"yes_no.toml:3: 'Da' says yes in one language"),
    ):
        yes_no()
