"""Tests of `wikibias annotate plan`."""

from __future__ import annotations

from pathlib import Path

import pytest

from exports import export, wikibias
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

    def test_says_where_annotators_would_have_to_share_more_than_there_is(self) -> None:
        for words in ((corpus(),), ("--of", 67)):
            done = wikibias("annotate", "plan", *words)
            assert "judge 321 sentences, more than the 67 of the corpus; with all" in done.out
            assert "--shared N` gives all of them the same N" in done.out
        assert "more than" not in wikibias("annotate", "plan", "--of", 1000).out

    @pytest.mark.parametrize("command", ["plan", "sample"])
    def test_an_empty_corpus_is_said_to_be(self, tmp_path: Path, command: str) -> None:
        (tmp_path / "a.xml").write_bytes(export([]))
        folder = tmp_path / "o"
        wikibias("extract", "-q", "--lang", "en", "-o", folder, tmp_path / "a.xml")
        for words in ((folder,), (folder, "--bins", "1-")):
            out = () if command == "plan" else ("--out", tmp_path / "t.jsonl")
            done = wikibias("annotate", command, *words, *out)
            (line,) = done.err.splitlines()
            assert done.code == 2
            assert line == (
                f"Error: {folder}: the corpus is empty; `wikibias status {folder}` says what to try"
            )

    def test_refuses_a_number_beside_a_folder(self) -> None:
        done = wikibias("annotate", "plan", corpus(), "--of", 9)
        assert done.code == 2
        assert "--of goes without a folder" in done.err
