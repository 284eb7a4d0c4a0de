"""TOML files of users, and the lines that their keys stand in."""

from __future__ import annotations

from pathlib import Path

import pytest

from wikibias.config.toml_file import Place, TomlFile, read_text
from wikibias.errors import UsageError

TEXT = """# of my own
lang = "xx"
[provenance]
"by hand" = [
  "POV",
  "Weasel",
]
a.b = 1

[[tag]]
name = "POV"
[[tag]]
name = "Weasel"
[tag.more]
deep = 1
"""


@pytest.mark.parametrize(
    ("place", "line"),
    [
        (("lang",), 2),
        (("provenance",), 3),
        (("provenance", "by hand"), 4),
        (("provenance", "a", "b"), 8),
        (("tag", 0, "name"), 11),
        (("tag", 1, "name"), 13),
        (("tag", 1, "more", "deep"), 15),
        (("tag", 1, "scope"), 12),
        (("nothing",), 1),
    ],
)
def test_the_line_of_a_key_or_of_the_nearest_above(place: Place, line: int) -> None:
    assert TomlFile(TEXT, Path("x.toml")).at(place) == f"x.toml:{line}"


def test_the_line_of_a_text_below_a_key() -> None:
    file = TomlFile(TEXT, Path("x.toml"))
    assert file.at(("provenance", "by hand"), "Weasel") == "x.toml:6"
    assert file.at(("provenance", "by hand"), "Peacock") == "x.toml:4"
    assert file.has(("tag", 0, "name"))
    assert not file.has(("tag", 0, "scope"))


def test_a_byte_order_mark_is_no_content(tmp_path: Path) -> None:
    (tmp_path / "x.toml").write_bytes(b"\xef\xbb\xbfa = 1\n")
    assert TomlFile.read(tmp_path / "x.toml").table == {"a": 1}


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("none.toml", None, "none.toml: no such file"),
        ("x.toml", b"\xff", "not valid UTF-8"),
        ("x.toml", b"a = ", "not valid TOML: "),
        (".", None, "cannot be read"),
    ],
)
def test_what_cannot_be_read(name: str, content: bytes | None, said: str, tmp_path: Path) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(UsageError, match=said):
        TomlFile.read(tmp_path / name)


def test_line_ends_stay(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("a\nb\n", encoding="utf-8")
    assert read_text(tmp_path / "x") == "a\nb\n"
