"""All coefficients of a set of ratings."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikibias.research.annotation.answers import Answers
from wikibias.research.annotation.coefficients import measured, ratings


def figures(rows: list[list[str | None]], *, order: list[str] | None = None) -> dict[str, Any]:
    """Return the coefficients of answers of a, b, c, ..."""
    names = [*"abcdefgh"[: len(rows[0])]]
    answers = Answers([str(n) for n, _ in enumerate(rows)], names, rows, dict.fromkeys(names, 0))
    return measured(ratings(answers, order), weighted=order is not None, resamples=60, seed=0)


def test_all_agree() -> None:
    found = figures([["1", "1"], ["0", "0"], ["1", "1"]])
    assert found["krippendorff"]["nominal"]["value"] == 1
    assert found["fleiss"]["value"] == 1
    assert found["cohen"]["a|b"]["value"] == 1
    assert found["percentage"]["value"] == 1
    assert (found["items"], found["answers"], found["compared"]) == (3, 6, 3)


def test_words_have_no_ordinal_figures_without_an_order() -> None:
    rows: list[list[str | None]] = [["weak", "none"], ["strong", "strong"], ["none", "none"]]
    found = figures(rows)
    assert found["krippendorff"]["ordinal"]["value"] is None
    assert "--order" in found["notes"]["krippendorff.ordinal"]
    assert "numbers" in found["notes"]["krippendorff.interval"]
    assert "cohen_weighted" not in found
    ordered = figures(rows, order=["none", "weak", "strong"])
    assert ordered["krippendorff"]["ordinal"]["value"] is not None
    assert ordered["krippendorff"]["interval"]["value"] is None
    linear, quadratic = (ordered["cohen_weighted"][kind] for kind in ("linear", "quadratic"))
    assert ordered["cohen"]["a|b"]["value"] < linear["a|b"]["value"] < quadratic["a|b"]["value"]


UNDEFINED: dict[str, tuple[list[list[str | None]], str, str]] = {
    "one annotator": ([["1"], ["0"]], "cohen", "one annotator"),
    "nothing in common": ([["1", None], [None, "0"]], "krippendorff.nominal", "by two annotators"),
    "one answer": ([["1", "1"], ["1", "1"]], "krippendorff.nominal", "all answers are the same"),
    "one answer of a pair": ([["1", "1", "0"]], "cohen.a|b", "gave one and the same answer"),
    "a pair apart": ([["1", None, "0"], [None, "0", "1"]], "cohen.a|b", "judged by both"),
    "no answer at all": ([[None, None]], "fleiss", "by two annotators"),
}


@pytest.mark.parametrize("case", UNDEFINED)
def test_what_is_undefined_has_a_note(case: str) -> None:
    rows, name, note = UNDEFINED[case]
    found = figures(rows)
    assert note in found["notes"][name]
    for part in name.split(".", 1):
        found = found[part]
    assert found == {} or found["value"] is None


def test_a_constant_annotator_agrees_by_chance() -> None:
    found = figures([["1", "1"], ["1", "0"], ["1", "1"]])
    assert found["cohen"]["a|b"]["value"] == 0
    assert found["notes"] == {}


def test_fleiss_says_what_it_left_out() -> None:
    found = figures([["1", "1"], ["0", "1"], ["0", None]])
    assert (found["fleiss"]["items"], found["fleiss"]["left_out"]) == (2, 1)
    assert found["notes"]["fleiss"] == "1 sentence left out: not judged by all"


def test_fleiss_takes_equal_numbers_of_answers_where_nobody_judged_all() -> None:
    rows: list[list[str | None]] = [
        ["1", "1", None],
        [None, "0", "0"],
        ["0", None, "1"],
        ["1", None, None],
    ]
    found = figures(rows)
    assert (found["fleiss"]["answers"], found["fleiss"]["items"]) == (2, 3)
    assert "no sentence was judged by all 3" in found["notes"]["fleiss"]
    assert found["fleiss"]["value"] == pytest.approx(1 / 3)


@given(
    st.lists(
        st.lists(st.sampled_from([None, "0", "1", "x"]), min_size=3, max_size=3),
        min_size=1,
        max_size=6,
    )
)
def test_any_answers_have_figures_or_notes(rows: list[list[str | None]]) -> None:
    found = figures(rows)
    for level, entry in found["krippendorff"].items():
        assert entry["value"] is not None or f"krippendorff.{level}" in found["notes"]
    for name, entry in found["cohen"].items():
        assert entry["value"] is not None or f"cohen.{name}" in found["notes"]
        assert entry["value"] is None or -1.001 < entry["value"] <= 1.001
    for name in ("fleiss", "percentage"):
        assert found[name]["value"] is not None or name in found["notes"]
