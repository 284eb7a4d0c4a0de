"""The names of the languages of all Wikipedias."""

from __future__ import annotations

from wikibias.config.languages import languages, load_language, wikipedia_languages


def test_each_shipped_language_has_the_name_of_its_file() -> None:
    names = wikipedia_languages()
    assert {code: names[code] for code in languages()} == {
        code: load_language(code).name for code in languages()
    }


def test_codes_are_in_order_and_as_addresses_have_them() -> None:
    names = list(wikipedia_languages())
    assert names == sorted(names)
    assert len(names) > 330
    assert all(code.replace("-", "").isascii() and code == code.lower() for code in names)
