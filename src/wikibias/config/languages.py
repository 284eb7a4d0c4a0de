"""The facts of one language, from `configs/<code>.toml`."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from wikibias.config.resources import folder, read_toml, table_as
from wikibias.errors import UsageError
from wikibias.messages import nearest

# The namespaces whose local names a language file may add to.
NAMESPACES = ("template", "file", "category", "user")
# The code that begins EN, en-US, en_GB and enwiki.
_CODE = re.compile(r"[a-z]{2,3}(?=$|[-_]|wiki$)")
# From this likeness on a name is a slip of another: Deutsch is none of Dutch.
_SURE = 0.85


@dataclass(frozen=True, slots=True)
class Language:
    """The facts of one language that the pipeline needs; see `docs/how-to/add-a-language.md`.

    `namespaces` gives further local names of the namespaces `template`, `file` and `category`,
    beyond the one the dump itself declares. `text_templates` maps a template to the parameter
    that a reader sees as text. `blank_summaries` are the edit summaries that MediaWiki writes
    when a page is blanked.
    """

    code: str
    name: str
    spacy: str
    keep_apostrophes: bool = False
    abbreviations: tuple[str, ...] = ()
    stopwords: tuple[str, ...] = ()
    blank_summaries: tuple[str, ...] = ()
    namespaces: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    text_templates: Mapping[str, str] = field(default_factory=dict)


def languages() -> list[str]:
    """Return the codes of the languages that have a `configs/<code>.toml`, sorted."""
    special = {"default", "mediawiki"}
    return sorted(p.stem for p in folder("configs").glob("*.toml") if p.stem not in special)


def load_language(code: str) -> Language:
    """Read `configs/<code>.toml`.

    Raises:
        UsageError: the language is unknown; the message names the nearest known one.
    """
    known = languages()
    if code not in known:
        raise UsageError(
            f"unknown language {code!r}{nearest_language(code, known)}. "
            "To add one, see docs/how-to/add-a-language.md"
        )
    path = folder("configs") / f"{code}.toml"
    table = read_toml(path)
    _check_language(table, path)
    return table_as(Language, {**table, "code": code}, path)


def nearest_language(wrong: str, known: Iterable[str]) -> str:
    """Return what `nearest` says of a code that is none of the known ones, or of a name.

    A name is that of the English language, such as "German"; it is not compared with codes.
    """
    code = _CODE.match(wrong.lower())
    if code:
        return nearest(code[0], known)
    names = {
        str(read_toml(folder("configs") / f"{code}.toml").get("name")).lower(): code
        for code in languages()
    }
    close = difflib.get_close_matches(wrong.lower(), names, n=1, cutoff=_SURE)
    return nearest(names[close[0]] if close else "", known)


def _check_language(table: dict[str, Any], path: Path) -> None:
    """Check what a hand that writes a language file gets wrong: types, and names of namespaces."""
    kinds = {
        "name": str,
        "spacy": str,
        "keep_apostrophes": bool,
        "namespaces": dict,
        "text_templates": dict,
    }
    for key, value in table.items():
        wanted = kinds.get(key, list)
        if not isinstance(value, wanted):
            raise UsageError(f"{path}: {key} must be a {wanted.__name__}, not {value!r}")
    for key in ("name", "spacy"):
        if key not in table:
            raise UsageError(f"{path}: the key {key} is missing")
    for key, names in table.get("namespaces", {}).items():
        if key not in NAMESPACES:
            raise UsageError(f"{path}: unknown key namespaces.{key}{nearest(key, NAMESPACES)}")
        if not isinstance(names, list):
            raise UsageError(f"{path}: namespaces.{key} must be a list, not {names!r}")
