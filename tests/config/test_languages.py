"""The facts of languages, shipped and wrong."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
import spacy

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
from wikibias.errors import UsageError
from wikibias.tags.tagset import tagset_languages


def test_every_language_has_a_tag_set_and_a_tokenizer() -> None:
    # Of these no public source names the templates; `wikibias tags suggest` finds them in a dump.
    assert set(languages()) - set(tagset_languages()) == {"ca", "he", "vi"}
    assert set(tagset_languages()) <= set(languages())
    for code in languages():
        language = load_language(code)
        spacy.blank(language.spacy)
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


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("spacy = 'en'", "name is missing"),
        (
            "name = 'X'\nspacy = 'en'\nabbreviations = 'ca.'",
            "abbreviations must be a list of texts that are not empty, not 'ca.'",
        ),
        ("name = 'X'\nspacy = 'en'\n[namespaces]\nfiles = ['F']", "did you mean 'file'"),
        ("name = 'X'\nspacy = 'en'\nstopword = ['a']", "did you mean 'stopwords'"),
    ],
)
def test_a_wrong_language_file_names_the_key(content: str, said: str, configs: Path) -> None:
    (configs / "xx.toml").write_text(content)
    with pytest.raises(UsageError) as caught:
        load_language("xx")
    assert said in str(caught.value)
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
