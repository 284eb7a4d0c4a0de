"""The dataset card."""

from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from wikibias.config.thresholds import Config
from wikibias.corpus.card import CLASSES, TABLES, columns, features, write_card
from wikibias.corpus.composition import Composition
from wikibias.pipeline.settings import make_settings

COMPOSITION = Composition(
    removed=1200, added=700, unchanged=500, pages=9, splits={"train": 2400}, notes=["a | b"]
)
FILE = {"size": 12_345, "sha256": "0123456789abcdef" * 4, "error": None, "wiki": "frwiki"}


def manifest(*inputs: dict[str, Any], lang: str = "fr", **choices: Any) -> dict[str, Any]:
    return {
        "settings": make_settings(lang, Config(), **choices).as_dict(),
        "inputs": list(inputs),
        "verdicts": {"reverted": 3, "kept": 1200},
        "corpus": asdict(COMPOSITION),
    }


def card(told: dict[str, Any]) -> str:
    with TemporaryDirectory() as folder:
        for name in ("train", "pairs"):
            (Path(folder) / f"{name}.parquet").touch()
        write_card(Path(folder), told)
        return (Path(folder) / "README.md").read_text(encoding="utf-8")


def made(*inputs: dict[str, Any], **choices: Any) -> str:
    return card(manifest(*inputs, **choices))


def test_what_it_says() -> None:
    shown = made({**FILE, "part": "a.xml.bz2"}, seed=42, families=("pov",))
    for words in (
        "\nlanguage:\n  - fr\n",
        "out: frwiki\n",
        "| removed | biased | 1,200 |",
        "| total | | 2,400 |",
        "train 2,400",
        "| a.xml.bz2 | 12,345 | 0123456789abcdef | whole |",
        "| removal reverted | -3 |\n| kept | 1,200 |",
        "Seed 42.",
        "; only pov.",
        "no page stands in two splits",
        "        path: train.parquet\n",
    ):
        assert words in shown, words
    # `datasets` reads no empty splits.
    for words in ("pairs.parquet", "dev.parquet"):
        assert words not in shown


def test_pairs_are_a_configuration_of_their_own() -> None:
    told = manifest({**FILE, "part": "a"})
    told["corpus"]["pairs"] = 5
    shown = card(told)
    assert "      - split: pairs\n        path: pairs.parquet\n" in shown


def test_a_part_of_several_files_lists_each() -> None:
    files = [{**FILE, "path": f"/in/a{n}.bz2"} for n in (1, 2)]
    shown = made({"part": "a.bz2", "wiki": "frwiki", "error": None, "files": files})
    assert shown.index("| a1.bz2 |") < shown.index("| a2.bz2 |")


def test_a_name_cannot_break_out_of_the_table() -> None:
    shown = made({**FILE, "part": "a|b`<script>\n# c"})
    assert "<script>" not in shown
    assert "\n# c" not in shown
    assert "| a\\|b\\`&#60;script&#62;\\\\n# c |" in shown
    assert "- a \\| b" in shown


def test_what_dump_and_manifest_say_is_text() -> None:
    """Anybody may make a dump."""
    wiki = '"}\n---\n<script>alert(1)</script>[x](javascript:y)'
    told = manifest({**FILE, "wiki": wiki, "part": "a"})
    told["settings"]["detect"] |= {"lang": "fr\n---\n# x", "tagset": "<b>|", "families": ["[y](z)"]}
    told["verdicts"] = {"<i>": 3}
    shown = card(told)
    _, block, text = shown.split("---\n", 2)
    assert "language:" not in block
    for markup in ("<script", "[x](", "<b>", "<i>", "[y](z)"):
        assert markup not in text
    assert shown.split("\n").count("---") == 2


def test_the_language_of_norway_is_no_falsehood() -> None:
    assert '\nlanguage:\n  - "no"\n' in made(lang="no")


def test_every_column_has_a_type() -> None:
    for config in TABLES:
        names = [column.name for column in columns(config, with_editors=True)]
        assert [each["name"] for each in features(config, with_editors=True)] == names
        assert "editor" not in {each["name"] for each in features(config, with_editors=False)}


def test_classes_lists_and_times() -> None:
    found = {each["name"]: each for each in features("sentences", with_editors=False)}
    assert found["label"]["dtype"] == {"class_label": {"names": {"0": "neutral", "1": "biased"}}}
    assert found["tags"] == {"name": "tags", "list": "string"}
    assert found["after_timestamp"]["dtype"] == "timestamp[ms, tz=UTC]"
    assert found["page_id"]["dtype"] == "int64"
    assert set(CLASSES) <= set(found)
