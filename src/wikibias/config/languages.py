"""The facts of one language, from `configs/<code>.toml`."""

import difflib
import re
from collections.abc import Iterable, Mapping, Set
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Literal

from wikibias.config.resources import find, folder, names
from wikibias.errors import UsageError, nearest
from wikibias.kits.checked import Meta, NonEmpty, TomlFile, conform_file, read_text, read_toml


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


@dataclass(frozen=True, slots=True)
class Wikipedias:
    """The English name of the language of each Wikipedia, by its code."""

    names: Mapping[str, NonEmpty]


def wikipedia_languages() -> Mapping[str, str]:
    """Return the English names of the languages, by the codes of their Wikipedias.

    Raises:
        UsageError: the file is broken; names file, line and key.
    """
    return read_toml(folder("configs") / "wikipedias.toml", Wikipedias)[0].names


NamespaceKind = Literal["template", "file", "category", "user"]
"""The namespaces whose local names a language file may add to."""
SectionKind = Literal["references", "literature", "see_also", "external_links"]
"""`literature` means references, but for a section inside of another one."""
SummaryKind = Literal["policy", "revert", "bot", "automatic", "other_meaning"]
"""What words of an edit summary say: that it names the neutrality policy, a revert, a bot, or that
MediaWiki wrote it by itself, by its beginning. `other_meaning`: that "neutral" is none of the
policy's, as in chemistry and net neutrality; such words count in sentences as well."""
_Listed = Mapping[Literal["names"], tuple[NonEmpty, ...]]
# These lie beside the languages.
_OTHERS = {"confidence", "default", "mediawiki", "other_languages", "wikipedias"}
# The code that begins EN, en-US, en_GB and enwiki.
_CODE = re.compile(r"[a-z]{2,3}(?=$|[-_]|wiki$)")
# From this likeness on a name is a slip of another: Deutsch is none of Dutch.
_SURE = 0.85
_REMEMBERED = 64


@dataclass(frozen=True, slots=True)
class Language:
    """The facts of one language that the pipeline needs; see `docs/how-to/add-a-language.md`.

    `namespaces` gives further local names of the namespaces `template`, `file` and `category`,
    beyond the one the dump itself declares. `segmenter` names what splits paragraphs into
    sentences; see `text.splitters`. How a full stop is read after the words of the four lists
    of abbreviations, and before `sentence_starters`, `text.abbreviations` tells. No sentence begins
    with one of `continuations` behind a number and an abbreviation (6 a.m. Monday), nor, in a
    script without capitals, behind a question that `title_words` call a title. Behind one of
    `words_before_letters` a letter is no initial (vitamin C), nor I, V or X behind one of `rulers`;
    a number of up to `ordinal_digits` digits with a stop is an ordinal; with `full_width_stops` a
    half-width stop behind a Latin letter ends nothing. Over `determiners`, articles in lower case,
    pieces of a rewritten phrase are joined; see `edits.word_diff`. `text_templates` maps a
    template to what a reader sees of it, see `text.template_forms`; `silent_templates` show no
    running text, and `quotation_templates`, of those that show text, set a quotation apart.
    `sections` gives the headings of the sections at the end of an article, `summaries` the words of
    edit summaries by what they say, see `SummaryKind` and `word_patterns`. `blank_summaries` are
    the edit summaries that MediaWiki writes when a page is blanked. `intents` names the templates
    that intents are known by, `featured` the marks of a featured article; where the file says
    nothing of them, `configs/other_languages.toml` may.
    """

    code: str
    name: NonEmpty
    spacy: NonEmpty
    segmenter: NonEmpty = "rules"
    keep_apostrophes: bool = False
    abbreviations: tuple[NonEmpty, ...] = ()
    abbreviations_may_end: tuple[NonEmpty, ...] = ()
    abbreviations_before_starter: tuple[NonEmpty, ...] = ()
    abbreviations_before_number: tuple[NonEmpty, ...] = ()
    sentence_starters: tuple[NonEmpty, ...] = ()
    words_before_letters: tuple[NonEmpty, ...] = ()
    rulers: tuple[NonEmpty, ...] = ()
    continuations: tuple[NonEmpty, ...] = ()
    title_words: tuple[NonEmpty, ...] = ()
    ordinal_digits: Annotated[int, Meta(ge=0, le=9)] = 0
    full_width_stops: bool = False
    stopwords: tuple[str, ...] = ()
    determiners: tuple[NonEmpty, ...] = ()
    blank_summaries: tuple[str, ...] = ()
    namespaces: Mapping[NamespaceKind, tuple[str, ...]] = field(default_factory=dict, hash=False)
    summaries: Mapping[SummaryKind, tuple[NonEmpty, ...]] = field(default_factory=dict, hash=False)
    sections: Mapping[SectionKind, tuple[NonEmpty, ...]] = field(default_factory=dict, hash=False)
    text_templates: Mapping[str, str] = field(default_factory=dict, hash=False)
    silent_templates: _Listed = field(default_factory=dict, hash=False)
    quotation_templates: _Listed = field(default_factory=dict, hash=False)
    intents: IntentNames = field(default_factory=IntentNames)
    featured: FeaturedMarks = field(default_factory=FeaturedMarks)


