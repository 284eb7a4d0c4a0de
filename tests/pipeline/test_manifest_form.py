"""A manifest is checked before anything is done with what it says."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import pytest

from wikibias.corpus.composition import Composition
from wikibias.pipeline.manifest import misfit

PART = {"part": "a.xml", "path": "dumps/a.xml", "error": None}
CORPUS = {"removed": 1, "added": 1, "unchanged": 0, "splits": {"train": 2}, "notes": []}
GOOD: dict[str, Any] = {
    "settings": {"detect": {}},
    "inputs": [PART, {"part": "b", "path": None, "files": [{"path": "b1"}, {"path": "b2"}]}],
    "commands": {"detect": ["wikibias", "detect"]},
    "corpus": CORPUS,
    "duration_seconds": 1.5,
}


def test_what_we_write_is_right() -> None:
    assert misfit(GOOD) == ""
    assert misfit({**GOOD, "corpus": None, "new in a later version": 1}) == ""
    full = asdict(Composition(tiers={"high": {"biased": 1, "neutral": 0}}))
    assert misfit({**GOOD, "corpus": full, "verdicts": {"kept": 3}}) == ""


@pytest.mark.parametrize(
    "name", ["../../victim", "/etc/passwd", "..", "", "a\0b", "x" * 300, "a/b", "\ud800", 7, None]
)
def test_a_part_that_leads_elsewhere(name: object) -> None:
    assert "the part" in misfit({**GOOD, "inputs": [{**PART, "part": name}]})


@pytest.mark.parametrize(
    "wrong",
    [
        [],
        None,
        {"name": "something else", "version": 3},
        {**GOOD, "settings": []},
        {**GOOD, "settings": {"detect": 3}},
        {**GOOD, "inputs": {}},
        {**GOOD, "inputs": ["a.xml"]},
        {**GOOD, "inputs": [{**PART, "path": None}]},
        {**GOOD, "inputs": [{**PART, "path": "a\0"}]},
        {**GOOD, "inputs": [{**PART, "error": {}}]},
        {**GOOD, "inputs": [{**PART, "files": 3}]},
        {**GOOD, "inputs": [{**PART, "size": "1"}]},
        {**GOOD, "inputs": [{**PART, "counts": {"unreadable": None}}]},
        {**GOOD, "inputs": [{**PART, "files": [{"path": "a", "sha256": 1}]}]},
        {**GOOD, "verdicts": ["kept"]},
        {**GOOD, "corpus": 3},
        {**GOOD, "corpus": {**CORPUS, "pages": None}},
        {**GOOD, "corpus": {**CORPUS, "largest_share": "1"}},
        {**GOOD, "corpus": {**CORPUS, "left_out": {"list": 3}}},
        {**GOOD, "corpus": {**CORPUS, "pairings": {"removal-edit": {"biased": -1}}}},
        {**GOOD, "corpus": {**CORPUS, "relations": [1]}},
        {**GOOD, "corpus": {**CORPUS, "splits": None}},
        {**GOOD, "corpus": {**CORPUS, "removed": "many"}},
        {**GOOD, "corpus": {**CORPUS, "notes": [3]}},
        {**GOOD, "commands": {"detect": "rm -rf"}},
        {**GOOD, "duration_seconds": "long"},
        {**GOOD, "duration_seconds": float("nan")},
    ],
)
def test_other_forms(wrong: object) -> None:
    assert misfit(wrong)
