"""The audit of splits: of all pairs, and of the groups that are found in large ones."""

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from hostile_texts import cost
from sample_sentences import as_examples, examples, made_up
from wikibias.corpus import near_duplicates
from wikibias.models.examples import Splits
from wikibias.models.reading import parse_labels, read_files
from wikibias.research import audits
from wikibias.research.audits import audit


@pytest.fixture(params=["exact", "minhash"])
def method(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """The way in which near-duplicates are found; splits are large enough for the second."""
    if request.param == "minhash":
        monkeypatch.setattr(near_duplicates, "MOST_EXACT", 10)
    return str(request.param)


def leaky() -> Splits:
    test = made_up(100, 1)
    other = {"biased": "neutral", "neutral": "biased"}
    twins = [(other[label], f"{text} indeed") for label, text in test]
    train = as_examples("train", made_up(100, 2) + twins)
    return Splits({"train": train, "test": as_examples("test", test)})


def test_a_planted_leak_is_found_and_exploited(method: str) -> None:
    audited = audit(leaky())
    assert (audited["method"], audited["leaks"]) == (method, True)
    found = audited["neighbours"]["test"]
    scores = {cheat["name"]: cheat["mcc"]["value"] for cheat in found["cheats"]}
    if method == "exact":
        assert (found["share"], found["labels_agree"]) == (1, 0)
        assert (scores["opposite, covered"], scores["nearest"]) == (1, -1)
    else:
        assert found["share"] > 0.8
        assert found["labels_agree"] < 0.1
        assert scores["opposite, covered"] > 0.9


def test_a_clean_split_leaves_the_lookup_baselines_at_chance(method: str) -> None:
    clean = Splits({"train": examples("train", 400, 1), "test": examples("test", 400, 2)})
    audited = audit(clean)
    assert (audited["method"], audited["leaks"]) == (method, False)
    found = audited["neighbours"]["test"]
    assert found["share"] < 0.05
    coin = next(c for c in found["cheats"] if c["name"] == "opposite or coin")
    assert coin["mcc"]["low"] < 0 < coin["mcc"]["high"]


def test_pairs_are_those_of_the_groups() -> None:
    splits = leaky()
    found = audits.groups(splits)
    places = [
        (name, group, label)
        for name, part in splits.by_name.items()
        for group, label in zip(found[name], part.biased, strict=True)
    ]
    wanted: dict[tuple[str, str], list[bool]] = {}
    for one, other in combinations(places, 2):
        if one[1] == other[1]:
            wanted.setdefault((one[0], other[0]), []).append(one[2] == other[2])
    for row in audits.pairs(splits, found):
        alike = wanted.get((row["splits"][0], row["splits"][1]), [])
        assert row["pairs"] == len(alike)
        assert row["same_label"] == (pytest.approx(np.mean(alike)) if alike else None)


def test_where_all_sentences_are_alike_the_cost_is_a_straight_line() -> None:
    text = "the same sentence stands on every page of this wiki again and again"

    def all_alike(line: str) -> None:
        rows = [("biased" if n % 3 else "neutral", text) for n in range(len(line))]
        splits = Splits({"train": as_examples("train", rows)})
        (row,) = audits.pairs(splits, audits.groups(splits))
        assert row["pairs"] == len(line) * (len(line) - 1) // 2

    assert cost(all_alike, "x" * 20_000) < 8 * max(0.05, cost(all_alike, "x" * 5_000))


def test_duplicates_are_counted_by_where_and_label() -> None:
    train = as_examples("train", [("biased", "one"), ("neutral", "one"), ("biased", "two")])
    test = as_examples("test", [("biased", "two"), ("neutral", "three")])
    found = audit(Splits({"train": train, "test": test}))["duplicates"]
    counts = {"texts": 2, "with_both_labels": 1, "within_a_split": 1, "across_splits": 1}
    assert counts.items() <= found.items()
    assert found["examples"][0]["places"] == ["train:1", "train:2"]


def test_the_published_corpus(shared: Path) -> None:
    labels = parse_labels("rem=biased,add=neutral")
    files = {n: shared / "wiki-bias" / f"BG-xx-{n}.txt" for n in ("train", "dev", "test")}
    found = audit(read_files(files, labels, print))
    assert found["duplicates"]["with_both_labels"] == 55
    test = found["neighbours"]["test"]
    assert abs(test["share"] - 0.317) < 0.005
    assert test["labels_agree"] < 0.2
    scores = {cheat["name"]: cheat["mcc"]["value"] for cheat in test["cheats"]}
    assert abs(scores["opposite or vote"] - 0.40) < 0.01
    assert scores["opposite, covered"] > 0.6
    assert scores["nearest"] < 0
