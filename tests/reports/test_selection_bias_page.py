"""The page on selection bias as a whole."""

from __future__ import annotations

import copy
import re
from pathlib import Path
from typing import Any

import pytest

from selection_bias_results import HOSTILE, OTHER_SCRIPTS, Wanted, full, largest, made, minimal
from wikibias.errors import WikibiasError
from wikibias.kits.html import is_page
from wikibias.reports import corpus_page
from wikibias.reports.selection_bias_page import GENERATOR, page

MOST = 2_000_000  # bytes


def parts(shown: str) -> list[str]:
    return re.findall(r'<section aria-labelledby="(\w+)"', shown)


def test_a_result_of_one_list_and_one_setting_has_the_sections_that_it_fills() -> None:
    shown = page(minimal())
    assert parts(shown) == ["overview", "topics", "heat", "provenance"]
    assert "one seed of the topic model, so without intervals" in shown
    (figures,) = [e for e in minimal()["figures"] if e["missing"] == "zero"]
    assert f"<td>{figures['b1']['value']:.3f}</td>" in shown.replace(
        ' data-head="value [95 %]"', ""
    ).replace(' role="cell"', "")


def test_a_full_result_has_all_sections_in_order() -> None:
    assert parts(page(full())) == [
        *("overview", "topics", "heat", "curves", "sizes", "groups", "corpora", "drift"),
        *("leakage", "correlations", "provenance"),
    ]


def test_it_says_how_many_random_lists_are_less_near() -> None:
    result = minimal()
    for each in result["figures"]:
        each["baseline"]["figures"]["b1"]["p"] = 2 / 201
        each["baseline"]["figures"]["mean_max"]["p"] = 0.4
    shown = page(result).replace("\xa0", " ")
    said = "nearer to the keywords of “own” than to 199 of 200 lists of random words as frequent"
    assert said in shown
    assert "B2 mean-max disagrees (p = 0.4000)" in shown
    for each in result["figures"]:
        each["baseline"]["figures"]["b1"]["p"] = 58 / 201
    shown = page(result)
    assert "57 of 200 random lists are as near or nearer" in shown
    assert said not in shown


def test_it_says_where_few_words_are_known_and_where_no_list_was_drawn() -> None:
    result = minimal()
    for each in result["figures"]:
        each["baseline"] = None
        each["coverage"] = {"topic_words": 0.6, "keywords": 0.5}
    shown = page(result)
    assert "knows only 50% of the keywords and 60% of the topic words" in shown
    assert "there are no random lists to compare it with" in shown
    assert "grey band" not in shown


def test_the_chosen_way_to_treat_missing_pairs_is_shown() -> None:
    result = minimal()
    for each in result["figures"]:
        each["b1"]["value"] = 0.111 if each["missing"] == "zero" else 0.222
    assert "0.111" in page(result)
    assert "0.222" not in page(result)
    result["settings"]["missing"] = "skip"
    assert "0.222" in page(result)
    assert "0.111" not in page(result)


def test_what_others_wrote_is_escaped_and_cut() -> None:
    lists = {"<script>x</script>": HOSTILE, "scripts": OTHER_SCRIPTS}
    result = made(
        Wanted(
            ("<b>", "a" * 10_000),
            lists,
            {"label": HOSTILE},
            vocabulary=[*HOSTILE, *OTHER_SCRIPTS],
            examples=HOSTILE,
            lowest=-0.2,
        )
    )
    result["notes"] = list(HOSTILE)
    shown = page(result)
    assert "<script" not in shown
    assert "<b>" not in shown
    assert "a" * 700 not in shown
    assert "\x1b" not in shown
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in shown
    for word in OTHER_SCRIPTS:
        assert f"<bdi>{word}</bdi>" in shown
    assert len(shown.encode()) < MOST


def test_every_figure_says_in_words_what_one_sees() -> None:
    drawings = re.findall(r'<svg class="drawing"[^>]*aria-label="([^"]*)"', page(full()))
    assert len(drawings) > 20
    assert all(re.search(r"\d\.\d\d\d|\d%", label) for label in drawings)


def test_the_page_of_five_corpora_stays_small_and_says_what_it_leaves_out() -> None:
    shown = page(largest())
    assert len(shown.encode()) < MOST
    for said in (
        "Shown are the first 12 of 20 lists.",
        "The 40 keywords of the highest mean are shown, of 200",
        "Shown are the first 3 lists of keywords; figures.csv has all.",
    ):
        assert said in shown


def test_it_is_a_page_that_the_report_command_may_replace(tmp_path: Path) -> None:
    (tmp_path / "report.html").write_text(page(minimal()), encoding="utf-8")
    assert is_page(tmp_path / "report.html", corpus_page.GENERATOR)
    assert corpus_page.GENERATOR == GENERATOR


def test_the_same_result_gives_the_same_page() -> None:
    assert page(full()) == page(copy.deepcopy(full()))


def test_a_list_of_words_that_nothing_knows_has_a_page() -> None:
    result = minimal()
    unknown: dict[str, Any] = {"value": None, "low": None, "high": None}
    for each in result["figures"]:
        each["b1"], each["baseline"] = unknown, None
        each["b2"] = dict.fromkeys(each["b2"], unknown)
        each["coverage"] = {"topic_words": 0.0, "keywords": None}
    result["topics"][0]["cells"]["own"] = [None, None]
    result["topics"][0]["b1"]["own"] = None
    result["topics"][0]["nearest"]["own"] = []
    shown = page(result)
    assert "have no B1 to the keywords of “own”" in shown
    assert "none above 0" in shown


def test_a_result_without_lists_or_topics_has_a_page() -> None:
    result = minimal()
    result.update(keywords=[], figures=[], topics=[])
    shown = page(result)
    assert "No list of keywords could be measured" in shown
    assert parts(shown) == ["overview", "topics", "provenance"]


def test_a_damaged_result_is_refused_in_one_line() -> None:
    result = full()
    del result["figures"][3]["b1"]
    with pytest.raises(WikibiasError, match=r"figures\[3\] has no 'b1'"):
        page(result)


def test_a_map_of_many_topics_says_on_a_phone_that_it_scrolls() -> None:
    hint = '<p class="sideways quiet">Scroll the map sideways to see all 9 columns.</p>'
    assert page(minimal()).count(hint) == 1
    assert "Scroll the map" not in page(made(Wanted(topics=(2,))))
