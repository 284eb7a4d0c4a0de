"""Aligned sentences to pairs, and the folder of them: table, readable part, funnel."""

import json
import statistics
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from made_pairs import PROVENANCE, pair
from wikibias.config.languages import load_language
from wikibias.config.thresholds import Build
from wikibias.corpus.sentence_pairs import harvest
from wikibias.records import SentencePair


def written(out: Path, pairs: Iterable[SentencePair], **changed: Any) -> dict[str, Any]:
    """Write pairs and return the funnel."""
    choices: dict[str, Any] = {
        "shares": Build(), "seed": 0, "facts": {"format": "sentence pairs"}, "overwrite": False,
    }  # fmt: skip
    harvest.write_pairs(out, pairs, harvest.Funnel(), **(choices | changed))
    told: dict[str, Any] = json.loads((out / "funnel.json").read_text("utf-8"))
    return told


def test_the_table_the_readable_part_and_the_funnel(tmp_path: Path) -> None:
    pairs = [pair(1, single_word=True), pair(2, label="neutral"), pair(3)]
    told = written(tmp_path / "out", pairs)
    assert (told["biased"], told["single_word"], told["neutral"]) == (2, 1, 1)
    assert list(told["splits"]) == ["train", "dev", "test"]
    assert sum(told["splits"].values()) == 3
    table = pq.read_table(tmp_path / "out/pairs.parquet").to_pylist()
    assert [row["label"] for row in table] == ["biased", "neutral", "biased"]
    lines = (tmp_path / "out/pairs.tsv").read_text("utf-8").splitlines()
    assert lines[0].split("\t") == ["split", "label", "tier", "source", "target", "confidence"]
    assert lines[1].split("\t")[3:5] == [pairs[0].source, pairs[0].target]
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "export.json", "funnel.json", "pairs.parquet", "pairs.tsv",
    ]  # fmt: skip


def test_a_pair_of_unusual_lengths_is_left_out_and_a_neutral_one_never(tmp_path: Path) -> None:
    odd = pair(99, source="Long. " * 60)
    told = written(tmp_path / "out", [*map(pair, range(30)), odd, pair(100, label="neutral")])
    assert (told["biased"], told["after_length_ratio"], told["neutral"]) == (31, 30, 1)
    ids = pq.read_table(tmp_path / "out/pairs.parquet")["pair_id"].to_pylist()
    assert odd.pair_id not in ids
    assert len(ids) == 31


def test_all_pairs_of_a_page_go_to_one_split(tmp_path: Path) -> None:
    pairs = [pair(number, page=number % 10) for number in range(100, 300)]
    written(tmp_path / "out", pairs)
    rows = pq.read_table(tmp_path / "out/pairs.parquet").to_pylist()
    splits = {(row["page_id"], row["split"]) for row in rows}
    assert len(splits) == 10
    sizes = [sum(row["split"] == name for row in rows) for name in ("train", "dev", "test")]
    assert sizes == [160, 20, 20]


def test_a_split_that_is_given_stays(tmp_path: Path) -> None:
    written(tmp_path / "out", [pair(1, split="test"), pair(2, split="dev")])
    rows = pq.read_table(tmp_path / "out/pairs.parquet").to_pylist()
    assert [row["split"] for row in rows] == ["test", "dev"]


def test_the_same_pairs_give_the_same_bytes_and_another_seed_other_splits(tmp_path: Path) -> None:
    pairs = [pair(number, page=number) for number in range(50)]
    for name, seed in (("a", 3), ("b", 3), ("c", 4)):
        written(tmp_path / name, pairs, seed=seed)
    first, again, other = ((tmp_path / n / "pairs.parquet").read_bytes() for n in "abc")
    assert first == again
    assert first != other


def test_half_a_character_costs_only_its_pair(tmp_path: Path) -> None:
    half = pair(1, source="Half \ud800 a sentence.")
    for name, pairs in (("one", [half, pair(2)]), ("none", [half])):
        told = written(tmp_path / name, pairs)
        assert told["biased"] == told["after_length_ratio"] == len(pairs) - 1
        assert told["verdicts"] == {"no characters": 1}
        assert pq.read_table(tmp_path / name / "pairs.parquet").num_rows == len(pairs) - 1


LENGTHS = st.lists(st.tuples(st.integers(1, 500), st.integers(1, 500)), min_size=1)


def test_the_odd_one_out_is_unusual() -> None:
    ratios = harvest.LengthRatios()
    for length in range(40, 60):
        ratios.add("a" * length, "a" * length)
    ratios.add("a" * 90, "a" * 10)
    assert ratios.is_usual("a" * 50, "a" * 52)
    assert not ratios.is_usual("a" * 90, "a" * 10)


def test_pairs_that_are_all_alike_are_all_usual() -> None:
    ratios = harvest.LengthRatios()
    for _ in range(1000):
        ratios.add("a" * 7, "a" * 3)
    assert ratios.is_usual("a" * 7, "a" * 3)


