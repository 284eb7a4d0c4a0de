"""The facts of languages, shipped and wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
import spacy

from wikibias.config.languages import languages, load_language
from wikibias.errors import UsageError
from wikibias.tags.tagset import tagset_languages


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
