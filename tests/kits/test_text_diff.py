import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikibias.edits.word_diff import changed_spans, spans_in_words
from wikibias.kits.document import Piece, pieces


def test_what_changed_stands_apart() -> None:
    assert pieces("the finest dairy", "4:10") == (
        Piece("the ", False),
        Piece("finest", True),
        Piece(" dairy", False),
    )


@pytest.mark.parametrize("spans", ["", "nothing", "5:3", "90:99", "4:4", "-1:3"])
def test_spans_that_do_not_fit_leave_the_text_whole(spans: str) -> None:
    assert "".join(piece.text for piece in pieces("the finest", spans)) == "the finest"


@given(st.text(), st.text())
def test_the_pieces_of_what_the_pipeline_writes_make_up_the_text(left: str, right: str) -> None:
    for text, spans in zip((left, right), changed_spans(left, right), strict=True):
        found = pieces(text, spans_in_words(spans))
        assert "".join(piece.text for piece in found) == text
        assert sum(piece.changed for piece in found) == len(spans)


@given(st.text(), st.text(alphabet="0123456789: "))
def test_any_spans_lose_no_text(text: str, spans: str) -> None:
    assert "".join(piece.text for piece in pieces(text, spans)) == text


def test_nothing_has_no_pieces() -> None:
    assert pieces("", "") == ()
