"""Tests of balanced strata."""

from collections import Counter

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikibias.errors import WikibiasError
from wikibias.research.annotation.answers import KNOWN, meanings
from wikibias.research.annotation.samples import balanced, judged, strata_of

ROWS = st.lists(
    st.tuples(st.sampled_from("abc"), st.sampled_from([True, False, None])), min_size=1, max_size=40
)


def taken(
    rows: list[tuple[str, bool | None]], **options: object
) -> Counter[tuple[str, bool | None]]:
    found = balanced([(name,) for name, _ in rows], [one for _, one in rows], **options)  # type: ignore[arg-type]
    assert found.rows == sorted({*found.rows})
    return Counter(rows[row] for row in found.rows)


@given(ROWS, st.booleans())
def test_takes_equally_many_of_both_in_each_stratum(
    rows: list[tuple[str, bool | None]], equal: bool
) -> None:
    had = Counter(rows)
    able = [min(had[name, True], had[name, False]) for name in "abc"]
    if not any(able):
        with pytest.raises(WikibiasError, match="no stratum has both"):
            taken(rows, equal=equal)
        return
    found = taken(rows, equal=equal)
    least = min(number for number in able if number)
    for name, number in zip("abc", able, strict=True):
        wanted = min(number, least) if equal else number
        assert (found[name, True], found[name, False]) == (wanted, wanted)
    assert found["a", None] == 0


def test_changes_nothing_in_what_is_balanced() -> None:
    rows: list[tuple[str, bool | None]] = [("a", True), ("a", False)] * 5
    assert balanced([(n,) for n, _ in rows], [b for _, b in rows]).rows == list(range(10))


def test_draws_by_the_seed() -> None:
    rows = [True] * 50 + [False] * 5
    first, again, other = (balanced([("a",)] * 55, rows, seed=seed).rows for seed in (0, 0, 1))
    assert first == again != other


def test_reads_labels_and_probabilities() -> None:
    cells = [1, "neutral", 0.51, "0.5", "?", None, 1.0]
    assert judged(cells, KNOWN, "f") == [True, False, True, False, None, None, True]


@pytest.mark.parametrize("cell", ["maybe", "1.5", "nan"])
def test_says_what_is_neither(cell: str) -> None:
    with pytest.raises(WikibiasError, match=r"f: row 1: .* is no known label"):
        judged([cell], meanings(None), "f")


def test_a_stratum_is_what_a_row_has_in_some_columns() -> None:
    table = pd.DataFrame({"outlet": ["x", None], "lang": ["en", "fr"]}, dtype=object)
    assert strata_of(table, ["outlet", "lang"]) == [("x", "en"), ("", "fr")]
