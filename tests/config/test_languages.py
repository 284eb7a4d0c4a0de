"""The facts of languages, shipped and wrong, and patterns of users, which cost little."""

import re
import time
from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hostile_texts import is_quick
from paths import cases
from wikibias import mediawiki
from wikibias.config.languages import (
    FeaturedMarks,
    WikiNames,
    languages,
    load_language,
    load_mediawiki,
    names_of_other_languages,
    wikipedia_languages,
)
from wikibias.config.patterns import LONGEST_SEARCHED, bounded_pattern, searched, word_pattern
from wikibias.errors import UsageError
from wikibias.tags.tagset import tagset_languages


def test_every_language_has_a_tag_set() -> None:
    # Of these no public source names the templates; `wikibias tags suggest` finds them in a dump.
    assert set(languages()) - set(tagset_languages()) == {"ca", "he", "vi"}
    assert set(tagset_languages()) <= set(languages())
    for code in languages():
        language = load_language(code)
        assert language.name
        assert language.blank_summaries
        assert set(language.namespaces) <= {"template", "file", "category", "user"}


@pytest.mark.parametrize(
    ("wrong", "meant"), [("enn", "en"), ("fra", "fr"), ("en-US", "en"), ("Germann", "de")]
)
def test_a_slip_names_the_nearest(wrong: str, meant: str) -> None:
    with pytest.raises(UsageError, match=f"unknown language '{wrong}'; did you mean '{meant}'"):
        load_language(wrong)


@pytest.mark.parametrize("given", ["eu", "EU", "eu_ES", "euwiki", "Basque"])
def test_a_language_without_configuration_is_named(given: str) -> None:
    with pytest.raises(UsageError) as caught:
        load_language(given)
    said = str(caught.value)
    assert said.startswith(
        "Basque (eu) has no configuration yet; to add one, write configs/eu.toml"
    )
    assert "did you mean" not in said


@pytest.fixture
def configs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the files of one's own."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "configs").mkdir()
    return tmp_path / "configs"


def test_the_two_lines_that_the_message_names_will_do(configs: Path) -> None:
    with pytest.raises(UsageError) as caught:
        load_language("eu")
    _, name, spacy = re.findall(r"(?:^|: |, )((?:name|spacy) = [^,)]+|Basque)", str(caught.value))
    (configs / "eu.toml").write_text(f"{name}\n{spacy}\n", "utf-8")
    assert load_language("eu").name == "Basque"
    with pytest.raises(UsageError, match="did you mean 'eu'"):
        load_language("euwiki")


def test_a_wrong_language_file_names_the_key(configs: Path) -> None:
    misspelt = "name = 'X'\nspacy = 'en'\nstopword = ['a']"
    for content, said in (("spacy = 'en'", "name is missing"), (misspelt, "mean 'stopwords'")):
        (configs / "xx.toml").write_text(content)
        with pytest.raises(UsageError, match=said) as caught:
            load_language("xx")
        assert "xx.toml" in str(caught.value)


# Such a marker says that the article of another language is featured.
INTERWIKI_MARKERS = {
    "an": {"destacato", "destacau"},
    "ca": {"destacat", "enllaç ad"},
    "es": {"destacado", "bueno"},
    "fr": {"lien adq", "lien ba"},
    "sv": {"ua", "link ua"},
    "yi": {"רא"},
}


@cache
def shipped() -> dict[str, WikiNames]:
    own = map(load_language, languages())
    found = {each.code: WikiNames(each.intents, each.featured) for each in own}
    return {**found, **names_of_other_languages()}


def lists(names: WikiNames) -> Iterator[tuple[str, ...]]:
    intents, featured = names.intents, names.featured
    yield from (intents.citation_needed, intents.clarify, intents.citation)
    yield from (featured.templates, featured.categories)


def test_names_are_written_as_titles_are_and_once() -> None:
    for code, of_wiki in shipped().items():
        for names in lists(of_wiki):
            assert [mediawiki.clean_title(name) for name in names] == list(names), code
            keys = [mediawiki.title_key(name, ignore_case=True) for name in names]
            assert len(set(keys)) == len(keys), (code, names)


def test_a_marker_of_another_language_is_no_mark() -> None:
    for code, names in shipped().items():
        marks = {name.casefold() for name in names.featured.templates}
        assert not marks & {"link fa", "fa link", "link ga", "link fl", "linkfa"}, code
        assert not marks & INTERWIKI_MARKERS.get(code, set()), code
        assert not any(name.startswith("link ") for name in marks), code


def test_as_many_names_are_known_as_the_documentation_says() -> None:
    marks = {code: names.featured for code, names in shipped().items()}
    assert sum(bool(mark.templates) for mark in marks.values()) == 92
    assert sum(bool(mark.categories) for mark in marks.values()) == 85
    assert sum(len(mark.templates) for mark in marks.values()) == 98
    assert sum(len(mark.categories) for mark in marks.values()) == 92
    assert all(marks[code] != FeaturedMarks() for code in languages())


def test_a_template_that_holds_a_source_asks_for_none() -> None:
    for code in languages():
        names = shipped()[code].intents
        assert "cite*" in names.citation
        asking = {name.casefold() for name in (*names.citation_needed, *names.clarify)}
        for name in (entry.casefold() for entry in names.citation):
            if name.endswith("*"):
                assert not any(one.startswith(name[:-1]) for one in asking), (code, name)
            else:
                assert name not in asking, (code, name)


