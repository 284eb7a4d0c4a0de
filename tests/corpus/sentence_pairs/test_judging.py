"""Aligned sentences to pairs."""

from pathlib import Path

import pytest

from made_edits import corpus
from made_pairs import PROVENANCE
from wikibias.config.languages import load_language
from wikibias.config.thresholds import Build, Tiers
from wikibias.corpus.sentence_pairs.harvest import (
    KEYS,
    Funnel,
    Harvest,
    RulesName,
    judged,
    judged_file,
)
from wikibias.edits.pair_filters import WNC_FILTERS
from wikibias.kits.schemas import PAIRS_TABLE, TRANSITIONS_TABLE
from wikibias.records import SentencePair

BEFORE = "the splendid bridge crosses the river near the mill of the old town."
AFTER = "the bridge crosses the river near the mill of the old town."
OTHER = "in winter two trains a day stop at the harbour station."


def pairs_of(*texts: tuple[str, str]) -> tuple[list[SentencePair], Funnel]:
    funnel = Funnel()
    return list(judged(texts, PROVENANCE, WNC_FILTERS, funnel, load_language("en"))), funnel


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
    pairs, funnel = pairs_of((BEFORE, AFTER), (OTHER, AFTER))
    assert pairs == []
    assert funnel.verdicts == {"repeated": 2}


def test_what_the_authors_would_call_neutral_is_biased_and_counted() -> None:
    pairs, funnel = pairs_of((BEFORE, AFTER.replace("old town", "very old town")))
    assert [pair.label for pair in pairs] == ["biased"]
    assert funnel.more["one_word_out_another_elsewhere"] == 1


def test_an_edit_without_sentences() -> None:
    assert pairs_of()[0] == []


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
    funnel = Funnel()
    pairs = list(judged_file(path, "own", funnel, group="rev_id", language=load_language("en")))
    assert [pair.label for pair in pairs] == ["biased", "neutral"]
    assert [pair.split for pair in pairs] == ["test", ""]
    assert [pair.provenance.page_title for pair in pairs] == ["17", "Elm"]
    assert [pair.provenance.after_rev_id for pair in pairs] == [17, None]
    assert funnel.verdicts == {"biased": 1, "neutral": 1, "unlike": 1}
    assert funnel.more["pairs_read"] == 3


@pytest.mark.parametrize("rules", ["wnc", "own"])
@pytest.mark.parametrize(
    ("name", "columns", "kept", "single"),
    [
        ("wnc_word_test.even.tsv", ("src", "tgt"), 416, 416),
        ("wnc_multi_test.even.tsv", ("src", "tgt"), 500, 3),
        ("wnc_full_sample.train.jsonl", ("text", "neutral"), 596, 196),
    ],
)
def test_published_pairs_survive(
    shared: Path, name: str, columns: tuple[str, str], kept: int, single: int, rules: RulesName
) -> None:
    funnel = Funnel()
    source, target = columns
    path = shared / "pairs" / name
    pairs = list(judged_file(path, rules, funnel, source=source, target=target))
    assert funnel.verdicts == {"biased": kept}
    assert sum(pair.single_word for pair in pairs) == single


def test_the_rows_of_all_parts() -> None:
    folder = corpus()
    parts = tuple(path.stem for path in sorted((folder / "transitions").iterdir()))
    harvest = Harvest(folder, parts, load_language("en"), Tiers(), Build(), 0, {})
    assert list(harvest.rows(PAIRS_TABLE)) == []
    revisions = [row.provenance.after_rev_id for row in harvest.rows(TRANSITIONS_TABLE)]
    assert revisions


def test_the_keys_come_first_and_in_order() -> None:
    funnel = Funnel()
    funnel.counts["biased"] = 3
    funnel.stages.update({"passed": 2, "number of sentences differs": 5})
    told = funnel.as_dict()
    assert tuple(told)[: len(KEYS)] == KEYS
    assert told["biased"] == 3
    assert list(told["stages"]) == ["number of sentences differs", "passed"]


def test_what_nobody_counted_is_not_zero() -> None:
    assert Funnel().as_dict()["matched"] is None
