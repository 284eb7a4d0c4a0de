"""Files of intents and of stress tests: what is read, what is refused and where."""

from pathlib import Path
from typing import Any

import pytest

from paths import cases
from wikibias.config import stress_tests
from wikibias.config.intents import (
    FactForm,
    check_signals,
    intents,
    load_intent,
    read_intent,
    signals,
    version_of,
)
from wikibias.config.resources import config_dir
from wikibias.errors import UsageError

FACTS = {"summary": FactForm("edit", "text"), "words_inserted": FactForm("segment", "number")}
HEAD = 'name = "copy-edit"\nabout = "a sentence had slips in it"'
GOOD = f"""{HEAD}
[[robust]]
name = "the summary says so"
fact = "summary"
matches = "copy ?edit|typo"
[[robust]]
name = "few words"
fact = "words_inserted"
of = "every segment"
max = 3
"""


def own(folder: Path, text: str, name: str = "copy-edit") -> Path:
    """Write a file of an intent into a folder for --config-dir; return its path."""
    path = folder / "configs" / "intents" / f"{name}.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text.strip() + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("case", cases("bad_intents"))
def test_a_mistake_is_said_in_one_line_with_its_place(case: dict[str, Any], tmp_path: Path) -> None:
    path = own(tmp_path, case["text"].replace("{head}", HEAD))
    with pytest.raises(UsageError) as caught:
        read_intent(path, "robust", FACTS)
    said = str(caught.value)
    where = f"{path}:{case['line']}: " if "line" in case else f"{path}: "
    assert said.startswith(where)
    assert case["said"] in said
    assert "\n" not in said


def test_an_intent_of_a_user_is_a_signal(tmp_path: Path) -> None:
    own(tmp_path, GOOD)
    assert "copy-edit" not in intents()
    with config_dir(tmp_path):
        assert "copy-edit" in signals()
        assert check_signals(["tag", "copy-edit", "summary"]) == ["copy-edit"]
        found = load_intent("copy-edit", "robust", FACTS)
    assert [rule.name for rule in found.rules("robust")] == ["the summary says so", "few words"]
    assert found.rules("printed") == ()


def test_an_unknown_signal_names_the_nearest(tmp_path: Path) -> None:
    own(tmp_path, GOOD)
    with config_dir(tmp_path), pytest.raises(UsageError, match="did you mean 'copy-edit'"):
        check_signals(["copyedit"])
    with pytest.raises(UsageError, match="did you mean 'point-of-view'"):
        check_signals(["pov"])
    with pytest.raises(UsageError, match="no intent"):
        load_intent("tag", "robust", FACTS)


def test_the_hash_is_of_the_rules_and_their_order(tmp_path: Path) -> None:
    one = read_intent(own(tmp_path, GOOD), "robust", FACTS)
    assert version_of([], "robust") == ""
    assert version_of([one], "robust") == version_of([one], "robust")
    other = read_intent(own(tmp_path, GOOD.replace("max = 3", "max = 4")), "robust", FACTS)
    assert version_of([one], "robust") != version_of([other], "robust")
    assert version_of([one], "robust") != version_of([one], "printed")


LISTS = """language = "en"

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
        LISTS.format(kind="MFT")
        + '[[test.templates]]\ncategory = "a"\nneutral = ["{town} is old."]'
    )
    with config_dir(tmp_path):
        assert [test.name for test in stress_tests.load_stress_tests("en").test] == ["made up"]


def test_an_unknown_language_names_those_known() -> None:
    with pytest.raises(UsageError, match="no stress tests for 'eng'; did you mean 'en'"):
        stress_tests.load_stress_tests("eng")


@pytest.mark.parametrize("case", cases("bad_stress_tests"))
def test_what_is_wrong_is_said_with_its_place(case: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(LISTS.format(kind=case.get("kind", "MFT")) + case["text"], encoding="utf-8")
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
