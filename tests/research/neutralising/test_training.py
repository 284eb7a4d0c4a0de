"""What a rewriter is trained on, and the folder it is written to."""

from __future__ import annotations

from pathlib import Path

import pytest

from rewriting import pairs
from wikibias.errors import UsageError, WikibiasError
from wikibias.research.neutralising import rewriters, training
from wikibias.research.neutralising.training import File


@pytest.fixture
def table(tmp_path: Path) -> Path:
    rows = [f"{pair.source}\t{pair.target}\n" for pair in pairs()]
    path = tmp_path / "pairs.tsv"
    path.write_text("source\ttarget\n" + "".join(rows))
    return path


def test_sentences_of_a_test_set_are_not_learnt_however_they_are_written(
    table: Path, tmp_path: Path
) -> None:
    test = tmp_path / "test.tsv"
    test.write_text("src\ttgt\nthe famous mill of the town was closed in 1961 .\tthe hall .\n")
    told: list[str] = []
    data = training.read_data([File(table)], [File(test)], told.append)
    assert len(data.pairs) == len(pairs()) - 1
    assert data.facts["excluded"] == 1
    assert told == ["left out 1 pair with a sentence of the files to exclude"]


def test_a_test_set_without_a_header_has_the_columns_of_the_pairs(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text("1\ta mill\tthe mill\n2\ta hall\tthe hall\n")
    (tmp_path / "b.tsv").write_text("1\ta mill\tit\n")
    data = training.read_data(
        [File(tmp_path / "a.tsv", "2", "3")], [File(tmp_path / "b.tsv")], lambda _: None
    )
    assert [pair.source for pair in data.pairs] == ["a hall"]


def test_a_sentence_that_is_too_long_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "pairs.tsv"
    path.write_text(f"source\ttarget\n{'word ' * 10_000}\tword\na mill\tthe mill\n")
    told: list[str] = []
    data = training.read_data([File(path)], [], told.append)
    assert (len(data.pairs), told) == (1, ["left out 1 pair of more than 20,000 characters"])


def test_columns_once_for_all_files_or_once_for_each() -> None:
    paths = [Path("a"), Path("b")]
    assert training.files(paths, ["1"], ["2"]) == (
        File(Path("a"), "1", "2"),
        File(Path("b"), "1", "2"),
    )
    assert training.files(paths, ["x", "1"], ["y", "2"])[1] == File(Path("b"), "1", "2")
    assert training.files(paths, [], []) == (File(Path("a")), File(Path("b")))
    with pytest.raises(UsageError, match="--source is given 3 times for 2 files"):
        training.files(paths, ["x", "y", "z"], [])


def test_nothing_is_left(table: Path) -> None:
    with pytest.raises(WikibiasError, match="no pair is left"):
        training.read_data([File(table)], [File(table)], lambda _: None)


def test_another_rewriter_is_replaced_only_if_asked(table: Path, tmp_path: Path) -> None:
    data = training.read_data([File(table)], [], pytest.fail)
    out = tmp_path / "m"
    for _ in range(2):
        training.train(rewriters.create("edit-table"), data, out)
    assert "## Limits" in (out / "README.md").read_text()
    with pytest.raises(UsageError, match="--overwrite"):
        training.train(rewriters.create("copy"), data, out)
    training.train(rewriters.create("copy"), data, out, overwrite=True)
    assert sorted(path.name for path in out.iterdir()) == ["README.md", "rewriter.json"]


def test_a_rewriter_of_other_lists_or_models_is_another(table: Path, tmp_path: Path) -> None:
    data = training.read_data([File(table)], [], pytest.fail)
    out = tmp_path / "m"
    data.facts["made_of"] = training.mark_of([["b", "a"]], None)
    training.train(rewriters.create("copy"), data, out)
    data.facts["made_of"] = training.mark_of([["a", "b"]], None)
    training.train(rewriters.create("copy"), data, out)
    for other in (training.mark_of([["a"]], None), training.mark_of([["a", "b"]], "taggers/x")):
        data.facts["made_of"] = other
        with pytest.raises(UsageError, match="--overwrite"):
            training.train(rewriters.create("copy"), data, out)


def test_a_folder_of_somebody_else_is_left_alone(table: Path, tmp_path: Path) -> None:
    data = training.read_data([File(table)], [], pytest.fail)
    with pytest.raises(UsageError, match="did not write"):
        training.train(rewriters.create("copy"), data, tmp_path)
