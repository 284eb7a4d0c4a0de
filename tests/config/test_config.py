"""Configuration, languages, and what is shipped."""

from __future__ import annotations

import ast
import subprocess
import sys
import zipfile

import pytest
import spacy

from paths import ROOT
from wikibias.config.languages import languages, load_language
from wikibias.config.mediawiki_facts import load_mediawiki
from wikibias.config.thresholds import Config, load_config
from wikibias.errors import UsageError
from wikibias.tags.tagset import tagset_languages


def test_shipped_thresholds_are_the_papers():
    config = load_config()
    assert config == Config()
    assert (config.text.min_tokens, config.text.max_tokens) == (6, 299)
    assert config.filter.max_edited_sentences == 400


def test_a_users_file_overrides_single_keys(tmp_path):
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
def test_a_wrong_file_names_the_key(content, said, tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(content)
    with pytest.raises(UsageError) as caught:
        load_config(path)
    assert said in str(caught.value)
    assert str(path) in str(caught.value)


def test_every_language_has_a_tag_set_and_a_tokenizer():
    # Of these no public source names the templates; `wikibias tags suggest` finds them in a dump.
    assert set(languages()) - set(tagset_languages()) == {"ca", "he"}
    assert set(tagset_languages()) <= set(languages())
    for code in languages():
        language = load_language(code)
        spacy.blank(language.spacy)
        assert language.name
        assert language.blank_summaries
        assert set(language.namespaces) <= {"template", "file", "category", "user"}


def test_an_unknown_language_names_the_nearest():
    with pytest.raises(UsageError, match="did you mean"):
        load_language("ff")


def test_redirect_words_and_interlanguage_codes():
    facts = load_mediawiki()
    assert {"#redirect", "#redirection", "#виж"} <= set(facts.redirect_words)
    assert {"fr", "zh-min-nan", "simple"} <= set(facts.interlanguage)


def test_the_wheel_holds_configs_tagsets_and_templates(tmp_path):
    source = ROOT / "src" / "wikibias"
    templates = {str(path.relative_to(source)) for path in source.glob("*/templates/*")}
    build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*build, "-w", str(tmp_path), str(ROOT)], check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        archive.extractall(tmp_path / "site")
    assert {"wikibias/configs/default.toml", "wikibias/tagsets/npov/fr.toml"} <= names
    assert {f"wikibias/{page}" for page in templates} <= names
    code = (
        "from wikibias.config import languages as l, thresholds as t; "
        "print(l.__file__, len(l.languages()), t.load_config())"
    )
    run = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={"PYTHONPATH": str(tmp_path / "site"), "PATH": ""},
        check=True,
        capture_output=True,
        text=True,
    )
    assert str(tmp_path / "site") in run.stdout
    assert f" {len(languages())} " in run.stdout


def test_no_module_unpickles_or_evaluates():
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
def test_a_wrong_language_file_names_the_key(content, said, tmp_path, monkeypatch):
    (tmp_path / "configs").mkdir()
    (tmp_path / "configs" / "xx.toml").write_text(content)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError) as caught:
        load_language("xx")
    assert said in str(caught.value)
    assert "xx.toml" in str(caught.value)
