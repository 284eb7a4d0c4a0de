"""The facts of languages, shipped and wrong."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import spacy

from wikibias.config.languages import languages, load_language
from wikibias.errors import UsageError
from wikibias.tags.tagset import tagset_languages


def test_every_language_has_a_tag_set_and_a_tokenizer() -> None:
    # Of these no public source names the templates; `wikibias tags suggest` finds them in a dump.
    assert set(languages()) - set(tagset_languages()) == {"ca", "he", "vi"}
    assert set(tagset_languages()) <= set(languages())
    for code in languages():
        language = load_language(code)
        spacy.blank(language.spacy)
        assert language.name
        assert language.blank_summaries
        assert set(language.namespaces) <= {"template", "file", "category", "user"}


@pytest.mark.parametrize(
    ("wrong", "meant"), [("enn", "en"), ("fra", "fr"), ("en-US", "en"), ("Germann", "de")]
)
def test_a_slip_names_the_nearest(wrong: str, meant: str) -> None:
    with pytest.raises(UsageError, match=f"unknown language '{wrong}'; did you mean '{meant}'"):
        load_language(wrong)


@pytest.mark.parametrize("given", ["eu", "EU", "eu_ES", "euwiki", "Basque"])
def test_a_language_without_configuration_is_named(given: str) -> None:
    with pytest.raises(UsageError) as caught:
        load_language(given)
    said = str(caught.value)
    assert said.startswith(
        "Basque (eu) has no configuration yet; to add one, write configs/eu.toml"
    )
    assert "did you mean" not in said


def test_the_two_lines_that_the_message_names_will_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(UsageError) as caught:
        load_language("eu")
    _, name, spacy = re.findall(r"(?:^|: |, )((?:name|spacy) = [^,)]+|Basque)", str(caught.value))
    (tmp_path / "configs").mkdir()
    (tmp_path / "configs" / "eu.toml").write_text(f"{name}\n{spacy}\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    assert load_language("eu").name == "Basque"
    with pytest.raises(UsageError, match="did you mean 'eu'"):
        load_language("euwiki")


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
