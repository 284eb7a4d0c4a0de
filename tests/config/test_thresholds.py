"""Configuration, languages, and what is shipped."""

from pathlib import Path

import pytest

from wikibias.config.thresholds import Config, load_config
from wikibias.errors import UsageError


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
