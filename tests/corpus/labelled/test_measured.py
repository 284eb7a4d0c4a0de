"""The precision of intents that cards and reports name is that of docs/quality.md."""

from __future__ import annotations

import re

from paths import ROOT
from wikibias.config.intents import intents
from wikibias.corpus.labelled.measured import INTENTS, SAME_TEXT, intents_quality

PAGE = (ROOT / "docs" / "quality.md").read_text(encoding="utf-8")
SETTINGS = {"detect": {"lang": "en", "rules": "robust"}, "filter": {"filters": "default"}}


def test_every_shipped_intent_has_the_figures_of_the_page() -> None:
    row = r"^\| ([a-z ]+) \| (\d+) of (\d+) \| \.\d+ \(\.(\d+) to \.(\d+)\) \|"
    found = {
        name.replace(" ", "-"): (int(number), int(right), int(low), int(high))
        for name, right, number, low, high in re.findall(row, PAGE, re.MULTILINE)
    }
    assert found == {name: tuple(judged) for name, judged in INTENTS.items()}
    assert {*INTENTS} <= {*intents()}


def test_sentences_whose_words_stayed() -> None:
    page = " ".join(PAGE.split())
    (same, of_same), (other, of_other) = SAME_TEXT["same_text"], SAME_TEXT["other"]
    assert f"{of_same} of the {same} whose words stayed" in page
    assert f"and {of_other} of {other} of the others" in page


def test_what_is_said_of_a_corpus() -> None:
    said = intents_quality(SETTINGS, ["citation", "copy-edit"])
    assert said[1] == "citation: 57 of 60 positives right, 95 % (95 % interval 86 to 98 %)."
    assert "Anarchism" in said[0]
    assert "one judge, a language model" in said[0]
    assert "differs" not in said[0]
    assert said[2] == "Not judged at all: copy-edit."
    assert "relation is same_text" in said[3]
    other = {"detect": {"lang": "fr", "rules": "printed"}, "filter": {"filters": "paper"}}
    (where, _) = intents_quality(other, ["clarification"])
    assert where.endswith("This corpus differs: language fr, rules printed, filters paper.")
    assert intents_quality({}, []) == []
