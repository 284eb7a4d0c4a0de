"""The figures of quality that cards name are those of docs/quality.md."""

from __future__ import annotations

import re

from paths import ROOT
from wikibias.config.thresholds import Config
from wikibias.corpus import measured
from wikibias.pipeline.making_settings import make_settings

PAGE = (ROOT / "docs" / "quality.md").read_text(encoding="utf-8")


def test_tiers() -> None:
    rows = re.findall(r"^\| (high|medium|low) \| (\d+) \| (\d+) \| (\d+) \|", PAGE, re.MULTILINE)
    found = {
        tier: (int(number), min(int(a), int(b)), max(int(a), int(b))) for tier, number, a, b in rows
    }
    assert found == {tier: tuple(of) for tier, of in measured.TIERS.items()}


def test_sentences() -> None:
    rows = re.findall(r"^\| ([a-z]{2}) \| (\d+) \| (\d+) \| \d+ \| \d+ \|$", PAGE, re.MULTILINE)
    assert {lang: (int(texts), int(right)) for lang, texts, right in rows} == measured.SPLIT


def test_alignment() -> None:
    _, held = PAGE.split("alignment_held.toml\n")
    rows = re.findall(r"^\| (en|fr|bg) \d+ \| \d+ \| [\d.]+ \| [\d.]+ \| ([\d.]+) \|", held, re.M)
    assert {lang: float(f1) for lang, f1 in rows} == measured.ALIGNED


def test_a_run_with_the_defaults_differs_in_nothing_from_what_was_judged() -> None:
    """The defaults are declared with the settings, on a floor above; these here must follow."""
    settings = make_settings("en", Config()).as_dict()
    _, judged, *_ = measured.quality(settings, ["removal-edit"])
    assert "default filters and thresholds." in judged
    assert "differs" not in judged
