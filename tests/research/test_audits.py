"""Audits of splits, of training on each of several sets, and stress tests."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hostile_texts import cost
from put import put, put_rows
from sample_sentences import as_examples, examples, made_up
from wikibias.config import stress_tests
from wikibias.corpus import near_duplicates
from wikibias.errors import UsageError, WikibiasError
from wikibias.models.estimators import registry
from wikibias.models.estimators.registry import Model, create
from wikibias.models.examples import LABELS, Examples, Splits, some_of
from wikibias.models.reading import parse_labels, read_files
from wikibias.research import audits
from wikibias.research.audits import audit
from wikibias.research.stress import (
    Answer,
    Case,
    Label,
    answer,
    answered_rows,
    draw,
    notes,
    only,
    read_answers,
    score,
)

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
    sets = [audits.LabelledSet(n, examples(n, 60, s)) for n, s in (("a", 1), ("b", 2))]
    cells = list(audits.cross_table(sets, make, _HOW))
    assert [cell.train + cell.test for cell in cells] == ["aa", "ab", "ba", "bb"]
    assert [cell.folds for cell in cells if cell.train == cell.test] == [3, 3]
    assert all(cell.scores["f1"]["value"] is not None for cell in cells)
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


def test_two_texts_are_the_two_classes(tmp_path: Path) -> None:
    yes, no = put(tmp_path / "y.txt", "Bad.\n\nWorse.\n"), put(tmp_path / "n.txt", "Good.\n")
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
    file = put_rows(tmp_path / "a:b=c.jsonl", *({"split": "train", **row} for row in _LABELLED))
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
    pairs = put(
        tmp_path / "pairs.tsv",
        "source\ttarget\tpage_id\na fine mill\ta mill\t7\na splendid barn\ta barn\t7\n"
        "the best inn\tan inn\t8\n",
    )
    (one,) = audits.read_sets([f"mine:pairs={pairs}"], LABELS, pytest.fail, balance=False, seed=0)
    assert one.train.texts[:2] == ["a fine mill", "a mill"]
    assert [*one.train.biased] == [True, False] * 3
    assert one.train.pages is not None
    assert [*one.train.pages] == [0, 0, 0, 0, 1, 1]


def test_beside_a_corpus_all_sets_have_its_form(corpus: Path, tmp_path: Path) -> None:
    yes, no = put(tmp_path / "y.txt", "In 1850, Bad!\n"), put(tmp_path / "n.txt", "Good.\n")
    said: list[str] = []
    ours, mine = audits.read_sets(
        [f"ours={corpus}", f"mine={yes}+{no}"], LABELS, said.append, balance=False, seed=0
    )
    assert ours.train.normalised
    assert ours.test is not None
    assert mine.train.texts == ["in numtkn bad", "good"]
    assert any(line.startswith("normalised mine:") for line in said)


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
        cost(all_alike, "x" * 10_000) < 8 * max(0.05, cost(all_alike, "x" * 2_500))
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
    # Only of test, as near-duplicates of all with all take long.
    held_out = splits.by_name["test"]
    test = audits._described(held_out, audits._nearest(splits.train, held_out))
    assert abs(test["share"] - 0.317) < 0.005
    assert test["labels_agree"] < 0.2
    scores = {cheat["name"]: cheat["mcc"]["value"] for cheat in test["cheats"]}
    assert abs(scores["opposite or vote"] - 0.40) < 0.01
    assert scores["opposite, covered"] > 0.6
    assert scores["nearest"] < 0


def case(original: str, text: str, kind: str = "INV", *, biased: bool = False) -> Case:
    return Case(
        "made up", kind, "", original or text, original, text, biased or kind == "DIR", biased
    )


def test_a_saved_model_answers_cases_and_their_originals(tmp_path: Path) -> None:
    texts = ["the old town", "a truly great town", "the old street", "a truly great street"] * 5
    model = registry.create("nb-lr").fit(texts, np.array([False, True] * 10))
    registry.CLASSIFIERS.save(model, tmp_path, {})
    cases = [case("the old town", "a truly great town", "DIR"), case("", "the old street", "MFT")]
    one, two = answer(tmp_path, cases)
    assert (one.original, one.predicted) == ("neutral", "biased")
    assert one.original_right
    assert one.right
    assert (two.original, two.original_right, two.right) == ("", None, True)


def test_the_two_choices_of_the_authors_leave_cases_out() -> None:
    same, other = case("a", "a"), case("a", "b")
    biased, turned = case("a", "c", biased=True), case("a", "d", "DIR")
    answers = [Answer(each, "neutral") for each in (same, other, biased, turned)]
    assert [each.case for each in only(answers, ["changed"])] == [other, biased, turned]
    neutral = [each.case for each in only(answers, ["neutral-templates"])]
    assert neutral == [same, other, turned]  # the original of a DIR case is neutral


def test_what_is_written_and_predicted_is_read_again(tmp_path: Path) -> None:
    cases = draw(stress_tests.load_stress_tests("en"), count=20, seed=0)
    answers = [Answer(case, "biased", "neutral" if case.original else "") for case in cases]
    written = answered_rows({"m": answers})
    assert len({row["item"] for row in written}) == len(written)
    assert read_answers(put_rows(tmp_path / "t.jsonl", *written)) == {"m": answers}


def test_the_columns_of_released_files_do(tmp_path: Path) -> None:
    row = {"model": "x", "original": "An old town.", "changed": "An awful old town."}
    found = read_answers(
        put_rows(tmp_path / "loaded.jsonl", {**row, "expected": 1, "predicted": 0})
    )
    (answer,) = found["x"]
    assert (answer.case.test, answer.case.kind) == ("loaded", "DIR")
    assert (answer.right, answer.original_right) == (False, None)
    assert answer.case.original_biased is False


def test_an_item_that_nobody_wrote_is_named(tmp_path: Path) -> None:
    sentences = put_rows(tmp_path / "s.jsonl", {"item": "s1", "text": "a", "expected": "1"})
    with pytest.raises(WikibiasError, match=":1: no item 's9' in the file"):
        read_answers(put_rows(tmp_path / "t.jsonl", {"item": "s9", "bias": "1"}), sentences)


TOWNS = stress_tests.Words("town", ("Ashford", "Milton", "Welby"))
LOADED = stress_tests.Words(
    "loaded", ("awful | awfully", "superb | superbly"), ("adjective", "adverb")
)


def made(kind: str, templates: stress_tests.TemplateSet) -> stress_tests.StressTests:
    test = stress_tests.StressTest("made up", kind, "about", (templates,))  # type: ignore[arg-type]
    return stress_tests.StressTests("en", (TOWNS, LOADED), (test,))


@pytest.mark.parametrize("language", ["bg", "en", "fr"])
def test_each_shipped_test_gives_enough_different_cases(language: str) -> None:
    cases = draw(stress_tests.load_stress_tests(language), count=500, seed=0)
    by_test: dict[str, list[tuple[str, str]]] = {}
    for case in cases:
        by_test.setdefault(case.test, []).append((case.original, case.text))
        assert not set("{}<>|") & set(case.original + case.text)
        assert "  " not in case.text
        assert case.changed
        assert not case.text[0].islower()
    assert all(len(found) == len(set(found)) >= 200 for found in by_test.values())


def test_a_swapped_word_is_the_only_change() -> None:
    tests = made("INV", stress_tests.TemplateSet("a", ("{town} lies near {town}.",), swap="town"))
    cases = draw(tests, count=10, seed=0)
    assert len(cases) == 6  # all ordered pairs of three towns
    assert ("Ashford lies near Ashford.", "Milton lies near Milton.") in {
        (case.original, case.text) for case in cases
    }
    assert not any(case.expected for case in cases)


def test_words_are_put_in_and_the_original_has_no_gap() -> None:
    template = "The <loaded.adjective> council of {town} voted <loaded.adverb>."
    (case, *_) = cases = draw(
        made("DIR", stress_tests.TemplateSet("a", (template,))), count=99, seed=0
    )
    assert len(cases) == 6
    assert case.original == "The council of Ashford voted."
    assert case.text == "The awful council of Ashford voted awfully."
    assert (case.expected, case.original_biased) == (True, False)


def test_a_biased_template_stays_biased() -> None:
    templates = stress_tests.TemplateSet("a", biased=("Awful {town}.",), swap="town")
    assert all(case.expected for case in draw(made("INV", templates), count=6, seed=0))


def test_a_template_more_leaves_the_draws_of_the_others() -> None:
    one = stress_tests.TemplateSet("a", ("{town} is old, {loaded.adverb} so.",))
    two = stress_tests.TemplateSet("a", ("{town} is old, {loaded.adverb} so.", "{town} is new."))
    first = {case.text for case in draw(made("MFT", one), count=6, seed=3)}
    second = {case.text for case in draw(made("MFT", two), count=9, seed=3)}
    assert first < second


@given(count=st.integers(1, 40), seed=st.integers(0, 5))
def test_templates_share_the_cases_and_a_seed_draws_the_same(count: int, seed: int) -> None:
    templates = stress_tests.TemplateSet(
        "a", ("{town} is old.", "Old.", "{town} is {loaded.adjective}.", "{town} is new.")
    )
    tests = made("MFT", templates)
    cases = draw(tests, count=count, seed=seed)
    assert len(cases) == len({case.text for case in cases}) == min(count, 3 + 1 + 6 + 3)
    assert cases == draw(tests, count=count, seed=seed)
    sizes = {name: sum(case.cluster == name for case in cases) for name in templates.neutral}
    assert max(sizes.values()) - sizes["{town} is old."] <= 1 or sizes["{town} is old."] == 3


def town(
    number: int, predicted: Label, original: Label = "", category: str = "", *, biased: bool = False
) -> Answer:
    first = f"Town {number} is old."
    case = Case("t", "INV", category, first, first, f"Village {number} is old.", biased, biased)
    return Answer(case, predicted, original)


def test_all_rows_and_those_of_right_originals_are_two_figures() -> None:
    answers = [
        town(1, "neutral", "neutral"),
        town(2, "biased", "neutral"),
        town(3, "biased", "biased"),  # wrong before and after, so that nothing changed
        town(4, "?", "neutral"),
        town(5, "?", "?"),
    ]
    found = score({"m": answers}, resamples=50)["models"]["m"]["t"]
    assert found["as_expected"]["value"] == 1 / 5
    assert (found["right_originals"], found["of_right_originals"]["value"]) == (3, 1 / 3)
    assert found["same_answer"]["value"] == 2 / 5
    assert (found["unparsed"], found["called_biased"]) == (2, 2)
    assert found["as_expected"]["low"] <= 1 / 5 <= found["as_expected"]["high"]


def test_categories_have_figures_and_without_answers_to_originals_only_one_is_known() -> None:
    answers = [town(1, "neutral", category="a"), town(2, "biased", category="b")]
    found = score({"m": answers}, resamples=50)["models"]["m"]["t"]
    assert found["as_expected"]["value"] == 1 / 2
    assert found["of_right_originals"] is found["same_answer"] is None
    parts = {name: part["as_expected"]["value"] for name, part in found["categories"].items()}
    assert parts == {"a": 1, "b": 0}


def test_models_are_compared_on_rows_whose_originals_both_got_right() -> None:
    one = [town(n, "neutral", "neutral") for n in range(6)]
    two = [town(n, "biased" if n < 3 else "neutral", "neutral") for n in range(5)]
    two.append(town(5, "neutral", "biased"))
    common = score({"one": one, "two": two}, resamples=50)["common"]["t"]
    assert common["rows"] == 5
    assert common["models"]["two"]["value"] == 2 / 5
    (test,) = common["pairs"]
    assert (test["only_first"], test["only_second"], test["better"]) == (3, 0, "one")
    assert test["p"] == 0.25  # two-sided, of three rows
    assert test["difference"]["value"] == 3 / 5


def test_a_pair_that_stands_twice_counts_once_on_common_rows() -> None:
    answers = [town(1, "neutral"), town(1, "neutral"), town(2, "biased")]
    result = score({"one": answers, "two": answers}, resamples=50)
    assert result["models"]["one"]["t"]["rows"] == 3
    assert result["common"]["t"]["rows"] == 2
    assert result["common"]["t"]["pairs"][0]["better"] is None


def test_each_two_are_compared_on_the_rows_that_they_share() -> None:
    """A model that was right about no original takes no row from the others."""
    answers = {
        "one": [town(n, "neutral", "neutral") for n in range(6)],
        "two": [town(n, "biased" if n < 3 else "neutral", "neutral") for n in range(5)],
        "three": [town(n, "biased", "biased") for n in range(6)],
    }
    result = score(answers, resamples=50)
    common = result["common"]["t"]
    assert common["rows"] == 0
    (pair,) = common["pairs"]
    assert (pair["first"], pair["second"], pair["rows"]) == ("one", "two", 5)
    assert (pair["only_first"], pair["only_second"], pair["better"]) == (3, 0, "one")
    assert pair["p"] == pair["p_holm"] == 0.25
    alone = score({name: answers[name] for name in ("one", "two")}, resamples=50)["common"]["t"]
    assert alone["pairs"] == [pair]
    first, *others = notes(result)
    assert first.endswith("so that each two are compared on those that both have")
    none = "three, t: none of 6 rows has an original that was called what it is"
    assert any(line.startswith(none) for line in others)


def test_changes_of_spaces_and_unreadable_answers_are_told() -> None:
    case = Case("loaded", "DIR", "", "t", "Old, yes.", "Old , yes .", True, False)
    lines = notes(score({"m": [Answer(case, "?")]}, resamples=20))
    assert "1 of 1 changed rows differ from their original in spaces alone" in lines[0]
    assert "1 answer of neither biased nor neutral (? or empty)" in lines[1]


def test_few_right_originals_and_no_common_row_are_told() -> None:
    one = [town(n, "neutral", "biased" if n else "neutral") for n in range(20)]
    two = [town(n, "neutral", "neutral" if n == 5 else "biased") for n in range(20)]
    result = score({"one": one, "two": two}, resamples=20)
    assert result["common"]["t"] == {
        "rows": 0,
        "models": {name: {"value": None, "low": None, "high": None} for name in ("one", "two")},
        "pairs": [],
    }
    first, second, _ = notes(result)
    assert first == "t: no row is common to two models, so that none are compared"
    assert second.startswith("one, t: only 1 of 20 rows have an original")


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (("neutral", "neutral", "neutral"), "called every case neutral (3), none biased"),
        (("biased", "biased", "?"), "called every case biased (2), none neutral"),
        (("neutral", "biased", "neutral"), ""),
    ],
)
def test_a_model_that_says_the_same_of_all_is_told(said: tuple[Label, ...], told: str) -> None:
    answers = [town(n, each, biased=n == 2) for n, each in enumerate(said)]
    lines = [line for line in notes(score({"m": answers}, resamples=20)) if "called every" in line]
    assert len(lines) == bool(told)
    assert told in "".join(lines)


def test_saying_the_same_where_all_are_the_same_is_no_note() -> None:
    assert notes(score({"m": [town(n, "neutral") for n in range(3)]}, resamples=20)) == []


def test_what_holds_of_several_tests_is_said_once() -> None:
    answers = [
        Answer(replace(each.case, test=test), "?")
        for test in ("a", "b")
        for each in (town(1, "?"), town(2, "?"))
    ]
    (line,) = notes(score({"m": answers}, resamples=20))
    assert line.startswith("m, a, b: 2 answers of neither")


FILTERS = {"prejudice": "neutral-templates", "loaded": "changed"}
"""What the authors' notebook leaves out of two tests, and the paper does not say."""


