"""The thresholds of the pipeline, from `configs/default.toml` and a file of the user's."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from wikibias.config.resources import folder, read_toml
from wikibias.errors import UsageError
from wikibias.messages import nearest


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


NEAR_DUPLICATE_COSINE = 0.5
"""Cosine from which two sentences are neighbours."""
