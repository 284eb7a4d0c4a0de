"""Tests of `wikibias annotate coreset`."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from exports import wikibias
from sample_sentences import made_up
from wikibias.research.annotation.tables import read_table, write_rows


@pytest.fixture
def labelled(tmp_path: Path) -> Path:
    rows = [{"text": text, "vote": label} for label, text in made_up(60, 1)]
    write_rows(tmp_path / "voted.csv", [*rows, {"text": "A mill.", "vote": "?"}])
    return tmp_path / "voted.csv"


def test_chooses_sentences_that_stand_for_all(labelled: Path, tmp_path: Path) -> None:
    out = tmp_path / "coreset.csv"
    done = wikibias("annotate", "coreset", labelled, "--label", "vote", "-n", 10, "--out", out)
    assert done.code == 0, done.err
    found = read_table(out)
    assert set(Counter(found.column("vote"))) == {"biased", "neutral"}
    assert sum(int(weight) for weight in found.column("stands_for")) == 60
    assert f"Wrote {out}: {len(found)} sentences of 60." in done.out


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (("--label", "vote", "-n", 60), "there are only 60 labelled sentences"),
        (("--label", "label", "-n", 6), "no column 'label'"),
        (("--label", "vote", "-n", 6, "--text", "sentence"), "no column 'sentence'"),
    ],
)
def test_says_what_is_wrong(
    labelled: Path, tmp_path: Path, asked: tuple[object, ...], message: str
) -> None:
    done = wikibias("annotate", "coreset", labelled, *asked, "--out", tmp_path / "out.csv")
    assert done.code in (1, 2)
    assert message in done.err
