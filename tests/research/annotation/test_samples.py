"""Tests of the strata of a sample."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from made_edits import corpus
from wikibias.api.corpora import load_corpus, load_table
from wikibias.errors import UsageError
from wikibias.research.annotation.population import (
    Removed,
    open_corpus,
    removed_sentences,
    sides_of,
)
from wikibias.research.annotation.samples import (
    PAPER_BINS,
    Design,
    Drawn,
    Sample,
    allocated,
    dealt,
    draw,
    item_name,
    needed,
    read_bins,
    sample,
    stratified_width,
)
from wikibias.research.annotation.tasks import Task


def test_gives_the_numbers_of_each_bin() -> None:
    *bins, (last, largest) = read_bins(PAPER_BINS).items()
    assert dict(bins) == {"1-2": range(1, 3), "3-6": range(3, 7), "7-15": range(7, 16)}
    assert (last, largest[0], 4000 in largest) == ("16-", 16, True)
    assert read_bins("1, 5-9") == {"1": range(1, 2), "5-9": range(5, 10)}


@pytest.mark.parametrize("text", ["", "a", "1-2,", "1,1", "3-1", "0-2", "1-3,3-4", "1-,5-6", "-3"])
def test_refuses_what_are_no_bins(text: str) -> None:
    with pytest.raises(UsageError, match="--bins"):
        read_bins(text)


@given(st.text("0123456789-, a", max_size=20))
def test_takes_or_refuses_whatever_is_typed(text: str) -> None:
    try:
        bins = read_bins(text)
    except UsageError:
        return
    assert read_bins(",".join(bins)) == bins
    for number in range(1, 40):
        assert sum(number in held for held in bins.values()) <= 1


def test_the_parts_of_a_stratum_are_read_back() -> None:
    parts = {"bin": "3-6", "tag": "POV section"}
    assert Task("a", "x", stratum="bin=3-6 tag=POV section").parts == parts
    assert Task("a", "x").parts == {}


def test_takes_as_many_of_each_and_what_a_small_one_lacks_the_others_give() -> None:
    assert allocated({"a": 90, "b": 80, "c": 70, "d": 60}, 100) == dict.fromkeys("abcd", 25)
    assert allocated({"a": 3, "b": 80, "c": 10}, 30) == {"a": 3, "b": 17, "c": 10}
    with pytest.raises(UsageError, match="-n 1 is fewer than the 2 strata"):
        allocated({"a": 3, "b": 3}, 1)


@given(st.lists(st.integers(1, 50), min_size=1, max_size=8), st.integers(8, 500))
def test_gives_all_that_is_wanted_or_there(sizes: list[int], wanted: int) -> None:
    named = {str(place): size for place, size in enumerate(sizes)}
    found = allocated(named, wanted)
    assert sum(found.values()) == min(wanted, sum(sizes))
    assert all(1 <= found[name] <= size for name, size in named.items())
    most = max(found.values())
    assert all(number >= most - 1 or number == named[name] for name, number in found.items())


BINS = read_bins(PAPER_BINS)


def population(sizes: dict[int, int]) -> Iterator[Removed]:
    """Yield so many sentences of edits that removed so many."""
    for removed, number in sizes.items():
        for place in range(number):
            row = {"sentence_id": f"w-{removed}-removed-{place}", "tier": "low", "tags": ["POV"]}
            yield Removed(0, row, removed)


def ids(drawn: Drawn) -> list[str]:
    """Return the sentences drawn, in order."""
    return [one.row["sentence_id"] for stratum in drawn.strata for one in stratum.drawn]


def test_gives_each_bin_as_many_and_its_probability() -> None:
    found = draw(population({1: 50, 4: 100, 9: 200, 40: 400}), 100, BINS)
    drawn = {each.name: len(each.drawn) for each in found.strata}
    assert drawn == dict.fromkeys(("bin=1-2", "bin=3-6", "bin=7-15", "bin=16-"), 25)
    assert [each.probability for each in found.strata] == [0.5, 0.25, 0.125, 0.0625]


def test_parts_bins_by_more() -> None:
    found = draw(population({1: 5, 4: 5}), 4, BINS, ["tier", "tag"])
    names = ["bin=1-2 tier=low tag=POV", "bin=3-6 tier=low tag=POV"]
    assert [each.name for each in found.strata] == names


def test_depends_on_the_seed_and_not_on_the_order() -> None:
    rows = list(population({1: 300, 4: 300}))
    assert ids(draw(rows, 60, BINS, seed=1)) == ids(draw(rows[::-1], 60, BINS, seed=1))
    assert ids(draw(rows, 60, BINS, seed=1)) != ids(draw(rows, 60, BINS, seed=2))


def test_refuses_corpora_that_hold_the_same_sentence() -> None:
    rows = list(population({1: 9}))
    copies = [Removed(1, each.row, each.removed) for each in rows]
    with pytest.raises(UsageError, match="in two of the corpora"):
        draw([*rows, *copies], 6, BINS)


def test_a_larger_sample_holds_the_smaller() -> None:
    rows = list(population({1: 300, 4: 300}))
    assert set(ids(draw(rows, 60, BINS))) < set(ids(draw(rows, 90, BINS)))


def test_every_sentence_is_as_likely() -> None:
    rows = list(population({1: 20}))
    seen = Counter(name for seed in range(2000) for name in ids(draw(rows, 5, BINS, seed=seed)))
    # 500 each; a standard deviation is 19.4.
    assert len(seen) == 20
    assert all(abs(number - 500) < 85 for number in seen.values())


def test_fills_up_from_other_strata_and_counts_what_lies_in_no_bin() -> None:
    found = draw(population({1: 3, 4: 90}), 40, read_bins("1-2,3-6,7-15"))
    assert [len(each.drawn) for each in found.strata] == [3, 37]
    assert draw(population({1: 3, 4: 90}), 2, read_bins("1-2")).outside == 90
    with pytest.raises(UsageError, match="widen --bins"):
        draw(population({1: 3}), 2, read_bins("5-"))


def tasks(number: int, repeats: int, strata: int = 1) -> list[Task]:
    """Return so many drawn tasks, the first of which are repeated."""
    drawn = [Task(f"t{n}", "x", stratum=f"bin={n % strata}") for n in range(number)]
    again = [Task(f"r{n}", "x", kind="repeat", repeat_of=f"t{n}") for n in range(repeats)]
    return drawn + again


def test_names_of_items_are_letters_alone() -> None:
    names = {item_name(0, "w", str(number)) for number in range(5000)}
    assert len(names) == 5000
    assert all(len(name) == 10 and name.isalpha() for name in names)


def test_gives_the_design_of_the_paper() -> None:
    found = dealt(tasks(520, 0, strata=4), ["a", "b"], 72)
    shared = [task for task in found if len(task.annotators) == 2]
    assert len(shared) == 72
    assert Counter(task.stratum for task in shared) == {f"bin={n}": 18 for n in range(4)}
    assert [sum(name in task.annotators for task in found) for name in "ab"] == [296, 296]


def test_a_share_is_of_what_each_annotator_has() -> None:
    found = dealt(tasks(744, 0, strata=4), ["a", "b", "c"], None)
    loads = [sum(name in task.annotators for task in found) for name in "abc"]
    shared = sum(len(task.annotators) == 3 for task in found)
    assert [round(shared / load, 2) for load in loads] == [0.24, 0.24, 0.24]


def test_a_repeat_goes_where_its_original_goes() -> None:
    found = {task.item: task for task in dealt(tasks(30, 6), ["a", "b"], None)}
    for name in range(6):
        assert found[f"r{name}"].annotators == found[f"t{name}"].annotators


def test_refuses_to_share_more_than_there_is() -> None:
    with pytest.raises(UsageError, match="--shared 40 is more than the 30 sentences"):
        dealt(tasks(30, 0), ["a", "b"], 40)


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


def test_takes_the_inner_folder_too_and_says_what_to_type_where_none_is_built(
    tmp_path: Path,
) -> None:
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


DESIGN = Design(sentences=40, bins=read_bins(PAPER_BINS), controls=0.2, repeats=0.1)


@pytest.fixture(scope="module")
def made() -> Sample:
    return sample([corpus()], DESIGN)


def test_has_drawn_sentences_controls_and_repeats(made: Sample) -> None:
    assert [made.count(kind) for kind in ("sample", "control", "repeat")] == [40, 8, 4]
    assert len({task.item for task in made.tasks}) == 52


def test_probabilities_add_up_to_the_corpus(made: Sample) -> None:
    drawn = [task for task in made.tasks if task.kind == "sample"]
    biased = (load_corpus(corpus())["role"] == "removed").sum()
    assert sum(1 / (task.probability or 0) for task in drawn) == pytest.approx(biased)


def test_the_same_seed_gives_the_same_tasks(made: Sample) -> None:
    assert sample([corpus()], DESIGN).tasks == made.tasks
    assert sample([corpus()], replace(DESIGN, seed=1)).tasks != made.tasks


def test_controls_stand_on_both_sides_and_repeats_say_the_same(made: Sample) -> None:
    known = {task.item: task for task in made.tasks}
    for task in made.tasks:
        assert task.text in task.before
        assert (task.text in task.after) == (task.kind == "control")
        assert (task.role == "unchanged") == (task.kind == "control")
        original = known[task.repeat_of or task.item]
        assert original.kind != "repeat"
        assert (task.text, task.previous) == (original.text, original.previous)


def test_languages_part_several_corpora() -> None:
    found = sample([corpus(), corpus("fr")], replace(DESIGN, by=("language",)))
    assert {task.language for task in found.tasks} == {"en", "fr"}
    for task in found.tasks:
        if task.kind == "sample":
            assert (task.stratum or "").endswith(f"language={task.language}")
            assert task.corpus == task.language


EQUAL = dict.fromkeys(("a", "b", "c", "d"), 1000)


def test_the_least_number_whose_interval_is_narrow_enough() -> None:
    number = needed(0.1, EQUAL)
    assert stratified_width(EQUAL, number) <= 0.1 < stratified_width(EQUAL, number - 4)
    # Cochran 1977: (1.96 / .05)^2 * .48 * .52 = 384.
    assert needed(0.1, {"all": 10_000_000}) == pytest.approx(384, abs=5)


def test_a_finite_corpus_takes_fewer_and_unequal_strata_more() -> None:
    assert needed(0.1, {"all": 1000}) < needed(0.1, {"all": 100_000})
    assert needed(1e-9, {"all": 50}) == 50
    assert stratified_width({"a": 5, "b": 9}, 14) == 0
    assert needed(0.1, {"a": 100, "b": 5000}) > needed(0.1, {"all": 5100})
