"""What a folder of sentence pairs holds, in numbers."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from made_pairs import written_pairs
from wikibias.reports import pairs_statistics
from wikibias.reports.pairs_statistics import Frequent, PairCounts, edits, of_pairs

ROW: dict[str, Any] = {
    "source": "The splendid, famous mill stands here.",
    "target": "The mill is here.",
    "label": "biased",
    "edit_type": ["deletion", "substitution"],
    "edit_source": ["4:20", "26:32"],
    "edit_target": ["", "9:11"],
}


def test_edits_are_told_by_their_words() -> None:
    assert list(edits(ROW)) == [
        ("deletion", "splendid, famous", ""),
        ("substitution", "stands", "is"),
    ]
    pieces = ROW | {"edit_type": ["deletion"], "edit_source": ["4:12 14:20"], "edit_target": [""]}
    assert list(edits(pieces)) == [("deletion", "splendid … famous", "")]


def test_a_pair_is_counted() -> None:
    counts = PairCounts()
    counts.add(ROW | {"single_word": False, "similarity": 100.0, "relation": "rewritten"})
    assert counts.types == Counter(deletion=1, substitution=1)
    assert counts.spans == Counter({2: 1})
    assert (counts.out, counts.into) == (Counter({3: 1}), Counter({1: 1}))
    assert counts.similarity == Counter({9: 1})
    assert counts.lengths["biased"] == Counter({6: 1})
    assert counts.changes["substitution"].of == Counter({("stands", "is"): 1})


def test_a_row_of_an_older_version_or_without_provenance_counts() -> None:
    counts = PairCounts()
    counts.add({"label": "biased", "source": None})
    counts.add({"label": "neutral", "after_timestamp": datetime(2020, 1, 1, tzinfo=UTC)})
    assert counts.labels == Counter(biased=1, neutral=1)
    assert counts.years == Counter({2020: 0})
    assert counts.languages == {"–": Counter(biased=1, neutral=1)}


def test_marks_alone_are_no_words_and_no_frequent_change() -> None:
    counts = PairCounts()
    row = {"label": "biased", "source": "Here, now.", "target": "Here; now."}
    edit = {"edit_type": ["substitution"], "edit_source": ["4:5"], "edit_target": ["4:5"]}
    counts.add(row | edit)
    assert counts.types["substitution"] == 1
    assert counts.out == Counter({0: 1})
    assert not counts.changes["substitution"].of


def test_the_rarest_are_forgotten_and_the_frequent_are_not() -> None:
    found = Frequent(most=100)
    for number in range(5000):
        found.add((f"word {number}", ""))
        found.add(("the", ""))
    assert len(found.of) <= 100
    assert found.first(3) == [(("the", ""), found.of["the", ""])]
    assert found.of["the", ""] == 5000


def test_a_folder_is_read_once_and_sampled_by_the_seed(tmp_path: Path) -> None:
    folder = written_pairs(tmp_path / "p", 60)
    found = of_pairs(folder, 0)
    assert found.labels == Counter(biased=60, neutral=20)
    assert sum(of["biased"] for of in found.splits.values()) == 60
    assert len(found.sample) == pairs_statistics.SAMPLE
    assert [place.row for place in found.sample] == [
        place.row for place in of_pairs(folder, 0).sample
    ]
    assert found.sample != of_pairs(folder, 1).sample
