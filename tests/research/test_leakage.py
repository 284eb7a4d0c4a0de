from pathlib import Path

from sample_examples import as_examples, examples
from sample_sentences import made_up
from wikibias.models.examples import Splits
from wikibias.models.reading import parse_labels, read_files
from wikibias.research.split_leakage import audit


def test_a_planted_leak_is_found_and_exploited() -> None:
    test = made_up(100, 1)
    other = {"biased": "neutral", "neutral": "biased"}
    twins = [(other[label], f"{text} indeed") for label, text in test]
    train = as_examples("train", made_up(100, 2) + twins)
    leaky = Splits({"train": train, "test": as_examples("test", test)})
    audited = audit(leaky)
    assert audited["leaks"] is True
    found = audited["neighbours"]["test"]
    assert found["share"] == 1
    assert found["labels_agree"] == 0
    scores = {cheat["name"]: cheat["mcc"]["value"] for cheat in found["cheats"]}
    assert scores["opposite, covered"] == 1
    assert scores["nearest"] == -1


def test_a_clean_split_leaves_the_lookup_baselines_at_chance() -> None:
    clean = Splits({"train": examples("train", 400, 1), "test": examples("test", 400, 2)})
    audited = audit(clean)
    assert audited["leaks"] is False
    found = audited["neighbours"]["test"]
    assert found["share"] < 0.05
    coin = next(c for c in found["cheats"] if c["name"] == "opposite or coin")
    assert coin["mcc"]["low"] < 0 < coin["mcc"]["high"]


def test_duplicates_are_counted_by_where_and_label() -> None:
    train = as_examples("train", [("biased", "one"), ("neutral", "one"), ("biased", "two")])
    test = as_examples("test", [("biased", "two"), ("neutral", "three")])
    found = audit(Splits({"train": train, "test": test}))["duplicates"]
    assert found["texts"] == 2
    assert found["with_both_labels"] == 1
    assert found["within_a_split"] == 1
    assert found["across_splits"] == 1
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
