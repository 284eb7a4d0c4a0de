from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from made_tables import day, write_rows
from wikibias.reports import corpus_statistics
from wikibias.reports.corpus_statistics import Sentences, groups_of_lengths, quantile


def transition(kind: str, year: int, *tags: str, pairing: str = "removal-edit") -> dict[str, Any]:
    return {"kind": kind, "after_timestamp": day(year), "tags": list(tags), "pairing": pairing}


def test_changes_of_tags_are_counted_and_neither_spans_nor_summaries(
    tmp_path: Path,
) -> None:
    rows = [
        transition("added", 2006, "POV"),
        transition("removed", 2008, "POV", "Weasel"),
        transition("removed", 2008, "POV", pairing="tagged-span"),
        transition("removed", 2009, pairing="summary-edit"),
    ]
    write_rows(tmp_path, "transitions/p", rows)
    found = corpus_statistics.transitions(tmp_path)
    assert found is not None
    assert found.years == [2006, 2007, 2008]
    assert (dict(found.added), dict(found.removed)) == ({2006: 1}, {2008: 1})
    assert dict(found.tags_removed) == {"POV": 1, "Weasel": 1}


def test_edits_fall_into_the_bins_of_the_paper(tmp_path: Path) -> None:
    sizes = [1, 2, 3, 6, 7, 15, 16, 40]
    write_rows(tmp_path, "edits/p", [{"removed": ["a sentence"] * size} for size in sizes])
    found = corpus_statistics.edits(tmp_path, seed=0)
    assert found is not None
    assert found.bins == [2, 2, 2, 2]
    assert found.sentences == [3, 9, 22, 56]
    assert len(found.sample) == len(sizes)


def test_rejected_edits_are_counted_and_sampled_by_reason(tmp_path: Path) -> None:
    reasons = ["spelling"] * 5 + ["reverted"]
    write_rows(tmp_path, "rejects/p", [{"verdict": reason} for reason in reasons])
    found = corpus_statistics.rejects(tmp_path, seed=0)
    assert found is not None
    assert {reason: (number, len(of)) for reason, (number, of) in found.items()} == {
        "spelling": (5, 2),
        "reverted": (1, 1),
    }
    assert corpus_statistics.rejects(tmp_path, seed=0) == found


def test_sentences_are_counted_by_class_length_and_tier(tmp_path: Path) -> None:
    rows = [
        {"label": "biased", "norm": "the finest mill", "tier": "high"},
        {"label": "biased", "norm": "the finest of all", "tier": "low"},
        {"label": "neutral", "norm": "the largest mill", "tier": "high"},
        {"label": "unheard of", "norm": "no class", "tier": "high"},
    ]
    write_rows(tmp_path, "corpus/train", rows)
    found = corpus_statistics.sentences(tmp_path)
    assert found is not None
    assert dict(found.lengths["biased"]) == {3: 1, 4: 1}
    assert found.tiers == {"high": Counter(biased=1, neutral=1), "low": Counter(biased=1)}
    assert found.contrasts[0].word == "finest"
    assert found.contrasts[-1].word == "largest"
    assert found.sizes == (7, 3)


def test_an_earlier_version_wrote_no_tiers(tmp_path: Path) -> None:
    write_rows(tmp_path, "corpus/train", [{"label": "biased", "norm": "the finest"}])
    found = corpus_statistics.sentences(tmp_path)
    assert found is not None
    assert found.tiers == {}


@pytest.mark.parametrize("name", ["transitions", "edits", "rejects", "sentences"])
def test_what_is_not_there_is_none(name: str, tmp_path: Path) -> None:
    arguments = (0,) if name in ("edits", "rejects") else ()
    assert getattr(corpus_statistics, name)(tmp_path, *arguments) is None


def test_the_last_group_of_lengths_has_all_longer_ones() -> None:
    found = Sentences()
    found.lengths["biased"].update([4, 5, 9, 59, 60, 400])
    groups = dict(zip(groups_of_lengths(), found.histogram("biased"), strict=True))
    assert {name: number for name, number in groups.items() if number} == {
        "0–4": 1,
        "5–9": 2,
        "55–59": 1,
        "60+": 2,
    }


def test_a_median_is_a_value_that_is_there() -> None:
    assert quantile(Counter({3: 1, 8: 1, 9: 1}), 0.5) == 8
    assert quantile(Counter({3: 1, 8: 1}), 0.5) == 3
    assert quantile(Counter(), 0.5) is None
