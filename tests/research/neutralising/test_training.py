"""What a rewriter is trained on, and the folder it is written to."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest

from rewriting import pairs
from wikibias.errors import UsageError, WikibiasError
from wikibias.research.neutralising import rewriters, training
from wikibias.research.neutralising.columns import read_columns
from wikibias.research.neutralising.rewriters import Pair, create, in_fold
from wikibias.research.neutralising.training import File, rewrites


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


def test_each_line_has_an_answer_with_its_edits() -> None:
    model = create("edit-table").fit(pairs())
    long = "mill " * 5000
    text = f"The notorious mill.\n\nThe mill.\n{long}\n"
    told: list[str] = []
    found = list(rewrites(model, io.BytesIO(text.encode()), "-", told.append))
    assert [answer["rewrite"] for answer in found] == ["The mill.", "", "The mill.", long]
    (edit,) = found[0]["edits"]
    assert edit == {
        "type": "deletion",
        "source": "4:13",
        "target": "",
        "before": "notorious",
        "after": "",
    }
    assert [answer["edits"] for answer in found[1:]] == [[], [], []]
    assert told == ["left 1 line of more than 20,000 characters as they are"]


@pytest.mark.parametrize(
    ("name", "options", "says"),
    [
        ("edit-tabel", {}, "did you mean 'edit-table'?"),
        ("copy", {"least": 0.5}, "does not take --least"),
    ],
)
def test_what_nobody_has_registered(name: str, options: dict[str, Any], says: str) -> None:
    with pytest.raises(UsageError, match=says):
        rewriters.create(name, **options)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rewriters.save(rewriters.create("edit-table"), tmp_path, {"data": {}})
    return tmp_path


def test_a_file_that_was_changed_is_not_read(folder: Path) -> None:
    (folder / "ngrams.parquet").write_bytes(b"other")
    with pytest.raises(WikibiasError, match="has the checksum of"):
        rewriters.load(folder)
    (folder / "ngrams.parquet").unlink()
    with pytest.raises(WikibiasError, match="no file 'ngrams"):
        rewriters.load(folder)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "damaged"),
        ('{"format": "wikibias-rewriter/9"}', "of this version"),
        ('{"format": "wikibias-rewriter/1"}', "damaged"),
        ('{"format": "wikibias-rewriter/1", "files": {}, "rewriter": "x"}', "nothing installed"),
        ('{"format": "wikibias-rewriter/1", "files": {"../x": {}}}', "no file"),
    ],
)
def test_a_description_that_cannot_be_used(folder: Path, text: str, says: str) -> None:
    (folder / rewriters.FOLDER.description).write_text(text)
    with pytest.raises(WikibiasError, match=says):
        rewriters.load(folder)


def test_a_copy_leaves_every_sentence_as_it_is(tmp_path: Path) -> None:
    texts = ["The notorious mill.", "", "?"]
    rewriters.save(rewriters.create("copy").fit(pairs()), tmp_path, {})
    assert rewriters.load(tmp_path).rewrite(texts) == texts


def test_a_folder_without_a_rewriter(tmp_path: Path) -> None:
    with pytest.raises(WikibiasError, match="in it; give the folder"):
        rewriters.load(tmp_path)
    assert not rewriters.FOLDER.is_ours(tmp_path)


def test_pairs_of_one_page_share_a_fold_and_all_folds_are_used() -> None:
    assert in_fold(Pair("a", "b", "page 1"), 0, 10) == in_fold(Pair("c", "d", "page 1"), 0, 10)
    assert {in_fold(Pair(f"{n}", ""), 0, 10) for n in range(200)} == set(range(10))


NAMED = {"source": "before", "target": "after"}
FILES = {
    "a.tsv": 'before\tafter\nthe "old mill\tthe mill\nb b\tc c\n',
    "a.csv": 'before,after\n"the ""old mill",the mill\nb b,c c\n',
    "a.jsonl": '{"before": "the \\"old mill", "after": "the mill"}\n'
    '{"after": "c c", "before": "b b", "more": null}\n',
}


@pytest.mark.parametrize("name", FILES)
def test_columns_by_name(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(FILES[name])
    found = read_columns(path, NAMED, pytest.fail)
    assert found == {"source": ['the "old mill', "b b"], "target": ["the mill", "c c"]}


@pytest.mark.parametrize("header", ["", "before\tafter\n"])
def test_columns_by_number_with_a_header_and_without(header: str, tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text(f"{header}the old mill\tthe mill\n")
    found = read_columns(path, {"source": "1", "target": "2"}, pytest.fail)
    assert found == {"source": ["the old mill"], "target": ["the mill"]}


def test_rows_that_are_left_out_are_told(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text("before\tafter\n\nthe old mill\tthe mill\nthe hall\t\n")
    told: list[str] = []
    found = read_columns(path, NAMED, told.append, needed=("source", "target"))
    assert found["source"] == ["the old mill"]
    assert [line.removeprefix(f"{path}: ") for line in told] == [
        "left out 1 blank row (the first in line 2)",
        "left out 1 row without target (the first in line 4)",
    ]


@pytest.mark.parametrize(
    ("text", "columns", "kind", "says"),
    [
        ("before\tafter\na b\n", NAMED, WikibiasError, "a.tsv:2: 1 column where"),
        ("befor\tafter\na b\tc\n", NAMED, UsageError, "did you mean 'befor'?"),
        ("a b\tc d\n", NAMED, UsageError, "has no header; give the number"),
        ("a b\tc d\n", {"source": "3"}, UsageError, "--source 3: .*2 columns"),
        ("before\tafter\n", NAMED, WikibiasError, "no row"),
        ("", NAMED, WikibiasError, "no row"),
    ],
)
def test_what_is_wrong_is_told_in_one_line(
    text: str, columns: dict[str, str], kind: type[Exception], says: str, tmp_path: Path
) -> None:
    path = tmp_path / "a.tsv"
    path.write_text(text)
    with pytest.raises(kind, match=says) as caught:
        read_columns(path, columns, lambda _: None)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "says"), [("{", "no JSON"), ("[1]", "no JSON object"), ("{}", "has no 'before'")]
)
def test_lines_that_are_no_objects_of_these_columns(text: str, says: str, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(text)
    with pytest.raises(WikibiasError, match=says):
        read_columns(path, NAMED, pytest.fail)
