"""Tag sets: which templates of a wiki mean "not neutral", grouped under canonical tags."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wikibias import titles
from wikibias.errors import UsageError, nearest
from wikibias.resources import folder, read_toml

_SCOPES = ("article", "section", "inline", "wrapping")
_IMPOSSIBLE = re.compile(r"[\[\]{}|<>#]")


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
    """The tags of one set on one wiki. `version` is a hash of the content."""

    name: str
    lang: str
    ignore_case: bool
    verified: bool
    tags: tuple[Tag, ...]
    wrappers: tuple[Wrapper, ...]
    version: str

    def key(self, name: str) -> str:
        """Return what two template names must share to be the same in this set."""
        return titles.key(name, ignore_case=self.ignore_case)

    def by_key(self) -> dict[str, Tag]:
        """Return every name and alias of the set, as keys, with its tag."""
        return {self.key(name): tag for tag in self.tags for name in (tag.name, *tag.aliases)}

    def wrappers_by_key(self) -> dict[str, Wrapper]:
        """Return every name and alias of a wrapper, as keys, with its wrapper."""
        return {self.key(n): w for w in self.wrappers for n in (w.name, *w.aliases)}


def tagset_languages(name: str = "npov") -> list[str]:
    """Return the languages that the set `name` has a file for, sorted."""
    return sorted(path.stem for path in (folder("tagsets") / name).glob("*.toml"))


def load_tagset(name: str, lang: str) -> TagSet:
    """Read `tagsets/<name>/<lang>.toml`.

    Raises:
        UsageError: an unknown set or language, or a broken file; names the file and the place.
    """
    sets = sorted(path.name for path in folder("tagsets").iterdir() if path.is_dir())
    if name not in sets:
        raise UsageError(f"unknown tag set {name!r}{nearest(name, sets)}")
    known = tagset_languages(name)
    if lang not in known:
        raise UsageError(f"the tag set {name!r} has no language {lang!r}{nearest(lang, known)}")
    return read_tagset(folder("tagsets") / name / f"{lang}.toml", name)


def read_tagset(path: Path, name: str) -> TagSet:
    """Read one tag-set file and check it.

    Raises:
        UsageError: a missing or unknown key, a name that cannot be a title, a name under two
            tags, a wrapper's parameter that points at no tag.
    """
    table = read_toml(path)
    _check_keys(table, {"lang", "ignore_case", "verified", "tag", "wrapper"}, str(path))
    tags = tuple(_tag(entry, path) for entry in table.get("tag", []))
    wrappers = tuple(_wrapper(entry, path) for entry in table.get("wrapper", []))
    if not tags:
        raise UsageError(f"{path}: the tag set holds no [[tag]]")
    content = json.dumps(table, sort_keys=True, ensure_ascii=False)
    tagset = TagSet(
        name=name,
        lang=table.get("lang", path.stem),
        ignore_case=bool(table.get("ignore_case", False)),
        verified=bool(table.get("verified", False)),
        tags=tags,
        wrappers=wrappers,
        version=hashlib.sha256(content.encode()).hexdigest()[:12],
    )
    _check_names(tagset, path)
    return tagset


def _tag(entry: dict[str, Any], path: Path) -> Tag:
    where = f"{path}: [[tag]] {entry.get('name', '?')!r}"
    _check_keys(entry, {"name", "family", "scope", "aliases", "text"}, where)
    scope = entry.get("scope", "article")
    if scope not in _SCOPES:
        raise UsageError(f"{where}: unknown scope {scope!r}{nearest(scope, _SCOPES)}")
    return Tag(
        name=_required(entry, "name", where),
        family=_required(entry, "family", where),
        scope=scope,
        aliases=tuple(entry.get("aliases", ())),
        text=str(entry.get("text", "1" if scope == "wrapping" else "")),
    )


def _wrapper(entry: dict[str, Any], path: Path) -> Wrapper:
    where = f"{path}: [[wrapper]] {entry.get('name', '?')!r}"
    _check_keys(entry, {"name", "aliases", "parameters", "positional"}, where)
    parameters = entry.get("parameters", {})
    positional = bool(entry.get("positional", False))
    if not isinstance(parameters, dict):
        raise UsageError(f"{where}: parameters must be a table of parameter = tag")
    return Wrapper(
        name=_required(entry, "name", where),
        aliases=tuple(entry.get("aliases", ())),
        parameters={titles.clean(p).casefold(): tag for p, tag in parameters.items()},
        positional=positional,
    )


def _required(entry: dict[str, Any], field: str, where: str) -> str:
    value = entry.get(field)
    if not isinstance(value, str) or not value.strip():
        raise UsageError(f"{where}: {field} is missing or no text")
    return value


def _check_keys(table: dict[str, Any], known: set[str], where: str) -> None:
    for name in table:
        if name not in known:
            raise UsageError(f"{where}: unknown key {name!r}{nearest(name, known)}")


def _check_names(tagset: TagSet, path: Path) -> None:
    seen: dict[str, str] = {}
    for owner, name in _all_names(tagset):
        if _IMPOSSIBLE.search(name) or not tagset.key(name):
            raise UsageError(f"{path}: {name!r} under {owner!r} cannot be the title of a template")
        if tagset.key(name) in seen:
            first = seen[tagset.key(name)]
            raise UsageError(f"{path}: {name!r} stands under {first!r} and under {owner!r}")
        seen[tagset.key(name)] = owner
    canonical = {tag.name for tag in tagset.tags}
    for wrapper in tagset.wrappers:
        for parameter, tag in wrapper.parameters.items():
            if tag not in canonical:
                raise UsageError(
                    f"{path}: wrapper {wrapper.name!r}, parameter {parameter!r}: "
                    f"no tag {tag!r}{nearest(tag, canonical)}"
                )


def _all_names(tagset: TagSet) -> Iterator[tuple[str, str]]:
    for tag in tagset.tags:
        for name in (tag.name, *tag.aliases):
            yield tag.name, name
    for wrapper in tagset.wrappers:
        for name in (wrapper.name, *wrapper.aliases):
            yield wrapper.name, name
