"""Reading sentence pairs of any file, and the word most often changed, a baseline for taggers."""

import gzip
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wikibias.corpus.sentence_pairs.reading import SIDES, PairText, read_pairs
from wikibias.errors import UsageError, WikibiasError
from wikibias.research.spans.labels import OUTSIDE, of_pair
from wikibias.research.spans.taggers import TAGGERS

HEADER = "pair_id\tsrc\ttgt\trevision\n"
ROW = 'a\tThe "great" mill burned.\tThe mill burned.\t7\n'


def written(path: Path, text: str | bytes) -> Path:
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def one(path: Path, **columns: str) -> PairText:
    (pair,) = read_pairs(path, **columns)  # type: ignore[arg-type]
    return pair


def test_a_header_with_known_names_needs_no_options(tmp_path: Path) -> None:
    pair = one(written(tmp_path / "a.tsv", HEADER + ROW))
    assert pair == PairText("a", 'The "great" mill burned.', "The mill burned.", None, "7", 2)
    assert one(written(tmp_path / "a.tsv.gz", gzip.compress((HEADER + ROW).encode()))) == pair
    # Numbers name columns too.
    assert one(tmp_path / "a.tsv", source="2", target="3").row == 2


def test_numbers_name_columns_of_a_file_without_header(tmp_path: Path) -> None:
    path = written(tmp_path / "a.tsv", "7\tA fine hall.\tA hall.\n8\tA vile act.\tAn act.\n")
    pairs = [*read_pairs(path, source="2", target="3", group="1")]
    told = [(pair.group, pair.source, pair.row) for pair in pairs]
    assert told == [("7", "A fine hall.", 1), ("8", "A vile act.", 2)]
    # Of two sentences a line no number need be said.
    written(path, "A fine mill.\tA mill.\nA vile act.\tAn act.\n")
    assert [pair.row for pair in read_pairs(path)] == [1, 2]


def test_names_that_nobody_knows_can_be_given(tmp_path: Path) -> None:
    path = written(tmp_path / "a.csv", 'vorher,nachher\n"Eine schöne, alte Burg.",Eine Burg.\n')
    assert one(path, source="vorher", target="nachher").source == "Eine schöne, alte Burg."


def test_objects_without_both_sides_are_no_pairs_and_are_counted(tmp_path: Path) -> None:
    lines = '{"text": "A mill.", "neutral": null}\n{"text": "A fine mill.", "neutral": "A mill."}\n'
    said: list[str] = []
    path = written(tmp_path / "a.jsonl", lines)
    (pair,) = read_pairs(path, warn=said.append)
    assert (pair.source, pair.target, pair.row) == ("A fine mill.", "A mill.", 2)
    assert said == [f"{path}:1: left out 1 row without a pair"]


def test_a_folder_has_its_pairs_in_a_table(tmp_path: Path) -> None:
    table: dict[str, list[Any]] = {
        "pair_id": ["x-1", "x-2"],
        "source": ["A fine mill.", "A barn."],
        "target": ["A mill.", "A barn."],
        "label": ["biased", "neutral"],
        "split": ["train", "test"],
        "page_id": [3, 4],
    }
    pq.write_table(pa.table(table), tmp_path / "pairs.parquet")
    assert one(tmp_path) == PairText("x-1", "A fine mill.", "A mill.", "train", "3", 1)
    assert [pair.label for pair in read_pairs(tmp_path, neutral=True)] == ["biased", "neutral"]


def test_cells_of_our_readable_table_are_as_they_were(tmp_path: Path) -> None:
    text = "split\tlabel\ttier\tsource\ttarget\n" + (
        'train\tbiased\thigh\t"""Fine"" mills."\t\'=Mills.\n'
    )
    pair = one(written(tmp_path / "pairs.tsv", text))
    assert (pair.source, pair.target) == ('"Fine" mills.', "=Mills.")


