"""Strata of samples, and balanced ones."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from made_edits import corpus
from wikibias.api.corpora import load_corpus, load_table
from wikibias.errors import UsageError, WikibiasError
from wikibias.research.annotation import samples
from wikibias.research.annotation.answers import KNOWN, meanings
from wikibias.research.annotation.population import (
    Removed,
    open_corpus,
    removed_sentences,
    sides_of,
)
from wikibias.research.annotation.tasks import Task


def test_gives_the_numbers_of_each_bin() -> None:
    *bins, (last, largest) = samples.read_bins(samples.PAPER_BINS).items()
    assert dict(bins) == {"1-2": range(1, 3), "3-6": range(3, 7), "7-15": range(7, 16)}
    assert (last, largest[0], 4000 in largest) == ("16-", 16, True)
    assert samples.read_bins("1, 5-9") == {"1": range(1, 2), "5-9": range(5, 10)}


@pytest.mark.parametrize("text", ["", "a", "1-2,", "1,1", "3-1", "0-2", "1-3,3-4", "1-,5-6", "-3"])
def test_refuses_what_are_no_bins(text: str) -> None:
    with pytest.raises(UsageError, match="--bins"):
        samples.read_bins(text)


@given(st.text("0123456789-, a", max_size=20))
def test_takes_or_refuses_whatever_is_typed(text: str) -> None:
    try:
        bins = samples.read_bins(text)
    except UsageError:
        return
    assert samples.read_bins(",".join(bins)) == bins
    for number in range(1, 40):
        assert sum(number in held for held in bins.values()) <= 1


def test_the_parts_of_a_stratum_are_read_back() -> None:
    parts = {"bin": "3-6", "tag": "POV section"}
    assert Task("a", "x", stratum="bin=3-6 tag=POV section").parts == parts
    assert Task("a", "x").parts == {}


def test_takes_as_many_of_each_and_what_a_small_one_lacks_the_others_give() -> None:
    assert samples.allocated({"a": 90, "b": 80, "c": 70, "d": 60}, 100) == dict.fromkeys("abcd", 25)
    assert samples.allocated({"a": 3, "b": 80, "c": 10}, 30) == {"a": 3, "b": 17, "c": 10}
    with pytest.raises(UsageError, match="-n 1 is fewer than the 2 strata"):
        samples.allocated({"a": 3, "b": 3}, 1)


@given(st.lists(st.integers(1, 50), min_size=1, max_size=8), st.integers(8, 500))
def test_gives_all_that_is_wanted_or_there(sizes: list[int], wanted: int) -> None:
    named = {str(place): size for place, size in enumerate(sizes)}
    found = samples.allocated(named, wanted)
    assert sum(found.values()) == min(wanted, sum(sizes))
    assert all(1 <= found[name] <= size for name, size in named.items())
    most = max(found.values())
    assert all(number >= most - 1 or number == named[name] for name, number in found.items())


BINS = samples.read_bins(samples.PAPER_BINS)


def population(sizes: dict[int, int]) -> Iterator[Removed]:
    """Yield so many sentences of edits that removed so many."""
    for removed, number in sizes.items():
        for place in range(number):
            row = {"sentence_id": f"w-{removed}-removed-{place}", "tier": "low", "tags": ["POV"]}
            yield Removed(0, row, removed)


def ids(drawn: samples.Drawn) -> list[str]:
    """Return the sentences drawn, in order."""
    return [one.row["sentence_id"] for stratum in drawn.strata for one in stratum.drawn]


def test_gives_each_bin_as_many_and_its_probability() -> None:
    found = samples.draw(population({1: 50, 4: 100, 9: 200, 40: 400}), 100, BINS)
    drawn = {each.name: len(each.drawn) for each in found.strata}
    assert drawn == dict.fromkeys(("bin=1-2", "bin=3-6", "bin=7-15", "bin=16-"), 25)
    assert [each.probability for each in found.strata] == [0.5, 0.25, 0.125, 0.0625]


def test_parts_bins_by_more() -> None:
    found = samples.draw(population({1: 5, 4: 5}), 4, BINS, ["tier", "tag"])
    names = ["bin=1-2 tier=low tag=POV", "bin=3-6 tier=low tag=POV"]
    assert [each.name for each in found.strata] == names


def test_depends_on_the_seed_and_not_on_the_order() -> None:
    rows = list(population({1: 300, 4: 300}))
    assert ids(samples.draw(rows, 60, BINS, seed=1)) == ids(
        samples.draw(rows[::-1], 60, BINS, seed=1)
    )
    assert ids(samples.draw(rows, 60, BINS, seed=1)) != ids(samples.draw(rows, 60, BINS, seed=2))


def test_refuses_corpora_that_hold_the_same_sentence() -> None:
    rows = list(population({1: 9}))
    copies = [Removed(1, each.row, each.removed) for each in rows]
    with pytest.raises(UsageError, match="in two of the corpora"):
        samples.draw([*rows, *copies], 6, BINS)


def test_a_larger_sample_holds_the_smaller() -> None:
    rows = list(population({1: 300, 4: 300}))
    assert set(ids(samples.draw(rows, 60, BINS))) < set(ids(samples.draw(rows, 90, BINS)))


def test_every_sentence_is_as_likely() -> None:
    rows = list(population({1: 20}))
    seen = Counter(
        name for seed in range(2000) for name in ids(samples.draw(rows, 5, BINS, seed=seed))
    )
    # 500 each; a standard deviation is 19.4.
    assert len(seen) == 20
    assert all(abs(number - 500) < 85 for number in seen.values())


def test_fills_up_from_other_strata_and_counts_what_lies_in_no_bin() -> None:
    found = samples.draw(population({1: 3, 4: 90}), 40, samples.read_bins("1-2,3-6,7-15"))
    assert [len(each.drawn) for each in found.strata] == [3, 37]
    assert samples.draw(population({1: 3, 4: 90}), 2, samples.read_bins("1-2")).outside == 90
    with pytest.raises(UsageError, match="widen --bins"):
        samples.draw(population({1: 3}), 2, samples.read_bins("5-"))


def tasks(number: int, repeats: int, strata: int = 1) -> list[Task]:
    """Return so many drawn tasks, the first of which are repeated."""
    drawn = [Task(f"t{n}", "x", stratum=f"bin={n % strata}") for n in range(number)]
    again = [Task(f"r{n}", "x", kind="repeat", repeat_of=f"t{n}") for n in range(repeats)]
    return drawn + again


def test_names_of_items_are_letters_alone() -> None:
    names = {samples.item_name(0, "w", str(number)) for number in range(5000)}
    assert len(names) == 5000
    assert all(len(name) == 10 and name.isalpha() for name in names)


def test_gives_the_design_of_the_paper() -> None:
    found = samples.dealt(tasks(520, 0, strata=4), ["a", "b"], 72)
    shared = [task for task in found if len(task.annotators) == 2]
    assert len(shared) == 72
    assert Counter(task.stratum for task in shared) == {f"bin={n}": 18 for n in range(4)}
    assert [sum(name in task.annotators for task in found) for name in "ab"] == [296, 296]


def test_a_share_is_of_what_each_annotator_has() -> None:
    found = samples.dealt(tasks(744, 0, strata=4), ["a", "b", "c"], None)
    loads = [sum(name in task.annotators for task in found) for name in "abc"]
    shared = sum(len(task.annotators) == 3 for task in found)
    assert [round(shared / load, 2) for load in loads] == [0.24, 0.24, 0.24]


def test_a_repeat_goes_where_its_original_goes() -> None:
    found = {task.item: task for task in samples.dealt(tasks(30, 6), ["a", "b"], None)}
    for name in range(6):
        assert found[f"r{name}"].annotators == found[f"t{name}"].annotators


def test_refuses_to_share_more_than_there_is() -> None:
    with pytest.raises(UsageError, match="--shared 40 is more than the 30 sentences"):
        samples.dealt(tasks(30, 0), ["a", "b"], 40)


def test_gives_the_sentences_that_edits_removed_and_how_many_each() -> None:
    rows = load_corpus(corpus())
    edits = load_table(corpus(), "edits").to_pylist()
    sizes = {row["after_rev_id"]: len(row["removed"]) for row in edits}
    found = list(removed_sentences([open_corpus(corpus())]))
    assert [one.name for one in found] == list(rows[rows["role"] == "removed"]["sentence_id"])
    for one in found:
        assert one.removed == sizes[one.row["after_rev_id"]]
        assert one.tag == one.value("tag") == "|".join(one.row["tags"])
        assert one.value("tier") in ("high", "medium", "low")


def test_takes_the_inner_folder_too_and_says_what_to_type_where_is_none(tmp_path: Path) -> None:
    assert open_corpus(corpus() / "corpus").name == "en"
    with pytest.raises(UsageError):
        open_corpus(tmp_path)


def test_gives_both_sides_of_an_edit_and_what_stood_around() -> None:
    opened = open_corpus(corpus())
    one = next(removed_sentences([opened]))
    sides = sides_of(opened, [one.key])[one.key]
    assert one.row["text"] in sides.removed
    assert len(sides.removed) == one.removed
    assert one.row["text"] not in sides.added
    known = [sides.context(text) for text in sides.removed]
    assert any(each.previous or each.next for each in known)
    assert any(each.section for each in known)
    assert sides.unchanged  # of running text
    assert not {text for _, text, _ in sides.unchanged} & {*sides.removed, *sides.added}


DESIGN = samples.Design(
    sentences=40, bins=samples.read_bins(samples.PAPER_BINS), controls=0.2, repeats=0.1
)


@pytest.fixture(scope="module")
def made() -> samples.Sample:
    return samples.sample([corpus()], DESIGN)


def test_has_drawn_sentences_controls_and_repeats(made: samples.Sample) -> None:
    assert [made.count(kind) for kind in ("sample", "control", "repeat")] == [40, 8, 4]
    assert len({task.item for task in made.tasks}) == 52


def test_probabilities_add_up_to_the_corpus(made: samples.Sample) -> None:
    drawn = [task for task in made.tasks if task.kind == "sample"]
    biased = (load_corpus(corpus())["role"] == "removed").sum()
    assert sum(1 / (task.probability or 0) for task in drawn) == pytest.approx(biased)


def test_the_same_seed_gives_the_same_tasks(made: samples.Sample) -> None:
    assert samples.sample([corpus()], DESIGN).tasks == made.tasks
    assert samples.sample([corpus()], replace(DESIGN, seed=1)).tasks != made.tasks


def test_controls_stand_on_both_sides_and_repeats_say_the_same(made: samples.Sample) -> None:
    known = {task.item: task for task in made.tasks}
    for task in made.tasks:
        assert task.text in task.before
        assert (task.text in task.after) == (task.kind == "control")
        assert (task.role == "unchanged") == (task.kind == "control")
        original = known[task.repeat_of or task.item]
        assert original.kind != "repeat"
        assert (task.text, task.previous) == (original.text, original.previous)


def test_languages_part_several_corpora() -> None:
    found = samples.sample([corpus(), corpus("fr")], replace(DESIGN, by=("language",)))
    assert {task.language for task in found.tasks} == {"en", "fr"}
    for task in found.tasks:
        if task.kind == "sample":
            assert (task.stratum or "").endswith(f"language={task.language}")
            assert task.corpus == task.language


EQUAL = dict.fromkeys(("a", "b", "c", "d"), 1000)


def test_the_least_number_whose_interval_is_narrow_enough() -> None:
    number = samples.needed(0.1, EQUAL)
    assert (
        samples.stratified_width(EQUAL, number) <= 0.1 < samples.stratified_width(EQUAL, number - 4)
    )
    # Cochran 1977: (1.96 / .05)^2 * .48 * .52 = 384.
    assert samples.needed(0.1, {"all": 10_000_000}) == pytest.approx(384, abs=5)


def test_a_finite_corpus_takes_fewer_and_unequal_strata_more() -> None:
    assert samples.needed(0.1, {"all": 1000}) < samples.needed(0.1, {"all": 100_000})
    assert samples.needed(1e-9, {"all": 50}) == 50
    assert samples.stratified_width({"a": 5, "b": 9}, 14) == 0
    assert samples.needed(0.1, {"a": 100, "b": 5000}) > samples.needed(0.1, {"all": 5100})


ROWS = st.lists(
    st.tuples(st.sampled_from("abc"), st.sampled_from([True, False, None])), min_size=1, max_size=40
)


def taken(
    rows: list[tuple[str, bool | None]], **options: object
) -> Counter[tuple[str, bool | None]]:
    found = samples.balanced([(name,) for name, _ in rows], [one for _, one in rows], **options)  # type: ignore[arg-type]
    assert found.rows == sorted({*found.rows})
    return Counter(rows[row] for row in found.rows)


@given(ROWS, st.booleans())
def test_takes_as_many_of_both_labels(rows: list[tuple[str, bool | None]], equal: bool) -> None:
    had = Counter(rows)
    able = [min(had[name, True], had[name, False]) for name in "abc"]
    if not any(able):
        with pytest.raises(WikibiasError, match="no stratum has both"):
            taken(rows, equal=equal)
        return
    found = taken(rows, equal=equal)
    least = min(number for number in able if number)
    for name, number in zip("abc", able, strict=True):
        wanted = min(number, least) if equal else number
        assert (found[name, True], found[name, False]) == (wanted, wanted)
    assert found["a", None] == 0


def test_changes_nothing_in_what_is_balanced() -> None:
    rows: list[tuple[str, bool | None]] = [("a", True), ("a", False)] * 5
    assert samples.balanced([(n,) for n, _ in rows], [b for _, b in rows]).rows == list(range(10))


def test_draws_by_the_seed() -> None:
    rows = [True] * 50 + [False] * 5
    first, again, other = (
        samples.balanced([("a",)] * 55, rows, seed=seed).rows for seed in (0, 0, 1)
    )
    assert first == again != other


def test_reads_labels_and_probabilities() -> None:
    cells = [1, "neutral", 0.51, "0.5", "?", None, 1.0]
    assert samples.judged(cells, KNOWN, "f") == [True, False, True, False, None, None, True]


@pytest.mark.parametrize("cell", ["maybe", "1.5", "nan"])
def test_says_what_is_neither(cell: str) -> None:
    with pytest.raises(WikibiasError, match=r"f: row 1: .* is no known label"):
        samples.judged([cell], meanings(None), "f")


def test_a_stratum_is_what_a_row_has_in_some_columns() -> None:
    table = pd.DataFrame({"outlet": ["x", None], "lang": ["en", "fr"]}, dtype=object)
    assert samples.strata_of(table, ["outlet", "lang"]) == [("x", "en"), ("", "fr")]


def test_finds_nothing_to_take_from_anno_lexical(shared: Path) -> None:
    folder = shared / "annotation"
    lean = pd.read_csv(folder / "anno_lexical_outlets.csv").set_index("source_name")["lean"]
    columns = ["source_name", "label"]
    paths = [folder / f"anno_lexical_{split}.parquet" for split in ("train", "dev", "test")]
    table = pd.concat([pd.read_parquet(path, columns=columns) for path in paths])
    leans, labels = table["source_name"].map(lean).tolist(), table["label"].astype(bool).tolist()
    assert samples.balanced([(each,) for each in leans], labels).rows == [*range(48330)]
    found = Counter(zip(leans, labels, strict=True))
    expected = json.loads((folder / "expected.json").read_text())["anno_lexical"]
    for name, (neutral, biased) in expected["balance_per_lean"].items():
        assert (found[name, False], found[name, True]) == (neutral, biased)
