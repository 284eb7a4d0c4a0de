"""The page of how far annotators agree."""

from pathlib import Path
from typing import Any

from wikibias.kits.tables import write_rows
from wikibias.research.annotation.agreement import agreement, read_compared
from wikibias.research.reports.agreement import MOST_PAIRS, agreement_tables


def found(tmp_path: Path, names: str) -> dict[str, Any]:
    """Return the agreement of some annotators."""
    rows = [
        {name: (number * place) % 3 % 2 for place, name in enumerate(names)} for number in range(9)
    ]
    write_rows(tmp_path / "t.jsonl", rows)
    given = read_compared([tmp_path / "t.jsonl"], columns=",".join(names))
    return agreement(given, resamples=20, warn=print)


def test_two_annotators_have_their_answers_side_by_side(tmp_path: Path) -> None:
    titles = [table.title for table in agreement_tables("t", found(tmp_path, "ab"))]
    assert titles == [
        "t: 2 annotators, 18 answers to 9 sentences",
        "Cohen's kappa of each two",
        "Annotators",
        "a and b",
    ]


def test_of_many_pairs_those_are_shown_that_agree_least(tmp_path: Path) -> None:
    _, pairs, *_ = agreement_tables("t", found(tmp_path, "abcdefg"))
    assert pairs.title == "Cohen's kappa of the 15 pairs of 21 that agree least"
    assert len(pairs.rows) == MOST_PAIRS
