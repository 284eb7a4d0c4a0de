"""The settings that a manifest records: read again, and compared with others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from wikibias.kits.checked import MisfitError, conform
from wikibias.pipeline.settings import Build, Detect, Diff, Filter, Settings


@dataclass(frozen=True, slots=True)
class _Record:
    """What `Settings.as_dict` returns."""

    detect: Detect
    diff: Diff
    filter: Filter
    build: Build


def settings_from(record: Mapping[str, Any]) -> Settings:
    """Return the settings that `Settings.as_dict` recorded.

    Raises:
        TypeError: another version recorded them.
    """
    try:
        found = conform(_Record, {**record, "build": _known_build(record)})
    except MisfitError as error:
        raise TypeError(str(error)) from error
    return Settings(found.detect, found.diff, found.filter, found.build)


def _known_build(record: Mapping[str, Any]) -> Any:
    """Return the settings of a corpus, without what only earlier versions could do."""
    build = record.get("build")
    if not isinstance(build, dict) or build.get("balance_topics"):
        return build
    return {name: value for name, value in build.items() if name != "balance_topics"}


def changes(old: Mapping[str, Any], new: Mapping[str, Any], prefix: str = "") -> list[str]:
    """Return what differs between two records of settings, as "name: old -> new"."""
    found = []
    for name in sorted(old.keys() | new.keys()):
        before, after = old.get(name), new.get(name)
        if isinstance(before, dict) and isinstance(after, dict):
            found += changes(before, after, f"{prefix}{name}.")
        elif before in (None, False) and after in (None, False):
            # What an earlier version did not know was not done, and what this one does not know.
            continue
        elif before != after and name == "intents_version" and before and after:
            # A hash says nothing to anybody.
            found.append(f"{prefix}{name}: the rules of an intent have changed")
        elif before != after:
            told = " -> ".join("unset" if of is None else str(of) for of in (before, after))
            found.append(f"{prefix}{name}: {told}")
    return found
