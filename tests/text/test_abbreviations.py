"""What a stop behind a word means."""

from dataclasses import replace

import pytest

from wikibias.config.languages import Language, load_language
from wikibias.text.rule_splitter import Abbreviations, Kind

LANGUAGE = Language(
    code="xx",
    name="Test",
    spacy="xx",
    abbreviations=("dr.", "z. B.", "c."),
    abbreviations_may_end=("etc.", "c."),
    abbreviations_before_starter=("inc.", "Yahoo!"),
    abbreviations_before_number=("no.", "-str."),
    words_before_letters=("vitamin",),
    rulers=("Karl",),
)


@pytest.mark.parametrize(
    ("before", "kind"),
    [
        ("He saw Dr", Kind.NEVER),
        ("HE SAW DR", Kind.NEVER),
        ("so z. B", Kind.NEVER),
        ("so z.B", Kind.NEVER),
        ("(etc", Kind.MAY_END),
        ("Foo Inc", Kind.BEFORE_STARTER),
        ("he said no", Kind.NOT_BEFORE_NUMBER),
        ("in der Bahnhofstr", Kind.NOT_BEFORE_NUMBER),
        ("in c", Kind.NEVER),
        ("after 5 c", Kind.MAY_END),
        ("by J", Kind.INITIAL),
        ("of vitamin C", Kind.WORD),
        ("King Karl V", Kind.WORD),
        ("at 300 K", Kind.WORD),
        ("the R.E.M", Kind.BEFORE_STARTER),
        ("the Bldg", Kind.BEFORE_STARTER),
        ("the BBC", Kind.WORD),
        ("at 30 kmh", Kind.WORD),
        ("in 1990", Kind.WORD),
        ("a word", Kind.WORD),
        ("a space ", Kind.WORD),
    ],
)
def test_kinds(before: str, kind: Kind) -> None:
    assert Abbreviations(LANGUAGE).kind(before) is kind


def test_short_numbers_may_be_ordinals() -> None:
    ordinals = Abbreviations(replace(LANGUAGE, ordinal_digits=2))
    assert ordinals.kind("am 3") is ordinals.kind("Teil IV") is Kind.BEFORE_STARTER
    assert ordinals.kind("Karl IV") is ordinals.kind("Karl 4") is Kind.RULER
    assert ordinals.kind("um 1990") is Kind.WORD


def test_an_abbreviation_of_several_words_goes_on() -> None:
    abbreviations = Abbreviations(LANGUAGE)
    assert abbreviations.begins("z")
    assert abbreviations.goes_on("z", "B")
    assert not abbreviations.goes_on("z", "C")
    assert abbreviations.lists("Yahoo!")
    assert abbreviations.names_a_firm("Inc")


@pytest.mark.parametrize("code", ["bg", "de", "en", "fr", "ru"])
def test_the_shipped_lists_know_a_doctor_and_an_enumeration(code: str) -> None:
    abbreviations = Abbreviations(load_language(code))
    doctor, more = ("д-р", "др") if code in ("bg", "ru") else ("Dr", "etc")
    assert abbreviations.kind(f"x {doctor}") is Kind.NEVER
    assert abbreviations.kind(f"x {more}") is Kind.MAY_END
