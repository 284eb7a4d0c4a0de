"""Scripts of languages, and sentences in others."""

import gzip
from pathlib import Path

import pytest

from wikibias.config.languages import languages
from wikibias.text.scripts import is_foreign, scripts_of

_IN_LATIN = "ca cs da de en es fi fr hu id it nl no pl pt ro sv tr vi".split()


@pytest.mark.parametrize("lang", languages())
def test_every_configured_language_has_its_scripts_alone(lang: str) -> None:
    found = scripts_of(lang)
    assert ("LATIN" in found) == (lang in _IN_LATIN)
    assert len(found) == 1 or lang == "ja"


@pytest.mark.parametrize(
    ("lang", "text", "wanted"),
    [
        ("en", "子曰：學而時習之，不亦說乎？", True),
        ("en", "The Analects begin with 學而時習之 and go on with 不亦說乎.", False),
        ("en", "Ἐν ἀρχῇ ἦν ὁ λόγος.", True),
        ("fr", "Où l’œuvre naïve a-t-elle été vue ?", False),
        ("bg", "This sentence is in English.", True),
        ("bg", "Джазът е музика.", False),
        # Names are Latin everywhere, and Chinese words are short.
        ("zh", "柏林12區都有各自的區議會（Bezirksamt），有評議員（Bezirksstadträte）。", False),
        ("ja", "「ベルリンの壁」々ー", False),
        ("en", "1989, 42: …", False),
    ],
)
def test_nearly_all_letters_are_of_another_script(lang: str, text: str, wanted: bool) -> None:
    assert is_foreign(text, scripts_of(lang)) == wanted


def test_a_language_without_words_takes_all(cwd: Path) -> None:
    (cwd / "configs").mkdir()
    (cwd / "configs" / "xx.toml").write_text('name = "None"\nspacy = "xx"\n')
    assert not is_foreign("子曰", scripts_of("xx"))
    assert not is_foreign("子曰", scripts_of("yy"))


@pytest.mark.parametrize(
    ("lang", "name", "number"), [("bg", "BG-xx-train.txt", 0), ("fr", "FR-xx-dev.txt.gz", 11)]
)
def test_published_corpora(lang: str, name: str, number: int, shared: Path) -> None:
    """The French one holds a translation into Arabic."""
    raw = (shared / "wiki-bias" / name).read_bytes()
    text = (gzip.decompress(raw) if name.endswith(".gz") else raw).decode()
    lines = [line.partition("\t")[2].replace("numtkn", "") for line in text.splitlines()]
    scripts = scripts_of(lang)
    assert sum(is_foreign(line, scripts) for line in lines) == number
