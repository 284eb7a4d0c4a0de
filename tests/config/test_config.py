"""Configuration, languages, and what is shipped."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
import spacy

from paths import ROOT
from wikibias.config.languages import languages, load_language
from wikibias.config.mediawiki_facts import load_mediawiki
from wikibias.config.thresholds import Config, load_config
from wikibias.errors import UsageError
from wikibias.tags.tagset import tagset_languages


def test_shipped_thresholds_are_the_papers() -> None:
    config = load_config()
    assert config == Config()
    assert (config.text.min_tokens, config.text.max_tokens) == (6, 299)
    assert config.filter.max_edited_sentences == 400


def test_a_users_file_overrides_single_keys(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("[filter]\nmin_wikitext = 100\n[reverts]\ndays = 1\n")
    config = load_config(path)
    assert config.filter.min_wikitext == 100
    assert config.reverts.days == 1.0
    assert config.filter.max_edited_sentences == 400


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("[filter]\nmin_wikitxt = 1", "did you mean 'min_wikitext'"),
        ("[filters]\nx = 1", "did you mean 'filter'"),
        ("[filter]\nmin_wikitext = 'a'", "must be a whole number from 0 to 1,000,000,000, not 'a'"),
        ("[build]\ntrain = 0.9", "must sum to 1"),
        ("[filter", "not valid TOML"),
    ],
)
def test_a_wrong_file_names_the_key(content: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(content)
    with pytest.raises(UsageError) as caught:
        load_config(path)
    assert said in str(caught.value)
    assert str(path) in str(caught.value)


def test_every_language_has_a_tag_set_and_a_tokenizer() -> None:
    # Of these no public source names the templates; `wikibias tags suggest` finds them in a dump.
    assert set(languages()) - set(tagset_languages()) == {"ca", "he"}
    assert set(tagset_languages()) <= set(languages())
    for code in languages():
        language = load_language(code)
        spacy.blank(language.spacy)
        assert language.name
        assert language.blank_summaries
        assert set(language.namespaces) <= {"template", "file", "category", "user"}


def test_an_unknown_language_names_the_nearest() -> None:
    with pytest.raises(UsageError, match="did you mean"):
        load_language("ff")


def test_redirect_words_and_interlanguage_codes() -> None:
    facts = load_mediawiki()
    assert {"#redirect", "#redirection", "#виж"} <= set(facts.redirect_words)
    assert {"fr", "zh-min-nan", "simple"} <= set(facts.interlanguage)


def test_no_module_unpickles_or_evaluates() -> None:
    for path in (ROOT / "src").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                assert not {a.name for a in node.names} & {"pickle", "dill", "joblib"}, path
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in ("eval", "exec"), path


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("spacy = 'en'", "name is missing"),
        (
            "name = 'X'\nspacy = 'en'\nabbreviations = 'ca.'",
            "abbreviations must be a list of texts that are not empty, not 'ca.'",
        ),
        ("name = 'X'\nspacy = 'en'\n[namespaces]\nfiles = ['F']", "did you mean 'file'"),
        ("name = 'X'\nspacy = 'en'\nstopword = ['a']", "did you mean 'stopwords'"),
    ],
)
def test_a_wrong_language_file_names_the_key(
    content: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "configs").mkdir()
    (tmp_path / "configs" / "xx.toml").write_text(content)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError) as caught:
        load_language("xx")
    assert said in str(caught.value)
    assert "xx.toml" in str(caught.value)
