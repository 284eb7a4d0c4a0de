"""The page of stress tests."""

from __future__ import annotations

from pathlib import Path

from wikibias.kits.html import is_page
from wikibias.reports.stress_page import GENERATOR, page
from wikibias.research.stress.answers import Answer, Label
from wikibias.research.stress.cases import Case
from wikibias.research.stress.notes import notes
from wikibias.research.stress.scoring import Bootstrap, score

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
    result = {"only_neutral_templates": True, "only_changed": False}
    result |= score(answers, Bootstrap(resamples=20))
    return page({**result, "notes": notes(result)}, answers)


def test_what_others_wrote_is_escaped() -> None:
    shown = made()
    for mark in (HOSTILE, "<u>", "<i>", "(<b>"):
        assert mark not in shown
    assert "&lt;script&gt;" in shown
    assert "&lt;i&gt;" in shown
    assert "Failures of <bdi>&lt;u&gt;</bdi>" in shown


def test_the_swapped_word_is_marked_and_the_choice_is_told() -> None:
    shown = made()
    assert "<del>town</del>" in shown
    assert "only templates and originals that are neutral" in shown
    assert "McNemar" in shown


def test_figures_that_nobody_knows_take_no_column() -> None:
    assert '<th scope="col">right originals</th>' in made()
    assert '<th scope="col">right originals</th>' not in made(with_originals=False)


def test_all_cases_and_those_of_right_originals_have_a_chart_each() -> None:
    both, one = "all cases as expected", "cases with a right original as expected"
    assert both in made()
    assert one in made()
    assert both in made(with_originals=False)
    assert one not in made(with_originals=False)
    assert '<th scope="col">better</th>' in made()
    assert ">second</td>" in made()


def test_no_right_original_is_not_the_same_as_no_failure() -> None:
    assert "<p>None.</p>" in made()
    shown = made(known="biased")
    assert "<p>None.</p>" not in shown
    assert "No original was called what it is" in shown


def test_it_is_known_for_a_page_of_this_command(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    path.write_text(made(), encoding="utf-8")
    assert is_page(path, GENERATOR)