@given(LENGTHS)
def test_mean_and_deviation_are_those_of_the_whole_set(lengths: list[tuple[int, int]]) -> None:
    ratios = harvest.LengthRatios()
    for source, target in lengths:
        ratios.add("a" * source, "a" * target)
    all_of_them = [source / target for source, target in lengths]
    expected = statistics.fmean(all_of_them), statistics.pstdev(all_of_them)
    assert ratios.mean_and_sd() == pytest.approx(expected, abs=1e-6)


BEFORE = "the splendid bridge crosses the river near the mill of the old town."
AFTER = "the bridge crosses the river near the mill of the old town."
OTHER = "in winter two trains a day stop at the harbour station."


def pairs_of(*texts: tuple[str, str]) -> tuple[list[SentencePair], harvest.Funnel]:
    funnel = harvest.Funnel()
    return list(
        harvest.judged(texts, PROVENANCE, harvest.WNC_FILTERS, funnel, load_language("en"))
    ), funnel


def test_biased_and_neutral_pairs_and_what_is_dropped() -> None:
    dropped = ("it was built in 1901 by the town.", "it was built in 1902 by the town.")
    pairs, funnel = pairs_of((BEFORE, AFTER), (OTHER, OTHER), dropped)
    assert [(pair.label, pair.single_word) for pair in pairs] == [
        ("biased", True),
        ("neutral", False),
    ]
    biased, neutral = pairs
    assert [edit.type for edit in biased.edits] == ["deletion"]
    assert biased.source[slice(*map(int, biased.edits[0].source.split(":")))] == "splendid"
    assert (neutral.source, neutral.edits) == (neutral.target, ())
    assert len({pair.pair_id for pair in pairs}) == 2
    assert funnel.verdicts == {"biased": 1, "neutral": 1, "few_letters": 1}


def test_a_target_of_two_sources_drops_the_edit() -> None:
    assert pairs_of()[0] == []
    pairs, funnel = pairs_of((BEFORE, AFTER), (OTHER, AFTER))
    assert pairs == []
    assert funnel.verdicts == {"repeated": 2}


def test_what_the_authors_would_call_neutral_is_biased_and_counted() -> None:
    pairs, funnel = pairs_of((BEFORE, AFTER.replace("old town", "very old town")))
    assert [pair.label for pair in pairs] == ["biased"]
    assert funnel.more["one_word_out_another_elsewhere"] == 1


def write(folder: Path, *rows: tuple[str, ...]) -> Path:
    path = folder / "pairs.tsv"
    path.write_text("".join("\t".join(row) + "\n" for row in rows), "utf-8")
    return path


def test_pairs_of_a_file_with_their_groups_and_splits(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        ("source", "target", "split", "rev_id"),
        (BEFORE, AFTER, "test", "17"),
        (AFTER, AFTER, "", "Elm"),
        ("it rose.", "two trains a day stop at the harbour.", "", ""),
    )
    funnel = harvest.Funnel()
    pairs = list(
        harvest.judged_file(path, "own", funnel, group="rev_id", language=load_language("en"))
    )
    assert [pair.label for pair in pairs] == ["biased", "neutral"]
    assert [pair.split for pair in pairs] == ["test", ""]
    assert [pair.provenance.page_title for pair in pairs] == ["17", "Elm"]
    assert [pair.provenance.after_rev_id for pair in pairs] == [17, None]
    assert funnel.verdicts == {"biased": 1, "neutral": 1, "unlike": 1}
    assert funnel.more["pairs_read"] == 3


@pytest.mark.parametrize(
    ("name", "columns", "kept", "single", "rules"),
    [
        ("wnc_word_test.even.tsv", ("src", "tgt"), 416, 416, "wnc"),
        ("wnc_multi_test.even.tsv", ("src", "tgt"), 500, 3, "own"),
        ("wnc_full_sample.train.jsonl", ("text", "neutral"), 596, 196, "wnc"),
        ("wnc_full_sample.train.jsonl", ("text", "neutral"), 596, 196, "own"),
    ],
)
def test_published_pairs_survive(
    shared: Path,
    name: str,
    columns: tuple[str, str],
    kept: int,
    single: int,
    rules: harvest.RulesName,
) -> None:
    funnel = harvest.Funnel()
    source, target = columns
    path = shared / "pairs" / name
    pairs = list(harvest.judged_file(path, rules, funnel, source=source, target=target))
    assert funnel.verdicts == {"biased": kept}
    assert sum(pair.single_word for pair in pairs) == single


def test_the_keys_come_first_and_in_order() -> None:
    funnel = harvest.Funnel()
    # What nobody counted is not zero.
    assert funnel.as_dict()["matched"] is None
    funnel.counts["biased"] = 3
    funnel.stages.update({"passed": 2, "number of sentences differs": 5})
    told = funnel.as_dict()
    assert tuple(told)[: len(harvest.KEYS)] == harvest.KEYS
    assert told["biased"] == 3
    assert list(told["stages"]) == ["number of sentences differs", "passed"]
