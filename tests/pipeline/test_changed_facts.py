"""A language or tag-set file that changes under a result is noticed, whatever stage goes on."""

from __future__ import annotations

from pathlib import Path

import pytest

from exports import export, history, wikibias

LANGUAGE = 'name = "Test"\nspacy = "en"\n'
TAGSET = '[[tag]]\nname = "POV"\nfamily = "npov"\nscope = "article"\n'


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a language, a tag set and a result of them."""
    (tmp_path / "configs").mkdir()
    (tmp_path / "configs/xx.toml").write_text(LANGUAGE)
    (tmp_path / "tagsets/npov").mkdir(parents=True)
    (tmp_path / "tagsets/npov/xx.toml").write_text(TAGSET)
    (tmp_path / "a.xml").write_bytes(export([history("Village", 2)]))
    monkeypatch.chdir(tmp_path)
    done = wikibias("extract", "-q", "--lang", "xx", "-o", "o", "a.xml")
    assert done.code == 0, done.err
    return tmp_path


def test_another_language_means_starting_over(place: Path) -> None:
    with (place / "configs/xx.toml").open("a") as file:
        file.write('abbreviations = ["ca."]\n')
    refused = wikibias("extract", "--lang", "xx", "-o", "o", "a.xml")
    assert refused.code == 2
    assert "diff.language_version" in refused.errors[-1]
    assert "Start over with --restart" in refused.errors[-1]
    assert "`wikibias detect`" in wikibias("diff", "--restart", "o").errors[-1]


def test_another_tag_set_is_not_used_by_a_later_stage(place: Path) -> None:
    (place / "tagsets/npov/xx.toml").write_text(
        TAGSET + '\n[[tag]]\nname = "Advert"\nfamily = "npov"\nscope = "article"\n'
    )
    refused = wikibias("diff", "--restart", "o")
    assert refused.code == 2
    assert "the tag set 'npov' for 'xx' has changed" in refused.errors[-1]


def test_filters_and_corpus_need_neither(place: Path) -> None:
    (place / "configs/xx.toml").unlink()
    assert wikibias("filter", "-q", "--restart", "o").code == 0
    assert wikibias("build", "-q", "o").code == 0
