"""Tests of `wikibias annotate plan`."""

from __future__ import annotations

from exports import wikibias
from sample_corpora import corpus


class TestPlan:
    def test_numbers_alone_do(self) -> None:
        done = wikibias("annotate", "plan", "--width", 0.1, "--share", 0.5, "--of", 1000)
        assert done.code == 0, done.err
        assert done.out.startswith("276 sentences of 1,000: an interval of 0.100")
        assert "kappa, expected at 0.41" in done.out

    def test_counts_the_strata_of_a_corpus(self) -> None:
        done = wikibias("annotate", "plan", corpus(), "--width", 0.2)
        assert "bin=3-6" in done.out
        assert "Over all 67 sentences: 40" in done.out
        assert f"annotate sample {corpus()} -n 40" in done.out

    def test_says_how_to_draw_from_the_same_strata(self) -> None:
        done = wikibias("annotate", "plan", corpus(), "--bins", "1-9,10-", "--by", "tag")
        assert f"annotate sample {corpus()} --bins 1-9,10- --by tag -n " in done.out

    def test_refuses_a_number_beside_a_folder(self) -> None:
        done = wikibias("annotate", "plan", corpus(), "--of", 9)
        assert done.code == 2
        assert "--of goes without a folder" in done.err
