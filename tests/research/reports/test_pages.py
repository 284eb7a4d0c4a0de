"""The pages of stress tests and of how far annotators agree."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from blocks import changed, tables
from judged_samples import opinions, sampled, written
from put import put_rows
from sample_sentences import examples
from wikibias.kits.document import Block, Quote, Section, Text
from wikibias.kits.html import html
from wikibias.models.estimators.registry import create
from wikibias.research.annotation.agreement import agreement, read_compared
from wikibias.research.annotation.estimates import judged_shares
from wikibias.research.annotation.votes import read_judged
from wikibias.research.audits import Judging, LabelledSet, cross_table
from wikibias.research.reports.agreement import MOST_PAIRS, agreement_tables, judged
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
    return changed(change.before), changed(change.after)


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
    assert changed(quote.changes[0].after) == ["Peru"]
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


def found(tmp_path: Path, names: str) -> dict[str, Any]:
    """Return the agreement of some annotators."""
    rows = [
        {name: (number * place) % 3 % 2 for place, name in enumerate(names)} for number in range(9)
    ]
    given = read_compared([put_rows(tmp_path / "t.jsonl", *rows)], columns=",".join(names))
    return agreement(given, resamples=20, warn=print)


def test_two_annotators_have_their_answers_side_by_side(tmp_path: Path) -> None:
    titles = [table.title for table in agreement_tables("t", found(tmp_path, "ab"))]
    assert titles == [
        "t: 2 annotators, 18 answers to 9 sentences",
        "Cohen's kappa of each two",
        "Annotators",
        "a and b",
    ]


def test_of_many_pairs_those_are_shown_that_agree_least(tmp_path: Path) -> None:
    _, pairs, *_ = agreement_tables("t", found(tmp_path, "abcdefg"))
    assert pairs.title == "Cohen's kappa of the 15 pairs of 21 that agree least"
    assert len(pairs.rows) == MOST_PAIRS


def test_shows_shares_beside_the_tables_of_the_paper(tmp_path: Path) -> None:
    tasks = sampled()
    _, path = written(tmp_path, tasks, opinions(tasks))
    found = judged(judged_shares(tasks, read_judged([path]), resamples=50))
    titles = [table.title for table in tables(found)]
    assert [title for title in titles if "2019 paper" in title] == [
        "Table 4 of the 2019 paper: sentences judged",
        "Table 5 of the 2019 paper: share judged biased",
        "Table 6 of the 2019 paper: Fleiss’ kappa",
    ]
    (said,) = (str(each.parts) for each in found.blocks if isinstance(each, Text))
    assert "2 annotators judged 30 sentences that edits removed, of 69, with a kappa of " in said
    (bins,) = (each for each in tables(found) if each.title.startswith("By number of"))
    *parts, whole = (int(str(row[1])) for row in bins.rows)
    assert sum(parts) == whole == 69


def test_other_bins_are_not_compared_with_those_of_the_paper(tmp_path: Path) -> None:
    tasks = [replace(task, stratum=task.stratum and "bin=1-") for task in sampled()]
    _, path = written(tmp_path, tasks, opinions(tasks))
    found = judged(judged_shares(tasks, read_judged([path]), resamples=50))
    assert not [table for table in tables(found) if table.title.startswith("Table 5")]
