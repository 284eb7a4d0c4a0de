"""Files of stress tests: what is shipped, what is read, and what is refused with its line."""

from pathlib import Path
from typing import Any

import pytest

from paths import cases
from wikibias.config import stress_tests
from wikibias.config.resources import config_dir
from wikibias.errors import UsageError

HEAD = """language = "en"

[[list]]
name = "town"
words = ["Ashford", "Milton"]

[[list]]
name = "country"
forms = ["name", "in"]
words = ["Norway | in Norway"]

[[test]]
name = "made up"
kind = "{kind}"
about = "what it expects"
"""


def test_tests_of_three_languages_are_shipped() -> None:
    assert {"bg", "en", "fr"} <= set(stress_tests.stress_languages())


@pytest.mark.parametrize("language", ["bg", "en", "fr"])
def test_each_language_has_the_tests_of_the_paper(language: str) -> None:
    kinds = {test.name: test.kind for test in stress_tests.load_stress_tests(language).test}
    assert kinds == {
        "factual": "MFT",
        "locations": "INV",
        "pronouns": "INV",
        "prejudice": "INV",
        "loaded": "DIR",
    }


def test_a_users_own_file_comes_first(tmp_path: Path) -> None:
    own = tmp_path / "configs" / "stress" / "en.toml"
    own.parent.mkdir(parents=True)
    own.write_text(
        HEAD.format(kind="MFT") + '[[test.templates]]\ncategory = "a"\nneutral = ["{town} is old."]'
    )
    with config_dir(tmp_path):
        assert [test.name for test in stress_tests.load_stress_tests("en").test] == ["made up"]


def test_an_unknown_language_names_those_known() -> None:
    with pytest.raises(UsageError, match="no stress tests for 'eng'; did you mean 'en'"):
        stress_tests.load_stress_tests("eng")


@pytest.mark.parametrize("case", cases("bad_stress_tests"))
def test_what_is_wrong_is_said_with_its_place(case: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(HEAD.format(kind=case.get("kind", "MFT")) + case["text"], encoding="utf-8")
    with pytest.raises(UsageError) as raised:
        stress_tests.read_stress_tests(path)
    assert case["said"] in str(raised.value)
    assert str(raised.value).startswith(f"{path}:")


@pytest.mark.parametrize("words", [("a | b", "c"), ("a | ",), ("a | b", "a | b")])
def test_each_word_has_all_forms_and_stands_once(words: tuple[str, ...]) -> None:
    with pytest.raises(UsageError, match="the list 'town'"):
        stress_tests.Words("town", words, ("one", "two"))


def test_a_form_of_a_word_is_found_by_name() -> None:
    found = stress_tests.Words("country", ("la France | en France",), ("sujet", "en"))
    assert found.word(0, "en") == "en France"
    assert stress_tests.Words("town", ("Milton",)).word(0, None) == "Milton"


def test_slots_have_a_bracket_a_list_and_perhaps_a_form() -> None:
    assert stress_tests.slots("The <adj.f> law {country.in} of {year}.") == [
        ("<", "adj", "f"),
        ("{", "country", "in"),
        ("{", "year", None),
    ]
