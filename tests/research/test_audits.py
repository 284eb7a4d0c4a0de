"""Audits: of splits, and of training on each of several sets."""

from __future__ import annotations

import json
from dataclasses import asdict
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from hostile_texts import cost
from sample_sentences import as_examples, examples, made_up
from wikibias.corpus import near_duplicates
from wikibias.errors import UsageError, WikibiasError
from wikibias.models.estimators.registry import Model, create
from wikibias.models.examples import LABELS, Examples, Splits, some_of
from wikibias.models.reading import parse_labels, read_files
from wikibias.research import audits
from wikibias.research.audits import audit

_HOW = audits.Judging(folds=3, grouped_by="random", resamples=20)


def make() -> Model:
    return create("nb-lr")


class Remembers:
    """A model that says "biased" of what it has seen, and of nothing else."""

    name, seed, parameters = "remembers", 0, dict[str, object]()

    def fit(self, texts: list[str], biased: object) -> Remembers:
        del biased
        self.seen = set(texts)
        return self

    def predict_proba(self, texts: list[str]) -> np.ndarray:
        return np.array([float(text in self.seen) for text in texts])


def test_each_set_is_trained_on_and_tested_on() -> None:
    sets = [audits.LabelledSet(n, examples(n, 90, s)) for n, s in (("a", 1), ("b", 2), ("c", 3))]
    cells = list(audits.cross_table(sets, make, _HOW))
    assert [(cell.train, cell.test) for cell in cells] == [(a, b) for a in "abc" for b in "abc"]
    assert [cell.folds for cell in cells if cell.train == cell.test] == [3, 3, 3]
    assert all(cell.scores["f1"]["value"] is not None for cell in cells)
    assert cells == list(audits.cross_table(sets, make, _HOW))
    json.dumps([asdict(cell) for cell in cells], allow_nan=False)


def _pairs(count: int, first: int = 0) -> Examples:
    numbers = np.repeat(np.arange(first, first + count), 2)
    words = "mill barn inn bridge well".split()
    texts = [f"{side} {words[n % 5]} {n}" for n in numbers[::2] for side in ("splendid", "the")]
    biased = np.tile([True, False], count)
    groups = [str(number) for number in numbers]
    return Examples("pairs", texts, biased, numbers, pages=numbers, edits=numbers, groups=groups)


@pytest.mark.parametrize("grouped_by", ["random", "near-duplicate"])
def test_the_sides_of_a_pair_stay_together(grouped_by: str) -> None:
    trained: list[set[str]] = []

    class Keeps(Remembers):
        def fit(self, texts: list[str], biased: object) -> Remembers:
            trained.append({text.split()[-1] for text in texts})
            return super().fit(texts, biased)

        def predict_proba(self, texts: list[str]) -> np.ndarray:
            assert not trained[-1] & {text.split()[-1] for text in texts}
            return super().predict_proba(texts)

    pairs = audits.LabelledSet("pairs", _pairs(30))
    how = audits.Judging(folds=3, grouped_by=grouped_by, resamples=20)
    (own,) = audits.cross_table([pairs], Keeps, how)  # type: ignore[arg-type]
    texts = [*pairs.train.texts[:40:2], "the old hall"]  # of 20 pairs one side
    sides = Examples("sides", texts, np.arange(21) < 20, np.arange(21))
    other = audits.LabelledSet("other", _pairs(1, 90), sides)
    cells = [*audits.cross_table([pairs, other], Keeps, how)]  # type: ignore[arg-type]
    shared = cells[1]
    assert len(trained) >= 3
    assert own.folds == 3
    assert shared.shared == 20
    assert shared.trained_on == 20


def test_no_model_is_tested_on_what_it_was_trained_on() -> None:
    whole = examples("whole", 120, 4)
    shouted = Examples(
        "shouted", [text.upper() + " " for text in whole.texts], whole.biased, whole.rows
    )
    sets = [audits.LabelledSet("whole", whole), audits.LabelledSet("shouted", shouted)]
    for cell in audits.cross_table(sets, Remembers, _HOW):  # type: ignore[arg-type]
        assert cell.scores["recall"]["value"] == 0, (cell.train, cell.test)
        assert cell.folds == 3
        assert cell.shared == (0 if cell.train == cell.test else 120)


def test_a_test_split_is_what_is_tested_on() -> None:
    one = audits.LabelledSet("one", examples("train", 60, 5), examples("test", 30, 6))
    (cell,) = audits.cross_table([one], make, _HOW)
    assert (cell.tested_on, cell.folds) == (30, 1)
    assert cell.trained_on <= 60


def test_balanced_has_as_many_of_each_class() -> None:
    whole = examples("whole", 100, 8)
    few = some_of(whole, np.flatnonzero(~whole.biased | (np.arange(100) < 30)))
    even = audits.balanced(few, seed=1)
    assert even.biased.sum() * 2 == len(even)
    assert [*even.rows] == sorted(even.rows)
    assert even.texts == audits.balanced(few, seed=1).texts


def test_length_alone_is_chance_where_lengths_are_alike() -> None:
    biased = np.arange(40) % 2 == 0
    alike = Examples("alike", ["one two three"] * 40, biased, np.arange(40))
    longer = Examples("longer", ["a b c d" if b else "a b" for b in biased], biased, np.arange(40))
    assert (audits.length_only(alike), audits.length_only(longer)) == (0.5, 1.0)


