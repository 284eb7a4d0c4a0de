"""Balanced files of statements, and settings chosen inside of each fold."""

from pathlib import Path

import numpy as np
import pytest

import hube_nested
import hube_sets
from wikibias.models.evaluation.experiment import folds, grouping
from wikibias.models.examples import Examples, some_of

_GRAND = ("finest", "grandest", "splendid", "glorious", "superb", "marvellous")
_THINGS = ("mill", "barn", "well", "ford", "bridge", "quay", "forge", "kiln", "weir", "lock")


def _examples() -> Examples:
    biased = [f"a {word} {thing} of its kind" for word in _GRAND for thing in _THINGS]
    neutral = [f"near the {thing} stand {n} old houses" for n in range(6) for thing in _THINGS]
    texts = biased + neutral
    truth = np.arange(len(texts)) < len(biased)
    return Examples("made", texts, truth, np.arange(1, len(texts) + 1))


def test_held_out_labels_choose_nothing() -> None:
    examples = _examples()
    groups = grouping(examples, "random")
    settings = [{"c": 0.2}, {"c": 1e-6}]
    before, choices = hube_nested.nested("char-lr", settings, examples, groups)
    held_out = folds(examples, groups, hube_nested.FOLDS, hube_nested.SEED, hube_nested.KIND)[0][1]
    train = np.setdiff1d(np.arange(len(examples)), held_out)
    part = some_of(examples, train)
    assert choices[0] == hube_nested.chosen("char-lr", settings, part, groups[train])
    assert not set(held_out) & set(train)
    assert ((before > 0.5) == examples.biased).mean() > 0.9


def test_of_equals_the_first() -> None:
    examples = _examples()
    groups = grouping(examples, "random")
    for settings in ([{"c": 5.0}, {"c": 6.0}], [{"c": 6.0}, {"c": 5.0}]):
        assert hube_nested.chosen("char-lr", settings, examples, groups) == settings[0]


def test_prints_a_row_for_each_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    examples = _examples()
    lines = [
        f"{'biased' if truth else 'neutral'}\t{text}\n"
        for text, truth in zip(examples.texts, examples.biased, strict=True)
    ]
    path = tmp_path / "made.tsv"
    path.write_text("".join(lines))
    monkeypatch.setattr(hube_nested, "KIND", "random")
    monkeypatch.setattr("sys.argv", ["", "--models", "char-lr", str(path)])
    hube_nested.main()
    row = capsys.readouterr().out.splitlines()[-1]
    assert row.startswith("| made | char-lr | ")
    assert "c=" in row


def test_as_many_neutral_as_biased(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "h.statements_biased.txt").write_text("a grand  mill\n\nthe finest barn\n")
    for kind in hube_sets.KINDS:
        lines = "".join(f"{kind} mill {n}\n" for n in range(9))
        (tmp_path / f"h.statements_neutral_{kind}.txt").write_text(lines)
    monkeypatch.setattr("sys.argv", ["", str(tmp_path), str(tmp_path / "out")])
    found = []
    for _ in range(2):
        hube_sets.main()
        found.append((tmp_path / "out" / "featured.tsv").read_text())
    assert found[0] == found[1]
    rows = [line.split("\t") for line in found[0].splitlines()]
    assert [label for label, _ in rows] == ["biased"] * 2 + ["neutral"] * 2
    assert rows[0][1] == "a grand mill"
    assert len({text for _, text in rows}) == 4
