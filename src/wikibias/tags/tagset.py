"""Tag sets: entries, checks, and reading from TOML."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Literal

from wikibias import mediawiki
from wikibias.config import languages, resources
from wikibias.errors import UsageError, nearest
from wikibias.kits.checked import Meta, MisfitError, NonEmpty, Place, TomlFile, conform, read_text
from wikibias.kits.files import to_json

Scope = Literal["article", "section", "inline", "wrapping"]


@dataclass(frozen=True, slots=True)
class Tag:
    """A canonical tag. `text` is the parameter a wrapping tag shows to the reader, else ""."""

    name: NonEmpty
    family: NonEmpty
    scope: Scope = "article"
    aliases: tuple[str, ...] = ()
    text: str = ""


@dataclass(frozen=True, slots=True)
class Wrapper:
    """A template that carries tags in its parameters.

    `parameters` maps a parameter's name to a canonical tag. With `positional`, an unnamed value
    that is a tag's name or alias is that tag.
    """

    name: NonEmpty
    aliases: tuple[str, ...] = ()
    parameters: Mapping[str, str] = field(default_factory=dict)
    positional: bool = False


@dataclass(frozen=True, slots=True)
class Provenance:
    """Which counts the names come from, and who decided on them; see `wikibias tags apply`."""

    counts: str = ""
    generated: tuple[str, ...] = ()
    by_hand: tuple[str, ...] = ()
    rejected: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TagSetFile:
    """The content of a tag-set file; `lang` is by default the file's own name.

    `only_at_home` lists aliases that are something else on wikis of other languages.
    """

    tag: Annotated[tuple[Tag, ...], Meta(min_length=1)]
    wrapper: tuple[Wrapper, ...] = ()
    only_at_home: tuple[str, ...] = ()
    lang: str = ""
    ignore_case: bool = False
    verified: bool = False
    provenance: Provenance = field(default_factory=Provenance)


_IMPOSSIBLE = re.compile(r"[\[\]{}|<>#\x00-\x1f\x7f-\x9f\u2028\u2029]")
_REMEMBERED = 64


def faults(content: TagSetFile, file: TomlFile) -> Iterator[str]:
    """Yield what makes a tag set unusable: impossible or double names, parameters without a tag."""
    seen: dict[str, str] = {}
    for owner, name, place in _names(content):
        key = mediawiki.title_key(name, ignore_case=content.ignore_case)
        fault = f"stands under {seen.get(key)!r} and under {owner!r}" if key in seen else ""
        if _IMPOSSIBLE.search(name) or not key:
            fault = f"under {owner!r} cannot be the title of a template"
        if fault:
            yield f"{file.at(place, name)}: {name!r} {fault}"
        seen.setdefault(key, owner)
    canonical = [tag.name for tag in content.tag]
    aliases = [alias for tag in content.tag for alias in tag.aliases]
    for name in content.only_at_home:
        if name not in aliases:
            yield f"{file.at(('only_at_home',), name)}: only_at_home: no tag has the alias {name!r}"
    for index, wrapper in enumerate(content.wrapper):
        for parameter, tag in wrapper.parameters.items():
            if tag not in canonical:
                where = file.at(("wrapper", index, "parameters", parameter))
                yield (
                    f"{where}: wrapper {wrapper.name!r}, parameter {parameter!r}: no tag "
                    f"{tag!r}{nearest(tag, canonical)}"
                )


def doubts(content: TagSetFile, file: TomlFile) -> Iterator[str]:
    """Yield what a tag set can be used with, but hardly means."""
    stem = file.path.stem
    if content.lang not in ("", stem):
        yield f"{file.at(('lang',))}: lang is {content.lang!r}, but the file is named {stem!r}"
    for _, name, place in _names(content):
        if ":" in name:
            yield (
                f"{file.at(place, name)}: {name!r}: names stand here without the name of the "
                "namespace"
            )
    for index, wrapper in enumerate(content.wrapper):
        if not wrapper.parameters and not wrapper.positional:
            yield (
                f"{file.at(('wrapper', index, 'name'))}: wrapper {wrapper.name!r} has neither "
                "parameters nor positional = true, so it finds nothing"
            )
    if not content.verified:
        yield (
            f"{file.at(('verified',))}: not verified: nobody has looked all names up on the wiki"
        )


def _names(content: TagSetFile) -> Iterator[tuple[str, str, Place]]:
    """Yield the name of an entry, each name and alias of it, and the place of that."""
    both: dict[str, Sequence[Tag | Wrapper]] = {"tag": content.tag, "wrapper": content.wrapper}
    for kind, entries in both.items():
        for index, entry in enumerate(entries):
            yield entry.name, entry.name, (kind, index, "name")
            for alias in entry.aliases:
                yield entry.name, alias, (kind, index, "aliases")


@dataclass(frozen=True, slots=True)
class TagSet:
    """The tags of one set on one wiki.

    `version` is a hash of the content, all but the `provenance`: which counts the names come
    from, and which of them were decided by hand (see `curation/apply.py`). The parameters of the
    wrappers are case-folded.
    """

    name: str
    lang: str
    ignore_case: bool
    verified: bool
    tags: tuple[Tag, ...]
    wrappers: tuple[Wrapper, ...]
    version: str
    provenance: Provenance = field(default_factory=Provenance)
    only_at_home: tuple[str, ...] = ()

    @property
    def families(self) -> list[str]:
        """The families of the set, sorted."""
        return sorted({tag.family for tag in self.tags})

    def only(self, families: Iterable[str]) -> TagSet:
        """Return the set with the tags of these families; with none given, as it is.

        Raises:
            UsageError: an unknown family; the message names the nearest known one.
        """
        wanted = set(families)
        for family in sorted(wanted - set(self.families)):
            raise UsageError(
                f"the tag set {self.name!r} for {self.lang!r} has no family "
                f"{family!r}{nearest(family, self.families)}"
            )
        if not wanted:
            return self
        tags = tuple(tag for tag in self.tags if tag.family in wanted)
        left = {tag.name for tag in tags}
        wrappers = tuple(
            replace(w, parameters={p: tag for p, tag in w.parameters.items() if tag in left})
            for w in self.wrappers
        )
        return replace(self, tags=tags, wrappers=wrappers)

    def on(self, lang: str | None) -> TagSet:
        """Return the set as it holds on a wiki of this language, or of one that it does not say."""
        away = self.only_at_home
        if not away or (lang or self.lang).partition("-")[0] == self.lang:
            return self
        left = (replace(t, aliases=tuple(a for a in t.aliases if a not in away)) for t in self.tags)
        return replace(self, tags=tuple(left))

    def key(self, name: str) -> str:
        """Return what two template names must share to be the same in this set."""
        return mediawiki.title_key(name, ignore_case=self.ignore_case)

    def by_key(self) -> dict[str, Tag]:
        """Return every name and alias of the set, as keys, with its tag."""
        return {self.key(name): tag for tag in self.tags for name in (tag.name, *tag.aliases)}

    def wrappers_by_key(self) -> dict[str, Wrapper]:
        """Return every name and alias of a wrapper, as keys, with its wrapper."""
        return {self.key(n): w for w in self.wrappers for n in (w.name, *w.aliases)}

    def carried(self, name: str) -> Tag | None:
        """Return the tag that `Wrapper|parameter` is; None of any other name."""
        wrapper_name, _, parameter = name.partition("|")
        wrapper = self.wrappers_by_key().get(self.key(wrapper_name)) if parameter else None
        if wrapper is None:
            return None
        tag = wrapper.parameters.get(parameter.casefold(), parameter if wrapper.positional else "")
        return self.by_key().get(self.key(tag))


def no_tags(name: str, lang: str) -> TagSet:
    """Return a set without tags, for a wiki whose tags nobody looks for."""
    return TagSet(name, lang, ignore_case=False, verified=True, tags=(), wrappers=(), version="")


def tagset_names() -> list[str]:
    """Return the names of the sets there are, sorted."""
    return sorted({file.partition("/")[0] for file in resources.names("tagsets", "*/*.toml")})


def tagset_languages(name: str = "npov") -> list[str]:
    """Return the languages that the set `name` has a file for, sorted.

    Raises:
        UsageError: an unknown set; the message names the nearest known one.
    """
    files = [file.partition("/") for file in resources.names("tagsets", "*/*.toml")]
    sets = {found for found, _, _ in files}
    if name not in sets:
        raise UsageError(f"unknown tag set {name!r}{nearest(name, sets)}")
    return sorted(lang for found, _, lang in files if found == name)


def load_tagset(name: str, lang: str) -> TagSet:
    """Read `tagsets/<name>/<lang>.toml`, the user's own or the one shipped.

    Raises:
        UsageError: an unknown set or language, or a broken file; names the file and the place.
    """
    return read_tagset(tagset_file(name, lang), name)


def tagset_file(name: str, lang: str) -> Path:
    """Return where the file of a set for a language is.

    Raises:
        UsageError: an unknown set or language; the message names the nearest known one.
    """
    # To list all sets takes milliseconds.
    if all(map(resources.is_name, (name, lang))) or lang in tagset_languages(name):
        path = resources.find("tagsets", f"{name}/{lang}{resources.ENDING}")
        if path is not None:
            return path
    known = tagset_languages(name)
    if lang in languages.languages():
        raise UsageError(
            f"nobody has made the tag set {name!r} for {lang!r} yet, only for {', '.join(known)}; "
            "to make it: wikibias docs tags"
        )
    languages.refuse_unconfigured(lang, known)
    hint = languages.nearest_language(lang, known)
    raise UsageError(f"the tag set {name!r} has no language {lang!r}{hint}")


def read_tagset(path: Path, name: str) -> TagSet:
    """Read one tag-set file and check it.

    Raises:
        UsageError: a missing or unknown key, a name that cannot be a title, a name under two
            tags, a wrapper's parameter that points at no tag; with file, line and key.
    """
    return _parsed(path, read_text(path), name)


@lru_cache(_REMEMBERED)
def _parsed(path: Path, text: str, name: str) -> TagSet:
    """Return what a file says; to parse it takes longer than to read it."""
    return parse_tagset(TomlFile(text, path), name)


def parse_tagset(file: TomlFile, name: str) -> TagSet:
    """Return the tag set that a file holds; its name tells the language, unless it says another.

    Raises:
        UsageError: see `read_tagset`.
    """
    content, wrong = _checked(file)
    if content is None or wrong:
        raise UsageError(wrong[0])
    hashed = {key: value for key, value in file.table.items() if key != "provenance"}
    facts = to_json(hashed, sort_keys=True)
    return TagSet(
        name=name,
        lang=content.lang or file.path.stem,
        ignore_case=content.ignore_case,
        verified=content.verified,
        tags=tuple(map(_with_text, content.tag, file.table["tag"])),
        wrappers=tuple(map(_with_clean_parameters, content.wrapper)),
        version=hashlib.sha256(facts.encode()).hexdigest()[:12],
        provenance=content.provenance,
        only_at_home=content.only_at_home,
    )


def check_tagset(path: Path) -> tuple[list[str], list[str]]:
    """Return all faults of a tag-set file, which make it unusable, or else all doubts about it.

    Raises:
        UsageError: the file is missing, or no TOML.
    """
    file = TomlFile.read(path)
    content, wrong = _checked(file)
    return wrong, [] if content is None or wrong else list(doubts(content, file))


def _checked(file: TomlFile) -> tuple[TagSetFile | None, list[str]]:
    """Return the content of a file, and what is wrong with it."""
    try:
        content = conform(TagSetFile, file.table)
    except MisfitError as error:
        return None, [f"{fault.at(file)}: {fault.text}" for fault in error.faults]
    return content, list(faults(content, file))


def _with_text(tag: Tag, entry: Mapping[str, Any]) -> Tag:
    return replace(tag, text="1") if tag.scope == "wrapping" and "text" not in entry else tag


def _with_clean_parameters(wrapper: Wrapper) -> Wrapper:
    parameters = {mediawiki.clean_title(p).casefold(): tag for p, tag in wrapper.parameters.items()}
    return replace(wrapper, parameters=parameters)
