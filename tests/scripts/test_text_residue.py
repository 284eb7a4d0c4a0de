"""The script that counts what is wrong with the sentences of real texts."""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path
from typing import Any

import pytest

import text_residue
from paths import ROOT

CONFIGS = ROOT / "configs"
SAMPLE = ROOT / "samples" / "demoenwiki-20260101-pages-meta-history.xml.7z"


def kinds(wikitext: str, lang: str = "en") -> set[str]:
    """Return the kinds of faults of a text."""
    wiki = text_residue.Wiki(lang, text_residue.rules(lang), CONFIGS)
    return {kind for kind, _ in text_residue.faults(wikitext, wiki, None)} - {"sentences"}


@pytest.mark.parametrize(
    ("wikitext", "kind"),
    [
        ("The mill of the old village has [[two wheels.", "link"),
        ("The mill of the old village has two wheels {{broken.", "call"),
        ("The mill of the village has &lt;b> wheels &amp;amp; sails.", "entity"),
        ("The mill of the village «&#32;» has two wheels.", "brackets"),
        ("The mill of the old village has two wheels,, and sails.", "stops"),
        ("The mill of the old village has two<!-- --><nowiki />Wheels.", "glued"),
        ("The mill of the old village has two wheels", "no stop"),
        ("* The mill of the old village has two wheels.", "list"),
        ("The mill of the old village has {{some number}} wheels.", "gap"),
    ],
)
def test_each_kind_is_found(wikitext: str, kind: str) -> None:
    assert kind in kinds(wikitext)


def test_good_sentences_show_nothing() -> None:
    assert (
        kinds("The mill has two wheels{{citation needed}} of{{nowrap}} about {{convert|3|m}}.")
        == set()
    )
    assert (
        kinds("{{Infobox mill\n| wheels = 2\n}}\nThe mill of the village has two wheels.") == set()
    )


def test_a_file_of_articles_gives_a_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[Any]
) -> None:
    path = tmp_path / "articles.jsonl.gz"
    article = {"lang": "fr", "wikitext": "Le moulin du village compte deux roues {{inconnu}} ici."}
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.write(json.dumps(article) + "\n")
    monkeypatch.setattr(sys, "argv", ["text_residue.py", str(path)])
    assert text_residue.main() == 0
    head, *_, french, total = capsys.readouterr().out.splitlines()
    assert "gap" in head
    assert french.startswith("| fr | 1 | 1 |")
    assert "1000.0" in french
    assert total.startswith("| all | 1 | 1 |")


def test_of_a_dump_each_page_counts_once_or_every_nth_revision() -> None:
    dump = f"en={SAMPLE}"
    last = list(text_residue.texts([dump], 0, CONFIGS))
    assert len(last) == 15
    assert len(list(text_residue.texts([dump], 2, CONFIGS))) > len(last)
