"""The words that sentences begin with."""

import pytest

from wikibias.config.languages import Language
from wikibias.text.rule_splitter import SentenceStarters

STARTERS = SentenceStarters(
    Language(code="xx", name="Test", spacy="xx", sentence_starters=("le", "l'", "in", "I", "他"))
)


@pytest.mark.parametrize("text", ["Le mur", "L'eau", "L’eau", "In it"])
def test_a_starter_stands_there(text: str) -> None:
    assert STARTERS.stand_at(text, 0)


@pytest.mark.parametrize("text", ["Mur", "Le-Mans", "In. x", "12", "", "LE"])
def test_no_starter_stands_there(text: str) -> None:
    assert not STARTERS.stand_at(text, 0)


def test_behind_an_initial_a_particle_before_a_capital_is_part_of_a_name() -> None:
    assert not STARTERS.stand_at("Le Goff", 0, initial=True)
    assert not STARTERS.stand_at("L'Orme", 0, initial=True)
    assert STARTERS.stand_at("Le mur", 0, initial=True)


def test_roman_numbers() -> None:
    assert STARTERS.number_at("XIV to", 0)
    assert not STARTERS.number_at("I went", 0)


def test_ideographs() -> None:
    assert STARTERS.ideographs_at("x他走", 1)
    assert not STARTERS.ideographs_at("也没", 0)


@pytest.mark.parametrize(
    ("before", "only"),
    [
        ("In 1990 г", True),
        ("In 3 mars 1878 г", True),
        ("Il est mort en 1990 г", False),
        ("Paul, in 1990 г", True),
        ("In Rome etc", False),
        ("", False),
    ],
)
def test_a_sentence_that_has_only_said_when(before: str, only: bool) -> None:
    assert STARTERS.only_say_when(before, len(before)) is only


def test_a_longer_sentence_has_said_more() -> None:
    assert not STARTERS.only_say_when("In 1990 г", 500)
