"""Tag sets: the shipped ones, versions, and names of sets and languages."""

import re
from pathlib import Path

import pytest

from wikibias.errors import UsageError
from wikibias.tags.tagset import load_tagset, read_tagset, tagset_languages

XX = """
lang = "xx"
[[tag]]
name = "POV"
family = "pov"
"""


def test_every_shipped_tag_set_loads() -> None:
    assert {"bg", "de", "en", "es", "fr", "it", "nl", "pl", "pt", "ru", "sv", "uk"} <= set(
        tagset_languages()
    )
    for lang in tagset_languages():
        tagset = load_tagset("npov", lang)
        assert tagset.lang == lang
        assert len(tagset.version) == 12


def test_the_names_published_with_the_2019_paper_are_tags(shared: Path) -> None:
    """Except names that cannot be tags; the tag-set files give the reasons."""
    left_out: dict[str, set[str]] = {
        "en": {"caselist undue influence", "pov map", "undue precision", "npov#undue weight"},
        "fr": {"ébauche journaliste", "pov pushing"},
        "bg": set(),
    }
    for lang, exempt in left_out.items():
        tagset = load_tagset("npov", lang)
        known = tagset.by_key()
        names = (shared / "wiki-bias" / f"tags.{lang}.txt").read_text(encoding="utf-8").split("\n")
        missing = [
            name
            for name in names
            if name.strip()
            and not re.search(r"[\[\]{}|=:]", name)
            and name.strip().lower() not in exempt
            and tagset.key(name) not in known
        ]
        assert missing == []


def test_the_version_follows_the_content(tmp_path: Path) -> None:
    path = tmp_path / "xx.toml"
    path.write_text(XX, encoding="utf-8")
    first = read_tagset(path, "npov").version
    path.write_text("# a comment changes nothing\n" + XX, encoding="utf-8")
    assert read_tagset(path, "npov").version == first
    path.write_text(XX + "aliases = ['NPOV']", encoding="utf-8")
    assert read_tagset(path, "npov").version != first


def test_an_unknown_set_or_language_names_the_nearest() -> None:
    with pytest.raises(UsageError, match="did you mean 'npov'"):
        load_tagset("npvo", "en")
    with pytest.raises(UsageError, match="no language 'xx'"):
        load_tagset("npov", "xx")


XX_VALIDATION = """
lang = "xx"
ignore_case = true
[[tag]]
name = "POV"
family = "pov"
"""
BROKEN = [
    ("lang = ", "not valid TOML"),
    ("lang = 'xx'", "tag is missing"),
    (XX_VALIDATION + "colour = 'red'", "unknown key colour"),
    (XX_VALIDATION.replace('"pov"', "3"), "family"),
    (XX_VALIDATION + "scope = 'sections'", "unknown scope 'sections'; did you mean 'section'"),
    (XX_VALIDATION + "aliases = ['a|b']", "cannot be the title"),
    (XX_VALIDATION + "aliases = ['pov']", "stands under"),
    (XX_VALIDATION + "[[wrapper]]\nname='W'\nparameters={a='PVO'}", "no tag 'PVO'"),
]


@pytest.mark.parametrize(("content", "said"), BROKEN)
def test_a_broken_tag_set_names_file_and_mistake(content: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "xx.toml"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(UsageError) as caught:
        read_tagset(path, "npov")
    assert str(path) in str(caught.value)
    assert said in str(caught.value)
