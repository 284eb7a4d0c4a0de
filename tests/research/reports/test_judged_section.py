"""Tests of the section on what annotators said."""

from dataclasses import replace
from pathlib import Path

from blocks import says, tables
from judged_samples import opinions, sampled, written
from wikibias.research.annotation.estimates import judged_shares
from wikibias.research.annotation.votes import read_judged
from wikibias.research.reports.judged_section import judged


class TestJudged:
    def test_shows_shares_beside_the_tables_of_the_paper(self, tmp_path: Path) -> None:
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

    def test_other_bins_are_not_compared_with_those_of_the_paper(self, tmp_path: Path) -> None:
        tasks = [replace(task, stratum=task.stratum and "bin=1-") for task in sampled()]
        _, path = written(tmp_path, tasks, opinions(tasks))
        found = judged(judged_shares(tasks, read_judged([path]), resamples=50))
        assert not [table for table in tables(found) if table.title.startswith("Table 5")]
