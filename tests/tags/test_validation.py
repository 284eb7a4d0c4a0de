"""A broken tag-set file is refused, with the file and the mistake in the message.

tests/cli/test_tags.py checks line and key with the cases in tests/cases/broken_tagsets.toml.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from wikibias.errors import UsageError
from wikibias.tags.tagset import read_tagset

XX = """
lang = "xx"
ignore_case = true
[[tag]]
name = "POV"
family = "pov"
"""
BROKEN = [
    ("lang = ", "not valid TOML"),
    ("lang = 'xx'", "tag is missing"),
    (XX + "colour = 'red'", "unknown key colour"),
    (XX.replace('"pov"', "3"), "family"),
    (XX + "scope = 'sections'", "unknown scope 'sections'; did you mean 'section'"),
    (XX + "aliases = ['a|b']", "cannot be the title"),
    (XX + "aliases = ['pov']", "stands under"),
    (XX + "[[wrapper]]\nname='W'\nparameters={a='PVO'}", "no tag 'PVO'"),
]


@pytest.mark.parametrize(("content", "said"), BROKEN)
def test_a_broken_tag_set_is_refused_with_file_and_mistake(
    content: str, said: str, tmp_path: Path
) -> None:
    path = tmp_path / "xx.toml"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(UsageError) as caught:
        read_tagset(path, "npov")
    assert str(path) in str(caught.value)
    assert said in str(caught.value)
