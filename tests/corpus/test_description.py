"""What a card says of a run is true of it, and what it must not say is not there."""

from __future__ import annotations

from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from casefiles import cases
from wikibias.config.thresholds import Config
from wikibias.corpus.card import body, metadata
from wikibias.corpus.composition import Composition
from wikibias.corpus.description import describe
from wikibias.kits.markdown import front_matter
from wikibias.pipeline.making_settings import make_settings


def manifest(lang: str, composition: Composition | None = None, **choices: Any) -> dict[str, Any]:
    chosen: dict[str, Any] = {
        key: tuple(v) if isinstance(v, list) else v for key, v in choices.items()
    }
    file = {"part": "a.bz2", "path": "/in/a.bz2", "size": 1, "sha256": "0" * 64, "error": None}
    return {
        "settings": make_settings(lang, Config(), **chosen).as_dict(),
        "inputs": [{**file, "wiki": f"{lang}wiki"}],
        "verdicts": {"kept": 2},
        "corpus": asdict(composition or Composition(removed=2, added=2, splits={"train": 4})),
    }


@pytest.mark.parametrize("case", cases("descriptions"))
def test_what_it_says_is_what_was_done(case: dict[str, Any]) -> None:
    made = Composition(removed=3, added=2, pairings=case.get("rows", {}))
    found = manifest(case["lang"], made, **case.get("settings", {}))
    data = metadata(describe(found), {"sentences": {}}, Path(), with_editors=False)
    shown = front_matter(data) + body(found, "")
    for words in case["says"]:
        assert words in shown, words
    for words in case["not"]:
        assert words not in shown, words


def test_days_and_servers_name_the_licence() -> None:
    made = Composition(first_day="2006-01-02", last_day="2024-05-06", sites=["fr.wikipedia.org"])
    found = describe(manifest("fr", made))
    assert found.period == (date(2006, 1, 2), date(2024, 5, 6))
    assert found.licence.ids == ("cc-by-sa-3.0", "cc-by-sa-4.0", "gfdl")


@pytest.mark.parametrize(
    ("number", "size"),
    [(0, "n<1K"), (999, "n<1K"), (1000, "1K<n<10K"), (250_000, "100K<n<1M")],
)
def test_size_as_the_hub_sorts(number: int, size: str) -> None:
    assert describe(manifest("en", Composition(removed=number))).size == size


def test_a_manifest_of_an_older_version_leaves_things_open() -> None:
    old = manifest("en")
    for name in ("pairings", "first_day", "last_day", "sites", "tiers"):
        del old["corpus"][name]
    found = describe(old)
    assert found.period is None
    assert found.licence.ids == ("unknown",)
    assert found.meanings[0].rows == {}
    assert "not recorded" in body(old, "")


def test_what_an_increment_found_is_told() -> None:
    grown = {
        **manifest("en"),
        "repeated": {"removed": 1400, "added": 100},
        "gone_pages": [{"page_id": 1}],
        "renamed_pages": [],
    }
    limits = " ".join(describe(grown).limits)
    assert "count once: 1,500." in limits
    assert "are still here: 1." in limits
    assert "another title" not in limits
    cut = {**grown, "gone_pages": [{"page_id": number} for number in range(100)]}
    assert "are still here: at least 100." in " ".join(describe(cut).limits)
    assert "count once" not in " ".join(describe({**grown, "repeated": {"removed": 0}}).limits)


def test_a_language_without_a_code_is_not_called_one() -> None:
    odd = manifest("en")
    odd["settings"]["detect"]["lang"] = "simple-x"
    assert describe(odd).language is None
