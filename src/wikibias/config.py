"""Configuration: TOML files to frozen dataclasses. An unknown key names the nearest known one."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, TypeVar

from wikibias.errors import UsageError, nearest
from wikibias.resources import folder, read_toml

T = TypeVar("T")
# The namespaces whose local names a language file may add to.
NAMESPACES = ("template", "file", "category", "user")
# The code that begins EN, en-US, en_GB and enwiki.
_CODE = re.compile(r"[a-z]{2,3}(?=$|[-_]|wiki$)")
# From this likeness on a name is a slip of another: Deutsch is none of Dutch.
_SURE = 0.85


@dataclass(frozen=True, slots=True)
class Reverts:
    """How far an identity revert reaches: revisions, and days after the revision it undoes."""

    radius: int = 15
    days: float = 2.0


@dataclass(frozen=True, slots=True)
class Text:
    """Sentence length in tokens, and the longest wikitext (characters) that is cleaned."""

    min_tokens: int = 6
    max_tokens: int = 299
    max_wikitext: int = 2_500_000


@dataclass(frozen=True, slots=True)
class Filter:
    """Thresholds of section 3.3 of the 2019 paper; characters, sentences, edit distance."""

    min_wikitext: int = 400
    max_edited_sentences: int = 400
    spelling_distance: int = 1


@dataclass(frozen=True, slots=True)
class Build:
    """Shares of the three splits; they sum to 1."""

    train: float = 0.8
    dev: float = 0.1
    test: float = 0.1


@dataclass(frozen=True, slots=True)
class Config:
    """All thresholds of the pipeline, as in `configs/default.toml`."""

    reverts: Reverts = field(default_factory=Reverts)
    text: Text = field(default_factory=Text)
    filter: Filter = field(default_factory=Filter)
    build: Build = field(default_factory=Build)

    def as_dict(self) -> dict[str, Any]:
        """Return the configuration as plain nested dictionaries, for the manifest."""
        return asdict(self)


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


@dataclass(frozen=True, slots=True)
class MediaWiki:
    """Facts of MediaWiki in all languages: redirect words (lower case), interlanguage prefixes."""

    redirect_words: tuple[str, ...]
    interlanguage: tuple[str, ...]


def load_config(user_file: Path | None = None) -> Config:
    """Read `configs/default.toml`, overridden by the keys of `user_file`.

    Raises:
        UsageError: an unknown key, a value of the wrong type, shares that do not sum to 1.
    """
    default_file = folder("configs") / "default.toml"
    config = _overlay(Config(), read_toml(default_file), default_file)
    if user_file is not None:
        config = _overlay(config, read_toml(user_file), user_file)
    shares = config.build.train + config.build.dev + config.build.test
    if abs(shares - 1) > 1e-9 or min(config.build.train, config.build.dev, config.build.test) < 0:
        raise UsageError(f"{user_file}: [build] train, dev and test must sum to 1, not {shares:g}")
    return config


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
    return _table(Language, {**table, "code": code}, path)


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


def load_mediawiki() -> MediaWiki:
    """Read `configs/mediawiki.toml`."""
    path = folder("configs") / "mediawiki.toml"
    return _table(MediaWiki, read_toml(path), path)


def _overlay(config: Config, tables: dict[str, Any], path: Path) -> Config:
    sections = {f.name for f in fields(Config)}
    for name, table in tables.items():
        if name not in sections or not isinstance(table, dict):
            raise UsageError(f"{path}: unknown section [{name}]{nearest(name, sections)}")
        section = getattr(config, name)
        known = {f.name: type(getattr(section, f.name)) for f in fields(section)}
        for key, value in table.items():
            if key not in known:
                raise UsageError(f"{path}: unknown key {name}.{key}{nearest(key, known)}")
            wanted = known[key]
            if isinstance(value, bool) or not isinstance(value, (int, wanted)):
                raise UsageError(
                    f"{path}: {name}.{key} must be of type {wanted.__name__}, not {value!r}"
                )
            section = replace(section, **{key: wanted(value)})
        config = replace(config, **{name: section})
    return config


def _table(kind: type[T], table: dict[str, Any], path: Path) -> T:
    known = {f.name for f in fields(kind)}  # type: ignore[arg-type]
    for key in table:
        if key not in known:
            raise UsageError(f"{path}: unknown key {key}{nearest(key, known)}")
    try:
        return kind(**{key: _frozen(value) for key, value in table.items()})
    except TypeError as error:
        raise UsageError(f"{path}: {error}") from error


def _frozen(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(value)
    if isinstance(value, dict):
        return {key: _frozen(item) for key, item in value.items()}
    return value
