"""What a run is asked to do, stage by stage: recorded in the manifest, compared on resuming."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

from wikibias.config import thresholds
from wikibias.config.languages import load_language
from wikibias.config.thresholds import Config
from wikibias.corpus.sampling import SplitBy
from wikibias.edits.filters import RevertPolicy
from wikibias.records import Pairing
from wikibias.tags.tagset import TagSet, load_tagset
from wikibias.transitions.detection import Per, SpanPolicy

Scope = Literal["page", "tagged"]
Reader = Literal["fast", "mwxml"]
# To be raised when a change of the code changes what a stage writes: then old outputs are redone.
OUTPUT_VERSION = 3
SECTIONS = ("detect", "diff", "filter", "build")


@dataclass(frozen=True, slots=True)
class Detect:
    """How transitions are found; `limit` is a number of pages a part, or None."""

    lang: str
    tagset: str
    tagset_version: str
    namespaces: tuple[int, ...]
    per: Per
    limit: int | None
    with_editors: bool
    reverts: thresholds.Reverts
    families: tuple[str, ...]
    pairing: tuple[Pairing, ...]
    span_policy: SpanPolicy


@dataclass(frozen=True, slots=True)
class Diff:
    """How revisions are cleaned and split; `language_version` is a hash of the language's facts.

    `scope` is "page", or "tagged" for only the part of it that the tag is about.
    """

    language_version: str
    text: thresholds.Text
    scope: Scope


@dataclass(frozen=True, slots=True)
class Filter:
    """How edits are filtered."""

    reverts: RevertPolicy
    limits: thresholds.Filter


@dataclass(frozen=True, slots=True)
class Build:
    """How the corpus is put together."""

    split: SplitBy
    seed: int
    shares: thresholds.Build


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of all four stages; and how dumps are read, on which no result depends."""

    detect: Detect
    diff: Diff
    filter: Filter
    build: Build
    reader: Reader = "fast"

    def as_dict(self) -> dict[str, Any]:
        """Return the settings as they stand in a JSON file, but for how dumps are read."""
        content = {stage: asdict(self)[stage] for stage in SECTIONS}
        return dict(json.loads(json.dumps(content)))


def make_settings(
    lang: str,
    thresholds: Config,
    *,
    tagset: str = "npov",
    families: tuple[str, ...] = (),
    pairing: tuple[Pairing, ...] = (),
    scope: Scope = "page",
    namespaces: tuple[int, ...] = (0,),
    per: Per = "tag",
    reverts: RevertPolicy = "drop",
    split: SplitBy = "page",
    seed: int = 0,
    limit: int | None = None,
    with_editors: bool = False,
    reader: Reader = "fast",
) -> Settings:
    """Put the settings of a run together.

    Raises:
        UsageError: an unknown language or tag set; the message names the nearest known one.
    """
    language = load_language(lang)
    facts = json.dumps(asdict(language), sort_keys=True, ensure_ascii=False)
    return Settings(
        detect=Detect(
            lang=lang,
            tagset=tagset,
            tagset_version=load_tagset(tagset, lang).only(families).version,
            namespaces=namespaces,
            per=per,
            limit=limit,
            with_editors=with_editors,
            reverts=thresholds.reverts,
            families=tuple(sorted(set(families))),
            pairing=tuple(sorted(set(pairing))) or ("removal-edit",),
            # What is done with reverts is a matter of the filters, except inside of spans.
            span_policy="all"
            if reverts == "keep" and "tagged-span" in pairing
            else "skip reverted",
        ),
        diff=Diff(
            language_version=hashlib.sha256(facts.encode()).hexdigest()[:12],
            text=thresholds.text,
            scope=scope,
        ),
        filter=Filter(reverts=reverts, limits=thresholds.filter),
        build=Build(split=split, seed=seed, shares=thresholds.build),
        reader=reader,
    )


def tagset_of(settings: Settings) -> TagSet:
    """Return the tag set that is asked for.

    Raises:
        UsageError: it is not there any more.
    """
    wanted = settings.detect
    return load_tagset(wanted.tagset, wanted.lang).only(wanted.families)


def settings_from(record: Mapping[str, Any]) -> Settings:
    """Return the settings that `Settings.as_dict` recorded.

    Raises:
        KeyError, TypeError: another version recorded them.
    """
    detect, diff, keep, build = (dict(record[stage]) for stage in SECTIONS)
    for name in ("namespaces", "families", "pairing"):
        detect[name] = tuple(detect[name])
    detect["reverts"] = thresholds.Reverts(**detect["reverts"])
    diff["text"] = thresholds.Text(**diff["text"])
    keep["limits"] = thresholds.Filter(**keep["limits"])
    build["shares"] = thresholds.Build(**build["shares"])
    return Settings(Detect(**detect), Diff(**diff), Filter(**keep), Build(**build))


def changes(old: Mapping[str, Any], new: Mapping[str, Any], prefix: str = "") -> list[str]:
    """Return what differs between two records of settings, as "name: old -> new"."""
    found = []
    for name in sorted(old.keys() | new.keys()):
        before, after = old.get(name), new.get(name)
        if isinstance(before, dict) and isinstance(after, dict):
            found += changes(before, after, f"{prefix}{name}.")
        elif before != after:
            found.append(f"{prefix}{name}: {before} -> {after}")
    return found
