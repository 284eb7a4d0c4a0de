"""Failures of stress tests as a page shows them."""

from __future__ import annotations

from wikibias.reports.stress_failures import change_of, failures, sentences, words
from wikibias.research.stress.answers import Answer, Label
from wikibias.research.stress.cases import Case


def swapped(place: str, number: int, predicted: Label) -> Answer:
    original, text = f"A town in Norway, {number}.", f"A town in {place}, {number}."
    case = Case("locations", "INV", "places", "A town in {place}.", original, text, False, False)
    return Answer(case, predicted, "neutral")


def marked(original: str, text: str) -> tuple[list[str], list[str]]:
    change = change_of(original, text)
    before = [piece.text for piece in change.before if piece.changed]
    return before, [piece.text for piece in change.after if piece.changed]


def test_what_was_swapped_or_put_in_is_marked() -> None:
    assert marked("A town in Norway.", "A town in Peru.") == (["Norway"], ["Peru"])
    assert marked("The law passed.", "The awful law passed.") == ([], ["awful"])


def test_spaces_that_a_tokeniser_left_are_not_marked() -> None:
    assert marked("The city's gold-lined box.", "The city 's awful gold - lined box .") == (
        [],
        ["awful"],
    )


def test_the_template_with_the_most_failures_comes_first_with_an_example() -> None:
    other = Case("locations", "INV", "", "t", "Old.", "New.", False, False)
    given = [Answer(other, "biased", "neutral")]
    given += [swapped("Peru", n, "biased" if n < 3 else "neutral") for n in range(5)]
    first, second = failures(given)
    assert first.says == "places · 3 of 5 cases failed · expected neutral, called biased"
    assert [piece.text for piece in first.change.after if piece.changed] == ["Peru"]
    assert second.says.startswith("1 of 1 case failed")
    assert sentences(given) is None


def test_originals_that_were_called_wrong_do_not_count() -> None:
    case = Case("locations", "INV", "", "t", "Old.", "New.", False, False)
    assert failures([Answer(case, "biased", "biased")]) == []


def test_sentences_without_an_original_are_a_table() -> None:
    case = Case("factual", "MFT", "geography", "t", "", "Paris is a capital.", False, False)
    table = sentences([Answer(case, "?")])
    assert table is not None
    assert table.rows == [
        [
            "Paris is a capital.",
            "geography · 1 of 1 case failed",
            "expected neutral, called neither (?)",
        ]
    ]


def test_words_that_fail_often_come_first_and_rare_ones_not_at_all() -> None:
    given = [swapped("Peru", n, "biased" if n else "neutral") for n in range(6)]
    given += [swapped("Cuba", n, "biased" if n < 2 else "neutral") for n in range(6)]
    given += [swapped("Chad", 1, "biased")]
    table = words(given)
    assert table is not None
    assert table.rows == [["Peru", "5", "6", "83%"], ["Cuba", "2", "6", "33%"]]
    assert words([swapped("Chad", 1, "biased")]) is None
