"""Agreement on words."""

from __future__ import annotations

from typing import Any

import pytest
from sklearn.metrics import cohen_kappa_score

from wikibias.research.annotation.agreement import NO_TEXTS, span_agreement

TEXTS = {"s1": "The famous mill is the best of all.", "s2": "It stood here.", "s3": "It fell."}


def mark(item: str, words: str, label: str = "bias") -> dict[str, Any]:
    """Return a span of some words of a sentence."""
    start = TEXTS[item].index(words)
    return {"start": start, "end": start + len(words), "label": label}


def compared(given: Any, texts: Any = TEXTS) -> dict[str, Any]:
    """Return the agreement on spans."""
    return span_agreement(given, texts, [*TEXTS], resamples=50, seed=0)


def test_the_same_spans_agree() -> None:
    spans = [mark("s1", "famous"), mark("s1", "the best")]
    found = compared({("s1", "a"): spans, ("s1", "b"): spans, ("s2", "a"): [], ("s2", "b"): []})
    of = found["pairs"]["a|b"]["any"]
    assert (of["items"], of["spans"]) == (2, [2, 2])
    assert [of[name]["value"] for name in ("exact", "overlap", "token_kappa")] == [1, 1, 1]
    assert found["notes"] == {}


def test_spans_that_share_words_overlap() -> None:
    found = compared(
        {
            ("s1", "a"): [mark("s1", "famous"), mark("s1", "best of all")],
            ("s1", "b"): [mark("s1", "famous mill")],
            ("s2", "a"): [],
            ("s2", "b"): [mark("s2", "stood")],
        }
    )["pairs"]["a|b"]["any"]
    assert found["exact"]["value"] == 0
    assert found["overlap"]["value"] == pytest.approx(2 * 1 / 4)
    # The famous mill is the best of all . It stood here .
    a = [0, 1, 0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0]
    b = [0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0]
    assert found["token_kappa"]["value"] == pytest.approx(cohen_kappa_score(a, b))


def test_a_blank_at_the_end_of_a_span_makes_no_difference() -> None:
    exact = mark("s1", "famous")
    wider = {**exact, "end": exact["end"] + 1}
    found = compared({("s1", "a"): [exact], ("s1", "b"): [wider]})
    assert found["pairs"]["a|b"]["any"]["exact"]["value"] == 1


def test_labels_count_where_there_are_several() -> None:
    found = compared(
        {
            ("s1", "a"): [mark("s1", "famous", "framing"), mark("s1", "best", "framing")],
            ("s1", "b"): [mark("s1", "famous", "epistemological"), mark("s1", "best", "framing")],
        }
    )["pairs"]["a|b"]
    assert list(found) == ["any", "epistemological", "framing"]
    assert found["any"]["exact"]["value"] == 1
    assert found["framing"]["exact"]["value"] == pytest.approx(2 / 3)


def test_spans_of_one_annotator_that_overlap_are_one() -> None:
    found = compared(
        {
            ("s1", "a"): [mark("s1", "the best", "framing"), mark("s1", "best of", "x")],
            ("s1", "b"): [mark("s1", "the best of", "framing")],
        }
    )["pairs"]["a|b"]["any"]
    assert found["exact"]["value"] == 1


def test_what_cannot_be_compared_is_said() -> None:
    spans = [mark("s1", "famous")]
    assert compared({("s1", "a"): [], ("s1", "b"): []}) == {}
    assert compared({("s1", "a"): spans}, {})["notes"] == {"spans": NO_TEXTS}
    assert "one annotator" in compared({("s1", "a"): spans})["notes"]["spans"]
    apart = compared({("s1", "a"): spans, ("s2", "b"): []})
    assert apart["pairs"]["a|b"]["any"]["token_kappa"]["value"] is None
    assert apart["notes"] == {"a|b": "no sentence in which both looked for spans"}
    fewer = {"s1": TEXTS["s1"]}
    assert compared({("s1", "a"): spans, ("s1", "b"): spans}, fewer)["notes"] == {
        "texts": "2 sentences of unknown text left out"
    }
