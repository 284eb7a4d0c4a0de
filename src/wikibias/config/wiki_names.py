"""The names that a wiki gives to what intents and featured articles are known by.

They stand in the sections `[intents]` and `[featured]` of a language's file or, for languages that
have none yet, in `configs/other_languages.toml`: one place for each language.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from wikibias.config.resources import folder
from wikibias.kits.checked import NonEmpty, TomlFile, conform_file


@dataclass(frozen=True, slots=True)
class IntentNames:
    """Names of templates: `citation_needed` and `clarify` ask for it, `citation` holds a source.

    The first two stand in the text, at what they ask about. A name that ends with `*` stands for
    all that begin like it. Names are compared as templates are: `mediawiki.titles.key`, without
    regard to case.
    """

    citation_needed: tuple[NonEmpty, ...] = ()
    clarify: tuple[NonEmpty, ...] = ()
    citation: tuple[NonEmpty, ...] = ()


@dataclass(frozen=True, slots=True)
class FeaturedMarks:
    """Templates and categories by which a page says that it is a featured article itself.

    A template may have a value, `En-tête label|AdQ`: then it is a mark only with this value as its
    first parameter. Categories are without their namespace.
    """

    templates: tuple[NonEmpty, ...] = ()
    categories: tuple[NonEmpty, ...] = ()


@dataclass(frozen=True, slots=True)
class WikiNames:
    """What a wiki calls the templates of intents, and its marks of featured articles."""

    intents: IntentNames = IntentNames()
    featured: FeaturedMarks = FeaturedMarks()


def names_of_other_languages() -> Mapping[str, WikiNames]:
    """Return the names of `configs/other_languages.toml`, by the code of the language.

    Raises:
        UsageError: the file is broken; names file and key.
    """
    file = TomlFile.read(folder("configs") / "other_languages.toml")
    return {code: conform_file(WikiNames, table, file) for code, table in file.table.items()}
