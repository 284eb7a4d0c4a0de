"""Training a tagger, from files to its folder."""

from dataclasses import replace
from pathlib import Path

import pytest

from tagged_pairs import pairs_file
from wikibias.errors import UsageError, WikibiasError
from wikibias.research.spans.examples import (
    Source,
    names_of_sources,
    read_examples,
    texts,
    without_near_duplicates,
)
from wikibias.research.spans.labels import LONGEST, of_neutral
from wikibias.research.spans.taggers import TAGGERS
from wikibias.research.spans.training import Task, train


def task(tmp_path: Path, tagger: str = "frequent") -> Task:
    return Task(tagger=tagger, sources=[Source(pairs_file(tmp_path))], out=tmp_path / "out")


def test_the_best_settings_on_dev_are_kept_and_told(tmp_path: Path) -> None:
    described = train(task(tmp_path), print)
    assert len(described["tried"]) == 4
    assert described["parameters"]["prior"] in {each["prior"] for each in described["tried"]}
    assert described["dev"]["exact"]["f1"] == 1
    card = (tmp_path / "out" / "README.md").read_text()
    assert "best of 4 tried" in card
    assert "never its author" in card


def test_what_will_be_scored_on_is_not_learnt(tmp_path: Path) -> None:
    held = Source(pairs_file(tmp_path, 20, name="test.tsv"))
    said: list[str] = []
    described = train(replace(task(tmp_path), excluded=[held]), said.append)
    (left_out,) = described["left_out"]
    assert left_out["same"] == 40
    sizes = sum(part["sentences"] for part in described["data"].values())
    assert sizes == 240 - left_out["same"] - left_out["near"]
    assert "sentences to learn from that it holds" in said[-1]


def test_all_of_it_held_out_leaves_nothing(tmp_path: Path) -> None:
    whole = task(tmp_path)
    with pytest.raises(WikibiasError, match="no biased span is left"):
        train(replace(whole, excluded=whole.sources), lambda _: None)


def test_without_dev_the_threshold_comes_from_train(tmp_path: Path) -> None:
    whole = task(tmp_path)
    few = Source(pairs_file(tmp_path, 3, name="few.tsv"))
    said: list[str] = []
    described = train(replace(whole, sources=[few]), said.append)
    assert described["data"]["dev"]["biased"] == 0
    assert len(described["tried"]) == 1
    assert 0 < described["threshold"] < 1
    assert "the threshold is chosen on train" in said[-1]
    assert "learns from 3 sentences with a span; under 50 a tagger says little" in said[-2]
    assert "mean F1 of the four matches on train" in (whole.out / "README.md").read_text()


def test_a_tagger_is_replaced_only_on_demand(tmp_path: Path) -> None:
    first = task(tmp_path)
    train(first, print)
    with pytest.raises(UsageError, match="holds a tagger; --overwrite replaces it"):
        train(first, print)
    train(replace(first, seed=2, overwrite=True), print)
    assert TAGGERS.folder.describe(first.out)["seed"] == 2
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("mine")
    with pytest.raises(UsageError, match=r"notes.txt"):
        train(replace(first, out=tmp_path / "mine", overwrite=True), print)


def test_the_same_data_make_the_same_bytes(tmp_path: Path) -> None:
    one = task(tmp_path)
    train(one, print)
    before = (one.out / "tagger.json").read_bytes()
    train(replace(one, overwrite=True), print)
    assert (one.out / "tagger.json").read_bytes() == before


def written(tmp_path: Path, text: str, name: str = "p.tsv") -> Source:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return Source(path)


def test_pairs_give_marked_sources_and_plain_targets(tmp_path: Path) -> None:
    source = Source(pairs_file(tmp_path))
    found = read_examples([source], neutral=1.0, seed=0, warn=print)
    rows = [*found["train"], *found["dev"]]
    assert sum(each.biased for each in rows) == sum(not each.biased for each in rows) == 120
    assert 0 < len(found["dev"]) < len(found["train"])
    assert found == read_examples([source], neutral=1.0, seed=0, warn=print)
    few = read_examples([source], neutral=0.25, seed=0, warn=print)
    assert sum(not each.biased for each in [*few["train"], *few["dev"]]) == 30


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
    assert [each.words[1] for each in found["train"]] == ["famous"]
    assert [each.words[1] for each in found["dev"]] == ["glorious"]
    assert said == [
        f"{source.path}:4: left out 1 pair of the split test",
        f"{source.path}:5: left out 1 pair whose edit only added words",
    ]


def test_files_of_words(tmp_path: Path) -> None:
    text = "".join(f"a{n} O\nfine B-framing\n\nb{n} O\n\n" for n in range(40))
    source = written(tmp_path, text + "x B\n" * (LONGEST + 1), "p.conll")
    said: list[str] = []
    found = read_examples([source], neutral=0, seed=0, warn=said.append)
    rows = [*found["train"], *found["dev"]]
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
    rows = [*found["train"], *found["dev"]]
    assert sorted(" ".join(each.words) for each in rows) == [
        "the famous inn",
        "the famous mill",
        "the inn",
        "the mill",
    ]
    assert names_of_sources([one, two]) == f"{one.path} + {two.path}"


TEXTS = [
    "The mill of the upper valley burned in 1874 .",
    "The mill of the upper valley burned down in 1874 and was rebuilt .",
    "A school for girls opened near the harbour .",
]


def test_the_same_and_nearly_the_same_are_left_out() -> None:
    sentences = [of_neutral(text) for text in TEXTS]
    held = [("the", "mill", "of", "the", "upper-valley", "burned", "in", "1874")]
    left, same, near = without_near_duplicates(sentences, held)
    assert [each.words for each in left] == [sentences[2].words]
    assert (same, near) == (1, 1)


def test_nothing_held_out_leaves_all() -> None:
    sentences = [of_neutral(text) for text in TEXTS]
    assert without_near_duplicates(sentences, [])[0] == sentences
    assert without_near_duplicates([], [("a",)])[0] == []
