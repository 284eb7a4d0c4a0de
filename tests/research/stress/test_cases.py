"""Cases of stress tests: how many, which, and that their grammar is left alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikibias.config.stress_tests import StressTest, StressTests, TemplateSet, Words
from wikibias.config.stress_tests import load_stress_tests as load
from wikibias.research.stress.cases import draw

TOWNS = Words("town", ("Ashford", "Milton", "Welby"))
LOADED = Words("loaded", ("awful | awfully", "superb | superbly"), ("adjective", "adverb"))


def made(kind: str, templates: TemplateSet) -> StressTests:
    test = StressTest("made up", kind, "about", (templates,))  # type: ignore[arg-type]
    return StressTests("en", (TOWNS, LOADED), (test,))


@pytest.mark.parametrize("language", ["bg", "en", "fr"])
def test_each_shipped_test_gives_enough_different_cases(language: str) -> None:
    cases = draw(load(language), count=500, seed=0)
    by_test: dict[str, list[tuple[str, str]]] = {}
    for case in cases:
        by_test.setdefault(case.test, []).append((case.original, case.text))
        assert not set("{}<>|") & set(case.original + case.text)
        assert "  " not in case.text
        assert case.changed
        assert not case.text[0].islower()
    assert all(len(found) == len(set(found)) >= 200 for found in by_test.values())


def test_a_swapped_word_is_the_only_change() -> None:
    tests = made("INV", TemplateSet("a", ("{town} lies near {town}.",), swap="town"))
    cases = draw(tests, count=10, seed=0)
    assert len(cases) == 6  # all ordered pairs of three towns
    assert ("Ashford lies near Ashford.", "Milton lies near Milton.") in {
        (case.original, case.text) for case in cases
    }
    assert not any(case.expected for case in cases)


def test_words_are_put_in_and_the_original_has_no_gap() -> None:
    template = "The <loaded.adjective> council of {town} voted <loaded.adverb>."
    (case, *_) = cases = draw(made("DIR", TemplateSet("a", (template,))), count=99, seed=0)
    assert len(cases) == 6
    assert case.original == "The council of Ashford voted."
    assert case.text == "The awful council of Ashford voted awfully."
    assert (case.expected, case.original_biased) == (True, False)


def test_a_biased_template_stays_biased() -> None:
    templates = TemplateSet("a", biased=("Awful {town}.",), swap="town")
    assert all(case.expected for case in draw(made("INV", templates), count=6, seed=0))


def test_a_template_more_leaves_the_draws_of_the_others() -> None:
    one = TemplateSet("a", ("{town} is old, {loaded.adverb} so.",))
    two = TemplateSet("a", ("{town} is old, {loaded.adverb} so.", "{town} is new."))
    first = {case.text for case in draw(made("MFT", one), count=6, seed=3)}
    second = {case.text for case in draw(made("MFT", two), count=9, seed=3)}
    assert first < second


@given(count=st.integers(1, 40), seed=st.integers(0, 5))
def test_templates_share_the_cases_evenly_and_the_same_seed_draws_the_same(
    count: int, seed: int
) -> None:
    templates = TemplateSet(
        "a", ("{town} is old.", "Old.", "{town} is {loaded.adjective}.", "{town} is new.")
    )
    tests = made("MFT", templates)
    cases = draw(tests, count=count, seed=seed)
    assert len(cases) == len({case.text for case in cases}) == min(count, 3 + 1 + 6 + 3)
    assert cases == draw(tests, count=count, seed=seed)
    sizes = {name: sum(case.cluster == name for case in cases) for name in templates.neutral}
    assert max(sizes.values()) - sizes["{town} is old."] <= 1 or sizes["{town} is old."] == 3


def test_only_the_tests_asked_for_are_drawn() -> None:
    assert {case.test for case in draw(load("en"), ["loaded"], count=5, seed=0)} == {"loaded"}
