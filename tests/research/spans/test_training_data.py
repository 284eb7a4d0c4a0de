"""What a tagger learns from."""

from __future__ import annotations

from pathlib import Path

import pytest

from tagged_pairs import pairs_file
from wikibias.errors import UsageError, WikibiasError
from wikibias.research.spans.conll import LONGEST
from wikibias.research.spans.training_data import Source, named, read_examples, texts


def written(tmp_path: Path, text: str, name: str = "p.tsv") -> Source:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return Source(path)


def test_pairs_give_marked_sources_and_plain_targets(tmp_path: Path) -> None:
    source = Source(pairs_file(tmp_path))
    found = read_examples([source], neutral=1.0, seed=0, warn=print)
    rows = [*found.train, *found.dev]
    assert sum(each.biased for each in rows) == sum(not each.biased for each in rows) == 120
    assert 0 < len(found.dev) < len(found.train)
    assert found == read_examples([source], neutral=1.0, seed=0, warn=print)
    few = read_examples([source], neutral=0.25, seed=0, warn=print)
    assert sum(not each.biased for each in [*few.train, *few.dev]) == 30


def test_splits_of_the_file_hold_and_test_is_left_alone(tmp_path: Path) -> None:
    lines = [
        "split\tsource\ttarget",
        "train\tthe famous mill\tthe mill",
        "dev\tthe glorious bridge\tthe bridge",
        "test\tthe truly old school\tthe school",
        "train\tthe mill\tthe mill fell",
        "train\tthe famous mill\tthe mill",
    ]
    said: list[str] = []
    source = written(tmp_path, "\n".join(lines))
    found = read_examples([source], neutral=0, seed=0, warn=said.append)
    assert [each.words[1] for each in found.train] == ["famous"]
    assert [each.words[1] for each in found.dev] == ["glorious"]
    assert said == [
        f"{source.path}: left out 1 pair of the split test",
        f"{source.path}: left out 1 pair whose edit only added words",
    ]


def test_files_of_words(tmp_path: Path) -> None:
    text = "".join(f"a{n} O\nfine B-framing\n\nb{n} O\n\n" for n in range(40))
    source = written(tmp_path, text + "x B\n" * (LONGEST + 1), "p.conll")
    said: list[str] = []
    found = read_examples([source], neutral=0, seed=0, warn=said.append)
    rows = [*found.train, *found.dev]
    assert len(rows) == 80
    assert ("O", "B-bias") in {each.labels for each in rows}
    assert len(said) == 1  # the sentence whose end is missing
    assert next(iter(texts(source, lambda _: None))) == ("a0", "fine")


def test_nothing_to_learn_from(tmp_path: Path) -> None:
    with pytest.raises(WikibiasError, match="no biased span to learn from"):
        read_examples(
            [written(tmp_path, "source\ttarget\na mill\ta mill fell\n")],
            neutral=1,
            seed=0,
            warn=lambda _: None,
        )
    with pytest.raises(WikibiasError, match="no column word"):
        read_examples(
            [Source(written(tmp_path, "B O\n", "p.tags").path, columns=("gold", "prediction"))],
            neutral=1,
            seed=0,
            warn=print,
        )
    with pytest.raises(UsageError, match="no file"):
        read_examples([Source(tmp_path / "none.tsv")], neutral=1, seed=0, warn=print)


def test_several_files_count_as_one(tmp_path: Path) -> None:
    one = written(tmp_path, "source\ttarget\nthe famous mill\tthe mill\n", "a.tsv")
    two = written(tmp_path, "source\ttarget\nthe famous inn\tthe inn\n", "b.tsv")
    found = read_examples([one, two, one], neutral=1, seed=0, warn=print)
    rows = [*found.train, *found.dev]
    assert sorted(" ".join(each.words) for each in rows) == [
        "the famous inn",
        "the famous mill",
        "the inn",
        "the mill",
    ]
    assert named([one, two]) == f"{one.path} + {two.path}"