def test_a_set_of_one_class_is_refused() -> None:
    whole = examples("whole", 60, 9)
    one = audits.LabelledSet("one", some_of(whole, np.flatnonzero(whole.biased)))
    with pytest.raises(WikibiasError, match="training needs both classes"):
        list(audits.cross_table([one], make, _HOW))


def _texts(path: Path, *lines: str) -> Path:
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_two_texts_are_the_two_classes(tmp_path: Path) -> None:
    yes, no = _texts(tmp_path / "y.txt", "Bad.", "", "Worse."), _texts(tmp_path / "n.txt", "Good.")
    said: list[str] = []
    (one,) = audits.read_sets([f"mine={yes}+{no}"], LABELS, said.append, balance=False, seed=0)
    assert one.name == "mine"
    assert one.train.texts == ["Bad.", "Worse.", "Good."]
    assert [*one.train.biased] == [True, True, False]
    (even,) = audits.read_sets([f"mine={yes}+{no}"], LABELS, said.append, balance=True, seed=0)
    assert len(even.train) == 2


_LABELLED = [
    {"text": "It needed a source.", "labels": ["citation"], "judged": ["citation"]},
    {"text": "It was clear.", "labels": [], "judged": ["clarification"]},
    {"text": "It needed both.", "labels": ["citation", "clarification"]},
    {"text": "It needed none.", "labels": [], "judged": ["citation", "clarification"]},
    {"text": "It came later.", "labels": ["citation"], "split": "test"},
    {"text": "It was fine.", "labels": [], "split": "test"},
]


def test_a_label_takes_what_is_judged_for_it(tmp_path: Path) -> None:
    rows = [{"split": "train", **row} for row in _LABELLED]
    file = _texts(tmp_path / "a:b=c.jsonl", *map(json.dumps, rows))
    cite, clear = audits.read_sets(
        [f"cite:citation={file}", f"clear:clarification={file}"],
        LABELS, pytest.fail, balance=False, seed=0,
    )  # fmt: skip
    assert cite.train.texts == ["It needed a source.", "It needed both.", "It needed none."]
    assert [*cite.train.biased] == [True, True, False]
    assert cite.test is not None
    assert [*cite.test.biased] == [True, False]
    assert clear.train.texts == ["It was clear.", "It needed both.", "It needed none."]
    with pytest.raises(UsageError, match=r"no sentence of train has the label .* did you mean"):
        audits.read_sets([f"a:citations={file}"], LABELS, pytest.fail, balance=False, seed=0)


def test_pairs_are_known_as_pairs_and_as_labels(tmp_path: Path) -> None:
    pairs = _texts(
        tmp_path / "pairs.tsv",
        "source\ttarget\tpage_id",
        "a fine mill\ta mill\t7",
        "a splendid barn\ta barn\t7",
        "the best inn\tan inn\t8",
    )
    (one,) = audits.read_sets([f"mine:pairs={pairs}"], LABELS, pytest.fail, balance=False, seed=0)
    assert one.train.texts[:2] == ["a fine mill", "a mill"]
    assert [*one.train.biased] == [True, False] * 3
    assert one.train.pages is not None
    assert [*one.train.pages] == [0, 0, 0, 0, 1, 1]


def test_beside_a_corpus_all_sets_have_its_form(corpus: Path, tmp_path: Path) -> None:
    yes, no = _texts(tmp_path / "y.txt", "In 1850, Bad!"), _texts(tmp_path / "n.txt", "Good.")
    said: list[str] = []
    ours, mine = audits.read_sets(
        [f"ours={corpus}", f"mine={yes}+{no}"], LABELS, said.append, balance=False, seed=0
    )
    assert ours.train.normalised
    assert ours.test is not None
    assert mine.train.texts == ["in numtkn bad", "good"]
    assert any(line.startswith("normalised mine:") for line in said)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["mine"], "say NAME=PATH"),
        (["=x"], "say NAME=PATH"),
        (["a:={no}"], "say NAME=PATH"),
        (["a:citation=nowhere"], "no such file or folder"),
        (["a:pairs=nowhere.tsv"], "no such file or folder"),
        (["a=nowhere.tsv"], "no such file or folder"),
        (["a=nowhere.txt+{no}"], "nowhere.txt: cannot be read"),
        (["a={empty}+{no}"], "no sentence in it"),
        (["a={no}+{no}", "a={no}+{no}"], "two sets are called 'a'"),
    ],
)
def test_what_is_no_set_is_refused(given: list[str], said: str, tmp_path: Path) -> None:
    no, empty = _texts(tmp_path / "n.txt", "Good."), _texts(tmp_path / "e.txt")
    sets = [each.format(no=no, empty=empty) for each in given]
    with pytest.raises(WikibiasError, match=said):
        audits.read_sets(sets, LABELS, lambda _: None, balance=False, seed=0)


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

    assert any(
        cost(all_alike, "x" * 20_000) < 8 * max(0.05, cost(all_alike, "x" * 5_000))
        for _ in range(3)
    )


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
    splits = read_files(files, labels, print)
    assert audits.duplicates(splits)["with_both_labels"] == 55
    del splits.by_name["dev"]
    test = audit(splits)["neighbours"]["test"]
    assert abs(test["share"] - 0.317) < 0.005
    assert test["labels_agree"] < 0.2
    scores = {cheat["name"]: cheat["mcc"]["value"] for cheat in test["cheats"]}
    assert abs(scores["opposite or vote"] - 0.40) < 0.01
    assert scores["opposite, covered"] > 0.6
    assert scores["nearest"] < 0