@pytest.fixture(scope="module")
def expected(shared: Path) -> list[dict[str, Any]]:
    path = shared / "annotation" / "expected.json"
    if not path.is_file():
        pytest.skip(f"no {path}")
    found: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["checklist"]
    return found


@pytest.mark.parametrize("test", ["factual", "locations", "pronouns", "prejudice", "loaded"])
def test_figures_of_the_paper(test: str, expected: list[dict[str, Any]], shared: Path) -> None:
    answers = read_answers(shared / "annotation" / "checklist" / f"{test}.parquet")

    @cache
    def figures(*options: str) -> dict[str, Any]:
        left = {name: only(each, options) for name, each in answers.items()}
        return score(left, resamples=2)

    whole = figures()
    printed = figures(FILTERS[test]) if test in FILTERS else whole
    rows = [row for row in expected if row["test"] == test]
    assert {row["system"] for row in rows} == set(printed["models"])
    for row in rows:
        found = printed["models"][row["system"]][test]
        assert found["kind"] == row["kind"]
        assert found["rows"] == row["n"]
        assert found["as_expected"]["value"] == pytest.approx(row["recomputed"], abs=5e-7)
        every = whole["models"][row["system"]][test]
        assert every["rows"] == row["rows_in_file"]
        if "all_1900" in row:
            assert every["as_expected"]["value"] == pytest.approx(row["all_1900"], abs=5e-7)
        for name, value in row.get("by_category", {}).items():
            share = found["categories"][name]["as_expected"]["value"]
            assert share == pytest.approx(value, abs=5e-7)
        if "originals" in row:
            assert found["originals"] == row["originals"]
            assert found["changed"] == row["n_changed"]
        if "recomputed_changed_only" in row:
            share = figures("changed")["models"][row["system"]][test]["as_expected"]["value"]
            assert share == pytest.approx(row["recomputed_changed_only"], abs=5e-7)
        if "common_rows" in row:
            common = printed["common"][test]
            assert common["rows"] == row["common_rows"]
            for name, share in common["models"].items():
                assert share["value"] == pytest.approx(row[f"{name}_on_common"], abs=5e-7)