@pytest.mark.parametrize(
    ("content", "columns", "said"),
    [
        ("src\ttgt\n", {"source": "srk", "target": "tgt"}, "no column 'srk'; did"),
        ("src\ttgt\n", {"source": "src"}, "both --source and --target"),
        ("src\ttgt\n", {"source": "1", "target": "1"}, "the same column"),
        ("a\tb\n", {"source": "x", "target": "2"}, "no column 'x'"),
    ],
)
def test_what_cannot_be_read_is_said_in_one_line(
    tmp_path: Path, content: str | bytes, columns: dict[str, str], said: str
) -> None:
    with pytest.raises(WikibiasError, match=said) as error:
        [*read_pairs(written(tmp_path / "a.tsv", content), **columns)]  # type: ignore[arg-type]
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("name", ["", "missing.tsv"])
def test_a_folder_or_file_without_pairs_is_the_users_mistake(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match=r"pairs\.parquet|no file"):
        [*read_pairs(tmp_path / name)]


CELL = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=9)


@settings(max_examples=50)
@given(st.lists(st.tuples(CELL, CELL), min_size=1, max_size=9))
def test_every_line_of_a_tsv_is_a_pair_to_the_character(
    tmp_path_factory: pytest.TempPathFactory, sides: list[tuple[str, str]]
) -> None:
    path = tmp_path_factory.mktemp("pairs") / "a.tsv"
    written(path, "source\ttarget\n" + "".join(f"{a}\t{b}\n" for a, b in sides))
    assert [(pair.source, pair.target) for pair in read_pairs(path)] == sides


@pytest.mark.parametrize(
    ("name", "columns", "pairs"),
    [
        ("early_pairs.train.tsv", {"source": "1", "target": "2"}, 1000),
        ("fr_word_pairs.dev.tsv", {"source": "2", "target": "3", "group": "1"}, 700),
        ("pl_pairs.even.tsv", {"source": "2", "target": "3", "group": "1"}, 3427),
    ],
)
def test_other_published_sets_than_those_of_the_harvest_are_read_whole(
    shared: Path, name: str, columns: dict[str, str], pairs: int
) -> None:
    found = read_pairs(shared / "pairs" / name, **columns)  # type: ignore[arg-type]
    assert sum(1 for _ in found) == pairs


@pytest.mark.parametrize("sides", SIDES)
def test_known_names_are_found_in_any_place_and_case(
    sides: tuple[str, str], tmp_path: Path
) -> None:
    names = ["other", sides[1].upper(), sides[0].title()]
    path = written(tmp_path / "a.tsv", "\t".join(names) + "\nx\tA mill.\tA fine mill.\n")
    assert one(path).source == "A fine mill."


def test_a_page_groups_rather_than_a_revision(tmp_path: Path) -> None:
    path = written(tmp_path / "a.tsv", "after_rev_id\tpage_id\tsource\ttarget\n7\t1\ta\tb\n")
    assert one(path).group == "1"
    assert one(path, group="after_rev_id").group == "7"


def test_the_baseline_on_published_pairs(shared: Path) -> None:
    folder = shared / "pairs"
    rows = [*read_pairs(folder / "wnc_word_test.even.tsv")]
    held = {row.source for row in rows}
    train = [
        *read_pairs(folder / "wnc_multi_test.even.tsv"),
        *read_pairs(folder / "wnc_full_sample.train.jsonl"),
        *read_pairs(folder / "early_pairs.train.tsv", source="1", target="2"),
    ]
    learnt = [of_pair(each.source, each.target) for each in train if each.source not in held]
    tagger = TAGGERS.create("frequent", prior=1).fit(learnt, [])
    hits = 0
    for sentence in (of_pair(row.source, row.target) for row in rows):
        (chances,) = tagger.probabilities([sentence.words])
        best = np.argmax(chances[:, 0] * [word.isalnum() for word in sentence.words])
        hits += sentence.labels[best] != OUTSIDE
    # 41.3 % of all 832 rows with half more to learn from.
    assert hits / len(rows) == pytest.approx(0.413, abs=0.02)
