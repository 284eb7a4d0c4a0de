"""What is wrong with a tag-set file, each fault with its line and key."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from wikibias.mediawiki import titles
from wikibias.messages import nearest

SCOPES = ("article", "section", "inline", "wrapping")
_FILE_KEYS = {"lang", "ignore_case", "verified", "tag", "wrapper", "provenance"}
_TAG_KEYS = {"name", "family", "scope", "aliases", "text"}
_WRAPPER_KEYS = {"name", "aliases", "parameters", "positional"}
_IMPOSSIBLE = re.compile(r"[\[\]{}|<>#\n]")
_HEADER = re.compile(r"\s*\[\[\s*(tag|wrapper)\s*\]\]|\s*\[\s*([a-z]+)[\s.\]]")
Table = Mapping[str, Any]


class Lines:
    """Finds the line in which a key or name of an entry stands, for messages."""

    def __init__(self, text: str, path: Path) -> None:
        self._path = path
        self._lines = text.splitlines()
        heads = [(n, _HEADER.match(line)) for n, line in enumerate(self._lines)]
        self._starts = {"tag": [0], "wrapper": [0], "": [0]}
        self._starts |= {
            kind: [n for n, head in heads if head and head.group(1) == kind]
            for kind in ("tag", "wrapper")
        }
        self._tops = [n for n, head in heads if head and head.group(2) != "wrapper"]

    def at(self, needle: str, kind: str = "", index: int = 0) -> str:
        """Return `path:line` of `needle` in the entry number `index` of a kind, or of its head."""
        starts = self._starts[kind]
        if index >= len(starts):
            return str(self._path)
        start = starts[index]
        end = next((n for n in self._tops if n > start), len(self._lines)) if kind else None
        for number, line in enumerate(self._lines[start:end], start):
            if needle in line:
                return f"{self._path}:{number + 1}"
        return f"{self._path}:{start + 1}"


def faults(table: Table, lines: Lines) -> Iterator[str]:
    """Yield what makes a tag set unusable: wrong keys or types, impossible or double names."""
    for key in table:
        if key not in _FILE_KEYS:
            yield f"{lines.at(key)}: unknown key {key!r}{nearest(key, _FILE_KEYS)}"
    for key in ("tag", "wrapper"):
        entries = table.get(key, [])
        if not isinstance(entries, list) or not all(isinstance(e, dict) for e in entries):
            yield f"{lines.at(key)}: {key} must be given as [[{key}]]"
            return
    if not table.get("tag"):
        yield f"{lines.at('')}: the tag set holds no [[tag]]"
    for kind, known in (("tag", _TAG_KEYS), ("wrapper", _WRAPPER_KEYS)):
        for index, entry in enumerate(table.get(kind, [])):
            for fault, key in _entry_faults(kind, entry, known):
                where = lines.at(key, kind, index)
                yield f"{where}: [[{kind}]] {entry.get('name', '?')!r}: {fault}"
    yield from _double_names(table, lines)
    yield from _lost_parameters(table, lines)


def _entry_faults(kind: str, entry: Table, known: set[str]) -> Iterator[tuple[str, str]]:
    """Yield a fault and the key or name that it is about."""
    for key in entry:
        if key not in known:
            yield f"unknown key {key!r}{nearest(key, known)}", key
    for key in ("name", "family") if kind == "tag" else ("name",):
        value = entry.get(key)
        if not isinstance(value, str) or not value.strip():
            yield f"{key} is missing or no text", key
    scope = entry.get("scope", "article")
    if scope not in SCOPES:
        yield f"unknown scope {scope!r}{nearest(str(scope), SCOPES)}", "scope"
    aliases = entry.get("aliases", [])
    if not isinstance(aliases, list) or not all(isinstance(a, str) for a in aliases):
        yield "aliases must be a list of texts", "aliases"
    parameters = entry.get("parameters", {})
    if not isinstance(parameters, dict):
        yield "parameters must be a table of parameter = tag", "parameters"


def names_of(entry: Table) -> list[str]:
    """Return the name and the aliases of an entry, as far as they are texts."""
    aliases = entry.get("aliases", [])
    found = [entry.get("name"), *(aliases if isinstance(aliases, list) else [])]
    return [name for name in found if isinstance(name, str)]


def _double_names(table: Table, lines: Lines) -> Iterator[str]:
    ignore_case = bool(table.get("ignore_case", False))
    seen: dict[str, str] = {}
    for kind in ("tag", "wrapper"):
        for index, entry in enumerate(table.get(kind, [])):
            owner = entry.get("name", "?")
            for name in names_of(entry):
                where, key = lines.at(name, kind, index), titles.key(name, ignore_case=ignore_case)
                if _IMPOSSIBLE.search(name) or not key:
                    yield f"{where}: {name!r} under {owner!r} cannot be the title of a template"
                elif key in seen:
                    yield f"{where}: {name!r} stands under {seen[key]!r} and under {owner!r}"
                seen.setdefault(key, owner)


def _lost_parameters(table: Table, lines: Lines) -> Iterator[str]:
    canonical = [entry.get("name", "") for entry in table.get("tag", [])]
    for index, entry in enumerate(table.get("wrapper", [])):
        parameters = entry.get("parameters", {})
        for parameter, tag in parameters.items() if isinstance(parameters, dict) else ():
            if tag not in canonical:
                yield (
                    f"{lines.at(parameter, 'wrapper', index)}: wrapper {entry.get('name')!r}, "
                    f"parameter {parameter!r}: no tag {tag!r}{nearest(str(tag), canonical)}"
                )


def doubts(table: Table, lines: Lines, stem: str) -> Iterator[str]:
    """Yield what a tag set can be used with, but hardly means; `stem` is the file's own name."""
    if table.get("lang", stem) != stem:
        yield f"{lines.at('lang')}: lang is {table['lang']!r}, but the file is named {stem!r}"
    for kind in ("tag", "wrapper"):
        for index, entry in enumerate(table.get(kind, [])):
            for name in names_of(entry):
                if ":" in name:
                    yield (
                        f"{lines.at(name, kind, index)}: {name!r}: names stand here without the "
                        "name of the namespace"
                    )
    for index, entry in enumerate(table.get("wrapper", [])):
        if not entry.get("parameters") and not entry.get("positional"):
            yield (
                f"{lines.at('name', 'wrapper', index)}: wrapper {entry.get('name')!r} has neither "
                "parameters nor positional = true, so it finds nothing"
            )
    if not table.get("verified", False):
        yield f"{lines.at('verified')}: not verified: nobody has looked all names up on the wiki"
