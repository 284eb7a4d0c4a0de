"""Reads the sets of `cross-evaluate`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from wikibias.errors import UsageError, WikibiasError
from wikibias.models.examples import LABELS
from wikibias.research.transfer import read_sets


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
    (even,) = read_sets([f"mine={yes}+{no}"], LABELS, said.append, balance=True, seed=0)
    assert len(even.train) == 2


_LABELLED = [
    {"text": "It needed a source.", "labels": ["citation"], "judged": ["citation"]},
    {"text": "It was clear.", "labels": [], "judged": ["clarification"]},
    {"text": "It needed both.", "labels": ["citation", "clarification"]},
    {"text": "It needed none.", "labels": [], "judged": ["citation", "clarification"]},
    {"text": "It came later.", "labels": ["citation"], "split": "test"},
    {"text": "It was fine.", "labels": [], "split": "test"},
]


def _labelled(path: Path) -> Path:
    rows = [{"split": "train", **row} for row in _LABELLED]
    return _texts(path, *map(json.dumps, rows))


def test_a_label_takes_what_is_judged_for_it(tmp_path: Path) -> None:
    file = _labelled(tmp_path / "a:b=c.jsonl")
    cite, clear = read_sets(
        [f"cite:citation={file}", f"clear:clarification={file}"],
        LABELS, pytest.fail, balance=False, seed=0,
    )  # fmt: skip
    assert cite.train.texts == ["It needed a source.", "It needed both.", "It needed none."]
    assert [*cite.train.biased] == [True, True, False]
    assert cite.test is not None
    assert [*cite.test.biased] == [True, False]
    assert clear.train.texts == ["It was clear.", "It needed both.", "It needed none."]
    with pytest.raises(UsageError, match=r"no sentence of train has the label .* did you mean"):
        read_sets([f"a:citations={file}"], LABELS, pytest.fail, balance=False, seed=0)


def test_pairs_are_known_as_pairs_and_as_labels(tmp_path: Path) -> None:
    pairs = _texts(
        tmp_path / "pairs.tsv",
        "source\ttarget\tpage_id",
        "a fine mill\ta mill\t7",
        "a splendid barn\ta barn\t7",
        "the best inn\tan inn\t8",
    )
    (one,) = read_sets([f"mine:pairs={pairs}"], LABELS, pytest.fail, balance=False, seed=0)
    assert one.train.texts[:2] == ["a fine mill", "a mill"]
    assert [*one.train.biased] == [True, False] * 3
    assert one.train.pages is not None
    assert [*one.train.pages] == [0, 0, 0, 0, 1, 1]


def test_beside_a_corpus_all_sets_have_its_form(corpus: Path, tmp_path: Path) -> None:
    yes, no = _texts(tmp_path / "y.txt", "In 1850, Bad!"), _texts(tmp_path / "n.txt", "Good.")
    said: list[str] = []
    ours, mine = read_sets(
        [f"ours={corpus}", f"mine={yes}+{no}"], LABELS, said.append, balance=False, seed=0
    )
    assert ours.train.normalised
    assert mine.train.texts == ["in numtkn bad", "good"]
    assert any(line.startswith("normalised mine:") for line in said)


def test_a_corpus_is_tested_on_its_test_split(corpus: Path) -> None:
    (one,) = read_sets([f"c={corpus}"], LABELS, pytest.fail, balance=False, seed=0)
    assert one.test is not None


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["mine"], "say NAME=PATH"),
        (["=x"], "say NAME=PATH"),
        (["a:={no}"], "say NAME=PATH"),
        (["a:citation=nowhere"], "no such file or folder"),
        (["a:pairs=nowhere.tsv"], "no such file or folder"),
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
