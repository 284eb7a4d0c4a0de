"""The database of counts, compared with counting in memory."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wikibias.curation.counts_db import CountsDatabase, read_about
from wikibias.errors import WikibiasError

YEARS = st.integers(2001, 2003)
COUNTS = st.tuples(st.integers(1, 9), YEARS, YEARS).map(lambda c: (c[0], min(c[1:]), max(c[1:])))
PAGES = st.lists(st.dictionaries(st.sampled_from("abc"), COUNTS, max_size=3), max_size=8)


@given(pages=PAGES, held=st.integers(1, 6), cut=st.integers(0, 8))
@settings(max_examples=30)
def test_counts_are_the_same_whenever_they_are_written(
    pages: list[dict[str, tuple[int, int, int]]],
    held: int,
    cut: int,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """However many counts are kept in memory, and however pages are divided into parts."""
    folder = tmp_path_factory.mktemp("store")
    merged = CountsDatabase(folder / "merged", held)
    for number, part in enumerate((pages[:cut], pages[cut:])):
        store = CountsDatabase(folder / str(number), held)
        for page in part:
            store.add(page)
        store.close()
        merged.merge(folder / str(number))
    of_name: dict[str, list[tuple[int, int, int]]] = {}
    for page in pages:
        for name, counts in page.items():
            of_name.setdefault(name, []).append(counts)
    expected = [
        (name, len(of), sum(c[0] for c in of), min(c[1] for c in of), max(c[2] for c in of))
        for name, of in of_name.items()
    ]
    assert sorted(merged.rows("SELECT * FROM names")) == sorted(expected)
    merged.close()


def test_the_description_of_counts_is_kept(tmp_path: Path) -> None:
    store = CountsDatabase(tmp_path / "counts.sqlite")
    assert read_about(tmp_path / "counts.sqlite") == {}
    store.remember({"wiki": "enwiki"})
    store.close()
    assert read_about(tmp_path / "counts.sqlite") == {"wiki": "enwiki"}


@pytest.mark.parametrize("content", [b"", bytes(4096), b"no database", b"SQLite format 3\0" * 99])
def test_a_damaged_file_says_nothing_and_is_named_where_it_is_needed(
    content: bytes, tmp_path: Path
) -> None:
    (tmp_path / "part").write_bytes(content)
    assert read_about(tmp_path / "part") == {}
    store = CountsDatabase(tmp_path / "merged")
    with pytest.raises(WikibiasError, match=r"part is damaged .*remove it"):
        store.merge(tmp_path / "part")
    store.close()


def test_a_file_with_more_than_our_tables_is_not_read(tmp_path: Path) -> None:
    """A view may be an endless query."""
    store = CountsDatabase(tmp_path / "part")
    store.remember({"wiki": "enwiki"})
    store.run("CREATE VIEW more AS SELECT 1")
    store.close()
    assert read_about(tmp_path / "part") == {}
    merged = CountsDatabase(tmp_path / "merged")
    with pytest.raises(WikibiasError, match="does not hold our tables"):
        merged.merge(tmp_path / "part")
    merged.close()
