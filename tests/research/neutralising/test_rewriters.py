"""What a rewriter is trained on, and the folder it is written to."""

import io
from pathlib import Path

import pytest

from rewriting import pairs, pairs_file
from wikibias.errors import UsageError
from wikibias.research.neutralising import rewriters
from wikibias.research.neutralising.rewriters import REWRITERS, Pair, rewrites


@pytest.fixture
def table(tmp_path: Path) -> Path:
    return pairs_file(tmp_path)


def test_sentences_of_a_test_set_are_not_learnt_however_they_are_written(
    table: Path, tmp_path: Path
) -> None:
    test = tmp_path / "test.tsv"
    test.write_text("src\ttgt\nthe famous mill of the town was closed in 1961 .\tthe hall .\n")
    told: list[str] = []
    data = rewriters.read_data([table], [test], told.append)
    assert len(data.pairs) == len(pairs()) - 1
    assert data.facts["excluded"] == 1
    assert told == ["left out 1 pair with a sentence of the files to exclude"]


def test_a_test_set_without_a_header_has_the_columns_of_the_pairs(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text("1\ta mill\tthe mill\n2\ta hall\tthe hall\n")
    (tmp_path / "b.tsv").write_text("1\ta mill\tit\n")
    data = rewriters.read_data(
        [tmp_path / "a.tsv"], [tmp_path / "b.tsv"], lambda _: None, source="2", target="3"
    )
    assert [pair.source for pair in data.pairs] == ["a hall"]


def test_a_sentence_that_is_too_long_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "pairs.tsv"
    path.write_text(f"source\ttarget\n{'word ' * 10_000}\tword\na mill\tthe mill\n")
    told: list[str] = []
    data = rewriters.read_data([path], [], told.append)
    assert (len(data.pairs), told) == (1, ["left out 1 pair of more than 20,000 characters"])


def test_another_rewriter_is_replaced_only_if_asked(table: Path, tmp_path: Path) -> None:
    data = rewriters.read_data([table], [], pytest.fail)
    out = tmp_path / "m"
    rewriters.train(REWRITERS.create("edit-table"), data, out)
    assert "## Limits" in (out / "README.md").read_text()
    with pytest.raises(UsageError, match="--overwrite"):
        rewriters.train(REWRITERS.create("copy"), data, out)
    rewriters.train(REWRITERS.create("copy"), data, out, overwrite=True)
    assert sorted(path.name for path in out.iterdir()) == ["README.md", "rewriter.json"]


def test_each_line_has_an_answer_with_its_edits() -> None:
    model = REWRITERS.create("edit-table").fit(pairs())
    long = "mill " * 5000
    text = f"The notorious mill.\n\nThe mill.\n{long}\n"
    told: list[str] = []
    found = list(rewrites(model, io.BytesIO(text.encode()), "-", told.append))
    assert [answer["rewrite"] for answer in found] == ["The mill.", "", "The mill.", long]
    edit = {"type": "deletion", "source": "4:13", "target": "", "before": "notorious", "after": ""}
    assert [answer["edits"] for answer in found] == [[edit], [], [], []]
    assert told == ["left 1 line of more than 20,000 characters as they are"]


def test_a_copy_leaves_every_sentence_as_it_is(tmp_path: Path) -> None:
    texts = ["The notorious mill.", "", "?"]
    REWRITERS.save(REWRITERS.create("copy").fit(pairs()), tmp_path, {})
    assert REWRITERS.load(tmp_path)[0].rewrite(texts) == texts


def test_pairs_of_one_page_share_a_fold_and_all_folds_are_used() -> None:
    assert Pair("a", "b", "page 1").fold(0, 10) == Pair("c", "d", "page 1").fold(0, 10)
    assert {Pair(f"{n}", "").fold(0, 10) for n in range(200)} == set(range(10))