def languages() -> list[str]:
    """Return the codes of the languages that have a `configs/<code>.toml`, sorted."""
    return sorted(names("configs", "*.toml") - _OTHERS)


def load_language(code: str, tagset: str = "") -> Language:
    """Read `configs/<code>.toml`, the user's own or the one shipped.

    Args:
        code: the code of the language.
        tagset: the tag set to be used with it: the message for an unknown language names those that
            have it.

    Raises:
        UsageError: the language is unknown; the message names the nearest known one. Or the file
            is broken; the message names file, line and key.
    """
    known = languages()
    path = find("configs", f"{code}.toml") if code in known else None
    if path is None:
        tagged = names("tagsets", "*/*.toml")
        usable = [other for other in known if f"{tagset}/{other}" in tagged] or known
        refuse_unconfigured(code, usable)
        raise UsageError(
            f"unknown language {code!r}{nearest_language(code, usable)}. "
            "To add one: wikibias docs add-a-language"
        )
    found, missing = _parsed(code, path, read_text(path))
    if not missing:
        return found
    other = names_of_other_languages().get(code, WikiNames())
    return replace(found, **{name: getattr(other, name) for name in missing})


@lru_cache(_REMEMBERED)
def _parsed(code: str, path: Path, text: str) -> tuple[Language, Set[str]]:
    """Return what a file says, and which names it lacks; to parse it takes longer than to read."""
    file = TomlFile(text, path)
    found = conform_file(Language, {"code": code} | file.table, file)
    if found.code != code:
        raise UsageError(f"{file.at(('code',))}: code must be {code!r}, as the file is named")
    return found, {"intents", "featured"} - file.table.keys()


def refuse_unconfigured(wrong: str, known: Iterable[str]) -> None:
    """Refuse the language of a Wikipedia for which there is no file, by its code or English name.

    Raises:
        UsageError: it is one; the message names it, and says how to add it.
    """
    given, known = wrong.lower(), sorted(known)
    short = _CODE.match(given)
    if short and short[0] in languages():
        return
    of_wikipedias = wikipedia_languages()
    by_name = {name.lower(): code for code, name in of_wikipedias.items()}
    codes = [given, by_name.get(given, ""), short[0] if short else ""]
    code = next((code for code in codes if code in of_wikipedias), None)
    if code is None or code in languages():
        return
    name = of_wikipedias[code]
    raise UsageError(
        f"{name} ({code}) has no configuration yet; to add one, write configs/{code}.toml (two "
        f'lines will do: name = "{name}", spacy = "xx") and, to look for tags, '
        f"tagsets/npov/{code}.toml, as `wikibias docs add-a-language` shows. "
        f"Known: {', '.join(known)}"
    )


def nearest_language(wrong: str, known: Iterable[str]) -> str:
    """Return what `nearest` says of a code that is none of the known ones, or of a name.

    A name is that of the English language, such as "German"; it is not compared with codes.
    """
    code = _CODE.match(wrong.lower())
    if code:
        return nearest(code[0], known)
    codes = {}
    for known_code in languages():
        path = find("configs", f"{known_code}.toml")
        with suppress(UsageError):  # a file that is asked for tells of its own faults
            codes[str(path and TomlFile.read(path).table.get("name")).lower()] = known_code
    close = difflib.get_close_matches(wrong.lower(), codes, n=1, cutoff=_SURE)
    return nearest(codes[close[0]] if close else "", known)


@dataclass(frozen=True, slots=True)
class MediaWiki:
    """Facts of MediaWiki in all languages: redirect words (lower case), interlanguage prefixes."""

    redirect_words: tuple[NonEmpty, ...]
    interlanguage: tuple[NonEmpty, ...]


def load_mediawiki() -> MediaWiki:
    """Read `configs/mediawiki.toml`.

    Raises:
        UsageError: the file is broken; names file, line and key.
    """
    return read_toml(folder("configs") / "mediawiki.toml", MediaWiki)[0]
