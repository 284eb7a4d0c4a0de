"""Tag sets: which templates of a wiki mean "not neutral", grouped under canonical tags."""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from wikibias.config.languages import languages, nearest_language
from wikibias.config.resources import folder, read_text
from wikibias.errors import UsageError
from wikibias.mediawiki import titles
from wikibias.messages import nearest
from wikibias.tags.validation import Lines, doubts, faults


@dataclass(frozen=True, slots=True)
class Tag:
    """A canonical tag. `text` is the parameter a wrapping tag shows to the reader, else ""."""

    name: str
    family: str
    scope: str
    aliases: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Wrapper:
    """A template that carries tags in its parameters.

    `parameters` maps a parameter's name, case-folded, to a canonical tag. With `positional`,
    an unnamed value that is a tag's name or alias is that tag.
    """

    name: str
    aliases: tuple[str, ...]
    parameters: Mapping[str, str]
    positional: bool


@dataclass(frozen=True, slots=True)
class TagSet:
    """The tags of one set on one wiki.

    `version` is a hash of the content, all but the `provenance`: which counts the names come
    from, and which of them were decided by hand (see `tags/curate.py`).
    """

    name: str
    lang: str
    ignore_case: bool
    verified: bool
    tags: tuple[Tag, ...]
    wrappers: tuple[Wrapper, ...]
    version: str
    provenance: Mapping[str, Any] = field(default_factory=dict)

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
        names = {tag.name for tag in tags}
        wrappers = tuple(
            replace(w, parameters={p: tag for p, tag in w.parameters.items() if tag in names})
            for w in self.wrappers
        )
        return replace(self, tags=tags, wrappers=wrappers)

    def key(self, name: str) -> str:
        """Return what two template names must share to be the same in this set."""
        return titles.key(name, ignore_case=self.ignore_case)

    def by_key(self) -> dict[str, Tag]:
        """Return every name and alias of the set, as keys, with its tag."""
        return {self.key(name): tag for tag in self.tags for name in (tag.name, *tag.aliases)}

    def wrappers_by_key(self) -> dict[str, Wrapper]:
        """Return every name and alias of a wrapper, as keys, with its wrapper."""
        return {self.key(n): w for w in self.wrappers for n in (w.name, *w.aliases)}


def tagset_names() -> list[str]:
    """Return the names of the sets there are, sorted."""
    return sorted(path.name for path in folder("tagsets").iterdir() if path.is_dir())


def tagset_languages(name: str = "npov") -> list[str]:
    """Return the languages that the set `name` has a file for, sorted.

    Raises:
        UsageError: an unknown set; the message names the nearest known one.
    """
    sets = tagset_names()
    if name not in sets:
        raise UsageError(f"unknown tag set {name!r}{nearest(name, sets)}")
    return sorted(path.stem for path in (folder("tagsets") / name).glob("*.toml"))


def load_tagset(name: str, lang: str) -> TagSet:
    """Read `tagsets/<name>/<lang>.toml`.

    Raises:
        UsageError: an unknown set or language, or a broken file; names the file and the place.
    """
    return read_tagset(tagset_file(name, lang), name)


def tagset_file(name: str, lang: str) -> Path:
    """Return where the file of a set for a language is.

    Raises:
        UsageError: an unknown set or language; the message names the nearest known one.
    """
    known = tagset_languages(name)
    if lang not in known and lang in languages():
        raise UsageError(
            f"nobody has made the tag set {name!r} for {lang!r} yet, only for {', '.join(known)}; "
            "to make it, see docs/how-to/add-a-tag-set.md"
        )
    if lang not in known:
        hint = nearest_language(lang, known)
        raise UsageError(f"the tag set {name!r} has no language {lang!r}{hint}")
    return folder("tagsets") / name / f"{lang}.toml"


def read_tagset(path: Path, name: str) -> TagSet:
    """Read one tag-set file and check it.

    Raises:
        UsageError: a missing or unknown key, a name that cannot be a title, a name under two
            tags, a wrapper's parameter that points at no tag; with file, line and key.
    """
    return parse_tagset(read_text(path), path, name)


def parse_tagset(text: str, path: Path, name: str) -> TagSet:
    """Return the tag set that a file's text holds; `path` is for messages and the language.

    Raises:
        UsageError: see `read_tagset`.
    """
    table = _toml(text, path)
    for fault in faults(table, Lines(text, path)):
        raise UsageError(fault)
    hashed = {key: value for key, value in table.items() if key != "provenance"}
    content = json.dumps(hashed, sort_keys=True, ensure_ascii=False)
    return TagSet(
        name=name,
        lang=table.get("lang", path.stem),
        ignore_case=bool(table.get("ignore_case", False)),
        verified=bool(table.get("verified", False)),
        tags=tuple(_tag(entry) for entry in table["tag"]),
        wrappers=tuple(_wrapper(entry) for entry in table.get("wrapper", [])),
        version=hashlib.sha256(content.encode()).hexdigest()[:12],
        provenance=table.get("provenance", {}),
    )


def check_tagset(path: Path) -> tuple[list[str], list[str]]:
    """Return all faults of a tag-set file, which make it unusable, or else all doubts about it.

    Raises:
        UsageError: the file is missing, or no TOML.
    """
    text = read_text(path)
    table, lines = _toml(text, path), Lines(text, path)
    found = list(faults(table, lines))
    return found, [] if found else list(doubts(table, lines, path.stem))


def _toml(text: str, path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{path}: not valid TOML: {error}") from error


def _tag(entry: Mapping[str, Any]) -> Tag:
    scope = entry.get("scope", "article")
    return Tag(
        name=entry["name"],
        family=entry["family"],
        scope=scope,
        aliases=tuple(entry.get("aliases", ())),
        text=str(entry.get("text", "1" if scope == "wrapping" else "")),
    )


def _wrapper(entry: Mapping[str, Any]) -> Wrapper:
    parameters = entry.get("parameters", {})
    return Wrapper(
        name=entry["name"],
        aliases=tuple(entry.get("aliases", ())),
        parameters={titles.clean(p).casefold(): tag for p, tag in parameters.items()},
        positional=bool(entry.get("positional", False)),
    )
