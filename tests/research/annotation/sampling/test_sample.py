"""Tests of samples of a corpus."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sample_corpora import corpus
from wikibias.api.corpora import load_corpus
from wikibias.research.annotation.samples import PAPER_BINS, Design, read_bins, sample

DESIGN = Design(sentences=40, bins=read_bins(PAPER_BINS), controls=0.2, repeats=0.1)


class TestSample:
    def test_has_drawn_sentences_controls_and_repeats(self) -> None:
        found = sample([corpus()], DESIGN)
        assert [found.count(kind) for kind in ("sample", "control", "repeat")] == [40, 8, 4]
        assert len({task.item for task in found.tasks}) == 52

    def test_probabilities_add_up_to_the_corpus(self) -> None:
        drawn = [task for task in sample([corpus()], DESIGN).tasks if task.kind == "sample"]
        biased = (load_corpus(corpus())["role"] == "removed").sum()
        assert sum(1 / (task.probability or 0) for task in drawn) == pytest.approx(biased)

    def test_the_same_seed_gives_the_same_tasks(self) -> None:
        assert sample([corpus()], DESIGN).tasks == sample([corpus()], DESIGN).tasks
        assert sample([corpus()], DESIGN).tasks != sample([corpus()], replace(DESIGN, seed=1)).tasks

    def test_controls_were_left_alone_and_stand_on_both_sides(self) -> None:
        for task in sample([corpus()], DESIGN).tasks:
            assert task.text in task.before
            assert (task.text in task.after) == (task.kind == "control")
            assert (task.role == "unchanged") == (task.kind == "control")

    def test_without_pair_and_context_there_is_the_sentence_alone(self) -> None:
        bare = replace(DESIGN, with_pair=False, with_context=False)
        for task in sample([corpus()], bare).tasks:
            assert (task.before, task.after, task.counterpart) == ((), (), None)
            assert (task.previous, task.next, task.section) == (None, None, None)

    def test_repeats_say_the_same(self) -> None:
        found = {task.item: task for task in sample([corpus()], DESIGN).tasks}
        for task in found.values():
            if task.kind == "repeat":
                original = found[task.repeat_of or ""]
                assert original.kind == "sample"
                assert (task.text, task.previous) == (original.text, original.previous)

    def test_languages_part_several_corpora(self) -> None:
        found = sample([corpus(), corpus("fr")], replace(DESIGN, by=("language",)))
        assert {task.language for task in found.tasks} == {"en", "fr"}
        for task in found.tasks:
            if task.kind == "sample":
                assert (task.stratum or "").endswith(f"language={task.language}")
                assert task.corpus == task.language

    def test_sentences_are_dealt_to_annotators(self) -> None:
        found = sample([corpus()], replace(DESIGN, annotators=("ann", "bob")))
        assert {task.annotators for task in found.tasks} == {("ann", "bob"), ("ann",), ("bob",)}
