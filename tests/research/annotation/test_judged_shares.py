"""Tests of shares judged biased with agreement."""

from __future__ import annotations

from pathlib import Path

import pytest

from judged_samples import opinions, sampled, written
from wikibias.errors import WikibiasError
from wikibias.research.annotation.estimates import judged_shares
from wikibias.research.annotation.votes import read_judged


class TestJudgedShares:
    def test_tells_bins_tiers_and_tags(self, tmp_path: Path) -> None:
        tasks = sampled()
        _, path = written(tmp_path, tasks, opinions(tasks))
        found = judged_shares(tasks, read_judged([path]), resamples=50)
        assert found.whole.share.judged == 30
        assert found.whole.share.population == pytest.approx(67)
        assert [each.name for each in found.bins] == ["3-6", "7-15"]
        assert {each.name for each in found.tiers} <= {"high", "medium", "low"}
        assert "POV" in [each.name for each in found.tags]
        assert sum(each.share.judged for each in found.tiers) == 30
        assert (found.annotators["ann"], found.unjudged) == (30, 0)
        assert found.shared == found.annotators["bob"] == found.whole.kappa["items"] < 30

    def test_controls_stand_apart(self, tmp_path: Path) -> None:
        tasks = sampled()
        _, path = written(tmp_path, tasks, opinions(tasks))
        biased, answers = judged_shares(tasks, read_judged([path]), resamples=50).controls
        assert biased < answers <= 6

    def test_one_annotator_has_no_kappa(self, tmp_path: Path) -> None:
        tasks = sampled()
        rows = [row for row in opinions(tasks) if row["annotator"] == "ann"]
        _, path = written(tmp_path, tasks, rows)
        found = judged_shares(tasks, read_judged([path]), resamples=50)
        assert (found.whole.share.value, found.whole.kappa["value"]) == (1.0, None)

    def test_counts_what_nobody_judged(self, tmp_path: Path) -> None:
        tasks = sampled()
        rows = [row for row in opinions(tasks) if row["item"] != tasks[0].item]
        rows = [row for row in rows if row["item"] != tasks[1].item]
        gone = sum(task.kind == "sample" for task in tasks[:2])
        _, path = written(tmp_path, tasks, rows)
        assert judged_shares(tasks, read_judged([path]), resamples=50).unjudged == gone

    def test_a_corpus_of_several_is_a_part(self, tmp_path: Path) -> None:
        tasks = sampled()
        _, path = written(tmp_path, tasks, opinions(tasks))
        assert judged_shares(
            tasks, read_judged([path]), corpus="en", resamples=50
        ).whole.share.judged
        assert not judged_shares(tasks, read_judged([path]), corpus="fr", resamples=50).bins

    def test_refuses_answers_to_other_tasks(self, tmp_path: Path) -> None:
        tasks = sampled()
        _, path = written(tmp_path, tasks, [{"item": "other", "bias": "biased"}])
        with pytest.raises(WikibiasError, match="no answer is to one of these tasks"):
            judged_shares(tasks, read_judged([path]))
