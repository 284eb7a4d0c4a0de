"""Tests of files that are found by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from wikibias.config import resources


@pytest.mark.parametrize("folder", ["guidelines", "prompts", "stress", "intents"])
def test_each_known_name_has_a_file(folder: str) -> None:
    assert resources.known(folder)
    for name in resources.known(folder):
        found = resources.file_of(folder, name)
        assert found is not None
        assert found.is_file()


def test_a_path_is_taken_as_it_is_and_no_name_leads_out_of_the_folder() -> None:
    assert resources.file_of("prompts", "mine/own.toml") == Path("mine/own.toml")
    assert resources.file_of("prompts", "../bg") is None
    assert resources.file_of("prompts", "none-of-this-name") is None