def test_what_nobody_says_is_blank() -> None:
    # No public source names an inline template of the German wiki.
    assert shipped()["de"].intents.citation_needed == ()
    assert shipped()["pl"].intents.clarify == ()


def test_a_language_stands_in_one_place() -> None:
    other = names_of_other_languages()
    assert not set(other) & set(languages())
    assert set(other) - set(wikipedia_languages()) == {"simple"}  # its language is English


def test_a_file_of_two_lines_takes_the_names_that_are_known(configs: Path) -> None:
    file = configs / "et.toml"
    file.write_text('name = "Estonian"\nspacy = "et"\n', "utf-8")
    assert load_language("et").featured.templates == ("Eeskujulik artikkel",)
    file.write_text('name = "Estonian"\nspacy = "et"\n[featured]\ntemplates = ["Hea"]\n', "utf-8")
    assert load_language("et").featured == FeaturedMarks(templates=("Hea",))
    file.write_text('name = "Estonian"\nspacy = "et"\n[featured]\ntemplate = ["Hea"]\n', "utf-8")
    with pytest.raises(UsageError, match=r"et\.toml:4: unknown key featured\.template"):
        load_language("et")


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


def test_redirect_words_and_interlanguage_codes() -> None:
    facts = load_mediawiki()
    assert {"#redirect", "#redirection", "#виж"} <= set(facts.redirect_words)
    assert {"fr", "zh-min-nan", "simple"} <= set(facts.interlanguage)


@pytest.mark.parametrize("case", cases("bounded_patterns"))
def test_a_pattern_is_taken_or_refused(case: dict[str, Any]) -> None:
    if "refused" in case:
        with pytest.raises(ValueError, match=case["refused"]):
            bounded_pattern(case["pattern"])
    else:
        pattern = bounded_pattern(case["pattern"])
        for text in ("a", "ab", "a" * 40 + "b", "word "):
            assert is_quick(partial(searched, pattern), text * 5_000, 0.1)


def test_a_long_pattern_is_refused() -> None:
    with pytest.raises(ValueError, match="longer than"):
        bounded_pattern("a" * 1_001)
    with pytest.raises(ValueError, match=r"expression|too long"):
        bounded_pattern("(" * 400 + "a" + ")" * 400 + "*" * 2)


def test_letter_case_does_not_count_and_the_end_of_a_long_text_neither() -> None:
    pattern = bounded_pattern("pov")
    assert searched(pattern, "rm POV")
    assert not searched(pattern, " " * LONGEST_SEARCHED + "pov")


@given(st.text(alphabet="ab*+?{}()|.,2^$", max_size=24))
def test_what_is_taken_is_quick(pattern: str) -> None:
    try:
        found = bounded_pattern(pattern)
    except ValueError:
        return
    began = time.process_time()
    searched(found, "a" * LONGEST_SEARCHED)
    searched(found, "ab" * LONGEST_SEARCHED)
    assert time.process_time() - began < 1


def found(entries: tuple[str, ...], text: str) -> list[str]:
    return word_pattern(entries).findall(text.casefold())


@pytest.mark.parametrize(
    ("entry", "text", "hit"),
    [
        ("pov", "a POV, npov", ["pov"]),
        ("neutral*", "Neutrality, unneutral", ["neutrality"]),
        ("*中立", "不中立", ["中立"]),
        ("point of view", "his point of views, point of view", ["point of view"]),
        ("WP:NPV", "see wp:npv", ["wp:npv"]),
    ],
)
def test_an_entry(entry: str, text: str, hit: list[str]) -> None:
    assert found((entry,), text) == hit


def test_the_longest_entry_counts_and_none_is_no_pattern() -> None:
    assert found(("net", "net neutrality"), "net neutrality") == ["net neutrality"]
    assert word_pattern(()).search("any") is None


@pytest.mark.parametrize(
    ("lang", "other", "trap"),
    [
        ("en", "A neutral atom. Net neutrality", "the atomic bombings of PhD students"),
        ("fr", "un électron, la neutralité du net", "musique électronique, lions"),
        ("bg", "йоните са неутрални", "атомната бомба, район"),
        ("de", "Ionen; Netzneutralität", "Union der Nationen"),
        ("es", "los electrones", "correo electrónico, regiones"),
        ("it", "gli atomi e gli ioni", "la regione ionica, elettronica"),
        ("pt", "íons e nêutrons", "região eletrônica"),
        ("ru", "ионы и молекулы", "атомная бомба, район"),
        ("pl", "jony i cząsteczki", "bomba atomowa, rejon"),
        ("nl", "atomen en ionen", "regionen, atoombom"),
        ("vi", "nguyên tử trung hòa", "nguyên nhân, điện tử"),
    ],
)
def test_other_meanings_of_a_language(lang: str, other: str, trap: str) -> None:
    entries = load_language(lang).summaries["other_meaning"]
    assert found(entries, other)
    assert not found(entries, trap)


@given(st.lists(st.text(min_size=1)), st.text())
def test_any_list_can_be_looked_for(entries: list[str], text: str) -> None:
    found = word_pattern(tuple(entries)).findall(text.casefold())
    assert entries or not found
