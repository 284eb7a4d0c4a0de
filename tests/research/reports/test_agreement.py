"""The page of how far annotators agree."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from blocks import says, tables
from judged_samples import opinions, sampled, written
from wikibias.kits.tables import write_rows
from wikibias.research.annotation.agreement import agreement, read_compared
from wikibias.research.annotation.estimates import judged_shares
from wikibias.research.annotation.votes import read_judged
from wikibias.research.reports.agreement import MOST_PAIRS, agreement_tables, judged


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


def test_shows_shares_beside_the_tables_of_the_paper(tmp_path: Path) -> None:
    tasks = sampled()
    _, path = written(tmp_path, tasks, opinions(tasks))
    found = judged(judged_shares(tasks, read_judged([path]), resamples=50))
    titles = [table.title for table in tables(found)]
    assert [title for title in titles if "2019 paper" in title] == [
        "Table 4 of the 2019 paper: sentences judged",
        "Table 5 of the 2019 paper: share judged biased",
        "Table 6 of the 2019 paper: Fleiss’ kappa",
    ]
    assert "2 annotators judged 30 sentences that edits removed, of 67." in says(found)[0]


def test_other_bins_are_not_compared_with_those_of_the_paper(tmp_path: Path) -> None:
    tasks = [replace(task, stratum=task.stratum and "bin=1-") for task in sampled()]
    _, path = written(tmp_path, tasks, opinions(tasks))
    found = judged(judged_shares(tasks, read_judged([path]), resamples=50))
    assert not [table for table in tables(found) if table.title.startswith("Table 5")]
