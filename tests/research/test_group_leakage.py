"""The audit of splits that are too large to compare every pair."""

from itertools import combinations

import numpy as np
import pytest

from growth import cost
from sample_examples import as_examples, examples
from sample_sentences import made_up
from wikibias.corpus import near_duplicates
from wikibias.models.examples import Splits
from wikibias.research import split_leakage
from wikibias.research.split_leakage import audit


@pytest.fixture(autouse=True)
def _all_are_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(near_duplicates, "MOST_EXACT", 10)


def leaky() -> Splits:
    test = made_up(100, 1)
    other = {"biased": "neutral", "neutral": "biased"}
    twins = [(other[label], f"{text} indeed") for label, text in test]
    train = as_examples("train", made_up(100, 2) + twins)
    return Splits({"train": train, "test": as_examples("test", test)})


def test_a_planted_leak_is_found_and_exploited() -> None:
    audited = audit(leaky())
    assert audited["method"] == "minhash"
    assert audited["leaks"] is True
    found = audited["neighbours"]["test"]
    assert found["share"] > 0.8
    assert found["labels_agree"] < 0.1
    scores = {cheat["name"]: cheat["mcc"]["value"] for cheat in found["cheats"]}
    assert scores["opposite, covered"] > 0.9


def test_a_clean_split_leaves_the_lookup_baselines_at_chance() -> None:
    clean = Splits({"train": examples("train", 400, 1), "test": examples("test", 400, 2)})
    audited = audit(clean)
    assert audited["leaks"] is False
    coin = next(
        c for c in audited["neighbours"]["test"]["cheats"] if c["name"] == "opposite or coin"
    )
    assert coin["mcc"]["low"] < 0 < coin["mcc"]["high"]


def test_pairs_are_those_of_the_groups() -> None:
    splits = leaky()
    found = split_leakage.groups(splits)
    places = [
        (name, group, label)
        for name, part in splits.by_name.items()
        for group, label in zip(found[name], part.biased, strict=True)
    ]
    wanted: dict[tuple[str, str], list[bool]] = {}
    for one, other in combinations(places, 2):
        if one[1] == other[1]:
            wanted.setdefault((one[0], other[0]), []).append(one[2] == other[2])
    for row in split_leakage.pairs(splits, found):
        alike = wanted.get((row["splits"][0], row["splits"][1]), [])
        assert row["pairs"] == len(alike)
        assert row["same_label"] == (pytest.approx(np.mean(alike)) if alike else None)


def test_where_all_sentences_are_alike_the_cost_is_a_straight_line() -> None:
    text = "the same sentence stands on every page of this wiki again and again"

    def all_alike(line: str) -> None:
        rows = [("biased" if n % 3 else "neutral", text) for n in range(len(line))]
        part = as_examples("train", rows)
        found = split_leakage.groups(Splits({"train": part}))
        (row,) = split_leakage.pairs(Splits({"train": part}), found)
        assert row["pairs"] == len(line) * (len(line) - 1) // 2

    assert cost(all_alike, "x" * 20_000) < 8 * max(0.05, cost(all_alike, "x" * 5_000))
