"""Names of templates of intents and marks of featured articles, as they are shipped."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from wikibias.config.languages import (
    FeaturedMarks,
    IntentNames,
    WikiNames,
    featured_marks,
    intent_names,
    languages,
    load_language,
    names_of_other_languages,
    wikipedia_languages,
)
from wikibias.errors import UsageError
from wikibias.mediawiki import titles

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
    other = names_of_other_languages()
    return {
        code: other[code] if code in other else WikiNames(intent_names(code), featured_marks(code))
        for code in sorted({*languages(), *other})
    }


def lists(names: WikiNames) -> Iterator[tuple[str, ...]]:
    intents, featured = names.intents, names.featured
    yield from (intents.citation_needed, intents.clarify, intents.citation)
    yield from (featured.templates, featured.categories)


def test_names_are_written_as_titles_are_and_once() -> None:
    for code, of_wiki in shipped().items():
        for names in lists(of_wiki):
            assert [titles.clean_title(name) for name in names] == list(names), code
            keys = [titles.title_key(name, ignore_case=True) for name in names]
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
    assert intent_names("de").citation_needed == ()
    assert intent_names("pl").clarify == ()
    assert intent_names("xx") == IntentNames()
    assert featured_marks("xx") == FeaturedMarks()


def test_a_language_stands_in_one_place() -> None:
    other = names_of_other_languages()
    assert not set(other) & set(languages())
    assert set(other) - set(wikipedia_languages()) == {"simple"}  # its language is English


def test_a_file_of_two_lines_takes_the_names_that_are_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "configs").mkdir()
    file = tmp_path / "configs" / "et.toml"
    monkeypatch.chdir(tmp_path)
    file.write_text('name = "Estonian"\nspacy = "et"\n', "utf-8")
    assert load_language("et").featured.templates == ("Eeskujulik artikkel",)
    file.write_text('name = "Estonian"\nspacy = "et"\n[featured]\ntemplates = ["Hea"]\n', "utf-8")
    assert featured_marks("et") == FeaturedMarks(templates=("Hea",))
    file.write_text('name = "Estonian"\nspacy = "et"\n[featured]\ntemplate = ["Hea"]\n', "utf-8")
    with pytest.raises(UsageError, match=r"et\.toml:4: unknown key featured\.template"):
        load_language("et")
