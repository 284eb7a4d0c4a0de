"""How many edits of a real history the shipped intents find, with both readers."""

import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from exports import rows, wikibias
from paths import CASES

COUNTS: list[dict[str, Any]] = tomllib.loads(
    (CASES / "intent_counts.toml").read_text(encoding="utf-8")
)["case"]
INTENTS = ("citation", "point-of-view", "clarification")
# As far as a count may lie from the measured one.
WITHIN = 0.03


def detect(dump: Path, out: Path, *options: object) -> list[dict[str, Any]]:
    asked = [word for intent in INTENTS for word in ("--signal", intent)]
    ended = wikibias(
        "detect", "--lang", "en", "-q", "--workers", 1, *asked, *options, "-o", out, dump
    )
    assert ended.code == 0, ended.err
    return rows(out, "transitions")


@pytest.mark.parametrize("case", COUNTS, ids=lambda case: case["rules"])
def test_the_measured_counts_come_out(case: dict[str, Any], shared: Path, tmp_path: Path) -> None:
    found = detect(shared / "dumps" / case["dump"], tmp_path / "o", "--rules", case["rules"])
    of_all = Counter(row["signal"] for row in found)
    left = Counter(row["signal"] for row in found if not row["reverted"])
    assert {name: [of_all[name], left[name]] for name in INTENTS} == case["found"]
    for name, numbers in case["expected"].items():
        for number, expected in zip(case["found"][name], numbers, strict=True):
            assert abs(number - expected) <= WITHIN * expected


def test_both_readers_find_the_same(shared: Path, tmp_path: Path) -> None:
    dump = shared / "dumps" / "enwiki-anarchism-600-revisions.xml.bz2"
    found = detect(dump, tmp_path / "fast")
    assert found == detect(dump, tmp_path / "slow", "--reader", "mwxml")
    assert all(row["line_before"] or row["line_after"] for row in found)
