"""Languages and tag sets, listed and loaded."""

from __future__ import annotations

from pathlib import Path

import pytest

import wikibias


def test_what_is_listed_can_be_loaded() -> None:
    assert "en" in wikibias.list_languages()
    for name, languages in wikibias.list_tagsets().items():
        for lang in languages:
            assert wikibias.load_tagset(name, lang).lang == lang


def test_a_set_of_ones_own_has_the_name_of_its_folder(tmp_path: Path) -> None:
    path = tmp_path / "hype" / "en.toml"
    path.parent.mkdir()
    path.write_text('[[tag]]\nname = "Hype"\nfamily = "hype"\n')
    found = wikibias.read_tagset(path)
    assert (found.name, found.lang) == ("hype", "en")
    path.write_text('[[tag]]\nname = "Hype"\nfamily = "hype"\nscop = "inline"\n')
    with pytest.raises(wikibias.UsageError, match=r"en\.toml:4: .*unknown key scop"):
        wikibias.read_tagset(path)
