"""The database of counts, compared with counting in memory."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wikibias.curation.counts_db import CountsDatabase

PAGES = st.lists(
    st.dictionaries(
        st.tuples(st.sampled_from("abc"), st.integers(2001, 2003)), st.integers(1, 9), max_size=5
    ),
    max_size=8,
)


@given(pages=PAGES, held=st.integers(1, 6), cut=st.integers(0, 8))
@settings(max_examples=30)
def test_counts_are_the_same_whenever_they_are_written(
    pages: list[dict[tuple[str, int], int]],
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
    in_pages = Counter(name for page in pages for name in {n for n, _ in page})
    revisions, years = Counter[str](), dict[str, list[int]]()
    for page in pages:
        for (name, year), count in page.items():
            revisions[name] += count
            years.setdefault(name, []).append(year)
    assert sorted(merged.rows("SELECT * FROM names")) == sorted(
        (n, in_pages[n], revisions[n], min(years[n]), max(years[n])) for n in in_pages
    )
    merged.close()


def test_the_description_of_counts_is_kept(tmp_path: Path) -> None:
    store = CountsDatabase(tmp_path / "counts.sqlite")
    assert store.about() == {}
    store.remember({"wiki": "enwiki"})
    store.close()
    again = CountsDatabase(tmp_path / "counts.sqlite")
    assert again.about() == {"wiki": "enwiki"}
    again.close()
