"""Words by spaCy's numbers."""

from __future__ import annotations

from wikibias.text.spacy_splitter import keys


def test_a_word_has_the_number_that_files_of_spacy_have_for_it() -> None:
    assert keys(["coffee", "pomme"]) == {
        3197928453018144401: "coffee",  # as spaCy's documentation has it
        16793403341688736653: "pomme",
    }


def test_the_name_of_a_symbol_has_the_number_of_the_symbol() -> None:
    assert keys(["NOUN"]) == {92: "NOUN"}
