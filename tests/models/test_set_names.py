"""Reads the sets of `cross-evaluate`."""

from __future__ import annotations

from pathlib import Path

import pytest

from wikibias.errors import UsageError, WikibiasError
from wikibias.models.examples import LABELS
from wikibias.models.set_names import read_sets


def _texts(path: Path, *lines: str) -> Path:
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_two_texts_are_the_two_classes(tmp_path: Path) -> None:
    yes, no = _texts(tmp_path / "y.txt", "Bad.", "", "Worse."), _texts(tmp_path / "n.txt", "Good.")
    said: list[str] = []
    (one,) = read_sets([f"mine={yes}+{no}"], LABELS, said.append, balance=False, seed=0)
    assert one.name == "mine"
    assert one.train.texts == ["Bad.", "Worse.", "Good."]
    assert [*one.train.biased] == [True, True, False]
    assert "left out 1 line without a sentence" in said[0]
    (even,) = read_sets([f"mine={yes}+{no}"], LABELS, said.append, balance=True, seed=0)
    assert len(even.train) == 2


def test_a_corpus_is_tested_on_its_test_split(corpus: Path) -> None:
    (one,) = read_sets([f"c={corpus}"], LABELS, pytest.fail, balance=False, seed=0)
    assert one.test is not None


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["mine"], "say NAME=PATH"),
        (["=x"], "say NAME=PATH"),
        (["a=nowhere.tsv"], "no such file or folder"),
        (["a=nowhere.txt+{no}"], "no such file"),
        (["a={no}+{no}", "a={no}+{no}"], "two sets are called 'a'"),
    ],
)
def test_what_is_no_set_is_refused(given: list[str], said: str, tmp_path: Path) -> None:
    no = _texts(tmp_path / "n.txt", "Good.")
    with pytest.raises(UsageError, match=said):
        read_sets(
            [each.format(no=no) for each in given], LABELS, pytest.fail, balance=False, seed=0
        )


def test_a_text_without_a_sentence_is_refused(tmp_path: Path) -> None:
    empty, no = _texts(tmp_path / "e.txt"), _texts(tmp_path / "n.txt", "Good.")
    with pytest.raises(WikibiasError, match="no sentence in it"):
        read_sets([f"a={empty}+{no}"], LABELS, lambda _: None, balance=False, seed=0)
