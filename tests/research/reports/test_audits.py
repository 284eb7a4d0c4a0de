"""The page of stress tests."""

from sample_sentences import examples
from wikibias.kits.document import Block, Quote, Section, Text
from wikibias.kits.html import html
from wikibias.models.estimators.registry import create
from wikibias.research.audits import Judging, LabelledSet, cross_table
from wikibias.research.reports.audits import change_of, stress_page, transfer_page
from wikibias.research.stress import Answer, Case, Label, notes, score

HOSTILE = "<script>alert(1)</script>"


def answer(predicted: Label, original: Label, text: str = HOSTILE) -> Answer:
    case = Case("<b>", "INV", "<i>", "old", "An old town.", f"An old {text}.", False, False)
    return Answer(case, predicted, original)


def made(*, with_originals: bool = True, known: Label = "neutral") -> str:
    known = known if with_originals else ""
    answers = {
        "one": [answer("biased", known), answer("neutral", known, "street")],
        "<u>": [answer("neutral", known), answer("neutral", known, "street")],
    }
    result = {"only": ["neutral-templates"], **score(answers, resamples=20)}
    return html(stress_page({**result, "notes": notes(result)}, answers))


def test_what_others_wrote_is_escaped() -> None:
    shown = made()
    for mark in (HOSTILE, "<u>", "<i>", "(<b>"):
        assert mark not in shown
    for said in (
        *("&lt;script&gt;", "&lt;i&gt;", "Failures of &lt;u&gt;", "<del>town</del>", "McNemar"),
        "only templates and originals that are neutral",
    ):
        assert said in shown


def test_what_nobody_knows_has_no_column_and_no_chart() -> None:
    both, one = "all cases as expected", "cases with a right original as expected"
    known, unknown, column = made(), made(with_originals=False), '<th scope="col">right originals'
    assert [each in known for each in (both, one, column)] == [True, True, True]
    assert [each in unknown for each in (both, one, column)] == [True, False, False]
    assert '<th scope="col">better</th>' in known
    assert ">second</td>" in known


def test_no_right_original_is_not_the_same_as_no_failure() -> None:
    assert ">None.</p>" in made()
    shown = made(known="biased")
    assert ">None.</p>" not in shown
    assert "No original was called what it is" in shown


def swapped(place: str, number: int, predicted: Label) -> Answer:
    original, text = f"A town in Norway, {number}.", f"A town in {place}, {number}."
    case = Case("locations", "INV", "places", "A town in {place}.", original, text, False, False)
    return Answer(case, predicted, "neutral")


def marked(original: str, text: str) -> tuple[list[str], list[str]]:
    change = change_of(original, text)
    before, after = (
        [piece.text for passage in side for piece in passage.pieces if piece.changed]
        for side in (change.before, change.after)
    )
    return before, after


def test_what_was_swapped_or_put_in_is_marked() -> None:
    assert marked("A town in Norway.", "A town in Peru.") == (["Norway"], ["Peru"])
    assert marked("The law passed.", "The awful law passed.") == ([], ["awful"])
    spaced = "The city 's awful gold - lined box ."
    assert marked("The city's gold-lined box.", spaced) == ([], ["awful"])


def failures(given: list[Answer]) -> list[Block]:
    """Return what the page shows of the failures of a model."""
    result = {"only": [], "notes": [], **score({"one": given}, resamples=20)}
    section = stress_page(result, {"one": given}).sections[1]
    assert isinstance(section, Section)
    last = section.blocks[-1]
    assert isinstance(last, Section)
    return last.blocks


def test_the_template_with_the_most_failures_comes_first_with_an_example() -> None:
    other = Case("locations", "INV", "", "t", "Old.", "New.", False, False)
    given = [Answer(other, "biased", "neutral")]
    given += [swapped("Peru", n, "biased" if n < 3 else "neutral") for n in range(5)]
    says, quote, second, *_ = failures(given)
    assert isinstance(says, Text)
    assert says.parts == "places · 3 of 5 cases failed · expected neutral, called biased"
    assert isinstance(quote, Quote)
    (passage,) = quote.changes[0].after
    assert [piece.text for piece in passage.pieces if piece.changed] == ["Peru"]
    assert isinstance(second, Text)
    assert str(second.parts).startswith("1 of 1 case failed")


def test_sentences_without_an_original_stand_alone() -> None:
    case = Case("factual", "MFT", "geography", "t", "", "Paris is a capital.", False, False)
    says, quote = failures([Answer(case, "?")])
    assert isinstance(says, Text)
    assert says.parts == "geography · 1 of 1 case failed · expected neutral, called neither (?)"
    assert isinstance(quote, Quote)
    (change,) = quote.changes
    assert not change.before
    assert [(piece.text, piece.changed) for piece in change.after[0].pieces] == [
        ("Paris is a capital.", False)
    ]


def test_the_page_shows_each_cell_and_escapes_names() -> None:
    sets = [LabelledSet("<b>", examples("a", 60, 1)), LabelledSet("plain", examples("b", 60, 2))]
    how = Judging(folds=3, grouped_by="random", resamples=10)

    def make() -> object:
        return create("majority")

    cells = list(cross_table(sets, make, how))  # type: ignore[arg-type]
    shown = html(transfer_page(sets, {"majority": cells}))
    assert "<b>" not in shown
    assert "&lt;b&gt; on plain" in shown
