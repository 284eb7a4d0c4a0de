"""Tests of which column is which."""

from __future__ import annotations

import pytest

from exchange_tasks import BIAS, INTENTS
from wikibias.config.guidelines import Guidelines
from wikibias.errors import UsageError, WikibiasError
from wikibias.research.annotation.exchange.columns import check_renames, find_columns

TWO = Guidelines("two", "T", "a", (*BIAS.questions, *INTENTS.questions))


def found(*names: str, asked: Guidelines = BIAS, **renames: str) -> tuple[dict[str, str], str]:
    """Return the columns by what they hold, and the notes."""
    columns = find_columns(names, asked, renames, "a.csv")
    return dict(columns.of), " ".join(columns.notes)


class TestFindColumns:
    def test_by_name_in_any_order_and_however_written(self) -> None:
        of, notes = found(" Comment", "BIAS", "Text", "Item ID", "colour", "Annotator:")
        assert of == {
            "item": "Item ID",
            "text": "Text",
            "annotator": "Annotator:",
            "bias": "BIAS",
            "comment": " Comment",
        }
        assert notes == ""

    def test_by_what_the_question_asks(self) -> None:
        of, notes = found("id", "Does the sentence break a rule of the neutral point of view?")
        assert (list(of), notes) == (["item", "bias"], "")

    def test_by_nearly_the_name_and_says_so(self) -> None:
        of, notes = found("item", "Biais")
        assert of["bias"] == "Biais"
        assert notes == "column 'Biais' is taken for bias; --rename says otherwise"

    def test_of_two_likely_ones_none(self) -> None:
        with pytest.raises(WikibiasError, match="no column for bias; it has 'item', 'bias1'"):
            found("item", "bias1", "bias2")

    def test_as_it_is_told_to(self) -> None:
        of, notes = found("item", "bias", "verdict", verdict="bias")
        assert (of["bias"], notes) == ("verdict", "")
        with pytest.raises(WikibiasError, match="for bias, and none called 'verdit'; it has"):
            found("item", "verdict", verdit="bias")
        with pytest.raises(UsageError, match=r"a\.csv: --rename makes 'verdict' and 'bias' both"):
            found("item", "verdict", "bias", verdict="bias", bias="bias")
        with pytest.raises(UsageError, match="'biased' is no column; did you mean 'bias'"):
            found("item", "verdict", verdict="biased")

    def test_another_table_may_have_the_column_that_is_renamed(self) -> None:
        of, _ = found("item", "bias", verdict="bias")
        assert of["bias"] == "bias"
        check_renames({"verdict": "bias"}, ("item", "bias", "verdict"))
        check_renames({"verdict": "bias"}, ())
        with pytest.raises(UsageError, match="no sheet has a column 'verdit'; did you mean 'verd"):
            check_renames({"verdit": "bias"}, ("item", "verdict"))

    def test_the_next_sentence_is_never_taken_for_the_text(self) -> None:
        of, _ = found("item", "next", "previous", "bias")
        assert "text" not in of

    def test_pairs_have_two_texts(self) -> None:
        of, _ = found("item", "Before the edit", "after_edit", "intents", asked=INTENTS)
        assert of["before_edit"] == "Before the edit"
        assert of["after_edit"] == "after_edit"

    def test_a_question_without_a_column_is_said(self) -> None:
        of, notes = found("item", "bias", asked=TWO)
        assert list(of) == ["item", "bias"]
        assert notes == "no column for the question intents"
