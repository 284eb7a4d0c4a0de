"""The dataset card."""

from __future__ import annotations

from typing import Any

from wikibias.config.thresholds import Config
from wikibias.corpus.card import card
from wikibias.corpus.composition import Composition
from wikibias.pipeline.settings import make_settings

COMPOSITION = Composition(
    removed=1200, added=700, unchanged=500, pages=9, splits={"train": 2400}, notes=["a | b"]
)
FILE = {"size": 12_345, "sha256": "0123456789abcdef" * 4, "error": None, "wiki": "frwiki"}


def made(*inputs: dict[str, Any], **choices: Any) -> str:
    settings = make_settings("fr", Config(), **choices).as_dict()
    return card(settings, inputs, {"reverted": 3, "kept": 1200}, COMPOSITION)


def test_what_it_says() -> None:
    shown = made({**FILE, "part": "a.xml.bz2"}, seed=42, families=("pov",))
    assert shown.startswith("---\nlicense: cc-by-sa-4.0\nlanguage: fr\n")
    for words in (
        "by the editors of frwiki\n",
        "| removed | biased | 1,200 |",
        "| total | | 2,400 |",
        "| train | 2,400 |",
        "| `a.xml.bz2` | 12,345 | `0123456789abcdef` | whole |",
        "| reverted | 3 |\n| kept | 1,200 |",
        "Seed 42.",
        "; only pov.",
        "no page stands in two splits",
    ):
        assert words in shown, words


def test_a_part_of_several_files_lists_each() -> None:
    files = [{**FILE, "path": f"/in/a{n}.bz2"} for n in (1, 2)]
    shown = made({"part": "a.bz2", "wiki": "frwiki", "error": None, "files": files})
    assert "| `a1.bz2` |" in shown
    assert "| `a2.bz2` |" in shown


def test_a_name_cannot_break_out_of_the_table() -> None:
    shown = made({**FILE, "part": "a|b`<script>\n# c"})
    assert "<script>" not in shown
    assert "\n# c" not in shown
    assert "| `a\\|b'&lt;script>\\n# c` |" in shown
    assert "- a \\| b" in shown


def test_the_name_of_a_wiki_is_text() -> None:
    """The dump says what it is, and anybody may make a dump."""
    wiki = '"}\n---\n<script>alert(1)</script>[x](javascript:y)'
    shown = made({**FILE, "wiki": wiki, "part": "a"})
    assert "<script" not in shown
    assert "[x](" not in shown
    assert shown.split("\n").count("---") == 2


def test_what_a_manifest_says_of_language_and_tag_set_is_text() -> None:
    settings = make_settings("fr", Config()).as_dict()
    settings["detect"] |= {"lang": "fr\n---\n# x", "tagset": "<b>|", "families": ["[y](z)"]}
    shown = card(settings, [{**FILE, "part": "a"}], {"<i>": 3}, COMPOSITION)
    assert 'language: "fr\\n---\\n# x"\n' in shown
    assert "<b>" not in shown
    assert "<i>" not in shown
    assert "[y](z)" not in shown
    assert shown.split("\n").count("---") == 2


def test_the_language_of_norway_is_no_falsehood() -> None:
    assert '\nlanguage: "no"\n' in card(
        make_settings("no", Config()).as_dict(), [], {}, COMPOSITION
    )
